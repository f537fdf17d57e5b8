package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// hereAndThere reads what one warehouse has and another one lacks: "на витрине полно, а на основном ноль", "есть на
// основном, на витрине меньше 5" (rule R1072). Where the task does not say which has and which lacks, the question
// offers the stock side by side (rule R1121).
func (d *draft) hereAndThere() {
	if d.Previous != nil || slices.ContainsFunc(d.asked, func(m string) bool { return !mayBeStock[m] }) {
		return
	}
	named, any := 0, false
	for _, it := range d.Items {
		switch {
		case isStore(it):
			named++
		case it.Kind == typed.Dimension && it.ID == "store":
			any = true
		}
	}
	if named >= 2 && d.whereMore() {
		return
	}
	where := d.inEachStore()
	if where == nil && (!d.word(lacking) || !d.word(having)) || named < 2 && !(named == 1 && any) {
		return
	}
	d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
		_, ofMeasure := d.Catalogue.Measure(w.Field)
		return ofMeasure || w.Op != analysis.In || w.Field == "store" && (named < 2 || where != nil)
	})
	d.asked, d.q.Measures, d.q.By = []string{"stock"}, []string{"stock"}, []string{"product", "store"}
	if d.ordered, d.goods, d.q.Limit = "", false, 0; where == nil {
		d.direction = ""
	} else if d.direction != "" {
		d.ordered = "stock"
	}
	d.q.Where = append(d.q.Where, where...)
	if where == nil {
		d.instead = [2]string{"Не понял, на каком складе товар есть, а на каком нет. Показать остатки по этим складам " +
			"рядом?", "I do not understand which warehouse has the goods and which lacks them. Show the stock of these " +
			"warehouses side by side?"}
	} else if len(where[0].Values) == 1 {
		d.q.By = []string{"product"}
	}
	for _, it := range d.Items {
		switch it.Kind {
		case typed.Number:
			it.Used = it.Used || where != nil
		case typed.Named, typed.Period:
		case typed.Unexplained:
			if w := d.Tokens[it.At].Norm; lacking[w] || having[w] || where != nil && w == "ни" {
				it.Kind = typed.Function
			}
		default:
			it.Used = it.Used || where == nil || !saysMore[it.Kind]
		}
	}
}

// saysMore are the items that say something else than what a warehouse has.
var saysMore = map[typed.Kind]bool{typed.Sorting: true, typed.Best: true, typed.Worst: true, typed.TopRows: true,
	typed.Except: true, typed.Cash: true, typed.Share: true, typed.With: true, typed.OverYear: true,
	typed.OverMonth: true, typed.Average: true, typed.PerDay: true, typed.Weekdays: true, typed.Clock: true,
	typed.Why: true, typed.Trend: true, typed.Losing: true, typed.BelowCost: true}

// whereMore reads "где больше кофе, на Лесной или на Мира?" and "чая на Мира больше, чем на Лесной?" as the stock of
// both, that with more first (rule R1073). It reports whether it is that.
func (d *draft) whereMore() bool {
	direction := analysis.Direction("")
	for _, it := range d.Items {
		switch w := d.Tokens[it.At].Norm; {
		case it.Kind == typed.Number || it.Kind == typed.Period || it.Kind == typed.Absent:
			return false
		case moreThere[w]:
			direction = analysis.Descending
		case fewerThere[w]:
			direction = analysis.Ascending
		}
	}
	if direction == "" || d.direction != "" && len(d.asked) > 0 && !slices.Contains(d.asked, "stock") {
		return false
	}
	d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
		return w.Field == "store"
	})
	for _, it := range d.Items {
		if of := []analysis.Scalar(nil); isStore(it) {
			if of = d.storeValues(it); len(of) != 1 {
				return false
			}
			d.whereValue("store", string(of[0]), false)
			it.Used = true
		}
		it.Used = it.Used || it.Kind != typed.Named && it.Kind != typed.Unexplained
	}
	d.asked, d.q.Measures, d.q.By = []string{"stock"}, []string{"stock"}, []string{"store"}
	d.direction, d.ordered, d.goods, d.q.Limit = direction, "stock", false, 0
	return true
}

var (
	moreThere  = words.Set("больше побольше more most")
	fewerThere = words.Set("меньше поменьше less fewer least")
)

// inEachStore returns the conditions on the stock of each warehouse that the task names: first the warehouses that have
// the goods, then what the others have. It returns nil if it does not say that of each, and of both kinds.
func (d *draft) inEachStore() []analysis.Condition {
	var here []analysis.Scalar
	var there, both []analysis.Condition
	var said *analysis.Condition // what was said last
	var stores []*typed.Item     // the warehouses of the clause of which nothing is said yet
	fresh := false               // it was said in this clause
	lacks := 0
	assign := func(it *typed.Item) bool {
		of := d.storeValues(it)
		if len(of) != 1 {
			return false
		}
		w := *said
		if w.At = string(of[0]); w.Op == analysis.Greater || w.Op == analysis.GreaterEqual {
			here, both = append(here, of[0]), append(both, w)
			return true
		}
		lacks++
		there = append(there, w)
		return true
	}
	end := 0
	for i, it := range d.Items {
		for k := end; k < it.End; k++ {
			if said != nil && breaksClause[d.Tokens[k].Norm] || d.Tokens[k].Raw == "," {
				fresh = false
			}
		}
		end = it.End
		if w := d.saysOfStock(i); w != nil {
			if said, fresh = w, true; len(stores) > 0 {
				for _, s := range stores {
					if !assign(s) {
						return nil
					}
				}
				stores, fresh = nil, false
			}
			continue
		}
		switch {
		case !isStore(it):
		case fresh || said != nil && d.joined(i):
			if !assign(it) {
				return nil
			}
		default:
			stores = append(stores, it)
		}
	}
	if len(stores) > 0 || len(here) == 0 || lacks == 0 {
		return nil
	}
	where := []analysis.Condition{{Field: "store", Op: analysis.In, Values: here}}
	if len(here) == 1 {
		both[0].At = ""
		where = append(where, both[0])
	} else {
		where = append(where, both...)
	}
	return append(where, there...)
}

// joined reports whether "and" or "or" joins a warehouse to the one before: "ни на Мира, ни на Витрине".
func (d *draft) joined(i int) bool {
	for k := d.Items[i].At - 1; k >= 0 && k >= d.Items[i].At-3; k-- {
		switch w := d.Tokens[k].Norm; {
		case w == "и" || w == "ни" || w == "или" || w == "and" || w == "or" || w == "nor":
			return true
		case breaksClause[w]:
			return false
		}
	}
	return false
}

// saysOfStock returns what an item says of the stock of a warehouse: there is some, there is none, or how much.
func (d *draft) saysOfStock(i int) *analysis.Condition {
	it := d.Items[i]
	w := d.Tokens[it.At].Norm
	switch next := d.neighbour(i, 1); {
	case is(it, typed.Operator) && is(next, typed.Number) && (next.Number.Unit == words.NoUnit ||
		next.Number.Unit == words.Quantity) && analysis.Op(it.ID) != analysis.Between:
		return &analysis.Condition{Field: "stock", Op: analysis.Op(it.ID),
			Values: []analysis.Scalar{analysis.Scalar(next.Number.Value)}}
	case it.Kind == typed.Number && it.Number.Value != "0", isStore(it):
		return nil
	case it.Kind == typed.Absent, w == "not", lacking[w], lacking[d.Tokens[it.End-1].Norm]:
		return &analysis.Condition{Field: "stock", Op: analysis.LessEqual, Values: []analysis.Scalar{"0"}}
	case having[w]:
		return &analysis.Condition{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}
	}
	return nil
}

// storeValues returns the values of a condition on the warehouse that a name is of.
func (d *draft) storeValues(it *typed.Item) (list []analysis.Scalar) {
	for _, n := range it.Name.Meanings {
		switch {
		case typed.DimensionOf(n.Kind) != "store":
		case it.Name.ByID:
			list = append(list, analysis.Scalar(n.ID))
		default:
			list = append(list, analysis.Scalar(n.Name))
		}
	}
	return list
}

func isStore(it *typed.Item) bool {
	return it.Kind == typed.Named && typed.DimensionOf(it.Name.Meanings[0].Kind) == "store"
}

// breaksClause are words that begin another clause.
var breaksClause = words.Set("а но зато и тогда but and while whereas yet")

// mayBeStock are measures that words for empty and full shelves are read as.
var mayBeStock = words.Set("stock free receipts sale_price quantity stock_cost")

var (
	lacking = words.Set("нет нету пусто пустой пустая пустые ноль ноля нуле нулю нулевой нулевая нулевые нулевых " +
		"закончился закончилась закончилось закончились кончился кончилась кончилось кончились отсутствует отсутствуют " +
		"голяк шаром out empty none zero missing gone lacks without nothing absent")
	having = words.Set("есть имеется имеются лежит лежат полно навалом завались завал куча много вдоволь завалено " +
		"осталось остался осталась остались остаток хватает хватит залежи достаточно дофига stock has have had " +
		"available plenty lots full in-stock")
)
