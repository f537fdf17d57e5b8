package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

// previousTurn is the turn that a follow-up refers to.
type previousTurn struct {
	task     string
	reading  *language.Reading
	question *Question
}

// before returns the previous turn of the session: its call or its question.
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
		from, skill, _ := strings.Cut(c.Tool, "_") // a tool's name starts with its connector's
		r := &language.Reading{Task: m.Text, Skill: language.Skill(skill)}
		if c.Tool == queryResult || c.Tool == computeTool || t.kind(stockhand.Connection{Connector: from}).ToolsOnly {
			continue
		}
		// The model's arguments match the tool, but may differ from what the reader would produce for the same words.
		var arguments any = &r.Arguments
		switch r.Skill {
		case language.Analyze:
			arguments = &r.Query
		case language.Documents, language.Document, language.Product, language.Counterparty, language.Forecast,
			language.ProposeMinimumStocks:
			arguments = &r.Input
		}
		if json.Unmarshal(c.Arguments, arguments) == nil {
			out.reading = r
		}
	}
	return out, nil
}

// beforeInHistory returns the turn before the session's first from the caller's history: enough to understand "and last
// month?", and "2" after the question which account to use. That question counts only if it has exactly the text that
// it would have now, because only then do its numbers refer to the same accounts.
func (t *turn) beforeInHistory(ctx context.Context) (previousTurn, error) {
	var out previousTurn
	connections, err := t.connections(ctx)
	if err != nil {
		return out, err
	}
	in := language.Input{Now: t.now()}
	if len(connections) > 0 {
		in.Catalogue = t.kind(connections[0]).Catalogue
	}
	for _, p := range slices.Backward(t.start.History) {
		if p.Author != stockhand.FromPerson || strings.TrimSpace(p.Text) == "" {
			continue
		}
		out.task = p.Text
		r := language.Read(p.Text, in)
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
	if len(connections) == 0 {
		return out, nil
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
