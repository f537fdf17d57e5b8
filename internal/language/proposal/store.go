package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// storeByKind reads a warehouse that only a word such as "магазин" names: the one that is called so, or a question.
// Otherwise a transfer "в магазин" would go anywhere.
func (s *sentence) storeByKind() {
	if s.kind != Transfers {
		return
	}
	for i := range s.Words {
		if request.Kinds[s.Norm(i)] != connector.NameStore || !oneStore[s.Norm(i)] || i+1 < len(s.Words) &&
			s.Words[i+1].Use == token.AsName {
			continue
		}
		list, set := &s.draft.Stores, func(d *Draft, name string) { d.Stores = []string{name} }
		switch s.Word(i - 1) {
		case "в", "во", "на", "to":
		case "с", "со", "из", "from":
			list, set = &s.draft.FromStores, func(d *Draft, name string) { d.FromStores = []string{name} }
		default:
			continue
		}
		if len(*list) > 0 {
			continue
		}
		var fit []string
		for _, x := range s.Stores {
			if slices.ContainsFunc(token.Split(x.Name), func(t token.Token) bool { return t.Stem == s.Words[i].Stem }) {
				fit = append(fit, x.Name)
			}
		}
		said := s.Text(i-1, i+1)
		s.Use(i, i+1)
		if len(fit) == 1 {
			*list = fit
			continue
		}
		s.later = append(s.later, func() {
			s.askStore(set, "«"+said+"» — это какой склад?", "Which warehouse is “"+said+"”?", fit...)
		})
	}
}

// oneStore are words for one warehouse, without a name.
var oneStore = words.Set("склад склада складе магазин магазина магазине точку точке точки филиал филиала филиале " +
	"лавку лавке warehouse store shop")
