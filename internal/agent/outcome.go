package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// DraftShown is the log's entry of a draft that is shown to the person in this version.
func DraftShown(d tool.Draft) stockhand.Event {
	data := draftCreatedData{DraftID: d.ID, Version: d.Version, Title: d.Title, Documents: []draftedDocument{}}
	for _, doc := range d.Documents {
		data.Documents = append(data.Documents,
			draftedDocument{ID: doc.ID, Kind: doc.Kind, Title: doc.Title, Lines: len(doc.Lines),
				Total: tool.AmountOf(doc.Total, doc.Currency)})
	}
	return entry(stockhand.EventDraftCreated, data)
}

// LastShown tells which draft a run showed last, and in which version; an empty id when it showed none.
func (a *Agent) LastShown(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.DraftID, int64,
	error) {
	events, err := a.log(ctx, org, id)
	if err != nil {
		return "", 0, err
	}
	for _, e := range slices.Backward(events) {
		if e.Type == stockhand.EventDraftCreated {
			var d draftCreatedData
			err := json.Unmarshal(e.Data, &d)
			return d.DraftID, d.Version, err
		}
	}
	return "", 0, nil
}

// ComposeOutcome writes what came of a confirmation as the answer to the words that confirmed, in Markdown: how each
// document ended, where it is in the external system, and what moved of one that came back.
func ComposeOutcome(d tool.Draft, l stockhand.Language) string {
	lines := []string{plainCell(d.Title)}
	for i, doc := range d.Documents {
		line := fmt.Sprintf("%d. %s: **%s**", i+1, plainCell(doc.Title), outcomeWords[doc.State].In(l))
		if o := doc.Outcome; o != nil && o.External != nil && o.External.Name != "" {
			number := "№ " + plainCell(o.External.Name)
			if strings.HasPrefix(o.Link, "https://") {
				number = "[" + number + "](" + o.Link + ")"
			}
			line += ", " + number
		}
		if doc.Problem != "" {
			line += ". " + plainCell(doc.Problem)
		} else if o := doc.Outcome; o != nil && o.Text != "" {
			line += l.Pick(". Ответ: «", ". The answer: “") + plainCell(o.Text) + l.Pick("»", "”")
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "\n")
	if d.Pending() {
		text += "\n\n" + fmt.Sprintf(l.Pick(
			"Что вернулось, ждёт нового подтверждения: черновик %s, версия %d. Из этого ничего не отправлено.",
			"What came back waits to be confirmed anew: draft %s, version %d. Nothing of it has been sent."), d.ID,
			d.Version)
	}
	return text
}

var outcomeWords = map[stockhand.DocumentState]tool.Text{
	stockhand.DocumentPending:   {RU: "ждёт подтверждения", EN: "waits for confirmation"},
	stockhand.DocumentConfirmed: {RU: "подтверждён, ещё не отправлен", EN: "confirmed, not sent yet"},
	stockhand.DocumentApplying:  {RU: "отправляется", EN: "being sent"},
	stockhand.DocumentApplied:   {RU: "записан", EN: "written"},
	stockhand.DocumentFailed:    {RU: "не записан", EN: "not written"},
	stockhand.DocumentUnknown: {RU: "неизвестно, записан ли; это выясняется",
		EN: "unknown whether it was written; it is being found out"},
	stockhand.DocumentRejected: {RU: "отклонён", EN: "rejected"},
	stockhand.DocumentExpired:  {RU: "срок истёк", EN: "expired"},
}
