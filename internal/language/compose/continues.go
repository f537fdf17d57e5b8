package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// changes reports whether the task says anything that can change the previous query.
func (d *draft) changes() bool {
	return len(d.q.By) > 0 || d.goods || len(d.q.Where) > 0 || len(d.periods) > 0 || d.direction != "" ||
		d.q.Limit > 0 || d.q.Share || d.compares || d.whys || d.reverses || d.trends || d.ordered != "" ||
		d.continued() && d.hasUnexplained() || d.onlyOrExcept() || d.anywhere || d.inMoney || d.inUnits ||
		d.separates || d.nets || d.shifts != nil || d.consists || d.clears || len(d.every) > 0
}

// onlyOrExcept reports whether the task is about a name that is not known yet: "только Посуда", "кроме Витрины".
func (d *draft) onlyOrExcept() bool {
	return len(d.Names) == 0 && len(d.Items) > 1 && d.hasUnexplained() && len(d.Tokens) <= 6 &&
		(d.Items[0].Kind == typed.Only || d.Items[0].Kind == typed.Except || d.Items[0].Kind == typed.Per ||
			d.Items[0].Kind == typed.Absent)
}

func (d *draft) hasUnexplained() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Unexplained })
}

var (
	andWords = words.Set("и плюс еще добавь добавить and plus also add")
	// behind what is added
	tooWords = words.Set("добавь добавить добавьте тоже также рядом еще включи too add also both together well")
	butWords = words.Set("а но теперь now what how")
)

// first returns the task's first word.
func (d *draft) first() string {
	if i := d.opening(); i < len(d.Tokens) {
		return d.Tokens[i].Norm
	}
	return ""
}

// opening returns the first token behind courtesy: of "покажи мне и прибыль", that of "и".
func (d *draft) opening() int {
	for i := range d.Tokens {
		if t := &d.Tokens[i]; t.Kind != token.Mark && t.Use != token.AsAccount && !requesting[t.Norm] {
			return i
		}
	}
	return 0
}

// requesting are words that a request for more begins with.
var requesting = words.Set("покажи покажите выведи дай дайте мне нам пожалуйста скажи глянь давай напомни так вот ну мы " +
	"хотим хочу знать увидеть show give me us please check")

// adds reports whether the task adds to the previous answer: "и прибыль", "ещё по складам".
func (d *draft) adds() bool {
	behind := d.opening() + 1
	return andWords[d.first()] && (len(d.Tokens) <= behind || !asking[d.Tokens[behind].Norm]) || d.together() ||
		slices.ContainsFunc(d.Tokens, func(t token.Token) bool {
			return t.Use == token.Unused && tooWords[t.Norm]
		})
}

// together reports whether the task says what to show beside the figures before: "с прибылью", "with margin".
func (d *draft) together() bool {
	ends := func(it *typed.Item) bool { return togetherWords[d.Tokens[it.End-1].Norm] }
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return it.Kind != typed.Function || ends(it) })
	return i >= 0 && i+1 < len(d.Items) && ends(d.Items[i]) && d.Items[i+1].Kind == typed.Measure && len(d.Tokens) <= 5
}

var togetherWords = words.Set("с со with")

// continued reports whether a short task begins as one that goes on with the previous one: "а по Витрине?".
func (d *draft) continued() bool {
	return len(d.Tokens) <= 7 && (d.adds() || andWords[d.first()] || butWords[d.first()] ||
		d.Items[0].Kind == typed.Only && len(d.asked) > 0)
}

// continues reports whether a task with a measure of its own goes on with the previous query: "и прибыль", "а
// прибыль?", or asks why the same figure changed.
func (d *draft) continues() bool {
	if d.whys && slices.ContainsFunc(d.asked, func(m string) bool { return slices.Contains(d.Previous.Measures, m) }) {
		return true
	}
	if d.adds() {
		return len(d.Tokens) <= 7
	}
	if d.narrows() {
		if d.asked = nil; d.rowsWhere() {
			d.q.By = nil
		}
		return true
	}
	if d.pays || d.nets || d.ofRowsShown {
		return true
	}
	if d.ofOneRow() && len(d.q.By) > 0 && !slices.ContainsFunc(d.asked, func(m string) bool {
		return !slices.Contains(d.Previous.Measures, m)
	}) {
		return true
	}
	if d.ordersBy() || d.figureOfTimes() || d.aboutTheSame() || d.sortsOnly() || d.spends ||
		d.corrects && len(d.Tokens) <= 9 ||
		d.measureAlone() || d.refersBack() {
		return true
	}
	if first := d.first(); first == "what" || first == "how" {
		return len(d.Tokens) > 1 && d.Tokens[1].Norm == "about"
	}
	return d.continued()
}

// onlyChanged reports whether a task compares by no more than a word such as "упало" or "сравни": what was compared
// before stays (rule R801).
func (d *draft) onlyChanged() bool {
	if d.relative != "" || len(d.periods) > 0 || d.shifts != nil {
		return false
	}
	return (d.falls() || d.rises()) && (d.saysWhich() || d.whys) ||
		!slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
			return it.Kind != typed.With && it.Kind != typed.Function
		})
}

// backWords mean what the task before was about.
var backWords = words.Set("they them their he she his there those ones")

// singleThing are words for the one thing that the task before was about.
var singleThing = words.Set("it its")

// refersBack reports whether a task means the names of the one before: "what did they buy", "and the margin there".
func (d *draft) refersBack() bool {
	return d.Previous != nil && len(d.Names) == 0 &&
		(len(d.Tokens) <= 10 && d.word(backWords) || len(d.Tokens) <= 7 && d.word(singleThing) || d.ofIt()) &&
		slices.ContainsFunc(d.Previous.Where, func(w analysis.Condition) bool {
			_, ok := d.Catalogue.Dimension(w.Field)
			return ok && w.Op == analysis.In
		})
}

// sold reports whether the task before was about what a customer bought.
func (d *draft) sold() bool {
	return slices.ContainsFunc(d.Previous.Measures, func(m string) bool {
		return m == "revenue" || m == "profit" || m == "margin" || m == "receipts" || m == "owed_to_us"
	})
}

// ordersBy reports whether the task names only what to sort by, or the first rows in that order: "по количеству",
// "а по прибыли", "топ 3 по выручке".
func (d *draft) ordersBy() bool {
	said := slices.DeleteFunc(slices.Clone(d.Items), func(it *typed.Item) bool {
		return it.Kind == typed.Function || it.Kind == typed.TopRows || it.Kind == typed.Best ||
			it.Kind == typed.Worst || it.Kind == typed.Number && it.Number.Unit == words.NoUnit ||
			it.Kind == typed.Joining && it.At == 0 && len(d.Previous.Order) > 0 // "and by margin?" of a ranking
	})
	return len(said) == 2 && said[0].Kind == typed.Per && said[1].Kind == typed.Measure &&
		(len(d.Previous.By) > 0 && !d.ofTime(d.Previous.By[0]) || d.q.Limit > 0)
}

// figureOfTimes reports whether the task names only another figure of the months or days that were shown: "то же по
// прибыли". Rows of time stay in their order.
func (d *draft) figureOfTimes() bool {
	if len(d.Previous.By) == 0 || !d.ofTime(d.Previous.By[0]) || len(d.asked) == 0 {
		return false
	}
	said := slices.DeleteFunc(slices.Clone(d.Items), func(it *typed.Item) bool { return it.Kind == typed.Function })
	return len(said) == 2 && said[0].Kind == typed.Per && said[1].Kind == typed.Measure
}

// sortsOnly reports whether the task says how to sort the rows: "отсортируй по прибыли", "sort by revenue".
func (d *draft) sortsOnly() bool {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return it.Kind != typed.Function })
	return i >= 0 && d.Items[i].Kind == typed.Sorting && len(d.Previous.By) > 0
}

// aboutTheSame reports whether the task is a measure alone, after a question about named goods: "сколько стоит?".
func (d *draft) aboutTheSame() bool {
	return len(d.q.By) == 0 && len(d.q.Where) == 0 && len(d.periods) == 0 && !d.goods && len(d.Tokens) <= 4 &&
		slices.ContainsFunc(d.Previous.Where, func(w analysis.Condition) bool {
			return w.Op == analysis.In && (w.Field == "product" || w.Field == "variant")
		})
}
