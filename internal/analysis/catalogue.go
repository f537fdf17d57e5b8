// Package analysis answers queries: measures of an account's facts, broken down by dimensions, filtered, compared,
// ordered and cut. A connector declares the [Catalogue] of what can be asked and supplies the facts; this package
// checks queries and does the arithmetic. It knows no external system and makes no requests.
package analysis

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Base is an amount that facts carry and that can be added up, or combined by another [Rule], such as the sum of sales.
// Measures are computed from sums of bases, so the value of a total follows from the same formula as that of a row.
type Base string

// Sums returns the sum of a base over the facts of a row; unknown if no fact has it.
type Sums func(Base) decimal.Maybe

// Measure is something that can be asked for: a figure of each row.
type Measure struct {
	Name    string    // stable, snake_case
	Title   tool.Text // of the column
	Phrase  tool.Text // in sentences, where the title is too short for one; see [Measure.Said]
	Unit    tool.Unit
	Formula tool.Text // how it is computed, in words
	Caution tool.Text // what is easily misunderstood; empty if nothing
	Words   Words     // what people call it
	Bases   []Base
	Of      func(Sums) decimal.Maybe // nil: the first base itself
	// the values of rows add up to that of the total, unless a document is in several rows
	Adds bool
	// computed from a part of the facts it would be wrong and not just less, such as a pace
	Whole   bool
	With    string   // a measure that is always shown beside it, as the coverage beside a margin
	Places  int      // decimal places to round to; money and quantities are not rounded before display
	Over    []string // the dimensions that it may be broken down by and filtered with
	Now     bool     // known only as of now, whatever the period
	formula *formula // of a definition
	Own     bool     // an organization defined it; see [Catalogue.Extend]
	Needs   []NeededRight
}

// Said returns what the measure is called within a sentence.
func (m *Measure) Said(l stockhand.Language) string {
	if phrase := m.Phrase.In(l); phrase != "" {
		return phrase
	}
	title := []rune(m.Title.In(l))
	return strings.ToLower(string(title[:1])) + string(title[1:])
}

// Defined reports whether the measure is a formula over others: a [Definition].
func (m *Measure) Defined() bool { return m.formula != nil }

// Words are the words for a measure or dimension in both languages, without their endings where these vary.
type Words struct {
	RU []string `json:"ru,omitempty"`
	EN []string `json:"en,omitempty"`
}

// Step is the length of the intervals of a dimension of time.
type Step string

// The steps. [Weekday] and [Hour] recur; the others divide a period.
const (
	Day     Step = "day"
	Week    Step = "week"
	Month   Step = "month"
	Quarter Step = "quarter"
	Year    Step = "year"
	Weekday Step = "weekday"
	Hour    Step = "hour"
)

// Dimension is something to break figures down by or to filter them with.
type Dimension struct {
	Name   string
	Title  tool.Text
	Words  Words
	Step   Step // for a dimension of time, else empty
	Type   ValueType
	Nested bool // its values have parents: a value includes the values below it in conditions
}

// Catalogue lists what can be asked.
type Catalogue struct {
	Measures   []Measure
	Dimensions []Dimension
	// Quantities are the bases whose unit is each good's unit of measure, so that sums of several units are unknown.
	Quantities []Base
	// Rules of the bases that are not just added up.
	Rules map[Base]Rule
	// LeftOut are the own measures of the organization that do not fit.
	LeftOut []LeftOut
	// Coverage says what is known for a part of the facts only; nil if there is nothing like that.
	Coverage *Coverage
	// MaxValues bounds the values of a condition; 0 is [MaxValues].
	MaxValues int
}

// Coverage names bases that are known for a part of the facts, such as the costs of sales. A formula must not mix that
// part with the whole.
type Coverage struct {
	Bases  []Base // of the part only
	Part   Base   // the sum of the facts that have them, one of Bases
	Whole  string // the measure of all facts, such as the revenue; beside Bases, a formula takes Part in its place
	Others []Base // of all facts; beside Bases, a formula has a value only where the part is the whole
}

// Measure returns a measure by name.
func (c *Catalogue) Measure(name string) (*Measure, bool) {
	i := slices.IndexFunc(c.Measures, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return &c.Measures[i], true
}

// Dimension returns a dimension by name.
func (c *Catalogue) Dimension(name string) (*Dimension, bool) {
	i := slices.IndexFunc(c.Dimensions, func(d Dimension) bool { return d.Name == name })
	if i < 0 {
		return nil, false
	}
	return &c.Dimensions[i], true
}

// Totals reports whether the measure has a total: what it is computed from adds up, or is of the beginning or the
// end of the period. The others are of one good, or the greatest or least of all (rule R690).
func (c *Catalogue) Totals(m *Measure) bool {
	return !slices.ContainsFunc(m.Bases, func(b Base) bool {
		r := c.Rules[b]
		return r != Add && r != First && r != Last
	})
}

// OfOne reports whether the measure is of one good, such as its price, and says nothing about several.
func (c *Catalogue) OfOne(m *Measure) bool {
	return slices.ContainsFunc(m.Bases, func(b Base) bool { return c.Rules[b] == Same || c.Rules[b] == LastOf })
}

// measureNames lists the measures, for errors.
func (c *Catalogue) measureNames() string {
	names := make([]string, len(c.Measures))
	for i, m := range c.Measures {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// shared returns the dimensions that all the measures allow, in the order of the catalogue.
func (c *Catalogue) shared(measures []*Measure) []string {
	var names []string
	for _, d := range c.Dimensions {
		if !slices.ContainsFunc(measures, func(m *Measure) bool { return !slices.Contains(m.Over, d.Name) }) {
			names = append(names, d.Name)
		}
	}
	return names
}
