package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Card is the input of the skills Product and Counterparty.
type Card struct {
	Product      string `json:"product,omitempty"`
	Counterparty string `json:"counterparty,omitempty"`
}

// beside are the words that may stand beside a name whose card is asked for.
var beside = words.Set(`карточка карточку карточки открой открыть покажи показать дай про о об обо инфо информация
	информацию данные что за это такое расскажи подробно подробнее по у нас с со там чё че есть ли такой такая кто
	card info about open show me details of the who is what`)

// soughtGoods returns what to search for: the words that the goods that the task names have in common, as their names
// write them.
func (r *reader) soughtGoods() string {
	if len(r.mentions) != 1 {
		return r.query()
	}
	m := &r.mentions[0]
	if slices.ContainsFunc(m.meanings, func(n connector.Name) bool { return n.Kind != connector.NameProduct }) {
		return r.query()
	}
	if len(m.meanings) == 1 {
		return m.meanings[0].Name
	}
	return names.Search(m.words)
}

// card reads a task that is nothing but the name of a good or a counterparty, an article, a code or a barcode: its card
// is opened (rule R303).
func (r *reader) card(out *Reading) {
	if len(r.mentions) != 1 || out.FollowUp || out.Consolidate || out.Input != nil ||
		r.in.Previous != nil && r.goesOn() {
		return
	}
	m := &r.mentions[0]
	if m.all || m.weak || len(m.meanings) == 0 {
		return
	}
	for i := range r.ts {
		t := &r.ts[i]
		if t.Kind != token.Mark && !(m.at[0] <= i && i <= m.at[len(m.at)-1]) && t.Use != token.AsAccount &&
			!beside[t.Norm] &&
			!words.IsLegalForm(t.Norm) && names.Kind(t.Norm) == "" {
			return
		}
	}
	n := m.meanings[0]
	called := n.Name
	if m.byID {
		called = n.ID
	}
	c := Card{Product: called}
	switch n.Kind {
	case connector.NameProduct:
		out.Skill = Product
	case connector.NameCounterparty, connector.NameSupplier:
		out.Skill, c = Counterparty, Card{Counterparty: called}
	default:
		return
	}
	out.Input, out.Arguments, out.Query, out.Question, out.Outside = c, Arguments{}, nil, nil, false
	out.Unknown, out.Ignored, out.Confidence = nil, nil, 1
	out.Matched = []Match{{Name: n, Words: m.words, Exact: m.exact}}
}

// goesOn reports whether the task begins with words such as "what about".
func (r *reader) goesOn() bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return f.Meaning == conceptFollowUp && f.At[0] <= 1
	})
}
