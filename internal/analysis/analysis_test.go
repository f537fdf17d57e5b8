package analysis

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// shop is a small catalogue: money adds up, an average does not.
var shop = func() *Catalogue {
	over := []string{"store", "good", "month"}
	average := func(of Sums) decimal.Maybe {
		a, b := of("sum"), of("receipts")
		if !a.Known || b.Sign() <= 0 {
			return decimal.Maybe{}
		}
		return decimal.Some(a.Div(b.Decimal))
	}
	return &Catalogue{
		Measures: []Measure{
			{Name: "sales", Unit: tool.UnitMoney, Bases: []Base{"sum"}, Adds: true, Over: over},
			{Name: "receipts", Unit: tool.UnitCount, Bases: []Base{"receipts"}, Adds: true, Over: over},
			{Name: "average", Unit: tool.UnitMoney, Bases: []Base{"sum", "receipts"}, Of: average, Over: over[:1]},
			{Name: "quantity", Unit: tool.UnitQuantity, Bases: []Base{"quantity"}, Adds: true, Over: over},
		},
		Dimensions: []Dimension{{Name: "store", Nested: true}, {Name: "good"}, {Name: "month", Step: Month},
			{Name: "weekday", Step: Weekday}},
		Quantities: []Base{"quantity"},
	}
}()

var november = tool.Period{From: "2026-11-01", To: "2026-11-22"}

func plan(t *testing.T, query string) *Plan {
	t.Helper()
	var q Query
	if err := json.Unmarshal([]byte(query), &q); err != nil {
		t.Fatal(err)
	}
	p, err := shop.Check(q, november)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return p
}

// sale is a fact of the tests: a line of a receipt in a store.
type sale struct{ store, good, receipt, sum, quantity, unit string }

func table(p *Plan, lines ...sale) *Table {
	t := NewTable(p)
	for _, l := range lines {
		f := Fact{Keys: make([]Key, len(p.Fields())), Amounts: make([]decimal.Maybe, len(p.Bases)), Unit: l.unit,
			Document: l.receipt, Counts: "receipts"}
		for i, field := range p.Fields() {
			f.Keys[i] = map[string]Key{"store": {ID: l.store, Name: l.store}, "good": {ID: l.good, Name: l.good},
				"month": {ID: "2026-11"}}[field]
		}
		for i, b := range p.Bases {
			switch b {
			case "sum":
				f.Amounts[i] = decimal.Some(decimal.MustParse(l.sum))
			case "quantity":
				f.Amounts[i] = decimal.Some(decimal.MustParse(l.quantity))
			}
		}
		t.Add(f)
	}
	return t
}

var lines = []sale{
	{"A", "tea", "1", "100", "2", "kg"}, {"A", "cup", "1", "50", "1", "pc"}, {"A", "tea", "2", "30", "1", "kg"},
	{"B", "cup", "3", "20.50", "1", "pc"},
}

func want(t *testing.T, what string, got decimal.Maybe, expected string) {
	t.Helper()
	if expected == "" {
		if got.Known {
			t.Errorf("%s: %s, want unknown", what, got)
		}
		return
	}
	if !got.Known || got.Cmp(decimal.MustParse(expected)) != 0 {
		t.Errorf("%s: %s (known %v), want %s", what, got, got.Known, expected)
	}
}

func TestARatioOfTheTotalIsComputedFromSumsAndNotFromRows(t *testing.T) {
	p := plan(t, `{"measures":["average","sales"],"by":["store"],"order":[{"field":"store"}]}`)
	a := Evaluate(p, table(p, lines...), nil)
	want(t, "A", a.Rows[0].Value(p.Shown[0]), "90")
	want(t, "B", a.Rows[1].Value(p.Shown[0]), "20.5")
	want(t, "total", a.Total.Value(p.Shown[0]), decimal.MustParse("200.5").Div(decimal.FromInt(3)).String())
}

func TestAReceiptInTwoRowsCountsOnceInTheTotal(t *testing.T) {
	p := plan(t, `{"measures":["receipts"],"by":["good"],"share":true,"order":[{"field":"good"}]}`)
	a := Evaluate(p, table(p, lines...), nil)
	want(t, "cup", a.Rows[0].Value(p.Shown[0]), "2")
	want(t, "tea", a.Rows[1].Value(p.Shown[0]), "2")
	want(t, "total", a.Total.Value(p.Shown[0]), "3")
	want(t, "share of a measure whose rows do not add up", a.Rows[0].Share, "")
}

func TestQuantitiesInSeveralUnitsAreNotAddedUp(t *testing.T) {
	p := plan(t, `{"measures":["quantity","sales"],"by":["store"],"order":[{"field":"store"}]}`)
	a := Evaluate(p, table(p, lines...), nil)
	want(t, "A sells kilograms and pieces", a.Rows[0].Value(p.Shown[0]), "")
	want(t, "B sells pieces", a.Rows[1].Value(p.Shown[0]), "1")
	want(t, "total", a.Total.Value(p.Shown[0]), "")
	want(t, "money of the total", a.Total.Value(p.Shown[1]), "200.5")
}

// rule R720
func TestAConditionOnAQuantityWithoutASumIsNotTakenAsFailed(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"by":["store"],"where":[{"field":"quantity","op":">","values":[0]}]}`)
	if a := Evaluate(p, table(p, lines...), nil); len(a.Rows) != 1 || a.Mixed != 1 {
		t.Errorf("%d rows, %d of several units", len(a.Rows), a.Mixed)
	}
	p = plan(t, `{"measures":["sales"],"by":["store"],"where":[{"field":"quantity","op":">","values":[0]},
		{"field":"sales","op":"<","values":[1]}]}`)
	if a := Evaluate(p, table(p, lines...), nil); len(a.Rows) != 0 || a.Mixed != 0 {
		t.Errorf("%d rows, %d of several units, which another condition leaves out", len(a.Rows), a.Mixed)
	}
}

func TestAConditionOnAMeasureAppliesToRowsAndToTheTotal(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"by":["store"],"where":[{"field":"sales","op":">=","values":[100]}]}`)
	a := Evaluate(p, table(p, lines...), nil)
	if len(a.Rows) != 1 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	want(t, "total", a.Total.Value(p.Shown[0]), "180")
}

func TestAConditionOnADimensionIncludesWhatIsNestedInItsValue(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"where":[{"field":"store","op":"=","values":["A"]}]}`)
	tb := NewTable(p)
	for _, k := range []Key{{ID: "A"}, {ID: "A1", Parents: []string{"A"}}, {ID: "B"}} {
		tb.Add(Fact{Keys: []Key{k}, Amounts: []decimal.Maybe{decimal.Some(decimal.One)}})
	}
	want(t, "A and A1", Evaluate(p, tb, nil).Total.Value(p.Shown[0]), "2")
}

func TestSharesAndRunningSharesAreOfAllRows(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"by":["store"],"share":true,"cumulative":true,"limit":1}`)
	a := Evaluate(p, table(p, sale{store: "A", sum: "75"}, sale{store: "B", sum: "25"}), nil)
	if len(a.Page()) != 1 || len(a.Rows) != 2 {
		t.Fatalf("page %d of %d", len(a.Page()), len(a.Rows))
	}
	want(t, "share", a.Rows[0].Share, "75")
	want(t, "cumulative", a.Rows[1].Cumulative, "100")
}

// rule R1051
func TestTheFirstRowsOfEachValueAreKept(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"by":["store","good"],"share":true,"limit_each":1}`)
	a := Evaluate(p, table(p, lines...), nil)
	var got []string
	for _, r := range a.Rows {
		got = append(got, r.Keys[0].ID+" "+r.Keys[1].ID+" "+r.Value(p.Shown[0]).String())
	}
	if strings.Join(got, ", ") != "A tea 130, B cup 20.5" {
		t.Errorf("the best good of each store: %s", got)
	}
	want(t, "the total is of all rows", a.Total.Value(p.Shown[0]), "200.5")
	want(t, "and so are shares", a.Rows[1].Share, decimal.MustParse("2050").Div(decimal.MustParse("200.5")).String())
	p = plan(t, `{"measures":["sales"],"by":["store","good"],"limit_each":1,
		"order":[{"field":"sales","direction":"asc"}]}`)
	if a = Evaluate(p, table(p, lines...), nil); len(a.Rows) != 2 || a.Rows[0].Keys[0].ID != "B" ||
		a.Rows[1].Keys[1].ID != "cup" {
		t.Errorf("the worst good of each store: %v", a.Rows)
	}
}

func TestARowThatIsNewOrGoneChangesFromOrToZero(t *testing.T) {
	p := plan(t, `{"measures":["sales","average"],"by":["store"],"compare":{"with":"previous"},"order":[{"field":"store"}]}`)
	a := Evaluate(p, table(p, sale{store: "A", receipt: "1", sum: "75"}),
		table(p, sale{store: "B", receipt: "2", sum: "25"}))
	want(t, "new", a.Rows[0].Change(p.Shown[0]), "75")
	want(t, "percent of a new row", a.Rows[0].Percent(p.Shown[0]), "")
	want(t, "gone", a.Rows[1].Change(p.Shown[0]), "-25")
	want(t, "percent of a row that is gone", a.Rows[1].Percent(p.Shown[0]), "-100")
	want(t, "change of an average without a value", a.Rows[0].Change(p.Shown[1]), "")
	want(t, "total", a.Total.Change(p.Shown[0]), "50")
}

func TestThePeriodBeforeIsTheCalendarUnitBefore(t *testing.T) { // rule R191
	for _, x := range []struct{ from, to, wantFrom, wantTo tool.Day }{
		{"2026-10-01", "2026-10-31", "2026-09-01", "2026-09-30"}, // not 31 days
		{"2026-11-01", "2026-11-22", "2026-10-01", "2026-10-22"}, // a running month
		{"2026-03-01", "2026-03-30", "2026-02-01", "2026-02-28"}, // a longer part of a month than the one before has
		{"2026-07-01", "2026-09-30", "2026-04-01", "2026-06-30"}, // a quarter
		{"2026-01-01", "2026-12-31", "2025-01-01", "2025-12-31"},
		{"2026-11-16", "2026-11-22", "2026-11-09", "2026-11-15"}, // a week
		{"2026-10-25", "2026-11-03", "2026-10-15", "2026-10-24"},
		{"2026-10-01", "2026-11-20", "2026-08-11", "2026-09-30"}, // a month and part of the next
	} {
		got, err := Other(tool.Period{From: x.from, To: x.to}, Comparison{With: Previous})
		if err != nil || got.From != x.wantFrom || got.To != x.wantTo {
			t.Errorf("%s–%s: %v %v, want %s–%s", x.from, x.to, got, err, x.wantFrom, x.wantTo)
		}
	}
	got, _ := Other(tool.Period{From: "2028-02-01", To: "2028-02-29"}, Comparison{With: LastYear})
	if got != (tool.Period{From: "2027-02-01", To: "2027-02-28"}) {
		t.Errorf("a leap February a year before: %v", got)
	}
	if _, err := Other(november, Comparison{With: Previous, From: "2026-01-01"}); err == nil {
		t.Error("two ways to name the period")
	}
}

func TestMonthsAreComparedInTheirOrder(t *testing.T) {
	p := plan(t, `{"measures":["sales"],"by":["month"],"compare":{"with":"last_year"}}`)
	now, before := NewTable(p), NewTable(p)
	now.Add(Fact{Keys: []Key{{ID: "2026-11"}}, Amounts: []decimal.Maybe{decimal.Some(decimal.FromInt(9))}})
	before.Add(Fact{Keys: []Key{{ID: "2025-11"}}, Amounts: []decimal.Maybe{decimal.Some(decimal.FromInt(7))}})
	a := Evaluate(p, now, before)
	if len(a.Rows) != 1 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	want(t, "change", a.Rows[0].Change(p.Shown[0]), "2")
}

func TestAnInvalidQueryNamesTheFieldAndWhatIsPossible(t *testing.T) {
	const averageThenGood = `{"measures":["sales"],"where":[{"field":"average","op":">","values":[1]},
		{"field":"good","op":"=","values":["a"]}]}` // the order of conditions does not matter
	for query, message := range map[string]string{
		`{"measures":[]}`:                                                                          "sales, receipts, average, quantity",
		`{"measures":["revenu"]}`:                                                                  "sales, receipts, average, quantity",
		`{"measures":["sales"],"by":["shop"]}`:                                                     "store, good, month",
		`{"measures":["sales","average"],"by":["good"]}`:                                           "average does not go with good; all measures of the query go with: store",
		`{"measures":["sales"],"by":["weekday"]}`:                                                  "store, good, month",
		`{"measures":["sales","sales"]}`:                                                           "named twice",
		`{"measures":["sales"],"by":["store","store"]}`:                                            "named twice",
		`{"measures":["sales"],"limit":-1}`:                                                        "from 0 to",
		`{"measures":["sales"],"explain":true}`:                                                    "needs compare",
		`{"measures":["sales"],"compare":{"with":"ever"}}`:                                         "previous",
		`{"measures":["sales"],"order":[{"field":"good"}]}`:                                        "neither a measure nor a dimension",
		`{"measures":["sales"],"where":[{"field":"store","op":"like","values":["A"]}]}`:            "unknown operator",
		`{"measures":["sales"],"where":[{"field":"store","op":"<","values":["A"]}]}`:               "compares numbers",
		`{"measures":["sales"],"where":[{"field":"sales","op":">","values":["many"]}]}`:            "expected a number",
		`{"measures":["sales"],"where":[{"field":"sales","op":"between","values":[1]}]}`:           "needs 2",
		`{"measures":["sales"],"by":["good"],"where":[{"field":"average","op":">","values":[1]}]}`: "average does not go with good",
		averageThenGood: "average does not go with good",
		`{"measures":["` + strings.Repeat("x", 500) + `"]}`:                                       "…",
		`{"measures":["sales"],"where":[{"field":"store","op":"is_empty","values":["A"]}]}`:       "needs 0",
		`{"measures":["sales"],"compare":{"from":"2026-11-01","to":"2026-10-01"}}`:                "ends before it begins",
		`{"measures":["sales"],"by":["store"],"order":[{"field":"sales","direction":"upwards"}]}`: "asc",
	} {
		var q Query
		if err := json.Unmarshal([]byte(query), &q); err != nil {
			t.Fatal(err)
		}
		_, err := shop.Check(q, november)
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, want %q", query, err, message)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	}
}

func TestEffectsAddUpToTheChangeExactly(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	amount := func() decimal.Decimal { return decimal.FromInt(int64(random.IntN(100_000))).Major() }
	for range 500 {
		var goods []Change
		change := decimal.Zero
		for range 1 + random.IntN(20) {
			one := func() *Sale {
				if random.IntN(5) == 0 {
					return nil
				}
				return &Sale{Quantity: decimal.FromInt(int64(random.IntN(50) - 2)), Revenue: amount(), Cost: amount(),
					Known: random.IntN(10) > 0}
			}
			g := Change{Unit: []string{"kg", "pc"}[random.IntN(2)], Now: one(), Before: one()}
			change = change.Add(g.Now.result()).Sub(g.Before.result())
			goods = append(goods, g)
		}
		if got := Explain(goods).Total(); got.Cmp(change) != 0 {
			t.Fatalf("effects %s, change %s", got, change)
		}
	}
}

func TestEffectsOfASimpleChange(t *testing.T) {
	n := func(s string) decimal.Decimal { return decimal.MustParse(s) }
	at := func(quantity, revenue, cost string) *Sale {
		return &Sale{Quantity: n(quantity), Revenue: n(revenue), Cost: n(cost), Known: true}
	}
	// Tea from 10 × 100 to 10 × 110, and cups from 5 × 20 to 5 × 20 at a higher cost; milk is new, bread is gone.
	e := Explain([]Change{
		{Unit: "kg", Before: at("10", "1000", "600"), Now: at("10", "1100", "600")},
		{Unit: "pc", Before: at("5", "100", "50"), Now: at("5", "100", "60")},
		{Unit: "pc", Now: at("3", "90", "30")},
		{Unit: "pc", Before: at("4", "40", "10")},
	})
	for name, x := range map[string][2]string{"price": {e.Price.String(), "100"}, "cost": {e.Cost.String(), "-10"},
		"volume": {e.Volume.String(), "0"}, "mix": {e.Mix.String(), "0"}, "new": {e.New.String(), "60"},
		"lost": {e.Lost.String(), "-30"}} {
		if x[0] != x[1] {
			t.Errorf("%s: %s, want %s", name, x[0], x[1])
		}
	}
	// Twice as much of everything is volume alone; a shift between two goods of a unit is mix.
	e = Explain([]Change{{Unit: "pc", Before: at("1", "10", "0"), Now: at("2", "20", "0")},
		{Unit: "pc", Before: at("1", "30", "0"), Now: at("2", "60", "0")}})
	if e.Volume.String() != "40" || e.Mix.Sign() != 0 {
		t.Errorf("volume %s, mix %s", e.Volume, e.Mix)
	}
	e = Explain([]Change{{Unit: "pc", Before: at("1", "10", "0"), Now: at("2", "20", "0")},
		{Unit: "pc", Before: at("2", "60", "0"), Now: at("1", "30", "0")}})
	if e.Volume.Sign() != 0 || e.Mix.String() != "-20" {
		t.Errorf("volume %s, mix %s", e.Volume, e.Mix)
	}
}

func TestValuesAreComparedByTheirType(t *testing.T) { // rule R220
	for _, c := range []struct {
		of     ValueType
		op     Op
		values []Scalar
		id     string
		want   bool
	}{
		{Number, Less, []Scalar{"10"}, "9", true}, {Number, Between, []Scalar{"9", "11"}, "10", true},
		{Number, Equal, []Scalar{"5.0"}, "5", true}, {Number, NotIn, []Scalar{"5.0", "6"}, "5", false},
		{Number, Greater, []Scalar{"-1"}, "", false}, {Date, LessEqual, []Scalar{"2026-10-01"}, "2026-10-01", true},
		{Date, Greater, []Scalar{"2026-09-30"}, "2026-10-01", true}, {Flag, Equal, []Scalar{"Да"}, "true", true},
		{Flag, NotEqual, []Scalar{"no"}, "false", false}, {Text, Equal, []Scalar{"лесной  КРАЙ"}, "Лесной край", true},
	} {
		d := Dimension{Name: "field", Type: c.of}
		values, err := d.check(Condition{Op: c.op, Values: c.values})
		f := Filter{Condition: Condition{Op: c.op, Values: values}, Dimension: &d}
		if got := f.accepts(Key{ID: c.id, Name: c.id}); err != nil || got != c.want {
			t.Errorf("%q %s %q: %v %v", c.id, c.op, c.values, got, err)
		}
	}
	for _, c := range []struct {
		of ValueType
		op Op
		v  Scalar
	}{{Text, Less, "1"}, {Flag, Greater, "true"}, {Number, Contains, "1"}, {Number, Equal, "one"},
		{Date, Equal, "1.10"},
		{Flag, Equal, "maybe"}} {
		if _, err := (&Dimension{Type: c.of}).check(Condition{Op: c.op, Values: []Scalar{c.v}}); err == nil {
			t.Errorf("%s %s %q is accepted", c.of, c.op, c.v)
		}
	}
}
