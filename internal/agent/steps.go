package agent

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// begin stores that a call is about to be made; one that an earlier worker finished is left as it is.
func (l *loop) begin(record context.Context, j *job) error {
	if j.call.Done {
		return nil
	}
	j.call.Started = l.clock().UTC()
	events, err := l.store.BeginToolCall(record, l.org, l.turn.run.Generation, j.call,
		entry(stockhand.EventToolStarted,
			toolStartedData{Tool: j.call.Tool, Label: j.fn.Title.In(l.language), Arguments: j.call.Arguments,
				Iteration: int(j.call.Step)}))
	l.engine.Tell(events...)
	return err
}

// end stores how a call ended.
func (l *loop) end(record context.Context, j *job, failure error, title string, kept *stockhand.StoredResult,
	more ...stockhand.Event) error {
	j.call.Done, j.call.Finished = true, l.clock().UTC()
	told := toolCompletedData{Tool: j.call.Tool, Success: failure == nil, Message: title,
		DurationMS: j.call.Finished.Sub(j.call.Started).Milliseconds()}
	if failure != nil {
		j.call.Error = forPeople(failure, l.language).Message
		told.Message = j.call.Error
	}
	if kept != nil {
		told.ResultID = kept.ID
	}
	events, err := l.store.FinishToolCall(record, l.org, l.turn.run.Generation, j.call, kept,
		append([]stockhand.Event{entry(stockhand.EventToolCompleted, told)}, more...)...)
	l.engine.Tell(events...)
	return err
}

// failed records a call that failed and tells the model why, with what can be done. A failure that no other call can
// mend ends the run: the credential was refused, the run was cancelled or is out of time, something of ours is broken.
func (l *loop) failed(ctx, record context.Context, j *job, failure error) error {
	if context.Cause(ctx) != nil {
		return failure // the call is not finished
	}
	if err := l.end(record, j, failure, "", nil); err != nil {
		return err
	}
	_, lent := l.lent[j.fn.Name]
	switch code := stockhand.CodeOf(failure); {
	// without another server the account can still be asked
	case code == stockhand.CodeInternal, code == stockhand.CodeTokenRejected && !lent:
		return failure
	default:
		j.outcome = advice("Failed: <data>%s</data>", escaped(problem(failure)))
		return nil
	}
}

// read makes a read call, or takes the result of one that an earlier worker finished.
func (l *loop) read(ctx, record context.Context, j *job) error {
	if j.call.Done {
		if j.call.Error != "" {
			j.outcome = advice("Failed: <data>%s</data>", escaped(j.call.Error))
			return nil
		}
		kept, err := l.store.Result(record, l.org, j.call.Result)
		if err != nil {
			return err
		}
		j.result = &stored{id: kept.ID}
		return json.Unmarshal(kept.Body, &j.result.Result)
	}
	result, failure := j.fn.Call(ctx, l.env(), j.call.Arguments)
	if failure != nil {
		return l.failed(ctx, record, j, failure)
	}
	body, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("write the result of %s: %w", j.call.Tool, err)
	}
	kept := &stockhand.StoredResult{ID: stockhand.NewID[stockhand.ResultID]("res"), Body: body,
		Created: l.clock().UTC()}
	j.call.Requests = result.Provenance.Requests
	j.result = &stored{Result: *result, id: kept.ID}
	return l.end(record, j, nil, result.Title, kept)
}

// proposal makes a propose call and stores what it returns as the run's draft, as it is done without a model: nothing
// is sent, and nothing that the loop holds can confirm it.
func (l *loop) proposal(ctx, record context.Context, j *job) error {
	if j.call.Done {
		return l.proposedBefore(record, j)
	}
	p, failure := j.fn.Propose(ctx, l.env(), j.call.Arguments)
	if failure != nil {
		return l.failed(ctx, record, j, failure)
	}
	j.call.Requests = p.Provenance.Requests
	if len(p.Documents) == 0 {
		for _, n := range p.Notices {
			if err := l.append(record, stockhand.EventNotice, n); err != nil {
				return err
			}
		}
		j.text = p.Answer
		return l.end(record, j, nil, p.Answer, nil)
	}
	d, err := l.drafts.Create(record, l.org, l.session.ID, l.turn.run.ID, l.connectionOf(j.fn), l.language, p)
	if err != nil {
		return l.failed(ctx, record, j, err)
	}
	shown, err := tool.ReadDraft(d)
	if err != nil {
		return err
	}
	j.draft = &shown
	return l.end(record, j, nil, p.Title, nil, DraftShown(shown))
}

// proposedBefore is the outcome of a proposal that an earlier worker finished.
func (l *loop) proposedBefore(record context.Context, j *job) error {
	if j.call.Error != "" {
		j.outcome = advice("Failed: <data>%s</data>", escaped(j.call.Error))
		return nil
	}
	events, err := l.log(record, l.org, l.turn.run.ID)
	if err != nil {
		return err
	}
	for _, e := range events {
		switch e.Type {
		case stockhand.EventDraftCreated:
			var made draftCreatedData
			if err := json.Unmarshal(e.Data, &made); err != nil {
				return err
			}
			d, err := l.drafts.Draft(record, l.org, made.DraftID)
			if err != nil {
				return err
			}
			shown, err := tool.ReadDraft(d)
			j.draft = &shown
			return err
		case stockhand.EventToolCompleted:
			var ended toolCompletedData
			if err := json.Unmarshal(e.Data, &ended); err != nil {
				return err
			}
			if ended.Tool == j.call.Tool && ended.Success {
				j.text = ended.Message // of one that proposed nothing: its own sentence
			}
		default: // says nothing of the proposal
		}
	}
	return nil
}

// keep takes what a call returned into what the answer may rest on, in the order of the calls.
func (l *loop) keep(j *job) {
	source := grounding.Source{Arguments: j.call.Arguments}
	switch {
	case j.result != nil:
		l.results = append(l.results, *j.result)
		source.ID, source.Result = string(j.result.id), &j.result.Result
		j.outcome = outcome{summary(j.result.id, &j.result.Result), heading(j.result.id, &j.result.Result)}
	case j.draft != nil:
		l.draft = j.draft
		source.ID, source.Draft = string(j.draft.ID), j.draft
		j.outcome = outcome{draftSummary(j.draft), fmt.Sprintf("Draft %s was made; it waits for a person.", j.draft.ID)}
	case j.text != "":
		source.Proposal = &tool.Proposal{Tool: j.call.Tool, Answer: j.text}
		j.outcome = advice("Nothing was proposed, and no draft was made: <data>%s</data>", escaped(j.text))
	default:
		return
	}
	l.sources = append(l.sources, source)
}
