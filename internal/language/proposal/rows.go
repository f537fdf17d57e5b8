package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readRows reads a word for what the last answer showed, where no row is named: "закажи это", "подними им цены".
func (s *sentence) readRows() {
	first := s.firstRows()
	if b := s.Before; b != nil && len(b.Stores) > 0 && (s.kind == Orders || s.kind == Transfers) &&
		(s.Find(lackingWords) >= 0 || s.Find(missingWords) >= 0) { // "перебрось недостающее"
		s.later = append(s.later, func() {
			if len(s.draft.Stores) == 0 {
				s.draft.Stores = b.Stores
			}
		})
	}
	if !s.readPronoun() && first == 0 && !s.impliesRow() && !s.onlyAct() && !s.ofShort() {
		return
	}
	b := s.Before
	goods := s.Rows != nil && (s.Rows.Dimension == "product" || s.Rows.Dimension == "variant")
	switch {
	case b != nil && len(b.Products) == 1 && s.Rows != nil && len(s.Rows.IDs) == 1: // of a card
		s.draft.Products = b.Products
	case goods && s.Rows.Result != "":
		s.draft.RowsOf = ofRows(s.Rows)
		if first > 0 && s.Rows.Part {
			s.draft.RowsOf.Rows = slices.Clone(s.Rows.IDs[:min(first, len(s.Rows.IDs))])
			first = 0
		}
		for i := range min(first, len(s.Rows.IDs)) {
			s.draft.RowsOf.Rows = append(s.draft.RowsOf.Rows, itoa(i+1))
		}
		if b != nil && (s.kind == Orders || s.kind == Transfers) {
			s.draft.Stores, s.draft.Mode, s.draft.Days = b.Stores, b.Mode, b.Days
			if s.saysHowLong() { // "на месяц" is how long the goods must last
				s.draft.Mode, s.draft.Days = "", 0
			}
		}
	case s.Rows != nil && s.thingsOfRows():
	case s.Rows != nil:
		s.ask("В последней таблице не товары. Назовите товары, группу или поставщика.",
			"The last table is not of goods. Name goods, a group or a supplier.")
	case b != nil && (b.Scoped() || s.kind == Orders || s.kind == Transfers):
		s.draft.Goods, s.draft.RowsOf, s.draft.Where = b.Goods, b.RowsOf, append(s.draft.Where, b.Where...)
		if s.kind == Orders || s.kind == Transfers {
			s.draft.Stores, s.draft.Mode, s.draft.Days, s.draft.From, s.draft.To = b.Stores, b.Mode, b.Days, b.From,
				b.To
		}
	default:
		s.pointsBack = !s.described() // or at goods that the request itself names
	}
	if s.draft.RowsOf != nil {
		s.rowsQuantity()
	}
}

// ofRows returns the rows as the goods of a draft: of a stored result with more rows, only those that are meant (rule
// R861).
func ofRows(r *refer.Rows) *RowsOf {
	x := &RowsOf{Result: r.Result}
	if r.Part {
		x.Rows = slices.Clone(r.IDs)
	}
	return x
}

// what the last answer found missing
var (
	lackingWords = []string{"недоста", "нехват", "хвата", "недостач"}
	missingWords = []string{"missing", "shortage", "lacking"}
)

// impliesRow reports whether a task that names no goods is about the one that the last answer showed: "подними на 50
// рублей".
func (s *sentence) impliesRow() bool {
	one := s.Rows != nil && len(s.Rows.IDs) == 1 || s.Rows == nil && s.Before != nil && len(s.Before.Products) == 1
	plural := slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Use == token.Unused && request.Begins(t.Norm, request.PriceNouns) && !onePrice[t.Norm]
	})
	return s.kind == Prices && one && len(s.names) == 0 && !plural &&
		len(s.draft.Where) == 0 && len(s.phrases(s.left())) == 0
}

// onlyAct reports whether a task after an answer that was limited to some goods or warehouses says no more than what to
// do: "закажи".
func (s *sentence) onlyAct() bool {
	b := s.Before
	if s.kind != Orders && s.kind != Transfers || b == nil || s.saidAll || s.Rows != nil && s.Rows.Earlier {
		return false
	}
	sources := 0
	for _, n := range s.names { // "перемести с основного" after what is short at another warehouse
		if s.kind == Transfers && len(b.Stores) > 0 && n.MayBe(connector.NameStore) &&
			request.Leaving[s.Preceding(n.At[0])] {
			sources++
		}
	}
	return (b.Scoped() || len(b.Stores) > 0) && len(s.names)-sources+len(s.numbers)+len(s.draft.Where) == 0 &&
		len(s.phrases(s.left())) == 0
}

// ofShort reports whether a task after a list of what is short is about that list: it orders what is missing, or says
// for how long or for how much, and names nothing itself (rule R961).
func (s *sentence) ofShort() bool {
	b := s.Before
	if s.kind != Orders || !s.Short || b == nil || s.saidAll || s.Rows == nil || s.Rows.Earlier || len(s.names) > 0 ||
		len(s.draft.Where) > 0 {
		return false
	}
	for _, n := range s.numbers {
		if n.unit != words.Days && n.unit != words.Money || s.compared(n) {
			return false
		}
	}
	missing := s.Find(lackingWords) >= 0 || s.Find(missingWords) >= 0
	if !missing && len(s.numbers) == 0 && !s.saysHowLong() && b.Mode == "" && b.Days == 0 && b.RowsOf == nil {
		return false // all that is short, as it was shown
	}
	left := slices.DeleteFunc(s.left(), func(i int) bool { return request.Begins(s.Norm(i), lackingWords) })
	return len(s.phrases(left)) == 0 && !s.Anywhere("ниже") && !s.Anywhere("below")
}

// saysHowLong reports whether goods are ordered for some time: "на месяц", "for 2 weeks".
func (s *sentence) saysHowLong() bool {
	for i := range s.Words {
		before := s.Preceding(i)
		if words.TimeUnitOf(s.Norm(i)) != words.NoTime && len([]rune(s.Norm(i))) > 2 &&
			(before == "на" || before == "for") {
			return true
		}
	}
	return slices.ContainsFunc(s.numbers, func(n *number) bool { return n.unit == words.Days })
}

// thingsOfRows takes groups and suppliers that the rows are of.
func (s *sentence) thingsOfRows() bool {
	ids := slices.DeleteFunc(slices.Clone(s.Rows.IDs), func(id string) bool { return id == "" })
	if len(ids) == 0 || len(ids) != len(s.Rows.IDs) {
		return false
	}
	switch s.Rows.Dimension {
	case "group":
		s.draft.Groups = ids
	case "supplier":
		s.draft.Suppliers = ids
	case "product", "variant":
		s.draft.Products = ids
	default:
		return false
	}
	return true
}

// firstRows reads "первые три" as rows of the last table; 0 if the task does not say so.
func (s *sentence) firstRows() int {
	if s.Rows == nil || len(s.names) > countStores(s.names) || s.byFigure() {
		return 0
	}
	for _, n := range s.numbers {
		switch s.Norm(n.at - 1) {
		case "первые", "первых", "первым", "first", "топ", "top":
		default:
			continue
		}
		if k := n.whole(); n.unit == words.NoUnit && k > 0 && k <= len(s.Rows.IDs) {
			s.take(n, n.at-1)
			return k
		}
	}
	return 0
}

// byFigure reports whether a figure is named that goods are ranked by: "топ 3 по прибыли". "По 5 штук" is a quantity.
func (s *sentence) byFigure() bool {
	by := s.Find([]string{"по", "by"})
	return by >= 0 && !slices.ContainsFunc(s.numbers, func(n *number) bool { return s.preposition(n.at) == by })
}

// readPronoun marks a word that refers to the last answer.
func (s *sentence) readPronoun() bool {
	found := false
	for i := range s.Words {
		w := s.Norm(i)
		if request.Each[w] && s.Rows != nil && len(s.names) == countStores(s.names) { // "10 of each"
			found = true
			s.Use(i, i+1)
			continue
		}
		if !request.Pronouns[w] || request.Doubtful[w] && !s.refers(i) {
			continue
		}
		if next := s.Word(i + 1); (w == "those" || w == "these") && (request.Comparatives[next] !=
			"" || clauses[next]) {
			s.Use(i, i+1)
			continue
		}
		found = true
		s.Use(i, i+1)
		if s.Norm(i-1) == "все" || s.Norm(i-1) == "всё" || s.Norm(i-1) == "all" || s.Norm(i-1) == "of" {
			s.Use(i-1, i)
		}
	}
	return found
}

// described reports whether a request says before its pronoun which goods it is about: "ниже минимума — закажи их",
// "кружка эмаль подорожала, подними её на 5 %".
func (s *sentence) described() bool {
	for i := range s.said.Words {
		w := s.said.Words[i].Norm
		switch {
		case request.Pronouns[w]:
			return false
		case s.said.Words[i].Use == token.AsName:
			if slices.ContainsFunc(s.names, func(n *named) bool {
				return n.At[0] == i && !n.MayBe(connector.NameStore)
			}) {
				return true
			}
		case request.Comparatives[w] != "" || request.Begins(w, request.SlowGoods),
			slices.ContainsFunc(request.Shortages, func(p request.Shortage) bool {
				return s.said.PhraseAt(i, p.Words) > 0
			}):
			return true
		}
	}
	return false
}

// askWhichGoods asks which goods a pronoun means, where neither an answer nor the request says so.
func (s *sentence) askWhichGoods() {
	if s.pointsBack {
		s.ask("О каких товарах речь? Назовите товары, группу или поставщика, или сначала покажите список.",
			"Which goods do you mean? Name goods, a group or a supplier, or show a list first.")
	}
}

// clauses are words behind "those" that say which ones.
var clauses = words.Set("that which with whose where not in from at lying sitting older")

func countStores(names []*named) (n int) {
	for _, x := range names {
		if x.MayBe(connector.NameStore) {
			n++
		}
	}
	return n
}

// refers reports whether a word such as "that" stands for goods and begins no clause: "order that", "items that are".
func (s *sentence) refers(i int) bool {
	next, before := s.Word(i+1), s.Word(i-1)
	if before == "," || request.Relatives[next] || request.Begins(before,
		[]string{"товар", "item", "product", "goods", "вс",
			"everything", "all"}) &&
		!s.Words[i].Cyrillic {
		return false
	}
	verb := request.Buys[before] || request.Moves[before] || request.Raises[before] || request.Lowers[before] ||
		request.Sets[before] || request.Changes[before] ||
		request.Makes[before]
	prep := before == "на" || before == "за" || before == "for" || before == "on" || before == "of" ||
		before == "from" ||
		before == "к" || before == "по" || before == "all" || before == "все" || before == "всё"
	return verb || prep || i == len(s.Words)-1
}

// rowsQuantity reads the same quantity of every row: "закажи их по 5 штук".
func (s *sentence) rowsQuantity() {
	if s.kind != Orders && s.kind != Transfers {
		return
	}
	for _, n := range s.numbers {
		if n.used || n.measure || n.unit != words.NoUnit && n.unit != words.Quantity || s.compared(n) {
			continue
		}
		if before := s.Preceding(n.at); n.unit == words.Quantity || before == "по" || s.eachBehind(n.end) {
			s.draft.RowsOf.Quantity = n.value
			s.take(n, s.preposition(n.at))
			return
		}
	}
}

// eachOfGroups reads one quantity of each good of groups: "все позиции группы свет по 10 штук".
func (s *sentence) eachOfGroups() {
	d := &s.draft
	if s.kind != Orders && s.kind != Transfers || len(d.Groups) == 0 || len(d.Products) > 0 || d.Items != nil ||
		d.RowsOf != nil || len(d.Where) > 0 || d.Mode != "" || d.Days > 0 || d.Budget != "" {
		return
	}
	for _, n := range s.numbers {
		if n.used || n.measure || n.unit != words.NoUnit && n.unit != words.Quantity || s.compared(n) ||
			s.Preceding(n.at) != "по" && !s.eachBehind(n.end) {
			continue
		}
		s.take(n, s.preposition(n.at))
		d.RowsOf = &RowsOf{Query: &analysis.Query{Measures: []string{"stock"}, By: []string{"product"},
			Where: among("group", d.Groups)}, Quantity: n.value}
		if e := d.Except; e != nil {
			left := map[string][]string{"group": e.Groups, "product": e.Products, "supplier": e.Suppliers}
			for field, names := range left {
				for _, c := range among(field, names) {
					c.Op = analysis.NotIn
					d.RowsOf.Query.Where = append(d.RowsOf.Query.Where, c)
				}
			}
		}
		d.Groups, d.Except = nil, nil
		return
	}
}

// eachBehind reports whether "of each" stands behind a number, whether it is used or not.
func (s *sentence) eachBehind(i int) bool {
	return request.Each[s.Word(i)] || request.Each[s.Word(i+1)] || s.Word(i) == "of"
}
