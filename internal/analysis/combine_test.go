package analysis

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// depot is a catalogue of measures that do not just add up.
var depot = func() *Catalogue {
	over := []string{"store", "good", "month"}
	price := func(of Sums) decimal.Maybe {
		sum, quantity := of("paid"), of("bought")
		if !sum.Known || quantity.Sign() <= 0 {
			return decimal.Maybe{}
		}
		return decimal.Some(sum.Div(quantity.Decimal))
	}
	since := func(of Sums) decimal.Maybe {
		if last := of("sold"); last.Known {
			return decimal.Some(of(LastDay).Sub(last.Decimal))
		}
		return decimal.Maybe{}
	}
	pace := func(of Sums) decimal.Maybe {
		if n := of("quantity"); n.Known {
			return decimal.Some(n.Div(of(Days).Decimal))
		}
		return decimal.Maybe{}
	}
	return &Catalogue{
		Measures: []Measure{
			{Name: "opening", Unit: tool.UnitQuantity, Bases: []Base{"opening"}, Adds: true, Over: over},
			{Name: "closing", Unit: tool.UnitQuantity, Bases: []Base{"closing"}, Adds: true, Over: over},
			{Name: "last_sale", Unit: tool.UnitDate, Bases: []Base{"sold"}, Over: over},
			{Name: "first_sale", Unit: tool.UnitDate, Bases: []Base{"first"}, Over: over},
			{Name: "days_since", Unit: tool.UnitDays, Bases: []Base{"sold", LastDay}, Of: since, Over: over},
			{Name: "price", Unit: tool.UnitMoney, Bases: []Base{"price"}, Over: over},
			{Name: "last_price", Unit: tool.UnitMoney, Bases: []Base{"paid", "bought"}, Of: price, Over: over},
			{Name: "pace", Unit: tool.UnitQuantity, Bases: []Base{"quantity", Days}, Of: pace, Over: over},
		},
		Dimensions: []Dimension{{Name: "store"}, {Name: "good"}, {Name: "month", Step: Month}},
		Quantities: []Base{"opening", "closing", "bought", "quantity"},
		Rules: map[Base]Rule{"opening": First, "closing": Last, "sold": Greatest, "first": Least, "price": Same,
			"paid": LastOf, "bought": LastOf},
	}
}()

// look is a fact of the depot: what each base has, by name.
type look struct {
	store, good, month, unit string
	of                       map[Base]string
}

func evaluate(t *testing.T, query string, now, before []look) (*Plan, *Answer) {
	t.Helper()
	var q Query
	if err := json.Unmarshal([]byte(query), &q); err != nil {
		t.Fatal(err)
	}
	p, err := depot.Check(q, november)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(looks []look) *Table {
		table := NewTable(p)
		for _, l := range looks {
			f := Fact{Keys: make([]Key, len(p.Fields())), Amounts: make([]decimal.Maybe, len(p.Bases)), Unit: l.unit,
				At: l.month}
			for i, field := range p.Fields() {
				id := map[string]string{"store": l.store, "good": l.good, "month": l.month}[field]
				f.Keys[i] = Key{ID: id, Name: id}
			}
			for i, b := range p.Bases {
				if v, ok := l.of[b]; ok {
					f.Amounts[i] = decimal.Some(decimal.MustParse(v))
				}
			}
			table.Add(f)
		}
		return table
	}
	if before == nil {
		return p, Evaluate(p, fill(now), nil)
	}
	return p, Evaluate(p, fill(now), fill(before))
}

var months = []look{
	{"A", "tea", "2026-10", "kg", map[Base]string{"opening": "10", "closing": "7"}},
	{"A", "tea", "2026-11", "kg", map[Base]string{"opening": "7", "closing": "9"}},
	{"B", "tea", "2026-11", "kg", map[Base]string{"opening": "0", "closing": "4"}},
	{"B", "tea", "2026-10", "kg", map[Base]string{"opening": "1", "closing": "0"}},
}

func TestStockOfSeveralMonthsIsThatOfTheFirstOrTheLast(t *testing.T) { // rule R210
	p, a := evaluate(t, `{"measures":["opening","closing"],"by":["store","month"]}`, months, nil)
	want(t, "opening of the total", a.Total.Value(p.Shown[0]), "11")
	want(t, "closing of the total", a.Total.Value(p.Shown[1]), "13")
	p, a = evaluate(t, `{"measures":["opening","closing"],"by":["store"],"order":[{"field":"store"}]}`, months, nil)
	want(t, "opening of A", a.Rows[0].Value(p.Shown[0]), "10")
	want(t, "closing of B", a.Rows[1].Value(p.Shown[1]), "4")
	want(t, "total", a.Total.Value(p.Shown[1]), "13")
}

func TestUnitsOfAnEarlierMonthDoNotMixWithTheLast(t *testing.T) { // rule R210
	p, a := evaluate(t, `{"measures":["closing"],"by":["month"]}`, []look{
		{"A", "tea", "2026-10", "kg", map[Base]string{"closing": "7"}},
		{"A", "cup", "2026-11", "pc", map[Base]string{"closing": "2"}},
	}, nil)
	want(t, "total", a.Total.Value(p.Shown[0]), "2")
	p, a = evaluate(t, `{"measures":["closing"]}`, []look{
		{"A", "tea", "2026-11", "kg", map[Base]string{"closing": "7"}},
		{"A", "cup", "2026-11", "pc", map[Base]string{"closing": "2"}},
	}, nil)
	want(t, "two units of one month", a.Total.Value(p.Shown[0]), "")
}

func TestTheLastDayOfARowIsTheGreatest(t *testing.T) { // rule R210
	day := func(d tool.Day) string { return DayNumber(d).String() }
	sales := []look{
		{"A", "tea", "", "", map[Base]string{"sold": day("2026-11-03"), "first": day("2026-11-03")}},
		{"A", "cup", "", "", map[Base]string{"sold": day("2026-11-20"), "first": day("2026-11-20")}},
		{"A", "cup", "", "", map[Base]string{"sold": day("2026-11-11"), "first": day("2026-11-11")}},
		{"A", "jug", "", "", nil},
	}
	p, a := evaluate(t, `{"measures":["last_sale","days_since","first_sale"],"by":["good"],`+
		`"order":[{"field":"last_sale","direction":"asc"}]}`, sales, nil)
	want(t, "tea", a.Rows[0].Value(p.Shown[0]), day("2026-11-03"))
	want(t, "days since tea", a.Rows[0].Value(p.Shown[1]), "19")
	want(t, "cup", a.Rows[1].Value(p.Shown[0]), day("2026-11-20"))
	want(t, "a good without a sale", a.Rows[2].Value(p.Shown[1]), "")
	want(t, "total", a.Total.Value(p.Shown[0]), day("2026-11-20"))
	want(t, "first sale of the total", a.Total.Value(p.Shown[2]), day("2026-11-03"))
	for condition, rows := range map[string]int{
		`"op":"<","values":["2026-11-20"]`: 1, `"op":">=","values":["2026-11-20"]`: 1, `"op":"is_empty"`: 1,
		`"op":"between","values":["2026-11-01","2026-11-30"]`: 2,
	} {
		_, a = evaluate(t, `{"measures":["last_sale"],"by":["good"],"where":[{"field":"last_sale",`+condition+`}]}`,
			sales, nil)
		if len(a.Rows) != rows {
			t.Errorf("last sale %s: %d rows, want %d", condition, len(a.Rows), rows)
		}
	}
	var q Query
	_ = json.Unmarshal([]byte(`{"measures":["last_sale"],"where":[{"field":"last_sale","op":"<","values":["20"]}]}`), &q)
	if _, err := depot.Check(q, november); err == nil || !strings.Contains(err.Error(), "expected a day") {
		t.Errorf("a number for a day: %v", err)
	}
	if DayOf(DayNumber("2026-11-22")) != "2026-11-22" || DayOf(DayNumber("1969-12-31")) != "1969-12-31" {
		t.Error("a day is not its number's")
	}
}

func TestPricesThatDifferHaveNoCommonPrice(t *testing.T) { // rule R210
	goods := []look{
		{"A", "tea", "", "", map[Base]string{"price": "100"}}, {"A", "tea", "", "", map[Base]string{"price": "100"}},
		{"A", "cup", "", "", map[Base]string{"price": "80"}}, {"B", "cup", "", "", nil},
	}
	p, a := evaluate(t, `{"measures":["price"],"by":["good"],"order":[{"field":"good"}]}`, goods, nil)
	want(t, "cup", a.Rows[0].Value(p.Shown[0]), "80")
	want(t, "tea", a.Rows[1].Value(p.Shown[0]), "100")
	want(t, "total of rows that differ", a.Total.Value(p.Shown[0]), "")
	p, a = evaluate(t, `{"measures":["price"],"by":["store"],"order":[{"field":"store"}]}`, goods, nil)
	want(t, "goods that differ", a.Rows[0].Value(p.Shown[0]), "")
	want(t, "a row with several prices leaves the total without one", a.Total.Value(p.Shown[0]), "")
}

func TestTheLastPriceIsThatOfTheLastPurchase(t *testing.T) { // rule R210
	p, a := evaluate(t, `{"measures":["last_price"],"by":["good"],"order":[{"field":"good"}]}`, []look{
		{"", "tea", "2026-11-02 10:00", "kg", map[Base]string{"paid": "300", "bought": "2"}},
		{"", "tea", "2026-11-01 10:00", "kg", map[Base]string{"paid": "900", "bought": "1"}},
		{"", "tea", "2026-11-02 10:00", "kg", map[Base]string{"paid": "100", "bought": "2"}},
		{"", "cup", "2026-11-01 09:00", "pc", map[Base]string{"paid": "50", "bought": "1"}},
	}, nil)
	want(t, "cup", a.Rows[0].Value(p.Shown[0]), "50")
	want(t, "tea", a.Rows[1].Value(p.Shown[0]), "100")
	want(t, "total", a.Total.Value(p.Shown[0]), "100")
}

func TestAPaceCountsTheDaysOfItsOwnPeriod(t *testing.T) { // rule R210
	p, a := evaluate(t, `{"measures":["pace"],"by":["good"],"compare":{"from":"2026-10-01","to":"2026-10-10"}}`,
		[]look{{"", "tea", "", "kg", map[Base]string{"quantity": "44"}}},
		[]look{{"", "tea", "", "kg", map[Base]string{"quantity": "30"}}})
	want(t, "22 days of November", a.Rows[0].Value(p.Shown[0]), "2")
	want(t, "10 days of October", a.Rows[0].Other(p.Shown[0]), "3")
	want(t, "total of October", a.Total.Other(p.Shown[0]), "3")
}

// One good of twelve has a minimum price: the group has none.
func TestAPriceThatOneGoodLacksIsNoPriceOfTheGroup(t *testing.T) { // rule R210
	p, err := depot.Check(Query{Measures: []string{"price"}, By: []string{"store"}}, november)
	if err != nil {
		t.Fatal(err)
	}
	priced := Fact{Keys: []Key{{ID: "a"}}, Amounts: []decimal.Maybe{decimal.Some(decimal.Hundred)}}
	lacking := Fact{Keys: []Key{{ID: "a"}}, Amounts: make([]decimal.Maybe, 1), Lacks: []Base{"price"}}
	other := Fact{Keys: []Key{{ID: "a"}}, Amounts: make([]decimal.Maybe, 1)} // of stock, which has no price
	for name, c := range map[string]struct {
		facts []Fact
		known bool
	}{"lacking first": {[]Fact{lacking, priced}, false}, "lacking last": {[]Fact{priced, lacking}, false},
		"of another source": {[]Fact{other, priced, other}, true}, "none": {[]Fact{lacking}, false}} {
		table := NewTable(p)
		for _, f := range c.facts {
			table.Add(f)
		}
		a := Evaluate(p, table, nil)
		if got := a.Rows[0].Value(p.Shown[0]); got.Known != c.known {
			t.Errorf("%s: %v", name, got)
		}
		if got := a.Total.Value(p.Shown[0]); got.Known != c.known {
			t.Errorf("%s, total: %v", name, got)
		}
	}
}

// November of 2026 has six weeks, December five. The sixth week of November is the first of December.
func TestAnIntervalWithoutACounterpartIsARowOfItsOwn(t *testing.T) {
	weekly := *depot
	weekly.Dimensions = append(weekly.Dimensions, Dimension{Name: "week", Step: Week})
	for i := range weekly.Measures {
		weekly.Measures[i].Over = append(weekly.Measures[i].Over, "week")
	}
	december := tool.Period{From: "2026-12-01", To: "2026-12-31"}
	p, err := weekly.Check(Query{Measures: []string{"closing"}, By: []string{"week"},
		Compare: &Comparison{With: Previous}}, december)
	if err != nil {
		t.Fatal(err)
	}
	weeks := func(period tool.Period) *Table {
		table := NewTable(p)
		for i, w := range Intervals(Week, period) {
			key := Interval(Week, w.From.Time())
			table.Add(Fact{Keys: []Key{{ID: key, Name: key}}, At: key, Unit: "pcs",
				Amounts: []decimal.Maybe{decimal.Some(decimal.FromInt(int64(i + 1)))}})
		}
		return table
	}
	now, before := weeks(december), weeks(p.Other)
	n, m := len(now.Groups), len(before.Groups)
	if n >= m {
		t.Fatalf("%d and %d weeks", n, m)
	}
	a := Evaluate(p, now, before)
	if len(a.Rows) != m {
		t.Errorf("%d rows of %d weeks", len(a.Rows), m)
	}
	for _, r := range a.Rows {
		other, change := r.Other(p.Shown[0]), r.Change(p.Shown[0])
		switch {
		case r.Keys[0].Other && (r.Now != nil || !other.Known || change.Known):
			t.Errorf("a week of November alone: %v, change %v", other, change)
		case !r.Keys[0].Other && (r.Value(p.Shown[0]) != other || !change.Known):
			t.Errorf("%s: %v, before %v", r.Keys[0].ID, r.Value(p.Shown[0]), other)
		}
	}
	// and the other way round
	p.Period, p.Other = p.Other, p.Period
	for _, r := range Evaluate(p, weeks(p.Period), weeks(p.Other)).Rows {
		if change := r.Change(p.Shown[0]); change.Known != (r.Before != nil) {
			t.Errorf("%s: before %v, change %v", r.Keys[0].ID, r.Before, change)
		}
	}
}

// The price of the last receipt is that of one good: two goods have two.
func TestTheLastPriceOfSeveralGoodsIsUnknown(t *testing.T) { // rule R210
	p, err := depot.Check(Query{Measures: []string{"last_price"}, By: []string{"store"}}, november)
	if err != nil {
		t.Fatal(err)
	}
	bought := func(store, good, at string, paid int64) Fact {
		return Fact{Keys: []Key{{ID: store}}, At: at, Subject: good, Unit: "pcs",
			Amounts: []decimal.Maybe{decimal.Some(decimal.FromInt(paid)), decimal.Some(decimal.FromInt(2))}}
	}
	table := NewTable(p)
	for _, f := range []Fact{bought("one", "a", "1", 10), bought("one", "a", "2", 30), bought("two", "a", "1", 10),
		bought("two", "b", "2", 40)} {
		table.Add(f)
	}
	a := Evaluate(p, table, nil)
	for _, r := range a.Rows {
		price := r.Value(p.Shown[0])
		if one := r.Keys[0].ID == "one"; price.Known != one || one && price.String() != "15" {
			t.Errorf("%s: %v", r.Keys[0].ID, price)
		}
	}
	if price := a.Total.Value(p.Shown[0]); price.Known {
		t.Errorf("the total of two goods has the price %v", price)
	}
}

func TestQuantitiesInSeveralUnitsHaveASumForEach(t *testing.T) { // rule R485
	p, a := evaluate(t, `{"measures":["closing","pace"]}`, []look{
		{"A", "tea", "2026-11", "kg", map[Base]string{"closing": "7", "quantity": "22"}},
		{"A", "mugs", "2026-11", "pcs", map[Base]string{"closing": "2", "quantity": "44"}},
		{"B", "tea", "2026-11", "kg", map[Base]string{"closing": "1.5", "quantity": "0"}},
		{"B", "mugs", "2026-11", "pcs", map[Base]string{"closing": "3"}},
	}, nil)
	if a.Total.Value(p.Shown[0]).Known {
		t.Error("pieces and kilograms have a common sum")
	}
	for i, of := range []map[string]string{{"kg": "8.5", "pcs": "5"}, {"kg": "1", "pcs": "2"}} {
		parts := a.Total.Now.Parts(p.Shown[i])
		if len(parts) != len(of) {
			t.Errorf("%s: %v", p.Shown[i].Name, parts)
		}
		for unit, sum := range of {
			want(t, p.Shown[i].Name+" in "+unit, decimal.Some(parts[unit]), sum)
		}
	}
	_, a = evaluate(t, `{"measures":["closing"]}`, months, nil)
	if parts := a.Total.Now.Parts(p.Shown[0]); parts != nil {
		t.Errorf("one unit has parts: %v", parts)
	}
}
