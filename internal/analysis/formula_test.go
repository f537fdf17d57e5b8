package analysis

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// figures is a catalogue whose measures are single bases.
func figures() *Catalogue {
	m := func(name string, unit tool.Unit, adds bool, over ...string) Measure {
		return Measure{Name: name, Unit: unit, Adds: adds, Bases: []Base{Base(name)}, Over: over}
	}
	return &Catalogue{Measures: []Measure{m("revenue", tool.UnitMoney, true, "store", "month"),
		m("cost", tool.UnitMoney, true, "store"), m("quantity", tool.UnitQuantity, true, "store", "product"),
		m("receipts", tool.UnitCount, true, "store"), m("margin", tool.UnitPercent, false, "store"),
		m("last_sale", tool.UnitDate, false, "store"), m("last_purchase", tool.UnitDate, false, "store"),
		m("nothing", tool.UnitMoney, true, "store"), m("unseen", tool.UnitMoney, true, "store")},
		Dimensions: []Dimension{{Name: "store"}, {Name: "month"}, {Name: "product"}}}
}

func TestFormulasAreComputedInTheirUnits(t *testing.T) { // rule R208
	sums := map[Base]string{"revenue": "1000", "cost": "600", "quantity": "8", "receipts": "4", "margin": "40",
		"last_sale": "20700", "last_purchase": "20690", "nothing": "0"}
	of := func(b Base) decimal.Maybe {
		if s, ok := sums[b]; ok {
			return decimal.Some(decimal.MustParse(s))
		}
		return decimal.Maybe{}
	}
	for _, c := range []struct {
		formula, shown, want string
		unit                 tool.Unit
		adds                 bool
	}{
		{"revenue - cost", "", "400", tool.UnitMoney, true},
		{"(revenue - cost) / cost", "", "0.6666666667", tool.UnitNumber, false},
		{"(revenue - cost) / revenue", "percent", "40", tool.UnitPercent, false},
		{"revenue*1.2-cost/2", "", "900", tool.UnitMoney, true},
		{"2 * revenue", "", "2000", tool.UnitMoney, true},
		{"revenue - 1000", "", "0", tool.UnitMoney, false},
		{"revenue / receipts", "", "250", tool.UnitMoney, false},
		{"quantity / receipts", "", "2", tool.UnitQuantity, false},
		{"revenue * margin", "", "400", tool.UnitMoney, false},
		{"margin + 5", "", "5.4", tool.UnitNumber, false},
		{"1 - margin", "percent", "60", tool.UnitPercent, false},
		{"cost * (1 + margin)", "", "840", tool.UnitMoney, false},
		{"margin + margin", "", "80", tool.UnitPercent, false},
		{"margin / 2", "", "20", tool.UnitPercent, false},
		{"revenue / margin", "", "2500", tool.UnitMoney, false},
		{"last_sale - last_purchase", "days", "10", tool.UnitDays, false},
		{"-revenue + 3 - -2", "", "-995", tool.UnitMoney, false},
		{"revenue - cost - cost", "", "-200", tool.UnitMoney, true},
		{"revenue / cost / 2", "", "0.8333333333", tool.UnitNumber, false},
		{"revenue / nothing", "", "", tool.UnitNumber, false},
		{"revenue / (cost - 600)", "", "", tool.UnitNumber, false},
		{"revenue + unseen", "", "", tool.UnitMoney, true},
	} {
		with, err := figures().Define([]Definition{{Name: "own", Formula: c.formula, Unit: Shown(c.shown)}})
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		m, _ := with.Measure("own")
		got := m.Of(of)
		text := ""
		if got.Known {
			text = got.Round(10).String()
		}
		if text != c.want || m.Unit != c.unit || m.Adds != c.adds {
			t.Errorf("%s is %q %s, adds: %t, want %q %s, %t", c.formula, text, m.Unit, m.Adds, c.want, c.unit, c.adds)
		}
	}
	with, err := figures().Define([]Definition{{Name: "gain", Formula: "revenue - cost"},
		{Name: "gain_rate", Formula: "gain / cost", Unit: "percent", Title: "Наша наценка"}})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := with.Measure("gain_rate")
	if got := m.Of(of); got.Round(2).String() != "66.67" || len(m.Bases) != 2 || len(m.Over) != 1 ||
		m.Title.RU != "Наша наценка" || !m.Whole {
		t.Errorf("%s, %+v", got, m)
	}
	if len(figures().Measures) != len(with.Measures)-2 {
		t.Error("the catalogue itself has changed")
	}
}

func TestInvalidFormulasSayWhatIsWrong(t *testing.T) { // rule R208
	for formula, want := range map[string]string{
		"":                              "too early",
		"revenue -":                     "too early",
		"(revenue":                      "too early",
		"revenue)":                      `")" at position 8`,
		"revenue ; cost":                `";" at position 9`,
		"выручка - cost":                `"в" at position 1`,
		"profit / cost":                 `unknown measure "profit"; possible: revenue, cost`,
		"revenue + quantity":            "money and a quantity do not add up",
		"revenue + last_sale":           "do not add up",
		"last_sale + last_purchase":     "subtracted",
		"last_sale * 2":                 "subtracted",
		"last_sale - 5":                 "subtracted",
		"5 - last_sale":                 "subtracted",
		"revenue * cost":                "means nothing",
		"1 + 2":                         "names no measure",
		strings.Repeat("(", 40) + "1":   "too many brackets",
		strings.Repeat("-", 40) + "1":   "too many brackets",
		strings.Repeat("1+", 200) + "1": "at most 300 bytes",
		"own / 2":                       `unknown measure "own"`,
	} {
		_, err := figures().Define([]Definition{{Name: "own", Formula: formula}})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", formula, err, want)
		}
	}
	for _, d := range []Definition{{Name: "revenue", Formula: "cost"}, {Name: "store", Formula: "cost"},
		{Name: "Our", Formula: "cost"}, {Name: "", Formula: "cost"}, {Name: "own", Formula: "cost", Unit: "days"},
		{Name: "own", Formula: "cost", Unit: "percent"},
		{Name: "own", Formula: "cost", Title: strings.Repeat("я", 61)}} {
		if _, err := figures().Define([]Definition{d}); stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%+v: %v", d, err)
		}
	}
	if _, err := figures().Define(make([]Definition, MaxDefinitions+1)); err == nil {
		t.Error("too many definitions")
	}
}

// No text makes the parser fail in another way than by an error.
func FuzzFormula(f *testing.F) {
	for _, s := range []string{"(revenue - cost) / cost", "-1*revenue", "((", "1.5.2", "revenue//cost"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, formula string) {
		with, err := figures().Define([]Definition{{Name: "own", Formula: formula}})
		if err != nil {
			return
		}
		m, _ := with.Measure("own")
		m.Of(func(Base) decimal.Maybe { return decimal.Some(decimal.Zero) })
	})
}

// Definitions in definitions would take exponential time otherwise.
func TestDefinitionsInDefinitionsAreBounded(t *testing.T) { // rule R208
	many := strings.Repeat("revenue+", 30) + "revenue"
	list := []Definition{{Name: "d1", Formula: many}}
	for _, name := range []string{"d2", "d3", "d4"} {
		before := list[len(list)-1].Name
		list = append(list, Definition{Name: name, Formula: strings.Repeat(before+"+", 30) + before})
	}
	_, err := figures().Define(list)
	if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "more than 500 terms") {
		t.Error(err)
	}
}

// In a formula, what adds up and is in no fact of a row is zero; what facts should tell and do not is unknown.
func TestFormulasOverTwoSourcesCountWhatIsAbsentAsZero(t *testing.T) { // rule R208
	with, err := figures().Define([]Definition{{Name: "left", Formula: "cost - revenue"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := with.Check(Query{Measures: []string{"left", "revenue", "cost"}, By: []string{"store"}},
		tool.Period{From: "2026-10-01", To: "2026-10-31"})
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable(p)
	fact := func(store string, amounts ...string) {
		f := Fact{Keys: []Key{{ID: store}}, Amounts: make([]decimal.Maybe, len(p.Bases)),
			Carries: make([]bool, len(p.Bases))}
		for i, b := range p.Bases {
			if b != Base(amounts[0]) {
				continue
			}
			if f.Carries[i] = true; amounts[1] != "" {
				f.Amounts[i] = decimal.Some(decimal.MustParse(amounts[1]))
			}
		}
		table.Add(f)
	}
	fact("both", "cost", "10")
	fact("both", "revenue", "4")
	fact("unsold", "cost", "7")
	fact("unknown", "cost", "")
	fact("unknown", "revenue", "5")
	left, _ := with.Measure("left")
	want := map[string]string{"both": "6", "unsold": "7", "unknown": ""}
	for _, r := range Evaluate(p, table, nil).Rows {
		got := ""
		if v := r.Value(left); v.Known {
			got = v.String()
		}
		if got != want[r.Keys[0].ID] {
			t.Errorf("%s is %q, want %q", r.Keys[0].ID, got, want[r.Keys[0].ID])
		}
	}
}

// Costs that are known for a part of the sales are compared with the revenue of that part, also through other
// definitions; what has no such part has a value only where the costs are known for all sales.
func TestFormulasWithCostsLeaveOutSalesOfUnknownCost(t *testing.T) { // rule R208
	c := figures()
	c.Coverage = &Coverage{Bases: []Base{"cost", "covered"}, Part: "covered", Whole: "revenue",
		Others: []Base{"revenue", "quantity"}}
	with, err := c.Define([]Definition{{Name: "gain", Formula: "revenue - cost"}, {Name: "sold", Formula: "revenue"},
		{Name: "through", Formula: "(sold - cost) / cost", Unit: "percent"},
		{Name: "piece", Formula: "cost / quantity"}, {Name: "price", Formula: "revenue / quantity"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ covered, name, want string }{
		{"800", "gain", "200"}, {"800", "sold", "1000"}, {"800", "through", "33.33"}, {"800", "piece", ""},
		{"800", "price", "125"}, {"1000", "gain", "400"}, {"1000", "piece", "75"},
	} {
		sums := map[Base]string{"revenue": "1000", "cost": "600", "quantity": "8", "covered": x.covered}
		m, _ := with.Measure(x.name)
		got := ""
		if v := m.Of(func(b Base) decimal.Maybe { return decimal.Some(decimal.MustParse(sums[b])) }); v.Known {
			got = v.Round(2).String()
		}
		if got != x.want {
			t.Errorf("%s with %s covered is %q, want %q", x.name, x.covered, got, x.want)
		}
	}
}
