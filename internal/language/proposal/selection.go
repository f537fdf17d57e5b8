package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readSelection reads what is left as a question about goods: "с наценкой выше 30 %", "топ-10 по прибыли за октябрь".
func (s *sentence) readSelection() {
	if s.Catalogue == nil || s.question != "" || len(s.left()) == 0 && !s.figures() {
		return
	}
	for i := range s.Words { // what is ordered is no figure
		if w := s.Norm(i); s.kind == Orders && request.Begins(w, request.OrderNouns) || s.kind == Transfers &&
			request.Begins(w, request.TransferNouns) {
			s.Use(i, i+1)
		}
	}
	in := typed.Input{Tokens: s.Words, Catalogue: s.Catalogue, Today: s.Today}
	for _, n := range s.names {
		if !n.used && n.role == aStore {
			in.Names = append(in.Names, typed.Name{At: n.At, Meanings: n.Meanings})
		}
	}
	q, used := compose.Selection(in)
	if q == nil {
		return
	}
	if q.Limit == 0 && len(q.Order) > 0 && !s.ranked() || q.Limit > 0 && (s.inEach() || s.saysMost()) {
		return
	}
	except := s.exceptBefore(used)
	for _, i := range used {
		s.Use(i, i+1)
	}
	if except >= 0 && !s.invert(q, except, used) {
		return
	}
	if s.kind == Prices {
		notByPrice(q)
	}
	if q.Limit > 0 && s.rankless() {
		s.askRank(q)
		return
	}
	if q.Limit == 0 && len(q.Order) > 0 && !slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		_, ok := s.Catalogue.Measure(w.Field)
		return ok
	}) {
		s.askFirst(q)
		return
	}
	for _, n := range s.numbers {
		n.used = n.used || s.Words[n.end-1].Use != token.Unused
	}
	if where, ok := conditions(q); ok && s.kind == Prices {
		s.draft.Where = append(s.draft.Where, where...)
		return
	}
	for _, n := range s.names {
		if n.role == aStore {
			n.used = true
		}
	}
	s.draft.RowsOf = &RowsOf{Query: q}
}

// notByPrice takes the price out of a query of goods that sell best: the word for it only says what changes ("подними
// цены на то, что продаётся лучше всего").
func notByPrice(q *analysis.Query) {
	if len(q.Order) != 1 || q.Order[0].Field != "sale_price" || len(q.Measures) < 2 {
		return
	}
	q.Measures = slices.DeleteFunc(slices.Clone(q.Measures), func(m string) bool { return m == "sale_price" })
	q.Order = slices.Clone(q.Order)
	q.Order[0].Field = q.Measures[0]
}

// inEach reports whether a task speaks of each group, of which no selection has the first goods: "топ 3 товаров в
// каждой группе" (rule R757).
func (s *sentence) inEach() bool {
	for i := range s.Words {
		if request.Begins(s.Words[i].Norm, []string{"кажд", "each", "every"}) &&
			request.Begins(s.Words[min(i+1, len(s.Words)-1)].Norm, []string{"групп", "категор", "раздел", "склад",
				"магазин", "поставщик", "group", "categor", "warehouse", "store", "shop", "supplier"}) {
			return true
		}
	}
	return false
}

// saysMost reports whether a word for the most stands beside a number: "max 5 each" is a bound, and no ranking (rule
// R1135).
func (s *sentence) saysMost() bool {
	return slices.ContainsFunc(s.numbers, func(n *number) bool {
		return mostWords[s.Word(n.at-1)] || mostWords[s.Word(n.end)]
	})
}

var mostWords = words.Set("max maximum tops most limit cap макс максимум максимально предел лимит")

// exceptBefore returns the word that says that what a selection finds is left out, or −1: "кроме тех, где маржа выше
// 50 %".
func (s *sentence) exceptBefore(used []int) int {
	for j := range s.Words {
		w, next := s.Norm(j), j+1
		if (w == "не" || w == "not") && request.Touches[s.Norm(j+1)] {
			next++
		} else if !request.ExceptWords[w] {
			continue
		}
		k := next
		for k < len(s.Words) && !slices.Contains(used, k) && s.Words[k].Use != token.AsName && between(s.Word(k)) {
			k++
		}
		if slices.Contains(used, k) {
			s.Use(j+1, next)
			return j
		}
	}
	return -1
}

func between(w string) bool {
	return relative[w] || ofException[w] || aboutGoal[w] || w == "with" || w == "whose"
}

// invert turns the one condition of a selection into its opposite; it reports false, and asks, if that is not possible.
func (s *sentence) invert(q *analysis.Query, except int, used []int) bool {
	var figures []int
	for i, w := range q.Where {
		if _, ok := s.Catalogue.Measure(w.Field); ok {
			figures = append(figures, i)
		}
	}
	if len(figures) != 1 || q.Limit > 0 || len(q.Order) > 0 || opposites[q.Where[figures[0]].Op] == "" {
		s.askf("Исключить «%s» не могу: одно условие или названия товаров — могу. Назовите, что взять.",
			"I cannot leave out “%s”, only one condition or named goods. Name what to take.",
			s.Text(except, slices.Max(used)+1))
		return false
	}
	q.Where[figures[0]].Op = opposites[q.Where[figures[0]].Op]
	s.Use(except, slices.Max(used)+1)
	return true
}

// rankless reports whether the task chooses the first goods and does not say by which figure: "первые десять".
func (s *sentence) rankless() bool {
	return s.Find([]string{"по", "by"}) < 0 && !s.ranked() && slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word && request.Begins(t.Norm, []string{"перв", "first", "последн", "last"})
	})
}

// askRank asks by which figure goods are the first.
func (s *sentence) askRank(q *analysis.Query) {
	s.later = append(s.later, func() {
		var options []Option
		for _, f := range []string{"quantity", "revenue", "profit"} {
			by := *q
			by.Measures, by.Order = []string{f}, []analysis.Order{{Field: f, Direction: analysis.Descending}}
			d := s.draft.Clone()
			d.Everything, d.RowsOf = false, &RowsOf{Query: &by}
			options = append(options, s.option(d))
		}
		s.ask("Первые по какому показателю?", "The first by which figure?", options...)
	})
}

// ranked reports whether the task chooses the first goods by a figure: "самые продаваемые", "что лучше всего
// продается".
func (s *sentence) ranked() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Kind == token.Word &&
			request.Begins(t.Norm, ranks)
	})
}

// askFirst asks how many goods of an order are meant: "самые продаваемые товары".
func (s *sentence) askFirst(q *analysis.Query) {
	s.draft.RowsOf = &RowsOf{Query: q}
	s.later = append(s.later, func() {
		var options []Option
		for _, first := range []int{10, 20, 50} {
			d, limited := s.draft.Clone(), *q
			limited.Limit = first
			d.Everything, d.RowsOf = false, &RowsOf{Query: &limited}
			options = append(options, s.option(d))
		}
		s.ask("Сколько первых товаров взять?", "How many of the first goods?", options...)
	})
}

// figures reports whether what is left has a figure or a rank.
func (s *sentence) figures() bool {
	return slices.ContainsFunc(s.numbers, func(n *number) bool { return !n.used })
}

// conditions returns the conditions of a query, if new prices can have all of them.
func conditions(q *analysis.Query) (out []analysis.Condition, ok bool) {
	if q.Limit > 0 || len(q.Order) > 0 || q.From != "" || len(q.Where) == 0 {
		return nil, false
	}
	for _, w := range q.Where {
		field := draft.FiguresOfPrices[w.Field]
		if field == "" || w.Op == analysis.In || w.Op == analysis.NotIn ||
			field == "days_without_sale" && w.Op != analysis.GreaterEqual {
			return nil, false
		}
		w.Field = field
		out = append(out, w)
	}
	return out, true
}

// query returns the conditions as rows of goods, for the drafts that have none of their own.
func query(where []analysis.Condition) *analysis.Query {
	q := &analysis.Query{By: []string{"product"}}
	for _, w := range where {
		for measure, field := range draft.FiguresOfPrices {
			if field == w.Field && measure != "markup" {
				w.Field = measure
				break
			}
		}
		if !slices.Contains(q.Measures, w.Field) {
			q.Measures = append(q.Measures, w.Field)
		}
		q.Where = append(q.Where, w)
	}
	return q
}
