package agent

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// Finished is a finished message as the API and the command line return it (rule R55).
type Finished struct {
	Session          stockhand.SessionID `json:"session_id"`
	Message          stockhand.MessageID `json:"message_id"`
	FinalResponse    string              `json:"final_response"`
	Blocks           []blocks.Block      `json:"blocks"` // the parts of the answer
	ToolCalls        []Call              `json:"tool_calls"`
	Results          []ResultPreview     `json:"results"`
	Drafts           []tool.Draft        `json:"drafts"`
	Notices          []tool.Notice       `json:"notices"` // of the run and the results that its answer uses, once each
	Question         *Question           `json:"question"`
	ExternalRequests int                 `json:"external_requests"`
	InputTokens      int                 `json:"total_input_tokens"` // of models; 0 without a model
	OutputTokens     int                 `json:"total_output_tokens"`
	CachedTokens     int                 `json:"total_cached_tokens"` // of the input tokens
	Cost             *llm.Charge         `json:"cost"`                // of models; nil if none has a price
	Failure          *Failure            `json:"error,omitempty"`
	Cancelled        bool                `json:"cancelled,omitempty"`

	used []stockhand.ResultID // the results that the answer uses; nil for all
}

// NewFinished returns a message without contents, whose lists are empty and not null.
func NewFinished() *Finished {
	return &Finished{Blocks: []blocks.Block{}, ToolCalls: []Call{}, Results: []ResultPreview{}, Drafts: []tool.Draft{},
		Notices: []tool.Notice{}}
}

// Call is a tool call of the run.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// ResultPreview is a result with its ID, and as many of its first rows as a message contains.
type ResultPreview struct {
	ID          stockhand.ResultID
	Count       int  // the number of all rows
	Expired     bool // the rows were removed after their retention time (rule R127)
	tool.Result `json:"-"`
}

// MarshalJSON encodes the result with its ID and number of rows before its other fields.
func (p ResultPreview) MarshalJSON() ([]byte, error) {
	body, err := json.Marshal(&p.Result)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(struct {
		ID      stockhand.ResultID `json:"id"`
		Count   int                `json:"row_count"`
		Expired bool               `json:"expired"`
	}{p.ID, p.Count, p.Expired})
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// A message contains the first rows of a result, up to these bounds. The rest is read by the result's ID.
const (
	previewRows  = 500
	previewBytes = 256 << 10
)

// preview returns a result with its first rows, or without rows if it has expired.
func (a *Agent) preview(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (ResultPreview, error) {
	s, err := a.store.Result(ctx, org, id)
	if err != nil {
		return ResultPreview{}, err
	}
	first, err := a.firstRows(ctx, s)
	if stockhand.CodeOf(err) == stockhand.CodeResultExpired { // meanwhile
		s.Expired = true
		return a.firstRows(ctx, s)
	}
	return first, err
}

func (a *Agent) firstRows(ctx context.Context, s stockhand.StoredResult) (ResultPreview, error) {
	size := 0
	table, err := tool.ReadTable(s, func(yield func(stockhand.RowPage, error) bool) {
		for p, err := range a.store.ResultRows(ctx, s.Org, s.ID, 0, min(s.Rows, previewRows)) {
			if size += len(p.Rows); size > previewBytes || !yield(p, err) {
				return
			}
		}
	})
	if err != nil {
		return ResultPreview{}, err
	}
	if s.Expired {
		return ResultPreview{ID: s.ID, Count: s.Rows, Expired: true, Result: *table.Result}, nil
	}
	first, err := table.Whole()
	if err != nil {
		return ResultPreview{}, err
	}
	return ResultPreview{ID: s.ID, Count: s.Rows, Result: *first}, nil
}

// Complete reads the rows that the message leaves out.
func (a *Agent) Complete(ctx context.Context, org stockhand.OrgID, f *Finished) error {
	for i, k := range f.Results {
		if k.Expired || len(k.Rows) == k.Count {
			continue
		}
		s, err := a.store.Result(ctx, org, k.ID)
		if err != nil {
			return err
		}
		table, err := tool.ReadTable(s, a.store.ResultRows(ctx, org, k.ID, 0, s.Rows))
		if err != nil {
			return err
		}
		whole, err := table.Whole()
		if err != nil {
			return err
		}
		f.Results[i].Result = *whole
	}
	return nil
}

// Failure is why a run failed.
type Failure = errorData

// Finished returns the outcome of a finished run. It returns CONFLICT while the run continues.
func (a *Agent) Finished(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (*Finished, error) {
	r, err := a.store.Run(ctx, org, id)
	if err != nil {
		return nil, err
	}
	if !r.State.Finished() {
		return nil, stockhand.Errorf(stockhand.CodeConflict, "the run is not finished").WithHint(
			"follow its events until it ends")
	}
	out := NewFinished()
	out.Session, out.Message = r.Session, r.Message
	events, err := a.log(ctx, org, id)
	if err != nil {
		return nil, err
	}
	if err := out.readLog(events); err != nil {
		return nil, err
	}
	drafts, err := a.draftsIn(ctx, org, events)
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		out.Notices = append(out.Notices, d.Notices...)
		out.Drafts = append(out.Drafts, d)
	}
	calls, err := a.store.ToolCalls(ctx, org, id)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		out.ToolCalls = append(out.ToolCalls, Call{Name: c.Tool, Arguments: c.Arguments})
		if c.Result == "" || out.used != nil && !slices.Contains(out.used, c.Result) { // read on the way (rule R367)
			continue
		}
		shown, err := a.preview(ctx, org, c.Result)
		if err != nil {
			return nil, err
		}
		out.Notices = append(out.Notices, shown.Notices...)
		out.Results = append(out.Results, shown)
	}
	said := map[tool.Notice]bool{}
	out.Notices = slices.DeleteFunc(out.Notices, func(n tool.Notice) bool {
		again := said[n]
		said[n] = true
		return again
	})
	return out, nil
}

// readLog extracts from the log what calls, results and drafts do not contain.
func (out *Finished) readLog(events []stockhand.Event) error {
	for _, e := range events {
		var err error
		switch e.Type {
		case stockhand.EventNotice:
			var n tool.Notice
			err = json.Unmarshal(e.Data, &n)
			out.Notices = append(out.Notices, n)
		case stockhand.EventQuestion:
			out.Question = new(Question)
			err = json.Unmarshal(e.Data, out.Question)
		case stockhand.EventComplete:
			var c completeData
			err = json.Unmarshal(e.Data, &c)
			out.FinalResponse, out.ExternalRequests, out.used = c.FinalResponse, c.ExternalRequests, c.ResultIDs
			if out.Blocks = c.Blocks; c.Blocks == nil { // of a run that ended before there were blocks
				out.Blocks = blocks.Of(c.FinalResponse)
			}
			out.InputTokens, out.OutputTokens = c.InputTokens, c.OutputTokens
			out.CachedTokens, out.Cost = c.CachedTokens, c.Cost
		case stockhand.EventError:
			out.Failure = new(Failure)
			err = json.Unmarshal(e.Data, out.Failure)
		case stockhand.EventCancelled:
			out.Cancelled = true
		default: // the other entries describe the progress, not the outcome
		}
		if err != nil {
			return err
		}
	}
	return nil
}
