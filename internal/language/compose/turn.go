package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// turns reads words that mean something else in a turn after the first: "нет" takes back what was understood, "не за
// октябрь, а за сентябрь" says what to leave out, and a letter may be a class of the analysis that was shown.
func (s *sentence) turns() {
	if s.Previous == nil || len(s.items) == 0 {
		return
	}
	if s.says(0, noWords) && !s.lacks() {
		s.items[0].kind, s.corrects = function, true
	}
	s.asksWho()
	for i, it := range s.items {
		w := s.ts[it.at].Norm
		switch {
		case (w == "не" || w == "not") && it.kind == unexplained && i+1 < len(s.items):
			s.contrast(i)
		case it.kind == unexplained && (tooWords[w] || besideWords[w] && i+1 < len(s.items) &&
			(togetherWords[s.ts[it.end-1].Norm] || togetherWords[s.ts[s.items[i+1].at].Norm])):
			it.kind = function
		case whereWords[w] && it.kind == function && s.overStores():
			it.kind, it.id, it.plural = dimension, "store", true
		case i > 0 && it.end == it.at+1 && classes[w] != "" && slices.Contains(s.Previous.By, "abc"):
			it.kind, it.id = letter, classes[w]
			if before := s.items[i-1]; s.says(i-1, classWords) {
				before.kind = function
			}
		case ofMoney[w] != "" && it.kind != name && it.kind != period && s.aboutMoney():
			it.kind, it.id = measure, ofMoney[w]
		}
	}
	if s.corrects {
		return
	}
	s.corrects = slices.ContainsFunc(s.ts, func(t token.Token) bool { return meant[t.Norm] && t.Use == token.Unused })
}

var (
	noWords    = words.Set("нет no неа")
	meant      = words.Set("имел имела имею имелось meant mean")
	allWords   = words.Set("всем всех все всеми all every")
	whereWords = words.Set("где where")
	// before "с": "вместе с прибылью"
	besideWords = words.Set("вместе наряду together along")
	classWords  = words.Set("класс класса классу классе классы группа группу группы категория категорию категории class")
	classes     = map[string]string{"а": "A", "a": "A", "б": "B", "в": "B", "b": "B", "с": "C", "c": "C"}
	// of a question about money, which is otherwise about goods
	ofMoney = map[string]string{"пришло": "money_in", "поступило": "money_in", "получили": "money_in",
		"приход": "money_in", "приходы": "money_in", "поступления": "money_in", "доход": "money_in",
		"доходы": "money_in",
		"ушло":   "money_out", "потратили": "money_out", "расход": "money_out", "расходы": "money_out",
		"потрачено": "money_out", "списали": "money_out", "заплатили": "money_out", "received": "money_in",
		"income": "money_in", "spent": "money_out", "expenses": "money_out", "outgoing": "money_out",
		"incoming": "money_in"}
	moneyMeasures = words.Set("balance money_in money_out net_flow")
)

// asksWho reads a question word by itself as what to show the figures by: "кому?", "когда?".
func (s *sentence) asksWho() {
	var asked *item
	for _, it := range s.items {
		if it.kind != function {
			return
		}
		if id := askedBy[s.ts[it.at].Norm]; id != "" {
			asked = it
			asked.id = id
		}
	}
	m, ok := s.Input.Catalogue.Measure(s.Previous.Measures[0])
	if asked == nil || len(s.items) > 3 || !ok || !slices.Contains(m.Over, asked.id) ||
		slices.Contains(s.Previous.By, asked.id) {
		return
	}
	asked.kind, asked.plural = dimension, true
}

var askedBy = map[string]string{"кому": "counterparty", "кого": "counterparty", "кем": "employee", "когда": "day",
	"чего": "product", "чем": "product", "whom": "counterparty", "when": "day"}

// overStores reports whether the figures before can be shown by warehouse.
func (s *sentence) overStores() bool {
	m, ok := s.Input.Catalogue.Measure(s.Previous.Measures[0])
	return ok && slices.Contains(m.Over, "store") && !slices.Contains(s.Previous.By, "store")
}

func (s *sentence) aboutMoney() bool { return moneyMeasures[s.Previous.Measures[0]] }

// says reports whether an item is one word of a set.
func (s *sentence) says(i int, set map[string]bool) bool {
	return i < len(s.items) && s.items[i].end == s.items[i].at+1 && set[s.ts[s.items[i].at].Norm]
}

// lacks reports whether "нет" at the beginning says what is missing: "нет продаж". Behind a comma, or before a new
// clause, it answers.
func (s *sentence) lacks() bool {
	it := s.items[0]
	return it.end < len(s.ts) && s.ts[it.end].Kind != token.Mark && len(s.items) > 1 && s.items[1].kind == measure &&
		s.items[1].at == it.end
}

// denials leaves out units and breakdowns that the task says it does not want: "by value, not by units".
func (s *sentence) denials() {
	for i, it := range s.items {
		w := s.ts[it.at].Norm
		if w != "not" && w != "не" || it.kind != except && it.kind != unexplained || i == 0 {
			continue
		}
		k := i + 1
		for k < len(s.items) && (s.items[k].kind == function || s.items[k].kind == per) {
			k++
		}
		if k >= len(s.items) {
			return
		}
		switch not := s.items[k]; not.kind {
		case dimension, inUnits, inMoney:
		case measure:
			if s.items[k-1].kind != per && s.ts[s.items[i].end-1].Norm != "by" {
				continue
			}
		default:
			continue
		}
		for ; i <= k; i++ {
			s.items[i].kind = function
		}
	}
}

// contrast leaves out what is not meant, if another of its type follows.
func (s *sentence) contrast(i int) {
	k := i + 1
	for k < len(s.items) && s.items[k].kind == function {
		k++
	}
	if k >= len(s.items) {
		return
	}
	not := s.items[k]
	if not.kind != period && not.kind != name && not.kind != measure && not.kind != dimension && not.kind != per ||
		!slices.ContainsFunc(s.items[k+1:], func(x *item) bool { return x.kind == not.kind }) {
		return
	}
	if not.kind == per {
		if k++; k >= len(s.items) {
			return
		}
		s.items[k].kind = function
	}
	s.items[i].kind, not.kind, s.corrects = function, function, true
}

// turn takes the words that only a follow-up may say.
func (d *draft) turn(it *item) {
	if d.Previous == nil {
		return
	}
	switch it.kind {
	case earlier:
		if d.Previous.From != "" {
			it.used, d.shifts = true, it
		}
	case contents:
		it.used, d.consists = true, true
	case clear:
		it.used, d.clears = true, true
	default:
	}
}

// measureAlone reports whether a task is a measure of a period alone, after another such: "прибыль?" after "выручка за
// октябрь по складам".
func (d *draft) measureAlone() bool {
	if len(d.ts) > 3 || len(d.asked) == 0 || len(d.q.By)+len(d.q.Where)+len(d.periods) > 0 || d.goods ||
		d.direction != "" ||
		slices.Contains(d.Previous.Measures, d.asked[0]) {
		return false
	}
	for _, it := range d.items {
		if it.kind != measure && it.kind != function {
			return false
		}
	}
	for _, name := range join(d.asked, d.Previous.Measures[:1]) {
		if m, ok := d.Catalogue.Measure(name); !ok || m.Now || moneyMeasures[name] != moneyMeasures[d.asked[0]] {
			return false
		}
	}
	return true
}

// persons are dimensions that "who" may ask for.
var persons = []string{"employee", "counterparty", "supplier"}

// sameAgent reads "у кого больше всего" as the rows of the answer before, if they are of people.
func (d *draft) sameAgent(q analysis.Query) {
	if slices.Equal(d.q.By, []string{"day"}) && slices.Contains(q.By, "weekday") && d.direction != "" {
		d.q.By = nil // "в какой день хуже всего"
	}
	if !slices.Equal(d.q.By, []string{"counterparty"}) || !d.word(whomWords) || len(d.asked) > 0 {
		return
	}
	for _, p := range persons {
		if slices.Contains(q.By, p) {
			d.q.By = nil
		}
	}
}

// everyOne drops the conditions on what the task asks for all of: "по всем группам".
func (d *draft) everyOne() {
	if d.Previous == nil {
		return
	}
	for _, it := range d.items {
		if it.kind != dimension || it.at == 0 || !it.plural || d.ts[it.at-1].Use != token.Unused ||
			!allWords[d.ts[it.at-1].Norm] {
			continue
		}
		if d.every = append(d.every, it.id); it.id == "product" {
			d.every = append(d.every, "group")
		}
	}
}

// move sets the period of "неделей раньше" and "до этого": the one before, moved by a unit or by its own length.
func (d *draft) move(n *analysis.Query, q analysis.Query) {
	if d.shifts == nil || q.From == "" || len(d.periods) > 0 {
		return
	}
	name, back := d.shifts.id, -1
	if rest, ok := strings.CutPrefix(name, "next "); ok {
		name, back = rest, 1
	}
	from, to := q.From.Time(), q.To.Time()
	unit, ok := units[name]
	own := unitOf(&quantity.Period{From: from, To: to})
	if !ok {
		unit, ok = units[own]
	}
	switch {
	case !ok: // by its own length
		days := int(to.Sub(from).Hours()/24) + 1
		from, to = from.AddDate(0, 0, back*days), to.AddDate(0, 0, back*days)
	case own != "" && units[own] == unit:
		from, to = quantity.Whole(unit, quantity.Shift(unit, from, back))
	default:
		from, to = quantity.Shift(unit, from, back), quantity.Shift(unit, to, back)
	}
	if from.After(d.Today) {
		d.shifts.used = false
		return
	}
	if n.From, n.To, n.Compare = tool.DayOf(from), tool.DayOf(to), nil; to.After(d.Today) {
		n.To = tool.DayOf(d.Today)
	}
}

// consist breaks a figure down by what it is made of.
func (d *draft) consist(n *analysis.Query) {
	for _, by := range []string{"expense_item", "product", "counterparty", "account", "document"} {
		fits := !slices.ContainsFunc(n.Measures, func(m string) bool { return !d.allows(m, by) })
		if by == "expense_item" && !slices.Contains(n.Measures, "money_out") || !fits || slices.Contains(n.By, by) {
			continue
		}
		n.By = slices.DeleteFunc(slices.Clone(n.By), d.ofTime)
		n.By = append(n.By, by)
		if len(n.Order) == 0 {
			n.Order = []analysis.Order{{Field: n.Measures[0], Direction: analysis.Descending}}
		}
		return
	}
}

// within reports whether every value is one of a list.
func within(values, list []analysis.Scalar) bool {
	return !slices.ContainsFunc(values, func(v analysis.Scalar) bool { return !slices.Contains(list, v) })
}
