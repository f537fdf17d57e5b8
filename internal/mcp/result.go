package mcp

import (
	"context"
	"encoding/json"
	"math"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bounds of a call's structured content, which clients give to their model: about 2,000 tokens. Whole tables and
// drafts are resources.
const (
	maxStructured = 5000 // bytes
	maxRows       = 20   // of each table
)

// summary is the structured content of a call.
type summary struct {
	Session          stockhand.SessionID `json:"session_id"`
	Message          stockhand.MessageID `json:"message_id"`
	Results          []*tableSummary     `json:"results"`
	Drafts           []draftSummary      `json:"drafts"`
	Notices          []tool.Notice       `json:"notices"`
	Question         *agent.Question     `json:"question"`
	ExternalRequests int                 `json:"external_requests"`
}

type tableSummary struct {
	ID       stockhand.ResultID `json:"id"`
	Tool     string             `json:"tool"`
	Title    string             `json:"title"`
	Columns  []columnSummary    `json:"columns"`
	RowCount int                `json:"row_count"`
	Rows     []json.RawMessage  `json:"rows"` // the first ones
	Totals   json.RawMessage    `json:"totals"`
	Resource string             `json:"resource"` // has all rows

	all []json.RawMessage
}

type columnSummary struct {
	Name string    `json:"name"`
	Unit tool.Unit `json:"unit"`
}

type draftSummary struct {
	ID        stockhand.DraftID `json:"id"`
	Version   int64             `json:"version"`
	Title     string            `json:"title"`
	Documents int               `json:"document_count"`
	URL       string            `json:"url"`
	Resource  string            `json:"resource"`
}

// summarize fits as many rows as possible into maxStructured, the same number of each table.
func (c caller) summarize(f *agent.Finished) (json.RawMessage, error) {
	s := summary{Session: f.Session, Message: f.Message, Results: []*tableSummary{}, Drafts: []draftSummary{},
		Notices: f.Notices, Question: f.Question, ExternalRequests: f.ExternalRequests}
	for _, k := range f.Results {
		t, err := summarizeTable(k)
		if err != nil {
			return nil, err
		}
		s.Results = append(s.Results, t)
	}
	for _, d := range f.Drafts {
		s.Drafts = append(s.Drafts, draftSummary{ID: d.ID, Version: d.Version, Title: d.Title,
			Documents: len(d.Documents), URL: c.DraftURL(d.ID), Resource: draftURI(d.ID)})
	}
	best, err := json.Marshal(s)
	for rows := 1; err == nil && rows <= maxRows; rows++ {
		for _, t := range s.Results {
			t.Rows = t.all[:min(rows, len(t.all))]
		}
		b, failure := json.Marshal(s)
		if err = failure; len(b) > maxStructured {
			break
		}
		best = b
	}
	return best, err
}

func summarizeTable(k agent.ResultPreview) (*tableSummary, error) {
	t := &tableSummary{ID: k.ID, Tool: k.Tool, Title: k.Title, RowCount: k.Count, Rows: []json.RawMessage{},
		Resource: resultURI(k.ID)}
	for _, column := range k.Columns {
		t.Columns = append(t.Columns, columnSummary{column.Name, column.Unit})
	}
	first := k.Result
	first.Rows = k.Rows[:min(len(k.Rows), maxRows)]
	b, err := first.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var cells struct {
		Rows   []json.RawMessage `json:"rows"`
		Totals json.RawMessage   `json:"totals"`
	}
	err = json.Unmarshal(b, &cells)
	t.all, t.Totals = cells.Rows, cells.Totals
	return t, err
}

// result is the outcome of a run: the text for the model, links to what is stored, and a summary as data.
func (c caller) result(f *agent.Finished) (*sdk.CallToolResult, error) {
	text := f.FinalResponse
	for _, d := range f.Drafts {
		text += "\n\n[" + d.Language.Pick("Открыть черновик", "Open the draft") + "](" + c.DraftURL(d.ID) + ")"
	}
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	for _, k := range f.Results {
		out.Content = append(out.Content,
			&sdk.ResourceLink{URI: resultURI(k.ID), Name: string(k.ID), Title: k.Title, MIMEType: "application/json"})
	}
	for _, d := range f.Drafts {
		out.Content = append(out.Content,
			&sdk.ResourceLink{URI: draftURI(d.ID), Name: string(d.ID), Title: d.Title, MIMEType: "application/json"})
	}
	data, err := c.summarize(f)
	out.StructuredContent = data
	return out, err
}

// progress reports a run's progress to a client that asked for it.
type progress struct {
	request *sdk.CallToolRequest
	token   any
	at      float64 // the last reported value: it must grow
}

func progressOf(q *sdk.CallToolRequest) *progress {
	return &progress{request: q, token: q.Params.GetProgressToken()}
}

func (p *progress) report(ctx context.Context, e stockhand.Event) {
	if p.token == nil {
		return
	}
	var d struct {
		Done, Total int
		Label       string
	}
	switch e.Type {
	case stockhand.EventThinking, stockhand.EventToolStarted, stockhand.EventToolProgress:
		if json.Unmarshal(e.Data, &d) != nil {
			return
		}
	default:
		return
	}
	now, total := float64(d.Done), float64(d.Total)
	if now <= p.at {
		now = math.Round(p.at*1000+1) / 1000 // the protocol requires it to grow; a second tool starts again
	}
	if now > total {
		total = 0 // unknown
	}
	p.at = now
	// a lost notification does no harm
	_ = p.request.Session.NotifyProgress(ctx,
		&sdk.ProgressNotificationParams{ProgressToken: p.token, Progress: now, Total: total, Message: d.Label})
}
