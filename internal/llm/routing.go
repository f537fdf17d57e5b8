package llm

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// Routing is an operator's rule for which tasks a small model begins (rule R429). The zero value gives all of them to
// the models of Config.Agent.
type Routing struct {
	Small    []string `json:"small,omitempty"`     // "provider/model", then its fallbacks
	MaxWords int      `json:"max_words,omitempty"` // longer tasks are not for them; 0 means 30
	MaxSteps int      `json:"max_steps,omitempty"` // after as many requests the others go on; 0 means 4
	Changes  bool     `json:"changes,omitempty"`   // they may also prepare drafts
}

// The bounds of what a small model gets if nothing else is configured.
const (
	DefaultSmallWords = 30
	DefaultSmallSteps = 4
)

// Fits reports whether a small model makes a step of a task: a short one that asks for no change, near its beginning.
// Steps are counted from 1. Sent back means that an answer of the run did not match what was read.
func (r Routing) Fits(task string, change bool, step int64, sentBack bool) bool {
	return len(r.Small) > 0 && !sentBack && (r.Changes || !change) &&
		step <= int64(cmp.Or(r.MaxSteps, DefaultSmallSteps)) &&
		len(strings.Fields(task)) <= cmp.Or(r.MaxWords, DefaultSmallWords)
}

// Routing returns the operator's rule.
func (p *Providers) Routing() Routing { return p.routing }

// route checks the rule and finds its models.
func (p *Providers) route(r Routing) (err error) {
	if r.MaxWords < 0 || r.MaxSteps < 0 {
		return invalid("a bound of routing is negative", "leave max_words and max_steps out for their defaults")
	}
	if len(r.Small) == 0 && (r.MaxWords > 0 || r.MaxSteps > 0 || r.Changes) {
		return invalid("routing names no small model", `list one as "small": ["provider/model"], or remove "routing"`)
	}
	p.routing = r
	if p.small, err = p.targets(r.Small); err != nil {
		return fmt.Errorf("routing: %w", err)
	}
	return nil
}

// router asks the small models where the request allows it, and the large ones otherwise and if the small ones fail.
type router struct {
	small, large Model
}

func (r router) Name() string { return r.large.Name() }

func (r router) Cost(u Usage) int64 { return max(r.small.Cost(u), r.large.Cost(u)) }

func (r router) Complete(ctx context.Context, q Request, onText func(offset int, text string)) (Reply, error) {
	if !q.Small {
		return r.large.Complete(ctx, q, onText)
	}
	first := q
	first.Patience = 0 // there are others to ask
	got, err := r.small.Complete(ctx, first, onText)
	if err == nil || ctx.Err() != nil {
		return got, err
	}
	more, err := r.large.Complete(ctx, q, onText)
	more.Usage, more.Cost = more.Usage.Plus(got.Usage), more.Cost+got.Cost
	return more, err
}
