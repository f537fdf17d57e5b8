package byword

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

// which asks which of several drafts is meant.
func (d *decision) which(drafts []*shown, message, ru, en string) (*outcome, error) {
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("Открыто черновиков: %d. Какой %s?",
		"%d drafts are open. Which one shall I %s?"), len(drafts), d.l.Pick(ru, en))}
	for _, x := range drafts {
		title := x.title()
		if len(x.content.Documents) > 0 {
			title = x.content.Documents[0].Title
		}
		if n := len(x.content.Documents); n > 1 {
			title += fmt.Sprintf(d.l.Pick(" и ещё документов: %d", " and %d more documents"), n-1)
		}
		q.Options = append(q.Options, dialogue.Option{Text: title + " (" + string(x.ID) + ")",
			Message: message + string(x.ID)})
	}
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}, nil
}

// unchanged asks whether a draft is confirmed that the last message did not change, though it may have meant to.
func (d *decision) unchanged(x *shown) *outcome {
	q := &dialogue.Question{Text: d.l.Pick("Последнее сообщение черновик не изменило. Подтвердить его как есть?",
		"The last message changed nothing in the draft. Confirm it as it stands?")}
	q.Options = append(q.Options, dialogue.Option{Text: d.l.Pick("Подтвердить «", "Confirm “") + x.title() +
		d.l.Pick("»", "”"), Message: confirming + string(x.ID)})
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// sure asks whether a draft is confirmed.
func (d *decision) sure(x *shown) *outcome {
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("Подтвердить черновик «%s»? Напишите «подтверждаю».",
		"Confirm the draft “%s”? Say “confirm”."), x.title())}
	q.Options = append(q.Options, dialogue.Option{Text: d.l.Pick("Подтвердить", "Confirm"),
		Message: confirming + string(x.ID)})
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// waits says that a draft was not sent, and asks whether it is cancelled.
func (d *decision) waits(x *shown) *outcome {
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("Черновик «%s» не отправлен и ждёт. Отменить его?",
		"The draft “%s” is not sent, and waits. Cancel it?"), x.title())}
	q.Options = append(q.Options, dialogue.Option{Text: d.l.Pick("Отменить черновик", "Cancel the draft"),
		Message: d.l.Pick("отмени черновик ", "cancel draft ") + string(x.ID)})
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// meant returns the draft that a message without a name is about: the one it names, the one that the last turn showed,
// or the only one that waits. Of several, it returns nil.
func (d *decision) meant(id string) *shown {
	for _, x := range d.talk.open {
		if string(x.ID) == id {
			return x
		}
	}
	switch {
	case id != "":
		return nil
	case len(d.talk.focus) == 1:
		return d.talk.focus[0]
	case len(d.talk.open) == 1:
		return d.talk.open[0]
	}
	return nil
}

func (d *decision) reject(ctx context.Context, a act.Act) (*outcome, error) {
	if a.Draft == "" && d.talk.asks && len(d.talk.last) == 0 && d.soft() {
		return nil, nil // "не надо" answers the question of the last turn, and decides on no draft shown before it
	}
	switch {
	case a.Weak && len(d.talk.last) == 1 && !d.talk.asks:
		return d.waits(d.talk.last[0]), nil
	case a.Weak:
		return nil, nil // "нет" is about something else
	}
	x := d.meant(a.Draft)
	last := len(d.talk.open)
	switch {
	case x == nil && last > 1 && strings.Contains(strings.ToLower(d.task.Text), "последн"):
		x = d.talk.open[last-1]
	case x == nil && last > 1:
		return d.which(d.talk.open, d.l.Pick("отмени черновик ", "cancel draft "), "отменить", "cancel")
	}
	if x != nil {
		now, err := d.Drafts.Reject(ctx, d.task.Actor, x.ID, x.Version)
		if err != nil {
			return d.refused(err, "Не отменено: ", "Not cancelled: ")
		}
		content, err := tool.ReadDraft(now)
		if err != nil {
			return nil, err
		}
		return d.say("Черновик «%s» отменён: ничего не отправлено.", "The draft “%s” is cancelled: nothing was sent.",
			content.Title), nil
	}
	if len(d.talk.decided) > 0 && !d.soft() {
		return d.undo(ctx)
	}
	if len(d.talk.decided) == 0 && d.soft() {
		return nil, nil
	}
	return d.say("Отменять нечего: в этом разговоре нет открытого черновика.",
		"Nothing to cancel: this conversation has no open draft."), nil
}

// soft reports whether the words may only decline what was said: "не надо".
func (d *decision) soft() bool {
	text := strings.ToLower(d.task.Text)
	return !slices.ContainsFunc([]string{"отмен", "отклон", "удал", "аннул", "отзов",
		"чернов", "cancel", "reject", "draft", "discard"},
		func(w string) bool { return strings.Contains(text, w) })
}

// undo proposes to take back what was written last.
func (d *decision) undo(ctx context.Context) (*outcome, error) {
	for _, x := range slices.Backward(d.talk.open) {
		if x.Undoes != "" {
			return d.show(x.Draft, "Отмена уже подготовлена: подтвердите этот черновик.",
				"Taking it back is prepared already: confirm this draft.")
		}
	}
	for _, x := range slices.Backward(d.talk.decided) {
		if !slices.ContainsFunc(x.content.Documents, func(doc tool.DraftDocument) bool {
			return doc.State == stockhand.DocumentApplied
		}) {
			continue
		}
		if x.Undoes != "" {
			return d.say("Уже возвращено: последнее изменение из этого разговора отменено.",
				"The last change of this conversation is taken back already."), nil
		}
		back, err := d.Drafts.Undo(ctx, d.task.Actor, x.ID)
		if err != nil {
			return d.refused(err, "", "")
		}
		return d.show(back, "Чтобы вернуть как было, подтвердите этот черновик.",
			"To put it back as it was, confirm this draft.")
	}
	switch n := len(d.talk.open); {
	case n == 1:
		return d.say("Возвращать нечего: черновик «%s» ещё не отправлен. Отменить его? Напишите «отмени».",
			"Nothing to undo: the draft “%s” has not been sent. To cancel it, say “cancel”.", d.talk.open[0].title()), nil
	case n > 1:
		return d.which(d.talk.open, d.l.Pick("отмени черновик ", "cancel draft "), "отменить", "cancel")
	case len(d.talk.decided) > 0:
		return d.say("Возвращать нечего: черновик «%s» уже отменён, ничего не записано.",
			"Nothing to undo: the draft “%s” was cancelled, and nothing was written.",
			d.talk.decided[len(d.talk.decided)-1].title()), nil
	}
	return d.say("Возвращать нечего: в этом разговоре ничего не записано.",
		"Nothing to undo: nothing was written in this conversation."), nil
}

// list lists the drafts that wait.
func (d *decision) list(ctx context.Context) (*outcome, error) {
	const most = 10
	filter := draft.Filter{State: stockhand.DocumentPending}
	if !d.task.Actor.May(stockhand.ScopeReadData) {
		filter.By = d.task.Actor.Name
	}
	found, err := d.Drafts.Find(ctx, d.task.Actor.Org, filter, "", most+1)
	if err != nil {
		return nil, err
	}
	drafts, err := tool.ReadDrafts(found)
	if err != nil {
		return nil, err
	}
	drafts = slices.DeleteFunc(drafts, func(x tool.Draft) bool { return !x.Pending() })
	if len(drafts) == 0 {
		return d.say("Открытых черновиков нет.", "No drafts are open."), nil
	}
	if len(drafts) == 1 && len(d.talk.open) == 1 && drafts[0].ID == d.talk.open[0].ID {
		return d.show(d.talk.open[0].Draft, "", "")
	}
	text := render.Plain(d.l.Pick("Ждут подтверждения:", "These wait for confirmation:"))
	for _, x := range drafts[:min(most, len(drafts))] {
		created := tool.DayOf(x.Created.In(x.Zone.Location())).Format(d.l)
		text += "\n- " + render.Plain(fmt.Sprintf(d.l.Pick("%s: %s, от %s, документов: %d",
			"%s: %s, of %s, documents: %d"),
			x.ID, x.Title, created, len(x.Documents)))
	}
	if len(drafts) > most {
		text += "\n- …"
	}
	return &outcome{text: text}, nil
}

// isNamed reports whether a draft has documents of a kind that a message names, or the message names none. A change of
// prices is not named by a verb of the other direction: "да поднимай" with lower prices (rule R1131).
func (x *shown) isNamed(text string) bool {
	kinds := kindsIn(text)
	up, down := begins(text, "поднима", "повыша", "raise", "increase"),
		begins(text, "снижа", "понижа", "опуска", "уцен", "скид", "lower", "discount")
	for _, doc := range x.content.Documents {
		for i := range doc.Lines {
			l := &doc.Lines[i]
			if doc.Kind != tool.PriceChange || !l.Price.Known || !l.OldPrice.Known || up == down {
				continue
			}
			if by := l.Price.Cmp(l.OldPrice.Decimal); up && by < 0 || down && by > 0 {
				return false
			}
		}
	}
	return len(kinds) == 0 || slices.ContainsFunc(x.content.Documents, func(doc tool.DraftDocument) bool {
		return slices.Contains(kinds, doc.Kind)
	})
}

// begins reports whether a word of a text begins with one of these.
func begins(text string, with ...string) bool {
	return slices.ContainsFunc(token.Split(text), func(t token.Token) bool {
		return t.Kind == token.Word && slices.ContainsFunc(with, func(w string) bool {
			return strings.HasPrefix(t.Norm, w)
		})
	})
}

// kindsIn returns the kinds of documents that a message names.
func kindsIn(text string) (kinds []tool.DocumentKind) {
	for kind, nouns := range kindNouns {
		if begins(text, nouns...) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// kindNouns begin the words for each kind of document, and the verbs for what it does.
var kindNouns = map[tool.DocumentKind][]string{
	tool.SupplierOrder: {"заказ", "закуп", "заявк", "order"},
	tool.Transfer:      {"перемещ", "перевоз", "вези", "перекид", "перебрас", "transfer", "move"},
	tool.PriceChange: {"цен", "переоцен", "скид", "уцен", "меняй", "менять", "меняем", "поменяй", "поднима",
		"снижа", "понижа", "price", "discount", "change", "raise", "lower"},
	tool.MinimumStock: {"миним"},
}
