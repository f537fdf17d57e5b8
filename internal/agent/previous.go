package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

// previousTurn is what a follow-up builds on.
type previousTurn struct {
	task     string
	reading  *language.Reading
	question *Question
}

// before finds the previous turn of the session: what it called, or what it asked.
func (t *turn) before(ctx context.Context) (previousTurn, error) {
	last, err := t.store.RunBefore(ctx, t.org, t.message.ID)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return t.beforeInHistory(ctx)
	}
	if err != nil {
		return previousTurn{}, err
	}
	m, err := t.store.Message(ctx, t.org, last.Message)
	if err != nil {
		return previousTurn{}, err
	}
	out := previousTurn{task: m.Text}
	events, err := t.log(ctx, t.org, last.ID)
	if err != nil {
		return previousTurn{}, err
	}
	for _, e := range events {
		if e.Type == stockhand.EventQuestion {
			out.question = new(Question)
			if err := json.Unmarshal(e.Data, out.question); err != nil {
				return previousTurn{}, err
			}
		}
	}
	calls, err := t.store.ToolCalls(ctx, t.org, last.ID)
	if err != nil {
		return previousTurn{}, err
	}
	for _, c := range calls {
		from, skill, _ := strings.Cut(c.Tool, "_") // a tool's name begins with its connector's
		r := &language.Reading{Task: m.Text, Skill: language.Skill(skill)}
		// A model's arguments fit the tool, and need not be what the reader would have made of the same words.
		if c.Tool != queryResult && !t.kind(stockhand.Connection{Connector: from}).ToolsOnly &&
			json.Unmarshal(c.Arguments, &r.Arguments) == nil {
			out.reading = r
		}
	}
	return out, nil
}

// beforeInHistory is the turn before the session's first, as the caller's history has it: enough to understand "and
// last month?", and "2" after the question which account is meant. That question counts only word for word as it would
// be asked now: only then do its numbers mean the same accounts.
func (t *turn) beforeInHistory(ctx context.Context) (previousTurn, error) {
	var out previousTurn
	for _, p := range slices.Backward(t.start.History) {
		if p.Author != stockhand.FromPerson || strings.TrimSpace(p.Text) == "" {
			continue
		}
		out.task = p.Text
		r := language.Read(p.Text, language.Input{Now: t.now()})
		if r.Skill.Calls() && r.Question == nil && len(r.Unknown) == 0 {
			out.reading = &r
		}
		break
	}
	if out.task == "" {
		return out, nil
	}
	last := t.start.History[len(t.start.History)-1]
	if last.Author != stockhand.FromAgent {
		return out, nil
	}
	connections, err := t.connections(ctx)
	if err != nil || len(connections) == 0 {
		return out, err
	}
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		_, q, err := t.choose(l, subject{connections: connections})
		if err != nil {
			return out, err
		}
		if q != nil && strings.TrimSpace(last.Text) == string(q.message()) {
			out.question = q
		}
	}
	return out, nil
}
