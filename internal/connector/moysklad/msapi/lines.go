package msapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Line is a line of a document with its good described.
type Line struct {
	Position
	Unit    Ref           `json:"-"` // of the good; zero for a variant, which has none of its own (fact M54)
	VAT     decimal.Maybe `json:"vat"`
	Reserve decimal.Maybe `json:"reserve"`
}

type wireLine struct {
	Line
	Good lineGood `json:"assortment"`
}

type lineGood struct {
	Ref
	unit Ref
}

// UnmarshalJSON decodes the link and the unit of an expanded good.
func (g *lineGood) UnmarshalJSON(b []byte) error {
	*g = lineGood{}
	return g.read(gjson.ParseBytes(b), func(name string, value gjson.Result) error {
		if name == "uom" {
			return g.unit.read(value, nil)
		}
		return nil
	})
}

// Lines lists the lines of a document, with the names of their goods: 100 per request.
func (r *Reader) Lines(ctx context.Context, kind string, document ID) iter.Seq2[Line, error] {
	if err := checkIDs([]ID{document}); err != nil {
		return failed[Line](err)
	}
	l := listing{path: "entity/" + kind + "/" + string(document) + "/positions", params: url.Values{}}
	l.expand("assortment")
	return convert(list[wireLine](ctx, r, l), func(w *wireLine) (Line, error) {
		line := w.Line
		line.Assortment, line.Unit = w.Good.Ref, w.Good.unit
		return line, nil
	})
}

// Event is something that happened to an object (fact M108).
type Event struct {
	Kind   string // "create", "update", …
	Moment Moment
	Login  string // of the employee
	// the state before and after, if it changed; zero for none
	StateChanged bool
	From, To     Ref
}

// Events lists what happened to an object, the oldest first.
func (r *Reader) Events(ctx context.Context, kind string, object ID) ([]Event, error) {
	if err := checkIDs([]ID{object}); err != nil {
		return nil, err
	}
	type wire struct {
		Kind   string `json:"eventType"`
		Moment Moment `json:"moment"`
		Login  string `json:"uid"`
		Diff   struct {
			State *struct {
				From json.RawMessage `json:"oldValue"`
				To   json.RawMessage `json:"newValue"`
			} `json:"state"`
		} `json:"diff"`
	}
	l := listing{path: "entity/" + kind + "/" + string(object) + "/audit", params: url.Values{}, page: expandPage}
	events, err := Collect(convert(list[wire](ctx, r, l), func(w *wire) (Event, error) {
		e := Event{Kind: w.Kind, Moment: w.Moment, Login: w.Login}
		if s := w.Diff.State; s != nil {
			e.StateChanged, e.From, e.To = true, stateIn(s.From), stateIn(s.To)
		}
		return e, nil
	}))
	slices.SortStableFunc(events, func(x, y Event) int { return x.Moment.Compare(y.Moment.Time) })
	return events, err
}

// stateIn decodes a state in an event: an object, or only its name.
func stateIn(b json.RawMessage) (s Ref) {
	if json.Unmarshal(b, &s) != nil {
		_ = json.Unmarshal(b, &s.Name) // of another shape: unknown
	}
	return s
}
