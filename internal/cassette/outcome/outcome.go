// Package outcome says what a turn came to, for cassettes: everything that two runs of the same turn must have in
// common, and no times or random texts.
package outcome

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/tool"
)

type outcome struct {
	Answer       string          `json:"answer,omitempty"`
	Question     *agent.Question `json:"question,omitempty"`
	Failure      *agent.Failure  `json:"failure,omitempty"`
	Calls        []agent.Call    `json:"calls,omitempty"`
	Results      []result        `json:"results,omitempty"`
	Drafts       []draft         `json:"drafts,omitempty"`
	Notices      []tool.Notice   `json:"notices,omitempty"`
	InputTokens  int             `json:"input_tokens,omitempty"`
	OutputTokens int             `json:"output_tokens,omitempty"`
}

// result is a table, with the hash of its rows and totals.
type result struct {
	Tool  string `json:"tool"`
	Title string `json:"title"`
	Rows  int    `json:"rows"`
	Hash  string `json:"hash"`
}

// draft is a draft with its documents as the tool proposed them.
type draft struct {
	Tool      string          `json:"tool"`
	Title     string          `json:"title"`
	Documents []tool.Document `json:"documents"`
}

// Of returns the outcome of a finished run.
func Of(f *agent.Finished) (json.RawMessage, error) {
	out := outcome{Answer: f.FinalResponse, Question: f.Question, Failure: f.Failure, Calls: f.ToolCalls,
		Notices: f.Notices, InputTokens: f.InputTokens, OutputTokens: f.OutputTokens}
	for _, r := range f.Results {
		all, err := json.Marshal([]any{r.Columns, r.Rows, r.Totals})
		if err != nil {
			return nil, err
		}
		hash := sha256.Sum256(append(cassette.WithoutIDs(all), '\n'))
		out.Results = append(out.Results, result{r.Tool, r.Title, r.Count, hex.EncodeToString(hash[:8])})
	}
	for _, d := range f.Drafts {
		shown := draft{Tool: d.Tool, Title: d.Title}
		for _, one := range d.Documents {
			one.Document.ID = stockhand.DocumentID("")
			shown.Documents = append(shown.Documents, one.Document)
		}
		out.Drafts = append(out.Drafts, shown)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(out)
	return bytes.TrimSpace(b.Bytes()), err
}
