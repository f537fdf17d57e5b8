package tool

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
)

// Body is one request that writing a document would send, byte for byte. A confirmation covers the fingerprint of these
// bytes.
type Body struct {
	Method string          `json:"method"`
	Path   string          `json:"path"` // relative to the API's root
	Body   json.RawMessage `json:"body,omitempty"`
}

// Check is the result of reading the current state again before a document is sent.
type Check struct {
	MissingRight string   // the right that the employee lacks, in the user's words; empty if none
	Moved        []Moved  // what has changed since the document was created, if it matters
	Fresh        Document // the document with current figures, to show it again after a change
}

// Moved is a figure that has changed since the document was created.
type Moved struct {
	Line string `json:"line,omitempty"` // empty if it concerns the whole document
	What string `json:"what"`           // for display: "цена", "остаток на складе «Основной»"
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Outcome is the result of writing a document.
type Outcome struct {
	State stockhand.DocumentState `json:"state"` // applied, failed or unknown
	// the document in the external system: its type, ID and number
	External *Ref   `json:"external,omitempty"`
	Link     string `json:"link,omitempty"` // opens it in the external system's web application
	// for documents whose lines are written one by one: price changes
	Lines   []LineOutcome `json:"lines,omitempty"`
	Problem string        `json:"problem,omitempty"` // for display: why it failed, or why the outcome is unknown
	// for remote calls: the other server's answer, shortened
	Text string `json:"text,omitempty"`
	// for an unknown outcome: it cannot be looked up, so it is final
	Settled bool `json:"settled,omitempty"`
}

// LineOutcome is the result of writing one line.
type LineOutcome struct {
	Line    string                  `json:"line"`
	State   stockhand.DocumentState `json:"state"`
	Problem string                  `json:"problem,omitempty"`
}
