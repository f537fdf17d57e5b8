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
	"github.com/stockhand/stockhand/internal/draft"
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
	var places []place
	for i := range x.content.Documents {
		doc := &x.content.Documents[i]
		if doc.State != stockhand.DocumentPending || d.only != "" && doc.ID != d.only {
			continue
		}
		for j := range doc.Lines {
			places = append(places, place{doc.ID, doc.Title, &doc.Lines[j]})
		}
	}
	priced := func(p place) bool { return !p.line.Quantity.Known && p.line.Price.Known }
	if a.Kind == act.Set && len(a.Names)+len(a.Lines) == 0 && a.From == "" && !a.Price && len(places) > 1 &&
		!slices.ContainsFunc(places, func(p place) bool { return !priced(p) }) {
		return nil, nil // "пусть будет 12" after a change of prices is another change of them
	}
	if a.Weak && a.From != "" && len(a.Names)+len(a.Lines) == 0 && len(places) > 0 &&
		!slices.ContainsFunc(places, func(p place) bool { return !priced(p) }) &&
		!slices.ContainsFunc(places, func(p place) bool {
			return shows(p.line, act.Act{From: a.From, Price: true})
		}) {
		return nil, nil // "не 12 а 10" is about the percentage
	}
	chosen, out := d.find(a, places)
	if a.Bound.Value != "" {
		chosen, out = d.within(a, places)
	}
	if out != nil || len(chosen) == 0 {
		return out, nil
	}
	if a.Kind == act.Scale && slices.ContainsFunc(chosen, func(p place) bool { return !p.line.Quantity.Known }) {
		return nil, nil // prices are changed by another draft
	}
	if a.Kind == act.Set && !a.Price && a.From == "" && len(a.Names)+len(a.Lines) == 0 && len(chosen) == 1 &&
		nearerPrice(a.To, chosen[0].line) {
		return d.quantityOrPrice(a, chosen[0]), nil
	}
	a.Price = a.Price || a.Kind == act.Set && !slices.ContainsFunc(chosen, func(p place) bool { return !priced(p) })
	edits, err := editsOf(a, places, chosen)
	if err != nil {
		return nil, nil //nolint:nilerr // the figure is none that a draft can have: a task
	}
	now, err := d.Drafts.Edit(ctx, d.task.Actor, x.ID, x.Version, edits)
	if err != nil {
		return d.refused(err, "Не изменено: ", "Not changed: ")
	}
	said := d.changes(a, chosen)
	return d.show(now, "Черновик изменён: "+said, "The draft is changed: "+said)
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

// changes says what an act changes.
func (d *decision) changes(a act.Act, chosen []place) string {
	var names []string
	for _, p := range chosen {
		name := d.l.Pick("«"+p.line.Product.Name+"»", "“"+p.line.Product.Name+"”")
		if a.Kind == act.Set || a.Kind == act.Scale {
			was := p.line.Quantity
			if a.Price {
				was = p.line.Price
			}
			old, to := "—", a.To
			if was.Known {
				old = tool.FormatQuantity(was.Decimal, d.l)
			}
			if a.Kind == act.Scale {
				to = tool.FormatQuantity(times(was.Decimal, a.To), d.l)
			}
			name += ": " + old + " → " + to
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if rest := len(names) - mostLines; rest > 0 {
		names = append(names[:mostLines], fmt.Sprintf(d.l.Pick("и ещё %d", "and %d more"), rest))
	}
	list := strings.Join(names, ", ")
	switch a.Kind {
	case act.Scale:
		return d.l.Pick("количества × ", "quantities × ") + factor(a.To) + ": " + list + "."
	case act.Keep:
		return d.l.Pick("осталось только ", "only this is left: ") + list + "."
	case act.Drop:
		return d.l.Pick("убрано ", "removed ") + list + "."
	default:
		return list + "."
	}
}

// factor writes a factor with at most three digits behind the point.
func factor(text string) string {
	by, err := decimal.Parse(text)
	if err != nil {
		return text
	}
	return by.Round(3).String()
}

// times returns a quantity by a factor. What is counted in whole pieces stays whole, and is rounded up.
func times(quantity decimal.Decimal, factor string) decimal.Decimal {
	by, err := decimal.Parse(factor)
	if err != nil {
		return quantity
	}
	out := quantity.Mul(by).Round(3)
	if quantity.Cmp(quantity.Floor(0)) == 0 {
		out = out.Ceil(0)
	}
	return out
}

// editsOf returns the edits that an act makes of lines.
func editsOf(a act.Act, all, chosen []place) (draft.Edits, error) {
	line := draft.LineEdit{Drop: a.Kind == act.Drop || a.Kind == act.Keep}
	if a.Kind == act.Set {
		n, err := decimal.Parse(a.To)
		if err != nil {
			return draft.Edits{}, err
		}
		if line.Quantity = decimal.Some(n); a.Price {
			line.Quantity, line.Price = decimal.Maybe{}, decimal.Some(n)
		}
	}
	if a.Kind == act.Keep {
		chosen = slices.DeleteFunc(slices.Clone(all), func(p place) bool { return slices.Contains(chosen, p) })
	}
	var edits draft.Edits
	for _, p := range chosen {
		i := slices.IndexFunc(edits.Documents, func(e draft.DocumentEdit) bool { return e.ID == p.doc })
		if i < 0 {
			i = len(edits.Documents)
			edits.Documents = append(edits.Documents, draft.DocumentEdit{ID: p.doc})
		}
		line.ID = p.line.ID
		if a.Kind == act.Scale {
			line.Quantity = decimal.Some(times(p.line.Quantity.Decimal, a.To))
		}
		edits.Documents[i].Lines = append(edits.Documents[i].Lines, line)
	}
	for i, e := range edits.Documents { // a document without lines goes as a whole
		left := 0
		for _, p := range all {
			if p.doc == e.ID {
				left++
			}
		}
		if line.Drop && left == len(e.Lines) {
			edits.Documents[i] = draft.DocumentEdit{ID: e.ID, Drop: true}
		}
	}
	return edits, nil
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
		if fits(name, p.line.Product.Name) {
			out = append(out, p)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return out
}

func fits(name, product string) bool {
	have := token.Split(product)
	some := false
	for _, w := range token.Split(name) {
		if w.Kind == token.Mark {
			continue
		}
		if !slices.ContainsFunc(have, func(h token.Token) bool { return alike(w, h) }) {
			return false
		}
		some = true
	}
	return some
}

// alike reports whether two words are forms of one, or nearly: "кружек" and "кружка".
func alike(a, b token.Token) bool {
	if a.Norm == b.Norm || a.Kind == token.Word && a.Stem == b.Stem {
		return true
	}
	if a.Kind != token.Word || b.Kind != token.Word {
		return false
	}
	x, y := []rune(a.Stem), []rune(b.Stem)
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	return same >= 4 && same >= max(len(x), len(y))-2 || withoutFleeting(a.Stem) == withoutFleeting(b.Stem)
}

// withoutFleeting leaves out the vowel before the last consonant: "кепок" and "кепк" are stems of one word.
func withoutFleeting(stem string) string {
	s := []rune(stem)
	if n := len(s); n > 3 && (s[n-2] == 'о' || s[n-2] == 'е') {
		return string(s[:n-2]) + string(s[n-1])
	}
	return stem
}
