// Package tool defines what an agent may do: typed functions over a connected account.
//
// A read tool returns a [Result]: a typed table with units, totals, notices and provenance. A propose tool returns a
// [Proposal]: documents for a person to confirm. No tool writes: nothing in this package, and nothing that a tool
// receives, can change the external system, so no tool has to check for a confirmation (decision 0003).
//
// Arguments come from a person's sentence, an HTTP body or a model. All of them are validated against the same JSON
// Schema, which is derived from the Go type of the input and is its only description.
package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
)

// Tool is a typed function, bound to an opened account.
type Tool struct {
	Name  string // e.g. "moysklad_stock"
	Title Text   // a few words for display, e.g. "Остатки"
	About Text   // what it answers, for models and the API documentation
	Input *Schema
	// arguments of a typical call, for models
	Example json.RawMessage
	Needs   []Need // the employee's rights in the external system that determine what it can answer
	// columns of its default result, without labels; nil if not known in advance
	Shape []Column

	run     func(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error)
	propose func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error)
	plan    func(ctx context.Context, env Env, arguments json.RawMessage) (*Plan, error) // nil: it makes no plans
}

// Text is a text in both languages.
type Text struct {
	RU string `json:"ru"`
	EN string `json:"en"`
}

// In returns the text in a language.
func (t Text) In(l stockhand.Language) string { return l.Pick(t.RU, t.EN) }

// Effect is what a tool does.
type Effect string

// The effects. None of them writes (decision 0003).
const (
	EffectRead    Effect = "read"    // returns a Result
	EffectPropose Effect = "propose" // returns a Proposal, which becomes a draft
)

// Effect reports whether the tool reads or proposes.
func (t Tool) Effect() Effect {
	if t.Proposes() {
		return EffectPropose
	}
	return EffectRead
}

// Need is a right in the external system that a tool needs. Without it, the answer names the section and omits what is
// hidden (rule R15).
type Need struct {
	Section Text `json:"section"` // as the external system's role settings name it
	For     Text `json:"for"`     // what is hidden without it
	Vital   bool `json:"vital"`   // without it, there is no answer at all
}

// Requires returns a copy of the tool with the rights that it needs.
func (t Tool) Requires(needs ...Need) Tool {
	t.Needs = needs
	return t
}

// Like returns a copy of the tool with the arguments of a typical call.
func (t Tool) Like(example string) Tool {
	t.Example = json.RawMessage(example)
	return t
}

// Env is the context of a call. The zero value is usable: Russian, the current time, no progress.
type Env struct {
	Language stockhand.Language
	// the time that "today" is relative to; zero means the current time
	Now        time.Time
	Zone       Zone                                  // of the account
	Progress   func(done, planned int, label string) // requests done of those planned; may be nil
	Background bool                                  // interactive calls go first in the limiter's queue
	Memo       *Memo                                 // of the run; nil: every page is read
	// a stored result that the caller may read over this connection; nil where there are none
	Result func(ctx context.Context, id stockhand.ResultID) (Table, error)
}

// Clock returns Now, or the current time if it is not set.
func (e Env) Clock() time.Time {
	if e.Now.IsZero() {
		return time.Now()
	}
	return e.Now
}

// Report reports progress if anyone listens.
func (e Env) Report(done, planned int, label string) {
	if e.Progress != nil {
		e.Progress(done, planned, label)
	}
}

// Read returns a read tool that runs a typed function. In must be a struct. The schema is derived from its fields: the
// JSON name, a `jsonschema:"…"` tag for the description, pointers and omitempty for optional fields. Types with a
// Schema method provide enumerations and limits that tags cannot express (see [Schemer]).
func Read[In any](name string, title, about Text, run func(ctx context.Context, env Env, in In) (*Result, error)) Tool {
	schema := schemaOf[In]()
	return Tool{
		Name: name, Title: title, About: about, Input: schema,
		run: func(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error) {
			in, err := decode[In](schema, arguments)
			if err != nil {
				return nil, err
			}
			return run(ctx, env, in)
		},
	}
}

// Call validates the arguments and runs the tool; missing arguments mean an empty object. If they are invalid, it sends
// nothing and returns VALIDATION_FAILED with each invalid field.
func (t Tool) Call(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error) {
	if t.run == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s is a propose tool; it creates a draft", t.Name)
	}
	result, err := t.run(ctx, env, arguments)
	if err != nil {
		return nil, err
	}
	result.Tool, result.Provenance.Zone = t.Name, env.Zone
	result.localize(result.Rows)
	return result, nil
}
