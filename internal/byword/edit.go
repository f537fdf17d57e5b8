package byword

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

// place is a line of a draft.
type place struct {
	doc   stockhand.DocumentID
	title string // of the document
	line  *tool.Line
}

// edit changes lines of the draft that the message is about.
func (d *decision) edit(ctx context.Context, a act.Act) (*outcome, error) {
	x := d.meant("")
	if d.only != "" {
		x = d.having(d.only)
	}
	switch {
	case x == nil && len(d.talk.open) > 1:
		if !a.OfDraft && len(d.talk.focus) == 0 {
			return nil, nil
		}
		return d.say("Открыто черновиков: %d. Сначала подтвердите или отмените лишние, или измените "+
			"нужный по его номеру.",
			"%d drafts are open. Confirm or cancel the others first.", len(d.talk.open)), nil
	case x == nil && a.OfDraft:
		return d.say("Менять нечего: в этом разговоре нет открытого черновика.",
			"Nothing to change: this conversation has no open draft."), nil
	case x == nil:
		return nil, nil
	}
	places := placesOf(x, d.only)
	if a.Kind == act.Set && a.Each {
		return d.setEach(ctx, x, a, places)
	}
	if a.Kind == act.Set && len(a.Names)+len(a.Lines) == 0 && a.From == "" && len(places) > 1 &&
		allPriced(places) && (!a.Price || d.byAmount()) {
		return nil, nil // "пусть будет 12", "лучше на 30 рублей" after a change of prices is another change of them
	}
	if a.Weak && a.From != "" && len(a.Names)+len(a.Lines) == 0 && len(places) > 0 && allPriced(places) &&
		!slices.ContainsFunc(places, func(p place) bool {
			return shows(p.line, act.Act{From: a.From, Price: true})
		}) {
		return nil, nil // "не 12 а 10" is about the percentage
	}
	if named := namedBy(a, places); a.Kind == act.Set && !a.Price && a.From == "" && allPriced(named) &&
		!isPriceOf(a.To, named) {
		return d.priceOrElse(a, x, named), nil
	}
	chosen, out := d.find(a, places)
	if a.Bound.Value != "" {
		chosen, out = d.within(a, places)
	}
	if out != nil || len(chosen) == 0 {
		return out, nil
	}
	if a.Unsure {
		return d.keepOrLeave(a), nil
	}
	if a.Kind == act.Scale && slices.ContainsFunc(chosen, func(p place) bool { return !p.line.Quantity.Known }) {
		return nil, nil // prices are changed by another draft
	}
	if a.Kind == act.Set && !a.Price && a.From == "" && len(a.Names)+len(a.Lines) == 0 && len(chosen) == 1 &&
		nearerPrice(a.To, chosen[0].line) {
		return d.quantityOrPrice(a, chosen[0]), nil
	}
	if a.Kind == act.Set && !a.Price && a.From == "" && allPriced(chosen) && !isPriceOf(a.To, chosen) {
		return d.priceOrElse(a, x, chosen), nil
	}
	a.Price = a.Price || a.Kind == act.Set && allPriced(chosen)
	return d.carryOut(ctx, x, []act.Act{a}, places, [][]place{chosen})
}

// byAmount reports whether a figure of money says by how much: "на 30 рублей", and not "цена 250" (rule R1137).
func (d *decision) byAmount() bool {
	by, set := false, false
	ts := token.Split(d.task.Text)
	for i := range ts {
		w := ts[i].Norm
		by = by || (w == "на" || w == "by") && i+1 < len(ts) && ts[i+1].Kind == token.Number
		set = set || w == "до" || w == "to" || w == "по" || strings.HasPrefix(w, "цен") ||
			strings.HasPrefix(w, "price") || strings.HasPrefix(w, "стои")
	}
	return by && !set
}

// nearerPrice reports whether a figure is near the price of a line and far from its quantity: "пусть 2100" of 8
// pieces at 2,000.
func nearerPrice(to string, l *tool.Line) bool {
	n, err := decimal.Parse(to)
	if err != nil || !l.Quantity.Known || !l.Price.Known || l.Quantity.Sign() <= 0 || l.Price.Sign() <= 0 {
		return false
	}
	two, ten := decimal.FromInt(2), decimal.FromInt(10)
	return n.Cmp(l.Quantity.Mul(ten)) > 0 && n.Mul(two).Cmp(l.Price.Decimal) > 0 && n.Cmp(l.Price.Mul(two)) < 0
}

// quantityOrPrice asks what of a line a figure is.
func (d *decision) quantityOrPrice(a act.Act, p place) *outcome {
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("%s — это количество или цена?",
		"Is %s the quantity or the price?"), a.To)}
	for _, what := range []string{d.l.Pick("цену", "price"), d.l.Pick("количество", "quantity")} {
		text := fmt.Sprintf(d.l.Pick("измени %s «%s» на %s", "change %s “%s” to %s"), what,
			p.line.Product.Name, a.To)
		q.Options = append(q.Options, dialogue.Option{Text: text, Message: text + inDocument + string(p.doc)})
	}
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// find returns the lines that an act is about, or a question. Both are empty if the message is not about the draft.
func (d *decision) find(a act.Act, all []place) ([]place, *outcome) {
	var chosen []place
	if a.Bound.Value != "" {
		return nil, nil
	}
	if a.First > 0 {
		return all[:min(a.First, len(all))], nil
	}
	if a.Kind == act.Scale && len(a.Names)+len(a.Lines) == 0 {
		return all, nil
	}
	for _, n := range a.Lines {
		if n < 0 {
			n = len(all)
		}
		var these []place
		for _, p := range all {
			if p.line.ID == strconv.Itoa(n) {
				these = append(these, p)
			}
		}
		if len(these) == 0 && n >= 1 && n <= len(all) && a.Kind != act.Set {
			these = all[n-1 : n] // of several orders, the n-th of all lines as they are shown
		}
		if len(these) > 1 {
			return nil, d.whichLine(a, "", these)
		}
		if len(these) != 1 {
			return nil, d.say("Строки %d в черновике нет, или она не одна. Назовите товар.",
				"The draft has no line %d, or several. Name the product.", n)
		}
		chosen = append(chosen, these[0])
	}
	for _, name := range a.Names {
		these := matching(name, all)
		switch {
		case len(these) == 1, len(these) > 1 && a.Kind != act.Set && sameProduct(these),
			len(these) > 1 && (a.Kind == act.Scale || a.Kind != act.Set && plural(name)):
			chosen = append(chosen, these...)
		case len(these) > 1:
			a.Price = a.Price || a.Kind == act.Set && allPriced(these)
			return nil, d.whichLine(a, name, these)
		case a.Kind != act.Set && a.Kind != act.Scale && len(d.talk.focus) > 0:
			return nil, nil // "убери игрушки" may be a group, which the reader knows
		case !a.Weak && (a.OfDraft || len(d.talk.focus) > 0) && !foreign(name, all):
			return nil, d.say("В черновике нет строки «%s». Группу можно исключить словами «кроме группы …».",
				"The draft has no line “%s”. A group is left out with “except the group …”.", name)
		default:
			return nil, nil
		}
	}
	if a.Kind == act.Set && len(a.Names)+len(a.Lines) == 0 {
		for _, p := range all {
			if a.From == "" || shows(p.line, a) {
				chosen = append(chosen, p)
			}
		}
		switch {
		case len(chosen) > 1:
			return nil, d.whichLine(a, "", chosen)
		case len(chosen) == 0 && (a.OfDraft || len(d.talk.focus) > 0):
			return nil, d.say("В черновике нет строки с числом %s.", "The draft has no line with %s.", a.From)
		}
	}
	return chosen, nil
}

// foreign reports whether a name is in another alphabet than the goods of a draft: "drop the tea" is read as a task,
// which knows names in both languages.
func foreign(name string, all []place) bool {
	cyrillic := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
	}
	return !cyrillic(name) && slices.ContainsFunc(all, func(p place) bool { return cyrillic(p.line.Product.Name) })
}

// plural reports whether the last word of a name is no accusative singular: "кепки" and "кепок" mean all caps, "кепку"
// one.
func plural(name string) bool {
	fields := strings.Fields(strings.ToLower(name))
	if len(fields) == 0 {
		return false
	}
	first := fields[0]
	if strings.ContainsFunc(first, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		for _, end := range []string{"ы", "и", "ок", "ек", "ов", "ей"} {
			if strings.HasSuffix(first, end) {
				return true
			}
		}
		return false
	}
	return strings.HasSuffix(first, "s")
}

// sameProduct reports whether lines are of one product, in several documents.
func sameProduct(these []place) bool {
	return !slices.ContainsFunc(these, func(p place) bool { return p.line.Product.ID != these[0].line.Product.ID })
}

// shows reports whether a line has the figure that is to be changed.
func shows(l *tool.Line, a act.Act) bool {
	n, err := decimal.Parse(a.From)
	is := l.Quantity
	if a.Price {
		is = l.Price
	}
	return err == nil && is.Known && is.Cmp(n) == 0
}

// inDocument stands in the message of an option before the document that it is about.
const inDocument = " @"

// mostLines is how many lines a question offers.
const mostLines = 8

// whichLine asks which of several lines is meant.
func (d *decision) whichLine(a act.Act, name string, these []place) *outcome {
	if len(these) > mostLines {
		return d.say("В черновике %d подходящих строк. Назовите товар точнее.",
			"%d lines of the draft fit. Name the product.", len(these))
	}
	q := &dialogue.Question{Text: d.l.Pick("Какую строку изменить?", "Which line shall I change?")}
	if name != "" {
		q.Text = fmt.Sprintf(d.l.Pick("«%s» — это какая строка?", "Which line is “%s”?"), name)
	}
	for _, p := range these {
		said := d.l.Pick("убери", "remove")
		if a.Kind == act.Keep {
			said = d.l.Pick("оставь только", "keep only")
		}
		text := said + " «" + p.line.Product.Name + "»"
		if a.Kind == act.Set {
			what := d.l.Pick("количество", "quantity")
			if a.Price {
				what = d.l.Pick("цену", "price")
			}
			text = fmt.Sprintf(d.l.Pick("измени %s «%s» на %s", "change %s “%s” to %s"), what, p.line.Product.Name,
				a.To)
		}
		o := dialogue.Option{Text: text, Message: text + inDocument + string(p.doc)}
		if sameProduct(these) {
			o.Text += " (" + p.title + ")"
		}
		q.Options = append(q.Options, o)
	}
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// matching returns the lines whose product fits a name: exactly, or by every word of it.
func matching(name string, all []place) []place {
	var out, exact []place
	for _, p := range all {
		if strings.EqualFold(p.line.Product.Name, name) {
			exact = append(exact, p)
		}
		if act.Names(name, p.line.Product.Name) {
			out = append(out, p)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return out
}
