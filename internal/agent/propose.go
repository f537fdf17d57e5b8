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

// propose calls a propose tool and stores what it returns as a draft. The draft is stored before the call is finished,
// and a run has one draft, so a crash between the two makes no second one.
func (t *turn) propose(ctx, record context.Context, fn tool.Tool, c stockhand.ToolCall) (reply, error) {
	out := reply{results: []stockhand.ResultID{}, drafts: []stockhand.DraftID{}}
	if c.Done {
		return t.proposed(record, c, out)
	}
	if err := t.begin(record, fn, &c); err != nil {
		return out, err
	}
	p, failure := fn.Propose(ctx, t.env(), c.Arguments)
	if failure != nil || len(p.Documents) == 0 {
		title := ""
		if failure == nil {
			title = p.Title
			for _, n := range p.Notices {
				if err := t.append(record, stockhand.EventNotice, n); err != nil {
					return out, err
				}
			}
			said, err := t.notices(record)
			if err != nil {
				return out, err
			}
			out.text = withRemarks(p.Answer, said)
		}
		return out, t.end(ctx, record, &c, failure, title, nil)
	}
	d, err := t.drafts.Create(record, t.org, t.session.ID, t.run.ID, t.session.Connection, t.language, p)
	if err != nil {
		return out, t.end(ctx, record, &c, err, "", nil)
	}
	shown, err := tool.ReadDraft(d)
	if err != nil {
		return out, err
	}
	if err := t.end(ctx, record, &c, nil, p.Title, nil, DraftShown(shown)); err != nil {
		return out, err
	}
	out.drafts = append(out.drafts, d.ID)
	said, err := t.notices(record)
	out.text = ComposeDraft(shown, t.language, said...)
	return out, err
}

// proposed is the reply of a call that was finished before a crash.
func (t *turn) proposed(ctx context.Context, c stockhand.ToolCall, out reply) (reply, error) {
	if c.Error != "" {
		return out, stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s", c.Error)
	}
	ids, err := t.draftIDs(ctx, t.org, t.run.ID)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		d, err := t.drafts.Draft(ctx, t.org, id)
		if err != nil {
			return out, err
		}
		shown, err := tool.ReadDraft(d)
		if err != nil {
			return out, err
		}
		said, err := t.notices(ctx)
		if err != nil {
			return out, err
		}
		out.drafts = append(out.drafts, id)
		out.text = ComposeDraft(shown, t.language, said...)
	}
	if len(ids) == 0 {
		out.text = t.language.Pick("Предлагать нечего.", "There is nothing to propose.")
	}
	return out, nil
}

// draftIDs finds the drafts that a run made, in its log.
func (a *Agent) draftIDs(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) ([]stockhand.DraftID, error) {
	events, err := a.log(ctx, org, id)
	if err != nil {
		return nil, err
	}
	var ids []stockhand.DraftID
	for _, e := range events {
		if e.Type == stockhand.EventDraftCreated {
			var d draftCreatedData
			if err := json.Unmarshal(e.Data, &d); err != nil {
				return nil, err
			}
			ids = append(ids, d.DraftID)
		}
	}
	return ids, nil
}

// ComposeDraft writes a draft as the answer to the task that asked for it, in Markdown: what is proposed, each document
// with its first lines, the remarks, those of the run first, and that nothing is sent yet.
func ComposeDraft(d tool.Draft, l stockhand.Language, more ...tool.Notice) string {
	parts := []string{d.Answer}
	for i, doc := range d.Documents {
		head := fmt.Sprintf("**%d. %s**", i+1, plainCell(doc.Title))
		if doc.Total.Known {
			head += " — " + tool.FormatMoney(doc.Total.Decimal, doc.Currency, l)
		}
		parts = append(parts, head, markdown(doc.Table(l), l))
		if len(doc.Consequences) > 0 {
			parts = append(parts, "- "+strings.Join(doc.Consequences, "\n- "))
		}
	}
	text := withRemarks(strings.Join(parts, "\n\n"), slices.Concat(more, d.Notices))
	return text + "\n\n" + fmt.Sprintf(l.Pick(
		"Это черновик %s, версия %d: ничего не отправлено. Он ждёт подтверждения человека до %s.",
		"This is draft %s, version %d: nothing has been sent. It waits for a person's confirmation until %s."),
		d.ID, d.Version, tool.DayOf(d.Expires.In(tool.Moscow)).Format(l))
}

func withRemarks(text string, notices []tool.Notice) string {
	for i, n := range notices {
		if i == 0 {
			text += "\n"
		}
		text += "\n- " + n.Message
	}
	return text
}
