package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// dashed reads two numbers with a dash between them as a range: "осталось 1-2 штуки", "осталось две-три" (rule R1076).
func (d *draft) dashed() {
	for i := 0; i+1 < len(d.Items); i++ {
		low, high := d.Items[i], d.Items[i+1]
		if !is(low, typed.Number) || !is(high, typed.Number) || low.Used || high.Used ||
			!d.onlyDash(low.End, high.At) {
			continue
		}
		x, err := strconv.Atoi(low.Number.Value)
		y, err2 := strconv.Atoi(high.Number.Value)
		if err != nil || err2 != nil || x >= y || low.Number.Unit != words.NoUnit &&
			low.Number.Unit != high.Number.Unit {
			continue
		}
		of := d.about(i, i+1, high.Number)
		if m, ok := d.Catalogue.Measure(of); !ok || high.Number.Unit == words.NoUnit && m.Unit != tool.UnitQuantity {
			continue
		}
		d.addMeasure(of)
		d.where(of, analysis.Between, low.Number.Value, high.Number.Value)
		d.goods = d.goods || of == "stock" && !d.ofGoods()
		low.Used, high.Used = true, true
		if prev := d.neighbour(i, -1); is(prev, typed.Per) && prev.End == low.At {
			prev.Used = true // "осталось по 1-2 штуки"
		}
	}
}

func (d *draft) onlyDash(from, to int) bool {
	return to-from <= 1 && !slices.ContainsFunc(d.Tokens[from:to], func(t token.Token) bool {
		return t.Kind != token.Mark && t.Norm != "или" && t.Norm != "or"
	})
}

// fewPieces reports whether a number without a unit may be of pieces.
func (d *draft) fewPieces(value typed.Numeral) bool {
	n, err := strconv.Atoi(value.Value)
	return err == nil && n <= mostPieces
}

// needNot reads "что можно не заказывать ещё месяца три" as the goods that last longer than that (rule R1077): what
// must be ordered is the opposite.
func (d *draft) needNot() {
	at := -1
	for i := 2; i < len(d.Tokens); i++ {
		if d.Tokens[i-1].Norm == "не" && orderingVerbs[d.Tokens[i].Norm] && needNotWords[d.Tokens[i-2].Norm] {
			at = i
		}
	}
	if d.Previous != nil || at < 0 {
		return
	}
	days := d.statedDays(at)
	if days == 0 {
		return
	}
	d.q.Measures, d.asked, d.q.Order, d.direction = nil, nil, nil, ""
	d.ask("days_of_cover")
	d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
		_, ofMeasure := d.Catalogue.Measure(w.Field)
		return ofMeasure
	})
	d.where("days_of_cover", analysis.Greater, strconv.Itoa(days))
	d.periods, d.goods = nil, true
	d.q.By = nil
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind != typed.Named && it.Kind != typed.Unexplained
		w := d.Tokens[it.At].Norm
		if it.Kind == typed.Unexplained && (needNotWords[w] || orderingVerbs[w] || w == "не") {
			it.Used = true
		}
	}
}

// statedDays returns how many days the words behind a token say: "ещё месяца три", "две недели", "30 дней".
func (d *draft) statedDays(from int) int {
	n, unit := 0, 0
	for _, it := range d.Items {
		if it.At <= from {
			continue
		}
		if it.Kind == typed.Period && it.Period.Rolling > 0 {
			return it.Period.Rolling
		}
		if it.Kind == typed.Number {
			v, err := strconv.Atoi(it.Number.Value)
			if err != nil {
				return 0
			}
			if it.Number.Unit == words.Days {
				return v
			}
			n = v
		}
		for k := it.At; k < it.End; k++ {
			if u := daysOf[words.TimeUnitOf(d.Tokens[k].Norm)]; u > 0 {
				unit = u
			}
		}
	}
	if n == 0 {
		n = 1
	}
	return n * unit
}

var daysOf = map[words.TimeUnit]int{words.Day: 1, words.Week: 7, words.Month: 30, words.Quarter: 91, words.Year: 365}

var (
	needNotWords  = words.Set("можно нужно надо стоит пока")
	orderingVerbs = words.Set("заказывать закупать покупать докупать дозаказывать брать возить завозить закупить заказать " +
		"докупить")
)

// retailBeside takes "розничная" for the price that goods are sold at, where another price stands beside it: "какая
// закупочная и какая розничная" (rule R1078).
func (s *sentence) retailBeside() {
	prices := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && (it.ID == "card_purchase_price" || it.ID == "purchase_price" ||
			it.ID == "last_purchase_price" || it.ID == "unit_cost")
	})
	if !prices || s.Previous != nil {
		return
	}
	for _, it := range s.Items {
		if it.Kind == typed.Unexplained && it.End == it.At+1 && retailWords[s.Tokens[it.At].Norm] {
			it.Kind, it.ID = typed.Measure, "sale_price"
		}
	}
}

var retailWords = words.Set("розничная розничную розничной розница розницу рознице розничные retail отпускная продажная")
