package wire

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// DraftSummary is a draft in a list: its documents without their lines.
type DraftSummary struct {
	ID           stockhand.DraftID      `json:"id" example:"drf_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Version      int64                  `json:"version"`
	Tool         string                 `json:"tool"`
	Title        string                 `json:"title"`
	AccountID    stockhand.AccountID    `json:"account_id"`
	ConnectionID stockhand.ConnectionID `json:"connection_id"`
	SessionID    *stockhand.SessionID   `json:"session_id"`
	Undoes       *stockhand.DraftID     `json:"undoes" doc:"The draft that this one reverses"`
	CreatedBy    *string                `json:"created_by" doc:"The actor whose turn created it"`
	CreatedAt    time.Time              `json:"created_at"`
	ExpiresAt    time.Time              `json:"expires_at"`
	Documents    []DocumentSummary      `json:"documents"`
}

// DocumentSummary is a document of a draft in a list.
type DocumentSummary struct {
	ID      stockhand.DocumentID    `json:"id"`
	Kind    tool.DocumentKind       `json:"kind" enum:"supplier_order,transfer,price_change,minimum_stock,deletion,remote_call,note_change"`
	Title   string                  `json:"title"`
	State   stockhand.DocumentState `json:"state" enum:"pending,confirmed,applying,applied,failed,unknown,rejected,expired"`
	Lines   int                     `json:"line_count"`
	Total   *tool.Amount            `json:"total"`
	Problem string                  `json:"problem,omitempty"`
}

// DraftSummaryOf summarizes a draft.
func DraftSummaryOf(d tool.Draft) DraftSummary {
	out := DraftSummary{
		ID: d.ID, Version: d.Version, Tool: d.Tool, Title: d.Title, AccountID: d.Account, ConnectionID: d.Connection,
		SessionID: OrNull(d.Session),
		Undoes:    OrNull(d.Undoes), CreatedBy: OrNull(d.By), CreatedAt: d.Created, ExpiresAt: d.Expires,
		Documents: []DocumentSummary{},
	}
	for _, doc := range d.Documents {
		out.Documents = append(out.Documents, DocumentSummary{
			ID: doc.ID, Kind: doc.Kind, Title: doc.Title, State: doc.State, Lines: len(doc.Lines),
			Total: tool.AmountOf(doc.Total, doc.Currency), Problem: doc.Problem,
		})
	}
	return out
}

// DocumentEdit changes one document, or leaves it out.
type DocumentEdit struct {
	ID    stockhand.DocumentID `json:"id"`
	Drop  bool                 `json:"drop,omitempty" doc:"Leave the document out"`
	Lines []LineEdit           `json:"lines,omitempty" maxItems:"1000" doc:"Lines that change; the others stay"`
}

// LineEdit changes one line, or leaves it out.
type LineEdit struct {
	ID       string       `json:"id"`
	Quantity exactNumber  `json:"quantity,omitempty" doc:"In the goods' own unit"`
	Price    exactOrMoney `json:"price,omitempty" doc:"In main units: a decimal string, or the money object as it was read"`
	Drop     bool         `json:"drop,omitempty" doc:"Leave the line out"`
}

// ConfirmedDraft is a draft after its confirmation or, tried with X-Dry-Run, what confirming it would send.
type ConfirmedDraft struct {
	tool.Draft
	DryRun   bool            `json:"dry_run,omitempty"`
	Verdicts []draft.Verdict `json:"verdicts,omitempty" doc:"In a dry run, one for each document"`
}
