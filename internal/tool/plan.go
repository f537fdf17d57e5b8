package tool

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand"
)

// Plan is what a call would read, found out without reading it.
type Plan struct {
	Readings []Reading `json:"readings" doc:"The lists and reports that would be read"`
	Requests int       `json:"requests" doc:"Requests that all of them take"`
	Seconds  int       `json:"seconds" doc:"How long the limits of an idle account make them take at least"`
	Exact    bool      `json:"exact" doc:"The number of requests is known; false: it is an estimate"`
	Asked    int       `json:"requests_sent" doc:"Requests that were sent to find this out"`
}

// Reading is a list or report of a plan.
type Reading struct {
	Path     string   `json:"path" doc:"The list or report"`
	Filter   string   `json:"filter,omitempty" doc:"As it would be sent, decoded"`
	Serves   []string `json:"serves" doc:"The measures that are computed from it"`
	Period   *Period  `json:"period,omitempty" doc:"The days that it is read for"`
	Rows     *int     `json:"rows,omitempty" doc:"Its rows, if they are known"`
	Requests int      `json:"requests" doc:"Requests that it takes"`
	Exact    bool     `json:"exact" doc:"The number of requests is known; false: it is an estimate"`
	Heavy    bool     `json:"-"` // fewer of these are allowed per second
}

// WithPlan returns a copy of a tool that [Read] made from the same type, which can make plans.
func WithPlan[In any](t Tool, plan func(ctx context.Context, env Env, in In) (*Plan, error)) Tool {
	t.plan = func(ctx context.Context, env Env, arguments json.RawMessage) (*Plan, error) {
		in, err := decode[In](t.Input, arguments)
		if err != nil {
			return nil, err
		}
		return plan(ctx, env, in)
	}
	return t
}

// Plan returns what the call would read, and reads no facts. Arguments are validated as in [Tool.Call]; a call that
// would be refused because it reads too much is refused in the same way.
func (t Tool) Plan(ctx context.Context, env Env, arguments json.RawMessage) (*Plan, error) {
	if t.plan == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s makes no plans; it can only be called", t.Name)
	}
	return t.plan(ctx, env, arguments)
}
