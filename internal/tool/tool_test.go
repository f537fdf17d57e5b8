package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// A tool may return moments in any zone, and JSON has them in UTC: the texts are the account's.
func TestMomentsAreInTheAccountsTimeZone(t *testing.T) {
	at := time.Date(2026, 11, 21, 18, 20, 0, 0, time.UTC)
	read := Read("t", Text{}, Text{}, func(context.Context, Env, struct{}) (*Result, error) {
		return &Result{Columns: []Column{{Name: "at", Unit: UnitMoment}}, Rows: Rows{{Moment(at)}, {Empty}}}, nil
	})
	zone := Zone{Name: "Asia/Kathmandu", Label: Text{RU: "Катманду", EN: "Nepal time"}}
	r, err := read.Call(t.Context(), Env{Zone: zone}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(stored), `"at":"2026-11-21T18:20:00Z"`) {
		t.Errorf("stored as %s, %v", stored, err)
	}
	var back Result
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Result{r, &back} {
		cell := r.Rows[0][0]
		if got := cell.Format(UnitMoment, stockhand.English); got != "22 Nov 2026 00:05" ||
			cell.Text() != "2026-11-22T00:05:00+05:45" || r.Provenance.Zone != zone {
			t.Errorf("read as %s, %s, %v", got, cell.Text(), r.Provenance.Zone)
		}
	}
}

func TestAnUnknownTimeZoneIsUTC(t *testing.T) {
	for zone, want := range map[Zone]string{{}: "UTC", {Name: "No/Where", Label: Text{EN: "Nowhere"}}: "UTC",
		{Name: "Asia/Tokyo"}: "Asia/Tokyo", {Name: "Asia/Tokyo", Label: Text{EN: "Japan time"}}: "Japan time"} {
		if got := zone.Title(stockhand.English); got != want || (zone.Location() == time.UTC) != (want == "UTC") {
			t.Errorf("%v is %s", zone, got)
		}
	}
}

type by string

func (by) Schema() *jsonschema.Schema { return Enum[by]("product", "employee") }

type input struct {
	By     by               `json:"by,omitempty"`
	From   Day              `json:"from,omitempty"`
	Stores []string         `json:"stores,omitempty" jsonschema:"warehouse names or ids"`
	Min    *decimal.Decimal `json:"min,omitempty"`
	Query  string           `json:"query"`
}

func sample() Tool {
	return Read("t", Text{}, Text{}, func(_ context.Context, _ Env, in input) (*Result, error) {
		r := &Result{Columns: []Column{{Name: "a", Unit: UnitText}, {Name: "b", Unit: UnitQuantity},
			{Name: "c", Unit: UnitMoney}, {Name: "d", Unit: UnitDate}}}
		r.Rows = Rows{{TextValue(in.Query), Number(decimal.MustParse("1.50")),
			Money(decimal.MustParse("-1234.555"), "RUB"), Date("2026-10-15")}, {Empty, Empty, Empty, Empty}}
		r.Totals = Row{Empty, Number(decimal.One), Empty, Empty}
		return r, nil
	})
}

func TestArgumentsAreCheckedAgainstTheSchemaBeforeAnythingRuns(t *testing.T) {
	for arguments, field := range map[string]string{
		`{"query":"x","by":"planet"}`:     "by",
		`{"query":"x","from":"tomorrow"}`: "from",
		`{"query":"x","stores":"one"}`:    "stores",
		`{"query":"x","secret":1}`:        "secret",
		`{}`:                              "query",
		`[]`:                              "",
	} {
		_, err := sample().Call(context.Background(), Env{}, json.RawMessage(arguments))
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %v, want VALIDATION_FAILED", arguments, err)
			continue
		}
		e := err.(*stockhand.Error) //nolint:errorlint // made here
		if field != "" && (len(e.Fields) != 1 || e.Fields[0].Field != field) {
			t.Errorf("%s: fields %v, want %s", arguments, e.Fields, field)
		}
	}
	if _, err := sample().Call(context.Background(), Env{},
		json.RawMessage(`{"query":"x","by":"product","from":"2026-01-02","stores":["a"],"min":"1.5"}`)); err != nil {
		t.Error(err)
	}
	if _, err := sample().Call(context.Background(), Env{}, json.RawMessage(`{"query":"x","min":1.5}`)); err != nil {
		t.Error(err)
	}
}

func TestResultSurvivesItsStorage(t *testing.T) {
	r, err := sample().Call(context.Background(), Env{}, json.RawMessage(`{"query":"12"}`))
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `"rows":[{"a":"12","b":"1.5","c":{"amount":"-1234.56","currency":"RUB","text":"−1 234,56 ₽"},"d":"2026-10-15"},{"a":null,"b":null,"c":null,"d":null}],"totals":{"b":"1"}`
	if !json.Valid(b) || !strings.Contains(string(b), want) {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	var back Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&back)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(b), string(again)); diff != "" {
		t.Error(diff)
	}
}

// A program that reads a result by its fields (rule R69) finds all of them, those without a value as well.
func TestAResultWithoutTotalsSaysSo(t *testing.T) {
	r := Result{Columns: []Column{{Name: "a", Unit: UnitCount}}, Rows: Rows{{Count(1)}}, Notices: []Notice{}}
	b, err := json.Marshal(&r)
	if err != nil || !strings.Contains(string(b), `"totals":null`) {
		t.Fatalf("%s, %v", b, err)
	}
	var back Result
	if err := json.Unmarshal(b, &back); err != nil || back.Totals != nil || len(back.Rows) != 1 {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestMoneyOfADraftIsAnObjectInJSONAndIsDecoded(t *testing.T) {
	some := func(s string) decimal.Maybe { return decimal.Some(decimal.MustParse(s)) }
	doc := DraftDocument{
		Document: Document{ID: "doc_1", Kind: SupplierOrder, Currency: "RUB", Total: some("1234.5"), Lines: []Line{
			{ID: "1", Quantity: some("2.5"), Price: some("493.8"), Seen: Seen{Stock: some("3"), Price: some("480")}},
			{ID: "2", Quantity: some("1")},
		}},
		DocumentStatus: DocumentStatus{State: stockhand.DocumentPending},
	}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var wire struct {
		Total *Amount `json:"total"`
		State string  `json:"state"`
		Lines []struct {
			Quantity string  `json:"quantity"`
			Price    *Amount `json:"price"`
			Sum      *Amount `json:"sum"`
			Seen     struct {
				Stock string  `json:"stock"`
				Price *Amount `json:"price"`
			} `json:"seen"`
		} `json:"lines"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	want := &Amount{Amount: "1234.50", Currency: "RUB", Text: "1\u00a0234,50\u00a0₽"}
	first, second := wire.Lines[0], wire.Lines[1]
	if cmp.Diff(want, wire.Total) != "" || cmp.Diff(want, first.Sum) != "" || first.Quantity != "2.5" ||
		first.Price.Amount != "493.80" ||
		first.Seen.Price.Amount != "480.00" || first.Seen.Stock != "3" || wire.State != "pending" {
		t.Errorf("the JSON is %s", b)
	}
	if second.Price != nil || second.Sum != nil {
		t.Errorf("an unknown price is %+v, its sum %+v: unknown is not zero", second.Price, second.Sum)
	}
	var back DraftDocument
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != string(b) {
		t.Errorf("read back it is %s, %v", again, err)
	}
}

func TestColumnNamesOfAnyTextMakeValidJSON(t *testing.T) { // those of remote servers' tables are not ours
	name := "é\x01\u2028"
	r := &Result{Columns: []Column{{Name: name, Unit: UnitText}}, Rows: Rows{{TextValue("x")}}}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(b, &back); err != nil || back.Row(0)[name].Text() != "x" {
		t.Errorf("%s: %v", b, err)
	}
}

func TestOrdersWithUnpricedLinesAreWorthAtLeastTheOthers(t *testing.T) {
	line := func(price decimal.Maybe) Line { return Line{Quantity: decimal.Some(decimal.FromInt(2)), Price: price} }
	priced := line(decimal.Some(decimal.MustParse("10.50")))
	for _, c := range []struct {
		lines        []Line
		ru, en, cell string
	}{
		{[]Line{priced}, "21,00\u00a0₽", "21.00\u00a0₽", "21,00\u00a0₽"},
		{[]Line{priced, line(decimal.Maybe{})}, "не меньше 21,00\u00a0₽, 1 строка без цены",
			"at least 21.00\u00a0₽, 1 line without a price", "≥ 21,00\u00a0₽"},
		{[]Line{line(decimal.Maybe{}), line(decimal.Maybe{})}, "2 строки без цены",
			"2 lines without a price", "без цены"},
	} {
		d := Document{Kind: SupplierOrder, Currency: "RUB", Lines: c.lines}
		d.Total = d.Sum()
		cell := (Draft{Documents: []DraftDocument{{Document: d}}}).Table("ru").Rows[0]
		if got := cell[len(cell)-1].Format(UnitMoney, "ru"); got != c.cell {
			t.Errorf("in a table %q, want %q", got, c.cell)
		}
		if d.TotalText("ru") != c.ru || d.TotalText("en") != c.en {
			t.Errorf("%q, %q", d.TotalText("ru"), d.TotalText("en"))
		}
	}
}
