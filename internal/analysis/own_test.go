package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func own(name, formula string) OwnMeasure {
	return OwnMeasure{Name: name, Formula: formula, Title: tool.Text{RU: "Своё " + name}}
}

// Own measures may use each other in any order, and a query's definitions may use them.
func TestOwnMeasuresExtendACatalogue(t *testing.T) { // rule R246
	markup := own("our_markup", "gain / cost")
	markup.Unit, markup.Words = "percent", Words{RU: []string{"наша наценка"}}
	with := figures().Extend([]OwnMeasure{markup, own("gain", "revenue - cost")})
	if len(with.LeftOut) > 0 {
		t.Fatal(with.LeftOut)
	}
	m, ok := with.Measure("our_markup")
	if !ok || !m.Own || m.Unit != tool.UnitPercent || m.Title.EN != "Своё our_markup" ||
		m.Formula.EN != "gain / cost" || !slices.Equal(m.Over, []string{"store"}) || len(m.Words.RU) != 1 {
		t.Fatalf("%+v", m)
	}
	sums := map[Base]string{"revenue": "150", "cost": "100"}
	got := m.Of(func(b Base) decimal.Maybe { return decimal.Some(decimal.MustParse(sums[b])) })
	if got.String() != "50" {
		t.Errorf("the markup is %s", got)
	}
	if names := names(with); names[len(names)-2] != "our_markup" || len(figures().Measures) != len(names)-2 {
		t.Errorf("measures: %v", names)
	}
	if _, err := with.Define([]Definition{{Name: "twice", Formula: "gain * 2"}}); err != nil {
		t.Error(err)
	}
	_, err := with.Define([]Definition{{Name: "gain", Formula: "revenue"}})
	wantFault(t, "a definition takes an own name", err, "define[0].name", "taken")
	if _, err = with.Check(Query{Measures: []string{"luck"}}, tool.Period{}); err == nil ||
		!strings.Contains(err.Error(), "the organization's own: our_markup (Своё our_markup), gain") {
		t.Errorf("an unknown measure: %v", err)
	}
}

func names(c *Catalogue) (names []string) {
	for _, m := range c.Measures {
		names = append(names, m.Name)
	}
	return names
}

// What no longer fits is left out with its reason, and with it what uses it.
func TestOwnMeasuresThatDoNotFitAreLeftOut(t *testing.T) { // rule R248
	with := figures().Extend([]OwnMeasure{own("a", "b + revenue"), own("b", "a * 2"), own("above_a", "a"),
		own("bb", "profit - cost"), own("nothing", "cost"), own("store", "cost"), own("fine", "revenue - cost"),
		own("mixed", "revenue + quantity"), own("meant", "nothing + cost")})
	want := map[string]string{"a": "", "b": "", "above_a": "", "bb": `there is no measure "profit"`,
		"nothing": "is the name of a measure", "store": "is the name of a dimension", "mixed": "do not add up",
		"meant": "it uses nothing, which cannot be used"} // it meant the own one, not the catalogue's
	for _, l := range with.LeftOut {
		if !strings.Contains(l.Reason, want[l.Name]) || l.Reason == "" {
			t.Errorf("%s: %s", l.Name, l.Reason)
		}
		delete(want, l.Name)
	}
	if _, ok := with.Measure("fine"); !ok || len(want) > 0 {
		t.Errorf("fine: %t, not left out: %v", ok, want)
	}
	if m, _ := with.Measure("nothing"); m.Own {
		t.Error("an own measure took the place of the catalogue's")
	}
	_, err := with.Check(Query{Measures: []string{"bb"}}, tool.Period{})
	wantFault(t, "a query names it", err, "measures", `bb cannot be used: there is no measure "profit"`)
	_, err = with.Define([]Definition{{Name: "bb", Formula: "revenue"}})
	wantFault(t, "a definition takes its name", err, "define[0].name", "taken")
}

func wantFault(t *testing.T, doing string, err error, field, message string) {
	t.Helper()
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("%s: %v", doing, err)
		return
	}
	e, _ := errors.AsType[*stockhand.Error](err)
	fields := e.Fields
	if !slices.ContainsFunc(fields, func(f stockhand.FieldError) bool {
		return f.Field == field && strings.Contains(f.Message, message)
	}) {
		t.Errorf("%s: %v, want %s: %s", doing, fields, field, message)
	}
}

func TestOwnMeasuresAreCheckedWhenSaved(t *testing.T) { // rule R247
	c := figures()
	c.Measures[0].Title = tool.Text{RU: "Выручка", EN: "Revenue"}
	gain, rate := own("gain", "revenue - cost"), own("rate", "gain / cost")
	rate.Unit = "percent"
	all := []OwnMeasure{gain, rate}
	changed := func(change func(*OwnMeasure)) OwnMeasure {
		m := own("next", "revenue")
		change(&m)
		return m
	}
	for _, x := range []struct {
		m              OwnMeasure
		field, message string
	}{
		{own("N", "revenue"), "name", "expected 2 to 40"},
		{own("cost", "revenue"), "name", "is the name of a measure"},
		{own("month", "revenue"), "name", "is the name of a dimension"},
		{own("next", "luck + 1"), "formula", `unknown measure "luck"; possible: revenue, cost`},
		{own("next", "revenue + quantity"), "formula", "do not add up"},
		{own("next", "revenue +"), "formula", "ends too early"},
		{own("next", "next + 1"), "formula", "next uses next"},
		{own("gain", "rate * cost"), "formula", "gain uses rate uses gain"},
		{own("gain", "last_sale"), "formula", "rate uses it and could not be computed any more"},
		{own("next", strings.Repeat("(", 100)+"revenue"), "formula", "brackets"},
		{own("next", strings.Repeat("revenue+", 50)+"revenue"), "formula", "300 bytes"},
		{changed(func(m *OwnMeasure) { m.Unit = "days" }), "formula", "not days"},
		{changed(func(m *OwnMeasure) { m.Unit = "miles" }), "unit", "unknown unit"},
		{changed(func(m *OwnMeasure) { m.Title = tool.Text{} }), "title", "is required"},
		{changed(func(m *OwnMeasure) { m.Title.EN = strings.Repeat("x", 61) }), "title.en", "60 characters"},
		{changed(func(m *OwnMeasure) { m.Title.RU = "a\nb" }), "title.ru", "one line"},
		{changed(func(m *OwnMeasure) { m.Title.RU = "выручка" }), "title.ru", "revenue already has this title"},
		{changed(func(m *OwnMeasure) { m.Title.RU = gain.Title.RU }), "title.ru", "gain already has this title"},
		{changed(func(m *OwnMeasure) { m.Words.RU = []string{"да", " "} }), "words.ru[1]", "expected 1 to 40"},
		{changed(func(m *OwnMeasure) { m.Words.EN = slices.Repeat([]string{"x"}, 21) }), "words.en", "at most 20"},
	} {
		wantFault(t, fmt.Sprintf("%+v", x.m), c.CheckOwn(x.m, all), x.field, x.message)
	}
	for _, m := range []OwnMeasure{own("next", "revenue"), gain, rate, own("gain", "revenue - cost * 2")} {
		if err := c.CheckOwn(m, all); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if users := UsersOf("gain", all); !slices.Equal(users, []string{"rate"}) {
		t.Errorf("gain is used by %v", users)
	}
	// Definitions in definitions multiply.
	all = []OwnMeasure{own("m0", "revenue + revenue + revenue + revenue")}
	for i := range 4 {
		all = append(all, own(fmt.Sprintf("m%d", i+1), fmt.Sprintf("m%[1]d + m%[1]d + m%[1]d + m%[1]d", i)))
	}
	wantFault(t, "a deep measure", c.CheckOwn(all[4], all[:4]), "formula", "more than 500 terms")
}
