package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// orders sets the order, if the task names one.
func (d *draft) orders() {
	if d.reverses && len(d.q.Order) > 0 {
		d.direction = analysis.Ascending
		if d.q.Order[0].Direction == analysis.Ascending {
			d.direction = analysis.Descending
		}
		d.ordered = d.q.Order[0].Field
	} else if d.reverses {
		d.direction = analysis.Ascending
	}
	if op := d.than(); op != nil && d.direction == "" && d.q.Compare != nil && len(d.q.By) > 0 {
		if d.direction = analysis.Descending; op.ID == string(analysis.Less) {
			d.direction = analysis.Ascending
		}
	}
	if d.direction == "" && d.q.Compare != nil && (d.goods || len(d.q.By) > 0 && !d.ofTime(d.q.By[0])) &&
		d.Previous == nil && d.falls() != d.rises() { // "какие товары просели"
		d.direction = analysis.Descending
	}
	if d.direction == "" || len(d.q.Measures) == 0 {
		return
	}
	field := d.ordered
	if field == "" {
		field = d.q.Measures[0]
		if len(d.asked) == 0 && d.Previous != nil && len(d.Previous.Order) > 0 {
			field = d.Previous.Order[0].Field
		}
	}
	if !slices.Contains(d.q.By, field) {
		d.addMeasure(field)
	}
	d.q.Order = []analysis.Order{{Field: field, Direction: d.direction}}
	d.byChange()
}

// byChange orders the rows of a comparison by how much they changed, where that is what the task ranks: "какие группы
// просели больше всего", "what sells worse than last month".
func (d *draft) byChange() {
	down, up := d.falls(), d.rises()
	behind := d.ranksChange || d.than() != nil || slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return (it.Kind == typed.Best || it.Kind == typed.Worst) && it.End < len(d.Tokens) &&
			thanWords[d.Tokens[it.End].Norm]
	})
	if d.q.Compare == nil || len(d.q.By) == 0 || d.ofTime(d.q.By[0]) || !behind && down == up || d.sorts != nil ||
		slices.Contains(d.q.By, d.q.Order[0].Field) {
		return
	}
	o := &d.q.Order[0]
	if o.Change = true; down && !up {
		if o.Direction == analysis.Descending {
			o.Direction = analysis.Ascending
		} else {
			o.Direction = analysis.Descending
		}
	}
}

// whoChanged keeps the rows of a comparison that changed the way a task asks for: "какие группы выросли", "по каким
// группам упали", "which of them grew" (rule R620).
func (d *draft) whoChanged() {
	down, up := d.falls(), d.rises()
	if op := d.than(); op != nil && d.Previous == nil && down == up { // "which customers spend less than last month"
		down, up = op.ID == string(analysis.Less), op.ID == string(analysis.Greater)
	}
	if d.q.Compare == nil || len(d.q.By) == 0 || d.ofTime(d.q.By[0]) || down == up || !d.saysWhich() {
		return
	}
	w := analysis.Condition{Field: d.q.Measures[0], Op: analysis.Greater, Values: []analysis.Scalar{"0"},
		Of: analysis.OfChange}
	if down {
		w.Op = analysis.Less
	}
	if slices.ContainsFunc(d.q.Where, func(x analysis.Condition) bool { return x.Of != "" }) {
		return
	}
	q := d.q
	q.Where = append(slices.Clone(q.Where), w)
	direction := analysis.Descending
	if down {
		direction = analysis.Ascending
	}
	q.Order = []analysis.Order{{Field: w.Field, Direction: direction, Change: true}}
	if query.Possible(d.Catalogue, q) {
		d.q = q
		for _, it := range d.Items {
			for i := it.At; i < it.End; i++ {
				it.Used = it.Used || falling[d.Tokens[i].Stem] || rising[d.Tokens[i].Stem]
			}
		}
	}
}

// changedWhen reports whether a task asks which days or months changed: "где упало" after sales by week. No query
// compares a row with the one before it.
func (d *draft) changedWhen() bool {
	return slices.ContainsFunc(d.q.By, d.ofTime) && d.word(whereWords) && d.falls() != d.rises()
}

// ordersFrom shows what was ordered by supplier, where nothing else is named: the figures of orders to suppliers have
// no goods (rule R1145).
func (d *draft) ordersFrom() {
	if d.Previous == nil && d.asksFirst() && len(d.q.By)+len(d.q.Where) == 0 && d.word(supplierWords) &&
		!slices.ContainsFunc(d.asked, func(m string) bool { return m != "ordered" && m != "not_received" }) {
		d.q.By = []string{"counterparty"}
	}
}

var whichRows = words.Set("какие каким каких какой кто кому кого который которые где что which what who where")

// saysWhich reports whether the task chooses rows: "какие упали", "those that fell", "только упавшие".
func (d *draft) saysWhich() bool {
	if d.word(whichRows) {
		return true
	}
	for i := range d.Tokens {
		if d.Tokens[i].Norm == "that" && i > 0 && whichNouns[d.Tokens[i-1].Norm] {
			return true
		}
	}
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Only })
}

var whichNouns = words.Set("those ones any goods products items groups categories customers suppliers stores " +
	"warehouses")

// than returns the "more" or "less" of "купили меньше, чем в октябре"; nil if there is none.
func (d *draft) than() *typed.Item {
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Operator && it.Used && d.comparesBehind(it) &&
			(it.ID == string(analysis.Less) || it.ID == string(analysis.Greater))
	})
	if i < 0 {
		return nil
	}
	return d.Items[i]
}

// comparesBehind reports whether a period to compare with stands behind an operator: "чем в октябре", "than before".
func (d *draft) comparesBehind(op *typed.Item) bool {
	next := d.neighbour(slices.Index(d.Items, op), 1)
	return thanWords[d.Tokens[op.End-1].Norm] && is(next, typed.Period) || is(next, typed.OverMonth) ||
		is(next, typed.OverYear)
}

// stems reports whether one of the task's words is in a set of stems.
func (d *draft) stems(set map[string]bool) bool {
	return slices.ContainsFunc(d.Tokens, func(t token.Token) bool { return t.Use == token.Unused && set[t.Stem] })
}

// falls and rises report whether the task says that something became less, or more: "просели", "стали реже брать".
func (d *draft) falls() bool { return d.stems(falling) || d.became(lessWords) }

func (d *draft) rises() bool { return d.stems(rising) || d.became(moreWords) }

// worseThan reports whether the task asks what is worse or better than at another time: "что у нас хуже с маржой, чем
// летом". The words order the rows by the change.
func (d *draft) worseThan() bool {
	i := slices.IndexFunc(d.Tokens, func(t token.Token) bool {
		return lessWords[t.Norm] || moreWords[t.Norm] || lower[t.Norm]
	})
	return i >= 0 && slices.ContainsFunc(d.Tokens[i:], func(t token.Token) bool {
		return t.Norm == "чем" || t.Norm == "than"
	})
}

var lower = words.Set("ниже выше worse better lower higher less more")

// became reports whether a word of a set stands in a comparison of several words: "стал покупать меньше".
func (d *draft) became(set map[string]bool) bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.With && it.End-it.At > 2 &&
			becomes[d.Tokens[it.At].Norm] != becomes[d.Tokens[it.At+1].Norm] &&
			slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool { return set[t.Norm] })
	})
}

var (
	becomes   = words.Set("стал стала стало стали")
	lessWords = words.Set("меньше хуже")
	moreWords = words.Set("больше лучше чаще")
)

var (
	falling = token.Stems("упал упала упали упало просел просела просели просело снизился снизилась снизились " +
		"снизилось уменьшился уменьшились сократился сократились потерял потеряли подешевел подешевела подешевели " +
		"падает падают падаем проседает проседают рухнул рухнула рухнули обвалился обвалилась обвалились сдулся " +
		"сдулись ухудшился ухудшилась реже падение падения падении спад спада снижение снижения снижении просадка " +
		"просадки просадке уменьшение уменьшения сокращение сокращения потеряла опустился опустилась опустились " +
		"снижается снижаются уменьшается уменьшаются сократилась сократилось dropped fell lost losing halved sank " +
		"plunged shrunk slid fallen declined declining decreased slipped slumped shrank dropping falling drop " +
		"fall decline провал провала провалы провалился просадок")
	rising = token.Stems("вырос выросла выросли выросло подрос подросли увеличился увеличились растет растут рост " +
		"роста росте прирост прироста приросту увеличение увеличения растем взлетел взлетела взлетели подскочил " +
		"подскочила подскочили скакнул скакнула увеличилась увеличилось прибавила поднялся поднялась поднялись " +
		"улучшился улучшилась улучшились удвоился удвоилась удвоились утроился утроилась утроились подорожал " +
		"подорожала подорожали подняли поднял прибавил прибавили grew grown growing increased risen rose improved " +
		"jumped growth doubled tripled climbed soared surged gained grow rise")
	thanWords = words.Set("чем than")
)

// sort reads "отсортируй по прибыли", "sort by name": the order of the rows.
func (d *draft) sort(i int, it *typed.Item) {
	it.Used = true
	by := d.neighbour(i, 1)
	if is(by, typed.Per) {
		by.Used = true
		by = d.neighbour(slices.Index(d.Items, by), 1)
	}
	if d.direction == "" {
		d.direction = analysis.Descending
	}
	switch {
	case is(by, typed.Measure):
		d.ordered = by.ID
		if m, ok := d.Catalogue.Measure(by.ID); ok && d.Previous != nil && m.Name == "quantity" && d.ofStock() {
			by.Used, d.ordered = true, "stock"
		}
	case is(by, typed.Dimension):
		by.Used, d.ordered, d.direction = true, by.ID, analysis.Ascending
	default:
		d.sorts = it
		d.ordered = d.money()
	}
}

func (d *draft) ofStock() bool {
	m, ok := d.Catalogue.Measure(d.Previous.Measures[0])
	return ok && m.Now && m.Unit == tool.UnitQuantity
}

// money is the sum that rows are sorted by, if the task does not say of what: of stock, its value.
func (d *draft) money() string {
	list := d.q.Measures
	if d.Previous != nil {
		list = d.Previous.Measures
	}
	for _, name := range list {
		if m, ok := d.Catalogue.Measure(name); ok && m.Unit == tool.UnitMoney && m.Adds {
			return name
		}
	}
	if len(list) > 0 && d.Previous != nil && d.ofStock() {
		return "stock_cost"
	}
	return "revenue"
}

// worseIfMore reports whether "the worst" of the rows before are those with the highest figures: of losses and
// delays.
func (d *draft) worseIfMore(it *typed.Item) bool {
	return d.Previous != nil && typed.WorseIfMore[d.Previous.Measures[0]] &&
		slices.ContainsFunc(d.Tokens[it.At:it.End],
			func(t token.Token) bool { return badWords[t.Norm] })
}

var badWords = words.Set("плохой плохая плохое плохие худший худшая худшее худшие хуже плохо worst worse bad")

// expensesByItem breaks expenses down "by item", which is a product elsewhere.
func (d *draft) expensesByItem() {
	i := slices.Index(d.q.By, "product")
	if i >= 0 && d.Previous != nil && len(d.asked) == 0 && d.Previous.Measures[0] == "money_out" && d.word(itemWords) {
		d.q.By[i] = "expense_item"
	}
}

var itemWords = words.Set("item items")
