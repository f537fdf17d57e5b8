package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// wasThere reads what lay in a place on a past day as stock: "сколько было кофе на складе 1 ноября", "сколько лежало
// посуды месяц назад" (rule R1074). Without a place, "сколько кофе было вчера" may be what was sold, too.
func (s *sentence) wasThere() {
	if s.Previous != nil {
		return
	}
	var be *typed.Item
	place, past, goods, long := false, false, false, false
	for i, it := range s.Items {
		w := s.Tokens[it.At].Norm
		switch it.Kind {
		case typed.Measure:
			if it.ID != "stock" && it.ID != "quantity" {
				return
			}
		case typed.Period:
			p := it.Period
			past = past || !p.From.IsZero() && p.From.Before(s.Today) && (p.To.Before(s.Today) || onEdge(s, it) != "")
			long = long || !p.From.Equal(p.To)
		case typed.Best, typed.Worst, typed.TopRows, typed.With, typed.Why, typed.Trend, typed.Operator, typed.Share,
			typed.Weekdays, typed.Clock, typed.Average, typed.PerDay:
			return
		case typed.Dimension:
			place = place || it.ID == "store" && (i == 0 || s.Items[i-1].Kind != typed.Per)
			goods = goods || it.ID == "product"
			if it.ID != "store" && it.ID != "product" && it.ID != "group" && it.ID != "supplier" {
				return
			}
		case typed.Named:
			kind := typed.DimensionOf(it.Name.Meanings[0].Kind)
			place, goods = place || kind == "store", goods || kind == "product" || kind == "group"
			if kind != "store" && kind != "product" && kind != "group" && kind != "supplier" {
				return
			}
		default:
		}
		place = place || inPlace[w]
		if it.End == it.At+1 && (wasWords[w] || layWords[w]) && (be == nil || layWords[w]) {
			be = it
		}
	}
	if be == nil || !past || !place && !goods {
		return
	}
	if w := s.Tokens[be.At].Norm; !place && !layWords[w] {
		if long {
			return
		}
		if s.mayBeSold = howManyWords[s.Tokens[0].Norm] || whatWords[s.Tokens[0].Norm]; !s.mayBeSold {
			return
		}
	}
	be.Kind, be.ID = typed.Measure, "stock"
}

var (
	wasWords = words.Set("было была были был was were had")
	layWords = words.Set("лежало лежала лежали лежал оставалось оставалась оставались имелось имелась имелись " +
		"числилось числилась числились хранилось хранилась хранились lay")
	inPlace = words.Set("наличии остатке остатках запасе запасах stock")
)

// onEdge returns which end of a period is meant: "start" of "в начале октября", "end" of "на конец месяца".
func onEdge(s *sentence, it *typed.Item) string {
	for k := max(0, it.At-2); k < it.End; k++ {
		switch w := s.Tokens[k].Norm; {
		case strings.HasPrefix(w, "начал"), w == "start", w == "beginning", w == "утро", w == "открытие":
			return "start"
		case strings.HasPrefix(w, "конец"), strings.HasPrefix(w, "конц"), w == "end", w == "вечер", w == "закрытие":
			return "end"
		}
	}
	return ""
}

// stockThen reads stock of the past: at the beginning or the end of a period, at both ends of it, or on two days with
// the difference (rule R1074). It reports whether it is that.
func (d *draft) stockThen() bool {
	then, ok := stockEnds[first(d.q.Measures)]
	if !ok || len(d.q.Measures) != 1 || d.Previous != nil || len(d.periods) > 2 ||
		slices.ContainsFunc(slices.Concat(d.q.By, fields(d.q.Where)), func(by string) bool {
			return !d.allows(then[0], by)
		}) {
		return false
	}
	p := d.periods[0].Period
	from, to := p.From, p.To
	switch {
	case from.IsZero() || from.After(d.Today):
		return false
	case len(d.periods) == 2:
		x, y := p, d.periods[1].Period
		if y.From.Before(x.From) {
			x, y = y, x
		}
		if !x.From.Equal(x.To) || !y.From.Equal(y.To) || !x.To.Before(y.From) || y.To.After(d.Today) {
			return false
		}
		from, to = x.To.AddDate(0, 0, 1), y.To // a day is that of its end
		d.periods[1].Used = true
		d.changeOfStock(then)
	case onEdge(d.sentence, d.periods[0]) == "start":
		d.markEdge(d.periods[0])
		d.q.Measures, to = []string{then[0]}, from
	case from.Equal(to) && onEdge(d.sentence, d.periods[0]) == "" || to.After(d.Today) ||
		unitOf(p) == "year" && !d.compares:
		return false
	case onEdge(d.sentence, d.periods[0]) == "end":
		if d.markEdge(d.periods[0]); from.Equal(to) {
			return false
		}
		d.q.Measures, from = []string{then[1]}, to
	case d.compares || d.rises() != d.falls() || d.word(changesWords):
		d.changeOfStock(then)
	default:
		d.q.Measures = []string{then[0], then[1]}
	}
	d.periods[0].Used = true
	d.compares, d.relative, d.trends = false, "", false
	d.q.Compare = nil
	d.q.From, d.q.To = day(from), day(to)
	return true
}

// changeOfStock shows the stock at both ends of the period and by how much it changed.
func (d *draft) changeOfStock(of [2]string) {
	const name = "stock_change"
	d.q.Measures = []string{of[0], of[1], name}
	d.q.Define = []analysis.Definition{{Name: name, Formula: of[1] + " - " + of[0],
		Title: d.title("Изменение остатка", "Change of stock")}}
	if d.ordered = name; d.sorts == nil && !slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Sorting
	}) {
		d.ordered, d.direction = "", ""
	}
	for _, it := range d.Items {
		w := d.Tokens[it.At].Norm
		it.Used = it.Used || it.Kind == typed.With || it.Kind == typed.Trend || changesWords[w] ||
			rising[d.Tokens[it.At].Stem] || falling[d.Tokens[it.At].Stem]
	}
}

var changesWords = words.Set("насколько изменился изменилась изменилось изменились изменение поменялся поменялись " +
	"разница changed change")

// markEdge takes the words for the end of a period that stand in front of it.
func (d *draft) markEdge(p *typed.Item) {
	for _, it := range d.Items {
		if it.At >= p.At-2 && it.End <= p.At {
			if w := d.Tokens[it.At].Norm; strings.HasPrefix(w, "начал") || strings.HasPrefix(w, "кон") ||
				edgeWords[w] {
				it.Used = true
			}
		}
	}
}

var edgeWords = words.Set("start beginning end утро открытие вечер закрытие")

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// stockEnds are the measures of stock at both ends of a period by those of now.
var stockEnds = map[string][2]string{"stock": {"stock_at_start", "stock_at_end"},
	"stock_cost": {"stock_cost_at_start", "stock_cost_at_end"}}

// soldThen is the other meaning of "сколько кофе было вчера": what was sold.
func (d *draft) soldThen() []analysis.Query {
	q := d.q
	q.Measures = []string{"quantity", "revenue"}
	q.Order, q.Define = nil, nil
	return []analysis.Query{d.q, q}
}
