package analysis

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Definition is a measure of the caller's own: a formula over measures of the catalogue, or over definitions before it.
type Definition struct {
	Name    string `json:"name" jsonschema:"e.g. our_margin"`
	Formula string `json:"formula" jsonschema:"revenue * (1 - margin) / 2; 40% is 0.4"`
	Title   string `json:"title,omitempty" jsonschema:"of the column"`
	Unit    Shown  `json:"unit,omitempty"`
}

// Shown is a unit that a definition asks for.
type Shown string

// Schema lists the units.
func (Shown) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: follows; percent of a ratio", units...)
}

// units are those that a formula may have.
var units = []tool.Unit{tool.UnitMoney, tool.UnitQuantity, tool.UnitCount, tool.UnitDays, tool.UnitPercent,
	tool.UnitNumber}

// The bounds of definitions.
const (
	MaxDefinitions = 12
	MaxFormula     = 300 // bytes
	maxDepth       = 20  // of brackets
	maxTerms       = 500 // values that one value is computed from, definitions in definitions included
)

var nameOfMeasure = regexp.MustCompile(`^[a-z][a-z0-9_]{1,39}$`)

// Define returns the catalogue with the measures that definitions add. They behave like the others: a total is computed
// from the totals of what the formula names. The error is VALIDATION_FAILED and names every invalid definition.
func (c *Catalogue) Define(list []Definition) (*Catalogue, error) {
	if len(list) == 0 {
		return c, nil
	}
	with := *c
	with.Measures = slices.Clone(c.Measures)
	var bad faults
	if len(list) > MaxDefinitions {
		bad.add("define", "at most %d", MaxDefinitions)
		list = nil
	}
	for i, d := range list {
		field := fmt.Sprintf("define[%d]", i)
		_, isMeasure := with.Measure(d.Name)
		_, isDimension := c.Dimension(d.Name)
		switch {
		case !nameOfMeasure.MatchString(d.Name):
			bad.add(field+".name", "expected 2 to 40 of a-z, 0-9 and _, beginning with a letter")
			continue
		case isMeasure || isDimension || c.leavesOut(d.Name):
			bad.add(field+".name", "%s is taken", d.Name)
			continue
		}
		m, err := with.measureOf(d)
		if err != nil {
			bad.add(field+".formula", "%s", err)
			continue
		}
		with.Measures = append(with.Measures, *m)
	}
	return &with, bad.err()
}

// measureOf returns the measure of a definition.
func (c *Catalogue) measureOf(d Definition) (*Measure, error) {
	if len(d.Formula) > MaxFormula {
		return nil, fmt.Errorf("at most %d bytes", MaxFormula)
	}
	p := parser{catalogue: c, rest: d.Formula, all: d.Formula}
	x, err := p.parse()
	switch {
	case err != nil:
		return nil, err
	case len(p.used) == 0:
		return nil, errors.New("it names no measure")
	case x.terms > maxTerms:
		return nil, fmt.Errorf("with the definitions that it uses it has more than %d terms", maxTerms)
	}
	title := strings.TrimSpace(d.Title)
	if title == "" {
		title = d.Name
	}
	if len([]rune(title)) > 60 {
		return nil, errors.New("the title has more than 60 characters")
	}
	m := &Measure{Name: d.Name, Title: tool.Text{RU: title, EN: title}, Unit: x.unit, Whole: true, Adds: x.adds,
		Formula: tool.Text{RU: d.Formula, EN: d.Formula}, Of: x.of, Over: slices.Clone(p.used[0].Over),
		Needs: needsOf(p.used)}
	m.Now = true
	for _, u := range p.used {
		m.addBases(u.Bases...)
		m.Now = m.Now && u.Now
	}
	if m.formula, err = p.covered(x); err != nil {
		return nil, err
	}
	if c.Coverage != nil && overlap(m.Bases, c.Coverage.Bases) {
		c.cover(m)
	}
	if want := tool.Unit(d.Unit); want != "" && want != x.unit {
		if x.unit != tool.UnitNumber || want != tool.UnitPercent {
			return nil, fmt.Errorf("its value is %s, not %s", article(x.unit), article(want))
		}
		m.Unit, m.Of, m.Adds = want, scaled(m.Of, decimal.Hundred), false
		m.formula.part = scaled(m.formula.part, decimal.Hundred)
	}
	switch m.Unit {
	case tool.UnitPercent:
		m.Places = 1
	case tool.UnitNumber:
		m.Places = 4
	case tool.UnitQuantity, tool.UnitDays, tool.UnitCount:
		m.Places = 3
	default:
	}
	for _, u := range p.used {
		m.Over = slices.DeleteFunc(m.Over, func(o string) bool { return !slices.Contains(u.Over, o) })
		if m.With == "" {
			m.With = u.With
		}
	}
	return m, nil
}

// formula is what other definitions need of a definition.
type formula struct {
	terms int // how many values of measures one value is computed from, those of its definitions included
	// of the part of the facts that [Coverage] names
	part   func(Sums) decimal.Maybe
	others bool // it names measures of all facts other than the whole
}

// covered returns what other definitions need of the formula that has been read as x.
func (p *parser) covered(x term) (*formula, error) {
	f := &formula{terms: max(1, x.terms), others: p.others, part: x.of}
	if p.catalogue.Coverage == nil {
		return f, nil
	}
	again := parser{catalogue: p.catalogue, rest: p.all, all: p.all, part: true}
	y, err := again.parse()
	f.part = y.of
	return f, err
}

// cover limits a definition to the part of the facts that what it is computed from is known for.
func (c *Catalogue) cover(m *Measure) {
	part := m.formula.part
	m.Of = part
	m.addBases(c.Coverage.Part)
	whole, ok := c.Measure(c.Coverage.Whole)
	if !m.formula.others || !ok {
		return
	}
	m.addBases(whole.Bases...)
	m.Of = func(s Sums) decimal.Maybe {
		some, all := s(c.Coverage.Part), whole.value(s)
		if !some.Known || !all.Known || some.Cmp(all.Decimal) != 0 {
			return decimal.Maybe{}
		}
		return part(s)
	}
}

func (m *Measure) addBases(list ...Base) {
	for _, b := range list {
		if !slices.Contains(m.Bases, b) {
			m.Bases = append(m.Bases, b)
		}
	}
}

// value computes the measure from sums.
func (m *Measure) value(s Sums) decimal.Maybe {
	if m.Of == nil {
		return s(m.Bases[0])
	}
	return m.Of(s)
}

func overlap(x, y []Base) bool {
	return slices.ContainsFunc(x, func(b Base) bool { return slices.Contains(y, b) })
}

// term is a part of a formula.
type term struct {
	of      func(Sums) decimal.Maybe
	unit    tool.Unit
	adds    bool // its values of rows add up to that of the total
	literal bool // a number, which takes the unit of what it is added to
	terms   int  // see [Measure]
}

// parser reads a formula.
type parser struct {
	catalogue *Catalogue
	all, rest string
	used      []*Measure
	part      bool // takes measures from the part of the facts that [Coverage] names
	others    bool // see [formula]
}

func (p *parser) parse() (term, error) {
	x, err := p.sum(0)
	if err == nil && p.peek() != 0 {
		err = p.unexpected()
	}
	return x, err
}

func (p *parser) peek() byte {
	if p.rest = strings.TrimLeft(p.rest, " \t\n\r"); p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) unexpected() error {
	if p.rest == "" {
		return errors.New("it ends too early")
	}
	return fmt.Errorf("unexpected %q at position %d; expected measures, numbers, + - * / and brackets",
		clip(string([]rune(p.rest)[:1])), len([]rune(p.all))-len([]rune(p.rest))+1)
}

func (p *parser) sum(depth int) (term, error) {
	x, err := p.product(depth)
	for err == nil && (p.peek() == '+' || p.peek() == '-') {
		op := p.rest[0]
		p.rest = p.rest[1:]
		var y term
		if y, err = p.product(depth); err == nil {
			x, err = added(x, y, op)
		}
	}
	return x, err
}

func (p *parser) product(depth int) (term, error) {
	x, err := p.atom(depth)
	for err == nil && (p.peek() == '*' || p.peek() == '/') {
		op := p.rest[0]
		p.rest = p.rest[1:]
		var y term
		if y, err = p.atom(depth); err == nil {
			x, err = multiplied(x, y, op)
		}
	}
	return x, err
}

var (
	number = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,10})?`)
	word   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
)

func (p *parser) atom(depth int) (term, error) {
	if depth > maxDepth {
		return term{}, errors.New("too many brackets")
	}
	switch next := p.peek(); {
	case next == '-':
		p.rest = p.rest[1:]
		x, err := p.atom(depth + 1)
		if err == nil && x.unit == tool.UnitDate {
			err = errDates
		}
		x.of = scaled(x.of, decimal.FromInt(-1))
		return x, err
	case next == '(':
		p.rest = p.rest[1:]
		x, err := p.sum(depth + 1)
		if err == nil && p.peek() != ')' {
			err = p.unexpected()
		}
		if err == nil {
			p.rest = p.rest[1:]
		}
		return x, err
	}
	if digits := number.FindString(p.rest); digits != "" {
		p.rest = p.rest[len(digits):]
		n, err := decimal.Parse(digits)
		return term{of: func(Sums) decimal.Maybe { return decimal.Some(n) }, unit: tool.UnitNumber, literal: true,
			terms: 1}, err
	}
	name := word.FindString(p.rest)
	if name == "" {
		return term{}, p.unexpected()
	}
	p.rest = p.rest[len(name):]
	m, ok := p.catalogue.Measure(name)
	if !ok {
		return term{}, errors.New(p.catalogue.unknown(name))
	}
	p.used = append(p.used, m)
	return p.leaf(m), nil
}

// leaf returns the term of a measure.
func (p *parser) leaf(m *Measure) term {
	x := term{of: m.value, unit: m.Unit, adds: m.Adds, terms: 1}
	limits := p.catalogue.Coverage
	switch {
	case m.Defined():
		x.terms, p.others = m.formula.terms, p.others || m.formula.others
		if p.part {
			x.of = m.formula.part
		}
	case limits == nil:
	case m.Name == limits.Whole:
		if p.part {
			x.of = func(s Sums) decimal.Maybe { return s(limits.Part) }
		}
	case !overlap(m.Bases, limits.Bases):
		p.others = p.others || overlap(m.Bases, limits.Others)
	}
	return x
}

// added returns x + y or x − y: amounts of the same unit, or a number beside an amount. A percentage beside a number
// counts as the ratio that it is: 1 - margin.
func added(x, y term, op byte) (term, error) {
	if x.literal != y.literal {
		x, y = x.ratio(), y.ratio()
	}
	if x.literal != y.literal && (x.unit == tool.UnitDate || y.unit == tool.UnitDate) {
		return x, errDates // a number beside a date is of no unit that is said
	}
	if x.literal && !y.literal {
		x.unit = y.unit
	} else if y.literal {
		y.unit = x.unit
	}
	out := term{unit: x.unit, adds: x.adds && y.adds, literal: x.literal && y.literal, terms: x.terms + y.terms,
		of: both(x, y, func(a, b decimal.Decimal) decimal.Maybe {
			if op == '-' {
				return decimal.Some(a.Sub(b))
			}
			return decimal.Some(a.Add(b))
		})}
	switch {
	case x.unit != y.unit:
		return out, fmt.Errorf("%s and %s do not add up", article(x.unit), article(y.unit))
	case x.unit == tool.UnitDate && op == '-':
		out.unit = tool.UnitDays
	case x.unit == tool.UnitDate:
		return out, errDates
	}
	return out, nil
}

var errDates = errors.New("dates can only be subtracted from each other")

// multiplied returns x × y or x ÷ y. Dividing by zero is unknown. A percentage counts as the ratio that it is.
func multiplied(x, y term, op byte) (term, error) {
	if x.unit == tool.UnitDate || y.unit == tool.UnitDate {
		return x, errDates
	}
	out := term{adds: x.adds && y.literal || op == '*' && x.literal && y.adds, literal: x.literal && y.literal,
		terms: x.terms + y.terms}
	percents := x.unit == tool.UnitPercent && y.literal || op == '*' && y.unit == tool.UnitPercent && x.literal
	if !percents {
		x, y = x.ratio(), y.ratio()
	}
	if op == '*' {
		out.of = both(x, y, func(a, b decimal.Decimal) decimal.Maybe { return decimal.Some(a.Mul(b)) })
	} else {
		out.of = both(x, y, func(a, b decimal.Decimal) decimal.Maybe {
			if b.IsZero() {
				return decimal.Maybe{}
			}
			return decimal.Some(a.Div(b))
		})
	}
	counted := func(u tool.Unit) bool { return u == tool.UnitQuantity || u == tool.UnitCount || u == tool.UnitDays }
	switch {
	case y.unit == tool.UnitNumber:
		out.unit = x.unit
	case x.unit == tool.UnitNumber && op == '*':
		out.unit = y.unit
	case x.unit == tool.UnitMoney && counted(y.unit), y.unit == tool.UnitMoney && counted(x.unit) && op == '*':
		out.unit = tool.UnitMoney
	case x.unit == tool.UnitQuantity && (y.unit == tool.UnitCount || y.unit == tool.UnitDays) && op == '/':
		out.unit = tool.UnitQuantity
	default:
		out.unit = tool.UnitNumber
	}
	if x.unit == tool.UnitMoney && y.unit == tool.UnitMoney && op == '*' {
		return out, errors.New("money times money means nothing")
	}
	return out, nil
}

// ratio returns a percentage as the number that it is a hundred times of.
func (x term) ratio() term {
	if x.unit == tool.UnitPercent {
		of := x.of
		x.unit, x.of = tool.UnitNumber, func(s Sums) decimal.Maybe {
			v := of(s)
			v.Decimal = v.Div(decimal.Hundred)
			return v
		}
	}
	return x
}

// both computes from two terms; unknown if one is.
func both(x, y term, of func(a, b decimal.Decimal) decimal.Maybe) func(Sums) decimal.Maybe {
	return func(s Sums) decimal.Maybe {
		a, b := x.of(s), y.of(s)
		if !a.Known || !b.Known {
			return decimal.Maybe{}
		}
		return of(a.Decimal, b.Decimal)
	}
}

func scaled(of func(Sums) decimal.Maybe, by decimal.Decimal) func(Sums) decimal.Maybe {
	return func(s Sums) decimal.Maybe {
		v := of(s)
		v.Decimal = v.Mul(by)
		return v
	}
}

// article names a unit in a sentence.
func article(u tool.Unit) string {
	return map[tool.Unit]string{tool.UnitMoney: "money", tool.UnitQuantity: "a quantity", tool.UnitCount: "a count",
		tool.UnitDays: "days", tool.UnitPercent: "a percentage", tool.UnitDate: "a date"}[u] +
		map[bool]string{true: "a number"}[u == tool.UnitNumber]
}
