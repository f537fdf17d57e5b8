// Package tool is the contract of what an agent may do: typed functions over a connected account.
//
// A read tool returns a [Result]: a typed table with units, totals, notices and provenance. A propose tool returns a
// [Proposal]: documents for a person to confirm. There is no third kind that writes: nothing in this package, and
// nothing a tool is given, can change the external system, so no tool needs an "if confirmed" inside (decision 0003).
//
// Arguments come from a person's sentence, an HTTP body or a model; all pass the same JSON Schema, which is derived
// from the Go type of the input and is the only description of it.
package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
)

// Tool is one typed function, bound to an opened account.
type Tool struct {
	Name  string // e.g. "moysklad_stock"
	Title Text   // a few words for people, e.g. "Остатки"
	About Text   // what it answers, for models and the API's documentation
	Input *Schema
	Needs []Need // rights of the external system's employee that decide what it can answer
	// columns of its result as it comes by default, labels left out; nil where they are not known beforehand
	Shape []Column

	run     func(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error)
	propose func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error)
}

// Text is a text in both languages.
type Text struct {
	RU string `json:"ru"`
	EN string `json:"en"`
}

// In returns the text in that language.
func (t Text) In(l stockhand.Language) string { return l.Pick(t.RU, t.EN) }

// Effect says what a tool does to the world.
type Effect string

// The effects. There is none that writes (decision 0003).
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

// Need is a right of the external system's employee that a tool needs. Without it the answer names the section and
// leaves out what it hides (rule R15).
type Need struct {
	Section Text `json:"section"` // in the words of the external system's role settings
	For     Text `json:"for"`     // what cannot be seen without it
	Vital   bool `json:"vital"`   // without it there is no answer at all
}

// Requires returns the tool with the rights that it needs.
func (t Tool) Requires(needs ...Need) Tool {
	t.Needs = needs
	return t
}

// Env is what a call brings besides its arguments. The zero value works: Russian, now, no progress.
type Env struct {
	Language   stockhand.Language
	Now        time.Time                             // the moment that "today" is relative to; zero means the real one
	Zone       Zone                                  // of the account
	Progress   func(done, planned int, label string) // requests done of those planned so far; may be nil
	Background bool                                  // yields to interactive work in the limiter's queue
}

// Clock returns Now, or the real time when it is not set.
func (e Env) Clock() time.Time {
	if e.Now.IsZero() {
		return time.Now()
	}
	return e.Now
}

// Report reports progress.
func (e Env) Report(done, planned int, label string) {
	if e.Progress != nil {
		e.Progress(done, planned, label)
	}
}

// Read makes a tool of a typed function. In must be a struct; its schema comes from its fields: the JSON name, a
// `jsonschema:"…"` tag for the description, pointers and omitempty for what may be left out. Enumerations and
// bounds that tags cannot express are given by types with a Schema method (see [Schemer]).
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

// Call checks the arguments against the tool's schema and runs it. Nothing goes out when they do not fit: the error
// then has the code VALIDATION_FAILED and names each field at fault. Absent arguments are an empty object.
func (t Tool) Call(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error) {
	if t.run == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s proposes; its outcome is a draft", t.Name)
	}
	result, err := t.run(ctx, env, arguments)
	if err != nil {
		return nil, err
	}
	result.Tool, result.Provenance.Zone = t.Name, env.Zone
	result.localize()
	return result, nil
}
