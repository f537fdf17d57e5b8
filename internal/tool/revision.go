package tool

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Revision is what a person asked in words to change in an open draft. It becomes the draft's next version; nothing in
// it confirms. Names are those of goods and suppliers, or the numbers of documents in the draft; what fits several
// goods is refused.
type Revision struct {
	Draft   stockhand.DraftID
	Instead bool              // the proposal's documents replace those that wait; otherwise they join them
	Listed  bool              // of one that replaces: a list names its goods, so that none of them is left out
	Drop    []string          // goods, or documents
	Set     []RevisedLine     // new quantities and prices
	Budget  decimal.Maybe     // what the orders may cost together, in the account currency
	Merge   stockhand.DraftID // an open draft whose documents move into this one
	Split   []string          // goods, or documents, that move into a draft of their own
}

// RevisedLine changes the lines of a good.
type RevisedLine struct {
	Product  string        `json:"product"`
	Document int           `json:"document,omitempty"` // its number; 0 means all
	Quantity decimal.Maybe `json:"quantity"`
	Price    decimal.Maybe `json:"price"`
}

// The arguments of a tool that [Tool.IntoDrafts] returns, and what they mean.
const (
	intoDraft    = "into"
	InsteadDraft = "instead"
	IntoAbout    = "an open draft to add to"
	InsteadAbout = "an open draft to replace"
)

// IntoDrafts returns a copy of a propose tool that can also change an open draft: its documents join those of the draft
// that the argument "into" names, or replace those of "instead".
func (t Tool) IntoDrafts() Tool {
	propose := t.propose
	if propose == nil || t.Input.foreign {
		return t
	}
	schema := *t.Input.Schema
	schema.Properties = maps.Clone(schema.Properties)
	schema.Properties[intoDraft] = &jsonschema.Schema{Type: "string", Description: IntoAbout}
	schema.Properties[InsteadDraft] = &jsonschema.Schema{Type: "string", Description: InsteadAbout}
	t.Input = NewSchema(&schema)
	t.propose = func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error) {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(arguments, &all); err != nil {
			return nil, err
		}
		var to struct{ Into, Instead stockhand.DraftID }
		if err := json.Unmarshal(arguments, &to); err != nil {
			return nil, err
		}
		if to.Into != "" && to.Instead != "" {
			return nil, stockhand.Errorf(stockhand.CodeValidation, "a draft is either added to or replaced")
		}
		delete(all, intoDraft)
		delete(all, InsteadDraft)
		own, err := json.Marshal(all)
		if err != nil {
			return nil, err
		}
		p, err := propose(ctx, env, own)
		if err != nil || to.Into == "" && to.Instead == "" {
			return p, err
		}
		p.Revision = &Revision{Draft: to.Into, Instead: to.Instead != "", Listed: all["items"] != nil}
		if p.Revision.Instead {
			p.Revision.Draft = to.Instead
		}
		return p, nil
	}
	return t
}
