package mcp

import (
	"context"
	"encoding/json"
	"math"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
)

// mostRows is how many rows of a table go into an answer: it is read by a model. The whole table is a resource.
const mostRows = 50

// answer is the structured content of a call: a finished message, its tables cut.
type answer struct {
	*agent.Finished
	Results []table `json:"results"`
}

type table struct {
	agent.Kept
	total int
}

// MarshalJSON adds how many rows the whole table has, where it was cut.
func (t table) MarshalJSON() ([]byte, error) {
	b, err := t.Kept.MarshalJSON()
	if err != nil || t.total == len(t.Rows) {
		return b, err
	}
	more, err := json.Marshal(map[string]any{"rows_in_all": t.total, "resource": resultURI(t.ID)})
	return append(append(b[:len(b)-1], ','), more[1:]...), err
}

// result is what a run came to, for the model at the other end and for its client: the text, links to what is stored,
// and the same as data.
func (c caller) result(f *agent.Finished) *sdk.CallToolResult {
	text := f.FinalResponse
	for _, d := range f.Drafts {
		text += "\n\n[" + d.Language.Pick("Открыть черновик", "Open the draft") + "](" + c.DraftURL(d.ID) + ")"
	}
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	whole := answer{Finished: f, Results: []table{}}
	for _, k := range f.Results {
		t := table{Kept: k, total: len(k.Rows)}
		t.Rows = k.Rows[:min(len(k.Rows), mostRows)]
		whole.Results = append(whole.Results, t)
		out.Content = append(out.Content,
			&sdk.ResourceLink{URI: resultURI(k.ID), Name: string(k.ID), Title: k.Title, MIMEType: "application/json"})
	}
	for _, d := range f.Drafts {
		out.Content = append(out.Content,
			&sdk.ResourceLink{URI: draftURI(d.ID), Name: string(d.ID), Title: d.Title, MIMEType: "application/json"})
	}
	out.StructuredContent = whole
	return out
}

// progress passes on how far a run is, to a client that asked for it.
type progress struct {
	request *sdk.CallToolRequest
	token   any
	at      float64 // of what was told last: it only grows
}

func progressOf(q *sdk.CallToolRequest) *progress {
	return &progress{request: q, token: q.Params.GetProgressToken()}
}

func (p *progress) tell(ctx context.Context, e stockhand.Event) {
	if p.token == nil {
		return
	}
	var d struct {
		Done, Total int
		Label       string
	}
	switch e.Type {
	case stockhand.EventToolStarted, stockhand.EventToolProgress:
		if json.Unmarshal(e.Data, &d) != nil {
			return
		}
	default:
		return
	}
	now, total := float64(d.Done), float64(d.Total)
	if now <= p.at {
		now = math.Round(p.at*1000+1) / 1000 // the protocol wants it to grow; a second tool begins anew
	}
	if now > total {
		total = 0 // unknown
	}
	p.at = now
	// A client that does not hear of it loses nothing.
	_ = p.request.Session.NotifyProgress(ctx,
		&sdk.ProgressNotificationParams{ProgressToken: p.token, Progress: now, Total: total, Message: d.Label})
}
