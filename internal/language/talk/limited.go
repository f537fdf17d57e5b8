package talk

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// restriction is what a message does to the goods of a draft.
type restriction uint8

const (
	noRestriction restriction = iota
	goodsLeftOut              // "кроме игрушек", "убери игрушки", "игрушки не надо"
	goodsKept                 // "только текстиль"
	goodsAdded                // "и текстиль тоже"
)

// limited reads a message that leaves goods out of a draft, limits it to some of its goods or adds goods to it, and
// says nothing else. Everything else of the draft stays as it is, whatever words it was made of (rule R812).
func (t *talk) limited(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	kind := kindOf[last.Skill]
	if !ok || last.Question != nil || len(d.Items) > 0 || kind != draft.Prices && kind != draft.Orders ||
		d.RowsOf != nil && d.RowsOf.Quantity+d.RowsOf.Column != "" {
		return nil
	}
	rest, how := restricts(task, last)
	if n := len(t.in.Earlier); how == goodsAdded && n > 0 && !behindPreposition(task, rest) {
		if _, before := restricts(t.in.Earlier[n-1], last); before == goodsLeftOut {
			how = before // "exclude the pliers", "and the hammers"
		}
	}
	l := last.Language
	if n := topOf(rest); how == goodsKept && n > 0 && d.RowsOf != nil && d.RowsOf.Result != "" && d.RowsOf.Rows == nil {
		d = d.Clone()
		for i := range n {
			d.RowsOf.Rows = append(d.RowsOf.Rows, strconv.Itoa(i+1))
		}
		return of(last, d)
	}
	every := draft.Draft{Percent: "1", Everything: true}
	text := l.Pick("Подними цены на 1 % на ", "Raise prices by 1% on ") + rest
	switch {
	case how == goodsLeftOut:
		text = draft.Text(draft.Prices, every, l) + l.Pick(" кроме ", " except ") + rest
	case how == noRestriction, how == goodsKept && d.RowsOf == nil:
		return nil
	}
	x := t.task(text)
	if x.Skill != language.ProposePriceChange || len(x.Unknown)+len(x.Unused) > 0 {
		return nil
	}
	if now, ok := x.Input.(draft.Draft); ok && x.Question == nil {
		a := act.Read(task)
		if a.Kind == act.Drop && !a.Weak && removes(task) && now.Except != nil && len(now.Except.Products) > 0 &&
			token.Split(rest)[0].Cyrillic { // an English word is no word of the lines
			y := of(last, d) // its lines would have been found
			y.Input, y.Question = nil, &language.Question{Text: noLine(l, rest)}
			return y
		}
		if to, ok := restricted(how, d, now, kind == draft.Prices); ok {
			return of(last, to)
		}
		return nil
	}
	if x.Question == nil || len(x.Question.Options) == 0 {
		return nil
	}
	q := language.Question{Text: x.Question.Text}
	for _, o := range x.Question.Options {
		now, ok1 := o.Input.(draft.Draft)
		to, ok2 := restricted(how, d, now, kind == draft.Prices)
		if !ok1 || !ok2 {
			return nil
		}
		q.Options = append(q.Options, language.Option{Text: draft.Text(kind, to, l), Skill: last.Skill, Input: to})
	}
	y := of(last, d)
	y.Input, y.Question = nil, &q
	return y
}

// topOf reads "топ 5" as the first rows of a table, as it was sorted; 0 for any other words. "Первые три" are lines of
// the draft.
func topOf(rest string) int {
	ts := token.Split(rest)
	if len(ts) != 2 || ts[0].Norm != "топ" && ts[0].Norm != "top" || ts[1].Kind != token.Number {
		return 0
	}
	n, err := strconv.Atoi(ts[1].Norm)
	if err != nil || n > mostTop {
		return 0
	}
	return n
}

const mostTop = 100

// removes reports whether a message begins with a verb that takes lines out.
func removes(task string) bool {
	for _, t := range token.Split(task) {
		if !t.Punctuation() && !leadIn[t.Norm] {
			return removeWords[t.Norm] || excluding[t.Norm]
		}
	}
	return false
}

// noLine says that a draft has no such line.
func noLine(l stockhand.Language, name string) string {
	return fmt.Sprintf(l.Pick("В черновике нет строки «%s». Черновик не изменён.",
		"The draft has no line “%s”. The draft is unchanged."), name)
}

// behindPreposition reports whether goods that a message adds stand behind a preposition: "ещё у Востока" leaves
// nothing out.
func behindPreposition(task, rest string) bool {
	before, _, _ := strings.Cut(task, rest)
	around := append(token.Split(before), token.Split(rest)[0])
	return slices.ContainsFunc(around, func(t token.Token) bool { return prepositions[t.Norm] })
}

var prepositions = words.Set("на в для у от с из for on from at in to")

// restricts returns the goods that a message speaks of, and what it does to them.
func restricts(task string, last *language.Reading) (rest string, how restriction) {
	if a := act.Read(task); a.Kind == act.Drop && len(a.Names) > 0 && len(a.Lines) == 0 {
		return strings.Join(a.Names, ", "), goodsLeftOut // "тетради не трогай", "оставь тетради как есть"
	}
	if said := excepted(task, last); said != task {
		task = said
	}
	ts := token.Split(task)
	i, and := 0, false
	for i < len(ts) && (ts[i].Punctuation() || leadIn[ts[i].Norm] && !onlyWords[ts[i].Norm]) {
		and = and || ts[i].Norm == "и" || ts[i].Norm == "and" || ts[i].Norm == "еще"
		i++
	}
	end := len(ts)
	for end > i && (ts[end-1].Punctuation() || besides[ts[end-1].Norm]) {
		and = and || besides[ts[end-1].Norm]
		end--
	}
	if i >= end {
		return "", noRestriction
	}
	switch w := ts[i].Norm; {
	case i+2 < end && takesOut[w] && ts[i+1].Norm == "out", w == "not" && i+1 < end:
		if how = goodsLeftOut; w != "not" {
			i++
		}
	case w == "кроме" || w == "без" || w == "except" || w == "without" || w == "исключая" || w == "excluding":
		how = goodsLeftOut
	case onlyWords[w], (w == "оставь" || w == "keep" || w == "leave") && i+1 < end && onlyWords[ts[i+1].Norm]:
		how = goodsKept
		for i+1 < end && onlyWords[ts[i+1].Norm] {
			i++
		}
	case and || addsLines[w]:
		how = goodsAdded
		if !addsLines[w] {
			i--
		}
	default:
		return "", noRestriction
	}
	for i++; i < end && toGoods[ts[i].Norm]; i++ {
		continue
	}
	if i >= end || how == goodsAdded && slices.ContainsFunc(ts[i:end], func(t token.Token) bool {
		return t.Kind == token.Number || t.Norm == "%"
	}) {
		return "", noRestriction
	}
	return strings.TrimSpace(task[ts[i].Start:ts[end-1].End]), how
}

var (
	takesOut = words.Set("leave take cut keep throw kick leaving")
	besides  = words.Set("тоже также too also")
	toGoods  = words.Set("на в для и сюда туда on for of the")
)

// restricted returns a draft with a restriction of its goods, and whether it can have it. now is a change of all
// prices, or of some goods, that has nothing else.
func restricted(how restriction, d, now draft.Draft, priced bool) (draft.Draft, bool) {
	d = d.Clone()
	bare := draft.Draft{Percent: "1"}
	goods, except := now.Goods, now.Except
	rest := now
	rest.Goods, rest.Except, rest.Where = draft.Goods{}, nil, nil
	if bare.Everything = rest.Everything; !reflect.DeepEqual(rest, bare) || len(now.Where) > 0 && !priced {
		return d, false
	}
	switch how {
	case goodsLeftOut:
		if except == nil && len(now.Where) == 0 || !goods.Empty() {
			return d, false
		}
		d.Where = append(d.Where, now.Where...)
		d.Everything = d.Everything && d.Goods.Empty() && len(d.Where) == 0
		if except == nil {
			return d, true
		}
		if d.Except == nil {
			d.Except = &draft.Goods{}
		}
		d.Except.Groups = union(d.Except.Groups, except.Groups)
		d.Except.Suppliers = union(d.Except.Suppliers, except.Suppliers)
		d.Except.Products = union(d.Except.Products, except.Products)
	case goodsKept:
		if goods.Empty() && len(now.Where) == 0 || except != nil || !goods.Empty() && !d.Goods.Empty() {
			return d, false
		}
		d.Where = append(d.Where, now.Where...)
		if d.Everything = false; !goods.Empty() {
			d.Goods = goods
		}
	case goodsAdded:
		one := func(g draft.Goods) bool {
			return (len(g.Groups) > 0) != (len(g.Products) > 0) && len(g.Suppliers) == 0
		}
		alike := one(goods) && one(d.Goods) && (len(d.Groups) > 0) == (len(goods.Groups) > 0)
		if !alike || except != nil || len(now.Where) > 0 || d.RowsOf != nil || d.Budget != "" || d.Except != nil {
			return d, false
		}
		d.Groups, d.Products = union(d.Groups, goods.Groups), union(d.Products, goods.Products)
	case noRestriction:
		return d, false
	}
	return d, true
}

func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// keepsScope gives a changed draft of a table's rows what only the answer with those rows said: for which warehouses
// they were short, and how. No word of the draft's own says so (rule R812).
func keepsScope(x, last *language.Reading) {
	was, ok1 := last.Input.(draft.Draft)
	now, ok2 := x.Input.(draft.Draft)
	if !ok1 || !ok2 || x.Skill != last.Skill || was.RowsOf == nil || was.RowsOf.Result == "" || now.RowsOf == nil ||
		now.RowsOf.Result != was.RowsOf.Result {
		return
	}
	if len(now.Stores) == 0 && now.Store == "" {
		now.Stores, now.Store = was.Stores, was.Store
	}
	if len(now.FromStores) == 0 {
		now.FromStores = was.FromStores
	}
	if now.Mode == "" {
		now.Mode = was.Mode
	}
	if now.RowsOf.Rows == nil && was.RowsOf.Rows != nil {
		r := *now.RowsOf
		r.Rows = was.RowsOf.Rows
		now.RowsOf = &r
	}
	x.Input = now
}
