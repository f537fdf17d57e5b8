package tool

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
)

// Body is one request that writing a document would send, to the byte: what a person confirms is its fingerprint.
type Body struct {
	Method string          `json:"method"`
	Path   string          `json:"path"` // below the API's root
	Body   json.RawMessage `json:"body,omitempty"`
}

// Check is what reading the world again says about a document that is about to be sent.
type Check struct {
	MissingRight string   // the right the employee lacks, in the user's words; empty when it is there
	Moved        []Moved  // what is no longer as the document saw it, where that matters to it
	Fresh        Document // the document with the figures as they are now; for showing it again when something moved
}

// Moved is one figure that changed since the document was made.
type Moved struct {
	Line string `json:"line,omitempty"` // empty when it concerns the whole document
	What string `json:"what"`           // for people: "цена", "остаток на складе «Основной»"
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Outcome is how writing a document ended.
type Outcome struct {
	State stockhand.DocumentState `json:"state"` // applied, failed or unknown
	// the document in the external system: its type, id and number
	External *Ref   `json:"external,omitempty"`
	Link     string `json:"link,omitempty"` // where a person sees it
	// of documents whose lines are written one by one: price changes
	Lines   []LineOutcome `json:"lines,omitempty"`
	Problem string        `json:"problem,omitempty"` // for people: why it failed, or why the outcome is unknown
	// what the other side answered, in its own words, shortened: of remote calls
	Text string `json:"text,omitempty"`
	// of an unknown one: there is no way to look it up, so no one will try
	Settled bool `json:"settled,omitempty"`
}

// LineOutcome is how writing one line ended.
type LineOutcome struct {
	Line    string                  `json:"line"`
	State   stockhand.DocumentState `json:"state"`
	Problem string                  `json:"problem,omitempty"`
}
