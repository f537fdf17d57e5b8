package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// OwnMeasure is a measure that an organization defines for all its queries: a formula over measures of the catalogue,
// its own ones included.
type OwnMeasure struct {
	Name    string    `json:"name"`
	Title   tool.Text `json:"title"` // of the column; a language without one has the other's
	Unit    Shown     `json:"unit,omitempty"`
	Words   Words     `json:"words,omitzero"`
	Formula string    `json:"formula"`
}

// LeftOut is an own measure that does not fit the catalogue.
type LeftOut struct {
	OwnMeasure
	Reason string
}

// The bounds of own measures.
const (
	MaxOwn   = 50 // of an organization
	maxTitle = 60 // characters
	maxWords = 20 // in each language
	maxWord  = 40 // characters
)

// Extend returns the catalogue with the own measures of an organization. What a query computes with them follows from
// the same rules as with [Catalogue.Define]. A measure that does not fit, because the catalogue has changed since it
// was saved, is left out with the reason; the others can still be used.
func (c *Catalogue) Extend(own []OwnMeasure) *Catalogue {
	if len(own) == 0 {
		return c
	}
	with := *c
	with.Measures, with.LeftOut = slices.Clone(c.Measures), nil
	e := extension{base: c, with: &with, own: map[string]OwnMeasure{}, done: map[string]*misfit{}}
	for _, m := range own {
		e.own[m.Name] = m
	}
	for _, m := range own {
		if wrong := e.add(m.Name); wrong != nil {
			with.LeftOut = append(with.LeftOut, LeftOut{m, wrong.reason})
		}
	}
	at := func(m Measure) int { return slices.IndexFunc(own, func(o OwnMeasure) bool { return o.Name == m.Name }) }
	with.Measures = slices.Clone(with.Measures) // formulas refer to the measures where they are
	slices.SortFunc(with.Measures[len(c.Measures):], func(x, y Measure) int { return at(x) - at(y) })
	return &with
}

// extension adds own measures to a catalogue, those first that others use.
type extension struct {
	base, with *Catalogue
	own        map[string]OwnMeasure
	done       map[string]*misfit // nil: added
	path       []string           // of the measure that is being added, the measures that use it
}

// misfit says why an own measure does not fit.
type misfit struct {
	field, reason string
	circle        []string // the measures that are computed from each other
	unknown       string   // a name in the formula
}

func (e *extension) add(name string) *misfit {
	if wrong, ok := e.done[name]; ok {
		return wrong
	}
	e.path = append(e.path, name)
	wrong := e.check(e.own[name])
	e.path = e.path[:len(e.path)-1]
	e.done[name] = wrong
	return wrong
}

// wordIn finds the names in a formula.
var wordIn = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// names returns the names in the measure's formula.
func (m OwnMeasure) names() []string { return wordIn.FindAllString(m.Formula, -1) }

func (e *extension) check(m OwnMeasure) *misfit {
	_, isMeasure := e.base.Measure(m.Name)
	_, isDimension := e.base.Dimension(m.Name)
	switch {
	case !nameOfMeasure.MatchString(m.Name):
		return &misfit{field: "name", reason: "expected 2 to 40 of a-z, 0-9 and _, beginning with a letter"}
	case isMeasure:
		return &misfit{field: "name", reason: m.Name + " is the name of a measure of the catalogue"}
	case isDimension:
		return &misfit{field: "name", reason: m.Name + " is the name of a dimension of the catalogue"}
	}
	for _, name := range m.names() {
		if _, own := e.own[name]; !own {
			if _, known := e.base.Measure(name); !known {
				return &misfit{field: "formula", unknown: name,
					reason: fmt.Sprintf("there is no measure %q", clip(name))}
			}
			continue
		}
		if from := slices.Index(e.path, name); from >= 0 {
			circle := slices.Clone(e.path[from:])
			return &misfit{field: "formula", circle: circle,
				reason: "it is computed from itself: " + strings.Join(circle, " uses ") + " uses " + name}
		}
		switch wrong := e.add(name); {
		case wrong != nil && slices.Contains(wrong.circle, m.Name):
			return wrong
		case wrong != nil:
			return &misfit{field: "formula", reason: fmt.Sprintf("it uses %s, which cannot be used: %s", name,
				wrong.reason)}
		}
	}
	title := m.Title
	if title.RU == "" {
		title.RU = title.EN
	}
	if title.EN == "" {
		title.EN = title.RU
	}
	added, err := e.with.measureOf(Definition{Name: m.Name, Formula: m.Formula, Unit: m.Unit})
	if err != nil {
		return &misfit{field: "formula", reason: err.Error()}
	}
	if title.EN != "" {
		added.Title = title
	}
	added.Words, added.Own = m.Words, true
	e.with.Measures = append(e.with.Measures, *added)
	return nil
}

// UsersOf returns the names of those own measures whose formula names a measure.
func UsersOf(name string, own []OwnMeasure) (users []string) {
	for _, m := range own {
		if m.Name != name && slices.Contains(m.names(), name) {
			users = append(users, m.Name)
		}
	}
	return users
}

// CheckOwn returns whether a measure can be saved among the organization's other ones, which may include the one that
// it replaces. The error is VALIDATION_FAILED and names what is wrong.
func (c *Catalogue) CheckOwn(m OwnMeasure, all []OwnMeasure) error {
	var bad faults
	m.checkTexts(&bad)
	before := c.Extend(all)
	others := slices.DeleteFunc(slices.Clone(all), func(o OwnMeasure) bool { return o.Name == m.Name })
	for _, x := range before.Measures {
		for _, title := range [][3]string{{"title.ru", m.Title.RU, x.Title.RU}, {"title.en", m.Title.EN, x.Title.EN}} {
			if x.Name != m.Name && title[1] != "" && strings.EqualFold(title[1], title[2]) {
				bad.add(title[0], "%s already has this title", x.Name)
			}
		}
	}
	e := extension{base: c, own: map[string]OwnMeasure{m.Name: m}, done: map[string]*misfit{}}
	with := *c
	with.Measures, e.with = slices.Clone(c.Measures), &with
	for _, o := range others {
		e.own[o.Name] = o
	}
	if wrong := e.add(m.Name); wrong != nil {
		if wrong.unknown != "" {
			wrong.reason = before.unknown(wrong.unknown)
		}
		bad.add(wrong.field, "%s", wrong.reason)
		return bad.invalid()
	}
	for _, o := range others {
		if wrong := e.add(o.Name); wrong != nil && !before.leavesOut(o.Name) {
			bad.add("formula", "%s uses it and could not be computed any more: %s", o.Name, wrong.reason)
		}
	}
	return bad.invalid()
}

func (m OwnMeasure) checkTexts(bad *faults) {
	if m.Title == (tool.Text{}) {
		bad.add("title", "is required, in Russian or English")
	}
	for field, title := range map[string]string{"title.ru": m.Title.RU, "title.en": m.Title.EN} {
		if title != "" && !isLine(title, maxTitle) {
			bad.add(field, "expected one line of at most %d characters, without spaces around it", maxTitle)
		}
	}
	for field, list := range map[string][]string{"words.ru": m.Words.RU, "words.en": m.Words.EN} {
		if len(list) > maxWords {
			bad.add(field, "at most %d", maxWords)
		}
		for i, w := range list {
			if !isLine(w, maxWord) {
				bad.add(fmt.Sprintf("%s[%d]", field, i),
					"expected 1 to %d characters in one line, without spaces around them", maxWord)
			}
		}
	}
	if m.Unit != "" && !slices.Contains(units, tool.Unit(m.Unit)) {
		bad.add("unit", "unknown unit %q", clip(string(m.Unit)))
	}
}

// isLine reports whether a text is one line without spaces around it.
func isLine(s string, most int) bool {
	return s != "" && s == strings.TrimSpace(s) && len([]rune(s)) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}

// invalid is err for a measure that is saved.
func (f faults) invalid() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(x, y stockhand.FieldError) int { return strings.Compare(x.Field, y.Field) })
	e := stockhand.Errorf(stockhand.CodeValidation, "the measure is not valid: %s: %s", f[0].Field, f[0].Message).
		WithHint("GET /catalogue lists the measures that a formula may use")
	e.Fields = f
	return e
}

// leavesOut reports whether an own measure of that name was left out.
func (c *Catalogue) leavesOut(name string) bool {
	return slices.ContainsFunc(c.LeftOut, func(l LeftOut) bool { return l.Name == name })
}

// unknown says that there is no measure of a name, and what there is. Own measures, which no schema lists, have their
// titles beside them.
func (c *Catalogue) unknown(name string) string {
	if i := slices.IndexFunc(c.LeftOut, func(l LeftOut) bool { return l.Name == name }); i >= 0 {
		return fmt.Sprintf("%s cannot be used: %s", name, c.LeftOut[i].Reason)
	}
	var names, own []string
	for _, m := range c.Measures {
		if m.Own {
			own = append(own, fmt.Sprintf("%s (%s)", m.Name, m.Title.RU))
		} else {
			names = append(names, m.Name)
		}
	}
	text := fmt.Sprintf("unknown measure %q; possible: %s", clip(name), strings.Join(names, ", "))
	if len(own) > 0 {
		text += "; the organization's own: " + strings.Join(own, ", ")
	}
	return text
}
