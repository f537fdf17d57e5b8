package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/talk"
	"github.com/stockhand/stockhand/internal/tool"
)

// openDraft finds the draft that the last call of the conversation proposed, if it waits.
func (t *turn) openDraft(ctx context.Context, s *subject, c *stockhand.ToolCall) error {
	if c == nil {
		return nil
	}
	shown, _, _, err := t.Shown(ctx, t.org, c.Run)
	if err != nil || len(shown) != 1 {
		return err
	}
	d, err := t.drafts.Draft(ctx, t.org, shown[0].ID)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := tool.ReadDraft(d)
	if err != nil || !content.Pending() || d.Session != t.session.ID {
		return err
	}
	seen, err := t.seen(ctx, d.ID, c.Run)
	if err == nil && seen == d.Version { // what was changed elsewhere meanwhile is not thrown away
		s.proposed, s.open, s.goods = c, d.ID, dialogue.GoodsOf(&content)
		s.lines = d.Version > shown[0].Version
		s.dropped, err = tool.DroppedOf(d)
	}
	return err
}

// seen returns the last version of a draft that the conversation has shown since the run that made it.
func (t *turn) seen(ctx context.Context, id stockhand.DraftID, made stockhand.RunID) (version int64, err error) {
	const most = 8
	of := t.message.ID
	for range most {
		r, err := t.store.RunBefore(ctx, t.org, of)
		if err != nil {
			return version, err
		}
		all, _, _, err := t.Shown(ctx, t.org, r.ID)
		if err != nil {
			return version, err
		}
		for _, x := range all {
			if x.ID == id {
				version = max(version, x.Version)
			}
		}
		if of = r.Message; r.ID == made {
			break
		}
	}
	return version, nil
}

// replacing returns the arguments of a call that a follow-up of a draft leads to, with that draft as the one to
// replace if it is the same draft, changed as the message says (rule R670). It reports whether it is.
func (s *subject) replacing(r *language.Reading, name string, arguments json.RawMessage) (json.RawMessage, bool) {
	if s.open == "" || !r.FollowUp || s.proposed.Tool != name ||
		!talk.Replaces(s.task, s.proposed.Arguments, arguments) {
		return arguments, false
	}
	var all map[string]any
	if json.Unmarshal(arguments, &all) != nil {
		return arguments, false
	}
	all[tool.InsteadDraft] = s.open
	return encode(all), true
}

// withoutDropped returns the arguments of a draft that stands beside the open one and is of the same goods, without
// those that a person took out of that one: "и в опте тоже" after "кастрюли убери" (rule R1130). Of a tool that cannot
// leave goods out, it returns a notice that they are in the draft.
func (s *subject) withoutDropped(r *language.Reading, name string, arguments json.RawMessage) (json.RawMessage,
	[]tool.Notice) {
	if s.open == "" || !r.FollowUp || len(s.dropped) == 0 || s.proposed.Tool != name ||
		!talk.SameGoods(s.proposed.Arguments, arguments) {
		return arguments, nil
	}
	if r.Skill == language.ProposePriceChange || r.Skill == language.ProposeSupplierOrders {
		return talk.WithoutGoods(arguments, s.dropped), nil
	}
	const most = 8
	names, more := s.dropped, ""
	if rest := len(names) - most; rest > 0 {
		names, more = names[:most], fmt.Sprintf(r.Language.Pick(" и ещё %d", " and %d more"), rest)
	}
	return arguments, []tool.Notice{{Code: tool.NoticeOpenDraft, Message: fmt.Sprintf(r.Language.Pick(
		"Убранное из прежнего черновика здесь не убрано: «%s»%s.",
		"What was taken out of the draft before is not taken out of this one: “%s”%s."),
		strings.Join(names, r.Language.Pick("», «", "”, “")), more)}}
}

// stillOpen returns the arguments of an option without the draft to replace, if that was decided since.
func (s *subject) stillOpen(arguments json.RawMessage) json.RawMessage {
	var all map[string]any
	if json.Unmarshal(arguments, &all) != nil || all[tool.InsteadDraft] == nil ||
		all[tool.InsteadDraft] == string(s.open) {
		return arguments
	}
	delete(all, tool.InsteadDraft)
	return encode(all)
}

// listed reports whether the arguments of a draft list its lines, so that edits of them are in it.
func listed(arguments json.RawMessage) bool {
	var of struct{ Items []any }
	return json.Unmarshal(arguments, &of) == nil && len(of.Items) > 0
}
