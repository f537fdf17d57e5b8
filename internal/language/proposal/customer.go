package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// askCustomer asks whether the partner of an order supplies the goods or buys them: "оформи заказ Альфе: 3 кофе",
// "заказ для Альфы", "заказ от Альфы" (rule R1182). The account's names do not tell, and the goods would be ordered
// from a customer. "Закажи у Альфы" and "заказ поставщику Альфа" are orders to it.
func (s *sentence) askCustomer() {
	if s.kind != Orders {
		return
	}
	for _, n := range s.names {
		if n.role != aSupplier || n.excluded || !n.used || len(n.chosen) != 1 {
			continue
		}
		first := n.At[0]
		for first > 0 && words.IsLegalForm(s.Word(first-1)) {
			first--
		}
		before := s.Preceding(first)
		switch {
		case request.Begins(before, request.SupplierNouns):
		case forWords[before], before == "от" && request.Begins(s.Word(0), []string{"заказ"}),
			len(s.draft.Items) > 0 && s.dative(n) && !fromWords[before]:
			s.askf("«%s» — поставщик или покупатель? Заказы покупателей я не создаю, могу заказать у поставщика.",
				"Is “%s” the supplier or the customer? I cannot create customer orders, only orders to suppliers.",
				strings.NewReplacer("«", "„", "»", "“").Replace(n.chosen[0].Name), s.option(s.draft.Clone()))
		}
	}
}

// dative reports whether a name may stand in the dative: "закажи Альфе".
func (s *sentence) dative(n *named) bool {
	var as []string
	for _, x := range token.Split(strings.ReplaceAll(strings.Trim(n.chosen[0].Name, "«»"), "«", " ")) {
		as = append(as, x.Norm)
	}
	t := &s.Words[n.At[len(n.At)-1]]
	ends := func(end string) bool { return strings.HasSuffix(t.Norm, end) }
	return t.Kind == token.Word && t.Cyrillic && !slices.Contains(as, t.Norm) &&
		slices.ContainsFunc([]string{"е", "у", "ю", "и", "ой", "ей", "ым", "им"}, ends)
}

var (
	fromWords = words.Set("у с со из от через from via by")
	forWords  = words.Set("для for на")
)
