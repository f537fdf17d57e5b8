package export_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/export"
	"github.com/stockhand/stockhand/internal/tool"
)

func number(s string) tool.Value { return tool.Number(decimal.MustParse(s)) }

func money(s string) tool.Value { return tool.Money(decimal.MustParse(s), "RUB") }

func sample() *tool.Result {
	return &tool.Result{
		Title: "Остатки: склад [1]/2",
		Columns: []tool.Column{
			{Name: "product", Label: "Товар", Unit: tool.UnitText},
			{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
			{Name: "price", Label: "Цена", Unit: tool.UnitMoney},
			{Name: "share", Label: "Доля", Unit: tool.UnitPercent},
			{Name: "day", Label: "День", Unit: tool.UnitDate},
			{Name: "at", Label: "Когда", Unit: tool.UnitMoment},
			{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney, Hidden: true},
		},
		Rows: tool.Rows{
			{tool.TextValue("Чай; чёрный"), number("-12.5"), money("1234.5"), number("12.5"), tool.Date("2026-10-15"),
				tool.Moment(time.Date(2026, 11, 22, 0, 30, 0, 0, moscow.Location())), tool.Empty},
			{tool.TextValue(`=HYPERLINK("http://example.com")`), number("3"), tool.Empty, number("0"), tool.Empty,
				tool.Empty, tool.Empty},
		},
		Totals: tool.Row{tool.Empty, number("-9.5"), money("1234.5"), tool.Empty, tool.Empty, tool.Empty,
			tool.Empty},
		Notices:    []tool.Notice{{Code: tool.NoticeRightMissing, Message: "Нет права видеть себестоимость."}},
		Provenance: tool.Provenance{Zone: moscow},
	}
}

// moscow is the zone of the sample's account.
var moscow = tool.Zone{Name: "Europe/Moscow", Label: tool.Text{RU: "МСК", EN: "Moscow time"}}

func written(t *testing.T, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCSVIsInTheDialectOfRussianExcel(t *testing.T) {
	got := written(t, func(b *bytes.Buffer) error { return export.CSV(b, stockhand.Russian, sample().InPages()) })
	rest, marked := bytes.CutPrefix(got, []byte("\ufeff"))
	if !marked {
		t.Error("no byte-order mark: Excel would not read UTF-8")
	}
	r := csv.NewReader(bytes.NewReader(rest))
	r.Comma = ';'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"Товар", "Остаток", "Цена", "Доля", "День", "Когда", "Себестоимость (нет доступа)"},
		{"Чай; чёрный", "-12,5", "1234,50", "12,5", "2026-10-15", "2026-11-22T00:30:00+03:00", ""},
		{`'=HYPERLINK("http://example.com")`, "3", "", "0", "", "", ""},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
}

func TestTextFromTheAccountNeverRunsAsAFormula(t *testing.T) {
	texts := map[string]string{
		"=1+1": "'=1+1", "+cmd": "'+cmd", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "\n=1": "'\n'=1",
		"-":        "'-",
		"x,=2+2,y": "x,'=2+2,y", "x;=1+1;y": "x;'=1+1;y", "a\n=1": "a\n'=1", `a,"=1"`: `a,'"=1"`, "＝1+1": "'＝1+1",
		"a;＠b": "a;'＠b", "1,-5": "1,-5", "Чай, =": "Чай, =",
		"-5": "-5", "+79991234567": "+79991234567", "чай": "чай", "a=b": "a=b",
	}
	for text, want := range texts {
		r := &tool.Result{Title: "t", Columns: []tool.Column{{Name: "a", Label: "a", Unit: tool.UnitText}},
			Rows: tool.Rows{{tool.TextValue(text)}}}
		got := written(t, func(b *bytes.Buffer) error { return export.CSV(b, stockhand.English, r.InPages()) })
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(got, []byte("\ufeff")))).ReadAll()
		if err != nil || rows[1][0] != want {
			t.Errorf("%q is written as %q, %v; want %q", text, rows[1][0], err, want)
		}
		book := open(t, stockhand.English, r)
		if f, err := book.GetCellFormula("t", "A2"); f != "" || err != nil {
			t.Errorf("%q is the formula %q in XLSX, %v", text, f, err)
		}
		if v, err := book.GetCellValue("t", "A2"); v != text || err != nil {
			t.Errorf("%q reads %q in XLSX, %v", text, v, err)
		}
	}
}

func TestXLSXKeepsEveryText(t *testing.T) {
	for _, text := range []string{"_x000D_", "_x000D_x000A_", "a_x0041_x0042_b", "_x005F_", "A_x1", "_",
		" <чай> & \"1\"\n2 ", "цена_x0"} {
		f := open(t, stockhand.English, &tool.Result{Title: "t", Rows: tool.Rows{{tool.TextValue(text)}},
			Columns: []tool.Column{{Name: "a", Label: "a", Unit: tool.UnitText}}})
		if got, err := f.GetCellValue("t", "A2"); got != text || err != nil {
			t.Errorf("%q reads %q, %v", text, got, err)
		}
	}
}

func open(t *testing.T, l stockhand.Language, results ...*tool.Result) *excelize.File {
	t.Helper()
	var tables []tool.Table
	for _, r := range results {
		tables = append(tables, r.InPages())
	}
	b := written(t, func(b *bytes.Buffer) error { return export.XLSX(b, l, tables...) })
	f, err := excelize.OpenReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestXLSXHasTypedCells(t *testing.T) {
	f := open(t, stockhand.Russian, sample())
	name := f.GetSheetList()[0]
	if name != "Остатки склад 1 2" {
		t.Errorf("the sheet is called %q", name)
	}
	for at, want := range map[string]struct{ raw, shown string }{
		"A2": {"Чай; чёрный", "Чай; чёрный"},
		"B2": {"-12.5", "-12.5"},
		"B3": {"3", "3"},
		"C2": {"1234.5", "1,234.50 ₽"},
		"D2": {"12.5", "12.5%"},
		"E2": {"46310", "15.10.2026"},
		"F2": {"46348.020833333336", "22.11.2026 00:30"}, // as clocks in the account's zone show it
		"A4": {"Итого", "Итого"},
		"B4": {"-9.5", "-9.5"},
		"G1": {"Себестоимость (нет доступа)", "Себестоимость (нет доступа)"},
		"C3": {"", ""}, // not known: empty and no zero
		"G2": {"", ""},
	} {
		raw, err := f.GetCellValue(name, at, excelize.Options{RawCellValue: true})
		if err != nil || raw != want.raw {
			t.Errorf("%s holds %q, %v; want %q", at, raw, err, want.raw)
		}
		if shown, err := f.GetCellValue(name, at); err != nil || shown != want.shown {
			t.Errorf("%s shows %q, %v; want %q", at, shown, err, want.shown)
		}
	}
	for at, want := range map[string]bool{"A2": false, "B2": true, "C2": true, "D2": true, "E2": true, "F2": true} {
		kind, err := f.GetCellType(name, at)
		number := kind == excelize.CellTypeNumber || kind == excelize.CellTypeUnset
		if err != nil || number != want {
			t.Errorf("%s is of type %v, %v; a number is %t", at, kind, err, want)
		}
	}
}

func TestXLSXHasItsAuthorAndDate(t *testing.T) {
	began := time.Now().Add(-time.Minute)
	about, err := open(t, stockhand.Russian, sample()).GetDocProps()
	if err != nil {
		t.Fatal(err)
	}
	created, err := time.Parse(time.RFC3339, about.Created)
	if about.Creator != "Stockhand" || about.LastModifiedBy != "Stockhand" || about.Title != sample().Title ||
		about.Language != "ru-RU" || err != nil || created.Before(began) {
		t.Errorf("%+v, %v", about, err)
	}
}

func TestNoticesAreOnASheetOfTheWorkbook(t *testing.T) {
	f := open(t, stockhand.Russian, sample())
	sheets := f.GetSheetList()
	if last := sheets[len(sheets)-1]; last != "Пояснения" {
		t.Fatalf("the sheets are %v", sheets)
	}
	rows, err := f.GetRows("Пояснения")
	if err != nil || !strings.Contains(strings.Join(rows[1], ""), "себестоимость") {
		t.Errorf("the remarks are %v, %v", rows, err)
	}
}

func TestSheetNamesAreValid(t *testing.T) {
	long := strings.Repeat("Очень длинное название ", 5)
	titled := func(title string) *tool.Result { return &tool.Result{Title: title} }
	f := open(t, stockhand.Russian, titled(long), titled(long), titled("[]:*?/\\"), titled("Sheet1"), titled("тест"),
		titled("ТЕСТ"))
	seen := map[string]bool{}
	for _, name := range f.GetSheetList() {
		if len([]rune(name)) > 31 || strings.ContainsAny(name, `[]:*?/\`) || seen[strings.ToLower(name)] {
			t.Errorf("a sheet is called %q", name)
		}
		seen[strings.ToLower(name)] = true
	}
	if len(seen) != 6 {
		t.Errorf("sheets: %v", f.GetSheetList())
	}
}
