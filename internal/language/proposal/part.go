package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
)

// partly reports whether a group is named only in part, as "чай" names «Чай и кофе»: that may mean goods.
func (s *sentence) partly(n *named) bool {
	k, _ := s.beside(n)
	return !n.Exact && k != connector.NameGroup && len(token.Split(n.chosen[0].Name)) > len(n.At)
}

// askPart asks whether a whole group is meant, or the goods that are called so.
func (s *sentence) askPart(n *named) {
	group := n.chosen[0].Name
	s.later = append(s.later, func() {
		whole := s.draft.Clone()
		whole.Everything = false
		if n.excluded {
			if whole.Except == nil {
				whole.Except = &Goods{}
			}
			whole.Except.Groups = append(whole.Except.Groups, group)
		} else {
			whole.Groups = append(whole.Groups, group)
		}
		options := []Option{s.option(whole)}
		if named := s.draft.Clone(); named.RowsOf == nil && len(named.Products) == 0 && !n.excluded {
			named.Everything = false
			named.RowsOf = &RowsOf{Query: &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product"},
				Where: []analysis.Condition{{Field: "product", Op: analysis.Contains,
					Values: []analysis.Scalar{analysis.Scalar(s.stemOf(n))}}}}}
			options = append(options, s.option(named))
		}
		s.ask("«"+n.Words+"» — это вся группа «"+group+"» или товары с таким словом в названии?",
			"Does “"+n.Words+"” mean the whole group “"+group+"”, or the goods with that word in their names?",
			options...)
	})
}

// stemOf returns the part of a word that its forms share.
func (s *sentence) stemOf(n *named) string {
	t := &s.Words[n.At[0]]
	if len(n.At) > 1 || t.Kind != token.Word {
		return n.Words
	}
	if len([]rune(t.Stem)) > 3 {
		return t.Stem
	}
	for _, w := range token.Split(n.chosen[0].Name) { // "чай" for "чая": "ча" would fit too much
		if w.Stem == t.Stem {
			return w.Norm
		}
	}
	return t.Norm
}

// addRows takes rows of the last answer's table for the goods that a name such as "их" means.
func (s *sentence) addRows(n *named) bool {
	if s.Rows == nil || s.Rows.Result == "" || n.role != aProduct || !n.All || len(n.chosen) < 2 ||
		n.number != nil && s.kind == Prices {
		return false
	}
	var ids []string
	for _, m := range n.chosen {
		if !slices.Contains(s.Rows.IDs, m.ID) {
			return false
		}
		ids = append(ids, m.ID)
	}
	if s.draft.RowsOf == nil {
		s.draft.RowsOf = &RowsOf{Result: s.Rows.Result}
		if n.excluded {
			s.draft.RowsOf = ofRows(s.Rows)
		}
	}
	switch {
	case n.excluded:
		s.draft.RowsOf.Except = append(s.draft.RowsOf.Except, ids...)
	case len(ids) < len(s.Rows.IDs) || s.Rows.Part:
		s.draft.RowsOf.Rows = append(s.draft.RowsOf.Rows, ids...)
	}
	if b := s.Before; b != nil && (s.kind == Orders || s.kind == Transfers) && len(s.draft.Stores) == 0 {
		s.draft.Stores = b.Stores
	}
	if n.number != nil {
		s.draft.RowsOf.Quantity = n.number.value
	} else if b := s.Before; b != nil && b.Mode != "" && (s.kind == Orders || s.kind == Transfers) {
		s.later = append(s.later, func() { // what the rows are short of, and no more (rule R793)
			d := &s.draft
			if r := d.RowsOf; r != nil && r.Quantity+r.Column == "" && d.Mode == "" && d.Days == 0 {
				d.Mode, d.Days = b.Mode, b.Days
			}
		})
	}
	return true
}

// supplierOfPrices asks whether a person is meant as a supplier of goods or as a customer: "скидка 5 % Иванову".
func (s *sentence) supplierOfPrices(n *named) {
	k, _ := s.beside(n)
	w := s.Preceding(n.At[0])
	if k == connector.NameSupplier || w == "у" || w == "от" || w == "from" || w == "by" ||
		request.Begins(w, request.SupplierNouns) ||
		request.Begins(w, []string{"товар", "product", "goods", "item", "позици", "всё", "все", "all"}) ||
		s.supplied() || s.Find(request.SupplierNouns) >= 0 || n.At[0] > 0 &&
		request.Begins(s.Word(n.At[0]-1), request.SupplierNouns) || s.goodsOf(n) {
		return
	}
	d := s.draft
	s.ask("Цены товаров поставщика «"+n.chosen[0].Name+"»? Скидок для отдельных покупателей я не меняю.",
		"The prices of goods from the supplier “"+n.chosen[0].Name+"”? I do not change discounts of single customers.",
		s.option(d))
	s.later = append(s.later, func() {
		if len(s.options) == 1 {
			s.options = []Option{s.option(s.draft)}
		}
	})
}

// supplied reports whether the request says that goods come from someone: "которые возим с оптовой базы".
func (s *sentence) supplied() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && request.Begins(t.Norm, supplying)
	})
}

var supplying = []string{"возим", "возят", "возит", "привоз", "завоз", "поставля", "поставк", "закупаем", "закупает",
	"берем", "покупаем", "suppl", "deliver"}

// goodsOf reports whether a word for goods stands before a name, prepositions aside.
func (s *sentence) goodsOf(n *named) bool {
	for j := n.At[0] - 1; j >= 0 && j >= n.At[0]-3; j-- {
		if request.Begins(s.Word(j), []string{"товар", "product", "goods", "item", "позици", "ассортимент"}) {
			return true
		}
	}
	return false
}

// storeOfPrices asks what a warehouse means for prices, which are the same everywhere; where another condition is read
// with it, that one decides. It reports false.
func (s *sentence) storeOfPrices(n *named) bool {
	if len(n.chosen) != 1 {
		return false
	}
	store := n.chosen[0]
	s.later = append(s.later, func() {
		if n.used {
			return
		}
		n.used = true
		in, every := s.draft.Clone(), s.draft.Clone()
		in.Everything = false
		q := &analysis.Query{Measures: []string{"stock"}, By: []string{"product"}, Where: []analysis.Condition{
			{Field: "store", Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(store.Name)}},
			{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}}
		if s.inStock && in.RowsOf == nil && len(in.Products) == 0 {
			s.draft.RowsOf, s.draft.Where = &RowsOf{Query: q}, slices.DeleteFunc(s.draft.Where,
				func(w analysis.Condition) bool { return w.Field == "stock" && w.Op == analysis.Greater })
			return
		}
		options := []Option{}
		if in.RowsOf == nil && len(in.Products) == 0 && in.Items == nil {
			in.RowsOf = &RowsOf{Query: q}
			options = append(options, s.option(in))
		}
		every.Everything = !every.Scoped()
		options = append(options, s.option(every))
		s.ask("Цены одни для всех складов, отдельно для «"+store.Name+"» их не задать. Что сделать?",
			"Prices are the same for all warehouses, not only for “"+store.Name+"”. What shall I do?", options...)
	})
	return false
}

// maxOptions is how many similar names are offered.
const maxOptions = 8
