package analysis

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Query is a question as a value: the reader produces it, a model calls it, the API executes it.
type Query struct {
	Measures   []string     `json:"measures,omitempty" jsonschema:"names from the catalogue, e.g. revenue, margin"`
	By         []string     `json:"by,omitempty" jsonschema:"dimensions, e.g. store; none: one row"`
	Where      []Condition  `json:"where,omitempty" jsonschema:"on dimensions or measures; all hold"`
	From       tool.Day     `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To         tool.Day     `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	Compare    *Comparison  `json:"compare,omitempty"`
	Order      []Order      `json:"order,omitempty" jsonschema:"default: the first measure, or time"`
	Limit      int          `json:"limit,omitempty" jsonschema:"rows to return; 0 or absent: all. Totals cover all rows anyway"`
	LimitEach  int          `json:"limit_each,omitempty" jsonschema:"per value of earlier by"`
	Offset     int          `json:"offset,omitempty"`
	Share      bool         `json:"share,omitempty" jsonschema:"percent of the total"`
	Cumulative bool         `json:"cumulative,omitempty" jsonschema:"running percent of it"`
	Highlight  []Scalar     `json:"highlight,omitempty" jsonschema:"values of the first dimension that the answer names"`
	Explain    bool         `json:"explain,omitempty" jsonschema:"needs compare and by"`
	Define     []Definition `json:"define,omitempty" jsonschema:"own measures"`
	Fresh      bool         `json:"fresh,omitempty" jsonschema:"read again"`
}

// Condition restricts the facts, if its field is a dimension, or the rows, if it is a measure.
type Condition struct {
	Field  string   `json:"field"`
	Op     Op       `json:"op"`
	Values []Scalar `json:"values,omitempty" jsonschema:"names, ids or numbers"`
	Of     Of       `json:"of,omitempty" jsonschema:"of a measure; default: its value"`
	At     string   `json:"at,omitempty" jsonschema:"store"`
}

// Of says which figure of a measure a condition is on. The zero value is the measure itself.
type Of string

// The figures of a comparison that a condition may be on.
const (
	OfChange  Of = "change"         // from the other period, in the unit of the measure
	OfPercent Of = "change_percent" // the same in percent of the other period's value
)

// Schema lists the figures.
func (Of) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("the change from the other period; needs compare", OfChange, OfPercent)
}

// Op is an operator of a condition.
type Op string

// The operators.
const (
	Equal        Op = "="
	NotEqual     Op = "!="
	In           Op = "in"
	NotIn        Op = "not_in"
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
	Between      Op = "between"
	Contains     Op = "contains"
	IsEmpty      Op = "is_empty"
	IsNotEmpty   Op = "is_not_empty"
)

var ops = []Op{Equal, NotEqual, In, NotIn, Less, LessEqual, Greater, GreaterEqual, Between, Contains, IsEmpty,
	IsNotEmpty}

// Schema lists the operators.
func (Op) Schema() *jsonschema.Schema { return tool.Enum(ops...) }

// ordering reports whether the operator compares numbers.
func (o Op) ordering() bool {
	return o == Less || o == LessEqual || o == Greater || o == GreaterEqual || o == Between
}

// holds reports whether a value meets an ordering operator; at compares it with an operand.
func (o Op) holds(at func(operand int) int) bool {
	switch o {
	case Less:
		return at(0) < 0
	case LessEqual:
		return at(0) <= 0
	case Greater:
		return at(0) > 0
	case GreaterEqual:
		return at(0) >= 0
	case Between:
		return at(0) >= 0 && at(1) <= 0
	case Equal, NotEqual, In, NotIn, Contains, IsEmpty, IsNotEmpty:
	}
	return false
}

// Scalar is a value of a condition: a name, or a number as a JSON number or as a string.
type Scalar string

// Schema accepts numbers and strings.
func (Scalar) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number"}}
}

// UnmarshalJSON keeps the digits of a number.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		*s = Scalar(b)
		return nil
	}
	var text string
	err := json.Unmarshal(b, &text)
	*s = Scalar(text)
	return err
}

// Comparison is the period to compare with: either the name of one, or its first and last day.
type Comparison struct {
	With Relative `json:"with,omitempty"`
	From tool.Day `json:"from,omitempty" jsonschema:"instead of with"`
	To   tool.Day `json:"to,omitempty" jsonschema:"its last day"`
}

// Relative names a period by its relation to the period of the query.
type Relative string

// The named periods; see [Other].
const (
	Previous Relative = "previous"
	LastYear Relative = "last_year"
)

// Schema lists the named periods.
func (Relative) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("previous: the calendar unit, or as many days, before", Previous, LastYear)
}

// Order sorts the rows.
type Order struct {
	Field     string    `json:"field"`
	Direction Direction `json:"direction,omitempty"`
	Change    bool      `json:"change,omitempty" jsonschema:"by the change"`
}

// Direction is a direction of sorting.
type Direction string

// The directions.
const (
	Descending Direction = "desc"
	Ascending  Direction = "asc"
)

// Schema lists the directions.
func (Direction) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: desc for measures", Descending, Ascending)
}

// The bounds of a query. They keep the cost of checking one small; a plan has its own bounds.
const (
	MaxMeasures   = 12
	MaxDimensions = 5
	MaxConditions = 20
	MaxValues     = 500
	MaxRows       = 100_000 // Limit, LimitEach and Offset
)

// Plan is a checked query: its names are resolved against a catalogue, and the period is known.
type Plan struct {
	Query
	Period    tool.Period
	Other     tool.Period // to compare with; see Compares
	Shown     []*Measure  // the measures of the query and those that belong beside them
	Dims      []*Dimension
	Facts     []Filter    // conditions on dimensions
	Rows      []Condition // conditions on measures
	Elsewhere []Condition // conditions on measures in a store, whichever stores the rows are of
	Bases     []Base      // what facts must carry
	catalogue *Catalogue
	quantity  []bool // by base: it is a quantity
	rules     []Rule // by base
}

// Filter is a condition on a dimension. The connector resolves names to IDs before facts are tested.
type Filter struct {
	Condition
	Dimension *Dimension
	IDs       map[string]bool // of the named values; nil until resolved
	Named     []string        // what the values are called, for people; those of IDs once resolved
	field     int             // in the keys of a fact
}

// Compares reports whether the query compares with another period.
func (p *Plan) Compares() bool { return p.Compare != nil }

// Fields lists the dimensions that facts must carry: those of the breakdown and those of conditions.
func (p *Plan) Fields() []string {
	fields := slices.Clone(p.By)
	for _, f := range p.Facts {
		if !slices.Contains(fields, f.Field) {
			fields = append(fields, f.Field)
		}
	}
	return fields
}

// Uses reports whether the query breaks down by or filters with a dimension.
func (p *Plan) Uses(dimension string) bool { return slices.Contains(p.Fields(), dimension) }

// faults collects what is wrong with a query.
type faults []stockhand.FieldError

func (f *faults) add(field, format string, args ...any) {
	*f = append(*f, stockhand.FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	e := stockhand.Errorf(stockhand.CodeValidation, "invalid query: %s: %s", f[0].Field, f[0].Message).
		WithHint("the catalogue lists measures, and the dimensions that each allows")
	e.Fields = f
	return e
}

// Check resolves a query against the catalogue. The period has been resolved by the caller. The error is
// VALIDATION_FAILED; it names every invalid field and what is possible instead.
func (c *Catalogue) Check(q Query, period tool.Period) (*Plan, error) {
	p := &Plan{Query: q, Period: period, catalogue: c}
	var bad faults
	c.checkMeasures(p, &bad)
	c.checkBreakdown(p, &bad)
	c.checkConditions(p, &bad)
	checkOrder(p, &bad)
	if q.Limit < 0 || q.Limit > MaxRows {
		bad.add("limit", "expected a number from 0 to %d", MaxRows)
	}
	if q.Offset < 0 || q.Offset > MaxRows {
		bad.add("offset", "expected a number from 0 to %d", MaxRows)
	}
	if q.LimitEach < 0 || q.LimitEach > MaxRows {
		bad.add("limit_each", "expected a number from 0 to %d", MaxRows)
	}
	if len(q.Highlight) > 0 && len(q.By) == 0 || len(q.Highlight) > MaxValues {
		bad.add("highlight", "needs by, and at most %d values", MaxValues)
	}
	if q.Explain && q.Compare == nil {
		bad.add("explain", "needs compare: a change is explained")
	}
	if q.Compare != nil {
		var err error
		if p.Other, err = Other(period, *q.Compare); err != nil {
			bad.add("compare", "%s", err)
		}
	}
	return p, bad.err()
}

func (c *Catalogue) checkMeasures(p *Plan, bad *faults) {
	if len(p.Measures) == 0 || len(p.Measures) > MaxMeasures {
		bad.add("measures", "expected 1 to %d names of: %s", MaxMeasures, c.measureNames())
		return
	}
	for i, name := range p.Measures {
		if slices.Contains(p.Measures[:i], name) {
			bad.add("measures", "%s is named twice", name)
			continue
		}
		m, ok := c.Measure(name)
		if !ok {
			bad.add("measures", "%s", c.unknown(name))
			continue
		}
		p.Shown = append(p.Shown, m)
	}
	for _, m := range slices.Clone(p.Shown) {
		if beside, ok := c.Measure(m.With); ok && !slices.Contains(p.Shown, beside) {
			p.Shown = append(p.Shown, beside)
		}
	}
	for _, m := range p.Shown {
		p.need(m)
	}
}

// need adds the bases of a measure.
func (p *Plan) need(m *Measure) {
	for _, b := range m.Bases {
		if b != Days && b != LastDay && !slices.Contains(p.Bases, b) {
			p.Bases = append(p.Bases, b)
			p.quantity = append(p.quantity, slices.Contains(p.catalogue.Quantities, b))
			p.rules = append(p.rules, p.catalogue.Rules[b])
		}
	}
}

func (c *Catalogue) checkBreakdown(p *Plan, bad *faults) {
	if len(p.By) > MaxDimensions {
		bad.add("by", "at most %d dimensions", MaxDimensions)
		return
	}
	for i, name := range p.By {
		d, ok := c.Dimension(name)
		switch {
		case slices.Contains(p.By[:i], name):
			bad.add("by", "%s is named twice", name)
		case !ok:
			bad.add("by", "unknown dimension %q; possible: %s", clip(name), strings.Join(c.shared(p.Shown), ", "))
		default:
			p.Dims = append(p.Dims, d)
			c.allows(p.Shown, name, "by", bad)
		}
	}
}

// allows checks that measures can be broken down by or filtered with a dimension.
func (c *Catalogue) allows(measures []*Measure, dimension, field string, bad *faults) {
	for _, m := range measures {
		if !slices.Contains(m.Over, dimension) {
			bad.add(field, "%s does not go with %s; all measures of the query go with: %s", m.Name, dimension,
				strings.Join(c.shared(measures), ", "))
			return
		}
	}
}

func (c *Catalogue) checkConditions(p *Plan, bad *faults) {
	if len(p.Where) > MaxConditions {
		bad.add("where", "at most %d conditions", MaxConditions)
		return
	}
	type named struct {
		measure *Measure
		field   string
	}
	var ofRows []named
	for i, w := range p.Where {
		field := fmt.Sprintf("where[%d]", i)
		if !slices.Contains(ops, w.Op) {
			bad.add(field+".op", "unknown operator %q", clip(string(w.Op)))
			continue
		}
		if want, ok := operands(w.Op); len(w.Values) < want || ok && len(w.Values) != want {
			bad.add(field+".values", "%s needs %d", w.Op, want)
			continue
		}
		if most := cmp.Or(c.MaxValues, MaxValues); len(w.Values) > most {
			bad.add(field+".values", "at most %d values", most)
			continue
		}
		if d, ok := c.Dimension(w.Field); ok {
			c.allows(p.Shown, w.Field, field+".field", bad)
			values, err := d.check(w)
			if err != nil {
				bad.add(field, "%s", err)
			}
			w.Values = values
			if w.Of != "" {
				bad.add(field+".of", "%s is no measure", w.Field)
			}
			if w.At != "" {
				bad.add(field+".at", "%s is no measure", w.Field)
			}
			p.Facts = append(p.Facts, Filter{Condition: w, Dimension: d})
			p.Facts[len(p.Facts)-1].field = slices.Index(p.Fields(), w.Field)
			continue
		}
		m, ok := c.Measure(w.Field)
		if !ok {
			bad.add(field+".field", "unknown field %q; measures: %s; dimensions: %s", clip(w.Field), c.measureNames(),
				strings.Join(c.shared(p.Shown), ", "))
			continue
		}
		if w.At == "" {
			ofRows = append(ofRows, named{m, field + ".field"})
		} else {
			c.checkElsewhere(p, w, m, field, bad)
		}
		if w.Of != "" && (w.Of != OfChange && w.Of != OfPercent || p.Compare == nil) {
			bad.add(field+".of", "expected change or change_percent, beside compare")
		}
		if w.Op == Contains {
			bad.add(field+".op", "contains compares texts, and %s is a number", w.Field)
		}
		for _, v := range w.Values {
			if _, err := m.operand(v); err != nil {
				bad.add(field+".values", "%s for %s", err, w.Field)
			}
		}
		if w.At != "" {
			p.Elsewhere = append(p.Elsewhere, w)
			continue
		}
		p.need(m)
		p.Rows = append(p.Rows, w)
	}
	for _, r := range ofRows { // now that all dimensions are known, in whatever order the conditions are
		for _, dimension := range p.Fields() {
			c.allows([]*Measure{r.measure}, dimension, r.field, bad)
		}
	}
}

// operands returns the number of values that an operator needs: exactly that many, or at least one.
func operands(o Op) (least int, exactly bool) {
	switch o {
	case IsEmpty, IsNotEmpty:
		return 0, true
	case Between:
		return 2, true
	case In, NotIn:
		return 1, false
	case Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Contains:
	}
	return 1, true
}

func checkOrder(p *Plan, bad *faults) {
	for i, o := range p.Order {
		known := slices.Contains(p.By, o.Field) ||
			slices.ContainsFunc(p.Shown, func(m *Measure) bool { return m.Name == o.Field })
		if !known {
			bad.add(fmt.Sprintf("order[%d].field", i), "%q is neither a measure nor a dimension of the query",
				clip(o.Field))
		}
		if o.Change && (p.Compare == nil || slices.Contains(p.By, o.Field)) {
			bad.add(fmt.Sprintf("order[%d].change", i), "needs compare, and a measure")
		}
		if o.Direction != "" && o.Direction != Descending && o.Direction != Ascending {
			bad.add(fmt.Sprintf("order[%d].direction", i), "expected desc or asc")
		}
	}
}

// clip shortens a name that came from the caller, for an error.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
