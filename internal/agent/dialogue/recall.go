package dialogue

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
)

// Store reads the past of a session; internal/store documents the methods.
type Store interface {
	RunBefore(ctx context.Context, org stockhand.OrgID, of stockhand.MessageID) (stockhand.Run, error)
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
	Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64, limit int) ([]stockhand.Event,
		error)
	ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error)
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
		stockhand.RowPage, error]
}

// Past is what a turn may refer to.
type Past struct {
	Reading  *language.Reading   // of the last task that called a tool
	Question *Question           // the last one, while it is open
	Asked    string              // the task that led to it
	Asking   bool                // nothing was answered since
	Tables   []Table             // the last ones, latest first
	Shown    []Shown             // those of a history that the caller keeps, latest first
	Since    []string            // the messages since the last table
	Earlier  []string            // all messages, oldest first, with chosen options in place of their numbers
	Proposed *stockhand.ToolCall // the call of Reading, if it proposed a draft; nil otherwise
}

// Table is a stored table, and the reading that led to it.
type Table struct {
	Result  stockhand.ResultID
	Reading *language.Reading
}

// mostTables is how many tables a turn may refer to.
const mostTables = 3

// mostRuns is how far back a turn may refer.
const mostRuns = 8

// Recall reads the turns before a message, latest first. A turn that called no tool (a typo, a refusal, thanks)
// changes nothing (rule R290). A question is open until a task calls a tool, other than by choosing one of its
// options, or until the person declines it. Calls of tools for which foreign returns true are left out.
func Recall(ctx context.Context, store Store, org stockhand.OrgID, of stockhand.MessageID,
	foreign func(tool string) bool) (past Past, runs int, err error) {
	var said []string // since the question
	closed, declined := false, false
	for ; runs < mostRuns && (past.Reading == nil || len(past.Tables) < mostTables || !closed); runs++ {
		run, err := store.RunBefore(ctx, org, of)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			break
		}
		if err != nil {
			return past, runs, err
		}
		of = run.Message
		m, err := store.Message(ctx, org, run.Message)
		if err != nil {
			return past, runs, err
		}
		calls, err := store.ToolCalls(ctx, org, run.ID)
		if err != nil {
			return past, runs, err
		}
		var q *Question
		if !closed || len(calls) == 0 {
			if q, err = questionOf(ctx, store, org, run.ID); err != nil {
				return past, runs, err
			}
		}
		past.remember(m.Text, q)
		if !closed {
			if q != nil {
				open := !declined && !slices.ContainsFunc(said, func(s string) bool { return q.Chosen(s) == nil })
				if closed = true; open {
					past.Question, past.Asked, past.Asking = q, m.Text, len(said) == 0
				}
			} else if len(calls) > 0 {
				said = append(said, m.Text)
			} else {
				declined = declined || act.Read(m.Text).Kind == act.Reject
			}
		}
		if past.takeCalls(m.Text, calls, foreign); len(past.Tables) == 0 {
			past.Since = append(past.Since, m.Text)
		}
	}
	slices.Reverse(past.Earlier)
	return past, runs, nil
}

// remember keeps a message, in place of a later one that chooses an option of its question, that option.
func (p *Past) remember(message string, q *Question) {
	if n := len(p.Earlier); q != nil && n > 0 {
		if o := q.Chosen(p.Earlier[n-1]); o != nil && o.Connection == "" {
			if p.Reading != nil && p.Reading.Task == p.Earlier[n-1] {
				p.Reading.Task = o.Text
			}
			p.Earlier[n-1] = o.Text
		} else if text := q.Spelled(p.Earlier[n-1]); o == nil && text != "" {
			p.Earlier[n-1] = text
		}
	}
	p.Earlier = append(p.Earlier, message)
}

// takeCalls takes the last call, if there is none yet, and the results.
func (p *Past) takeCalls(task string, calls []stockhand.ToolCall, foreign func(tool string) bool) {
	for _, c := range slices.Backward(calls) {
		if foreign(c.Tool) || c.Error != "" { // a call that failed changes nothing
			continue
		}
		r := ReadingOf(task, c)
		if p.Reading == nil {
			if p.Reading = r; r != nil && r.Skill.Proposes() {
				p.Proposed = &c
			}
		}
		if c.Result != "" && len(p.Tables) < mostTables {
			p.Tables = append(p.Tables, Table{c.Result, r})
		}
	}
}

// ReadingOf returns the reading that a call stands for; nil if its arguments are none of the reader's. A model's
// arguments match the tool, but may differ from what the reader would produce for the same words.
func ReadingOf(task string, c stockhand.ToolCall) *language.Reading {
	_, skill, _ := strings.Cut(c.Tool, "_") // a tool's name starts with its connector's
	r := &language.Reading{Task: task, Skill: language.Skill(skill)}
	var arguments any = &r.Arguments
	switch r.Skill {
	case language.Analyze:
		arguments = &r.Query
	case language.Documents, language.Document, language.Product, language.Counterparty, language.Forecast:
		arguments = &r.Input
	}
	if json.Unmarshal(c.Arguments, arguments) != nil {
		return nil
	}
	if d := (draft.Draft{}); r.Skill.Proposes() && json.Unmarshal(c.Arguments, &d) == nil {
		r.Input = d
	}
	return r
}

// page is how many entries of a log are read at once.
const page = 200

// questionOf returns the question that a run asked; nil for none.
func questionOf(ctx context.Context, store Store, org stockhand.OrgID, run stockhand.RunID) (q *Question, err error) {
	for after := int64(0); ; {
		events, err := store.Events(ctx, org, run, after, page)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if after = e.Seq; e.Type == stockhand.EventQuestion {
				q = new(Question)
				if err := json.Unmarshal(e.Data, q); err != nil {
					return nil, err
				}
			}
		}
		if len(events) < page {
			return q, nil
		}
	}
}
