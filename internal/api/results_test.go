package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

type resultShown struct {
	ID         string  `json:"id"`
	CreatedAt  string  `json:"created_at"`
	NextCursor *string `json:"next_cursor"`
	Columns    []struct {
		Name, Label, Unit string
		Hidden            bool
	}
	Rows    []map[string]any
	Notices []any
}

func TestAResultIsJSONCSVOrXLSX(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	v := ask(t, s, key, about(s, "остатки товаров"))
	path := "/results/" + v.Results[0].ID
	whole := read[resultShown](t, "JSON", s.Do("GET", path, key, nil), 200)
	if whole.ID != v.Results[0].ID || len(whole.Rows) < 20 || whole.NextCursor != nil ||
		!strings.HasSuffix(whole.CreatedAt, "Z") {
		t.Fatalf("the result has %d rows: %+v", len(whole.Rows), whole.Columns)
	}

	a := s.Do("GET", path, key, nil, "Accept", "text/csv")
	if a.Status != 200 || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.Contains(a.Header.Get("Content-Disposition"), "filename*=UTF-8''%D0%9E") {
		t.Errorf("CSV: %d %v", a.Status, a.Header)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(a.Body, []byte("\ufeff"))))
	r.Comma = ';'
	records, err := r.ReadAll()
	if err != nil || len(records) != len(whole.Rows)+1 || !bytes.HasPrefix(a.Body, []byte("\ufeff")) {
		t.Fatalf("CSV has %d lines, %v", len(records), err)
	}
	if en := s.Do("GET", path+"?format=csv&language=en", key, nil); !bytes.Contains(en.Body, []byte(",")) ||
		bytes.Contains(en.Body[:200], []byte(";")) {
		t.Errorf("English CSV begins %.200s", en.Body)
	}

	a = s.Do("GET", path+"?format=xlsx", key, nil)
	if a.Status != 200 || a.Header.Get("Content-Type") != xlsx ||
		!strings.Contains(a.Header.Get("Content-Disposition"), ".xlsx") {
		t.Fatalf("XLSX: %d %v", a.Status, a.Header)
	}
	book, err := excelize.OpenReader(bytes.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	sheet := book.GetSheetList()[0]
	for j, c := range whole.Columns {
		if c.Unit != "quantity" && c.Unit != "money" {
			continue
		}
		for i, row := range whole.Rows {
			at, _ := excelize.CoordinatesToCellName(j+1, i+2)
			kind, _ := book.GetCellType(sheet, at)
			raw, _ := book.GetCellValue(sheet, at, excelize.Options{RawCellValue: true})
			want := ""
			switch cell := row[c.Name].(type) {
			case string:
				want = cell
			case map[string]any:
				want = fmt.Sprint(cell["amount"])
			}
			if want == "" && raw != "" || want != "" &&
				(kind == excelize.CellTypeSharedString || kind == excelize.CellTypeInlineString ||
					!sameNumber(raw, want)) {
				t.Errorf("%s (%s) holds %q of type %v, want %q", at, c.Name, raw, kind, want)
			}
		}
	}
	wantError(t, "no such form", s.Do("GET", path+"?format=pdf", key, nil), 422, stockhand.CodeValidation)
	wantError(t, "no such language", s.Do("GET", path+"?format=csv&language=de", key, nil), 422,
		stockhand.CodeValidation)
	wantError(t, "no such result", s.Do("GET", "/results/res_x", key, nil), 404, stockhand.CodeNotFound)
}

// sameNumber compares decimals by their digits, however many zeros follow.
func sameNumber(a, b string) bool {
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	return trim(a) == trim(b)
}

func TestAResultsRowsComePageByPage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	v := ask(t, s, key, about(s, "остатки товаров"))
	path := "/results/" + v.Results[0].ID
	whole := read[resultShown](t, "whole", s.Do("GET", path, key, nil), 200)
	var rows []map[string]any
	cursor := ""
	for range 100 {
		page := read[resultShown](t, "page", s.Do("GET", path+"?limit=7"+cursor, key, nil), 200)
		if len(page.Rows) > 7 || len(page.Columns) != len(whole.Columns) {
			t.Fatalf("a page has %d rows", len(page.Rows))
		}
		rows = append(rows, page.Rows...)
		if page.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *page.NextCursor
	}
	if fmt.Sprint(rows) != fmt.Sprint(whole.Rows) {
		t.Errorf("in pages %d rows, whole %d", len(rows), len(whole.Rows))
	}
	for _, bad := range []string{"limit=0", "limit=1001", "limit=x", "limit=5&cursor=!!", "limit=5&format=csv",
		"cursor=eA"} {
		wantError(t, bad, s.Do("GET", path+"?"+bad, key, nil), 422, stockhand.CodeValidation)
	}
}

func TestAnUnchangedResultIs304(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	v := ask(t, s, key, about(s, task))
	path := "/results/" + v.Results[0].ID
	tags := map[string]string{}
	for _, query := range []string{"", "?format=csv", "?format=xlsx", "?limit=1"} {
		a := s.Do("GET", path+query, key, nil)
		tag := a.Header.Get("ETag")
		if tag == "" || tags[tag] != "" {
			t.Errorf("%q has the tag %q of %q", query, tag, tags[tag])
		}
		tags[tag] = path + query
		if again := s.Do("GET", path+query, key, nil, "If-None-Match", `"other", `+
			tag); again.Status != http.StatusNotModified || len(again.Body) != 0 {
			t.Errorf("%q again: %d", query, again.Status)
		}
		if other := s.Do("GET", path+query, key, nil, "If-None-Match", `"other"`); other.Status != 200 {
			t.Errorf("%q with another tag: %d", query, other.Status)
		}
		wantError(t, "somebody else's tag", s.Do("GET", path+query, s.Key(), nil, "If-None-Match", tag), 403,
			stockhand.CodePermissionDenied)
	}
}

func TestADraftsDocumentsCanBeExported(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	_, d := proposed(t, s, key)
	a := s.Do("GET", d.path()+"?format=xlsx", key, nil)
	book, err := excelize.OpenReader(bytes.NewReader(a.Body))
	if err != nil {
		t.Fatalf("%d %v", a.Status, err)
	}
	defer func() { _ = book.Close() }()
	if sheets := book.GetSheetList(); len(sheets) != len(d.Documents)+1 {
		t.Errorf("%d documents make the sheets %v", len(d.Documents), sheets)
	}
}

func TestAMessageHasTheFirstRowsOfALargeResult(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Company: company.Options{Products: 700, Days: 3}})
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData)
	m := read[struct {
		Results []struct {
			resultShown
			RowCount int `json:"row_count"`
		}
	}](t, "message", s.Do("POST", "/tools/moysklad_stock/execute", key, map[string]any{}), 200)
	first := m.Results[0]
	whole := read[resultShown](t, "whole", s.Do("GET", "/results/"+first.ID, key, nil), 200)
	if len(first.Rows) == 0 || len(first.Rows) > 500 || first.RowCount <= 500 || first.RowCount != len(whole.Rows) ||
		fmt.Sprint(first.Rows) != fmt.Sprint(whole.Rows[:len(first.Rows)]) {
		t.Errorf("the message has %d of %d rows, the result %d", len(first.Rows), first.RowCount, len(whole.Rows))
	}
	last := read[resultShown](t, "last", s.Do("GET", "/results/"+first.ID+"?limit=1&cursor="+
		base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d", len(whole.Rows)-1)), key, nil), 200)
	if fmt.Sprint(last.Rows) != fmt.Sprint(whole.Rows[len(whole.Rows)-1:]) || last.NextCursor != nil {
		t.Errorf("the last row is %v", last.Rows)
	}
	beyond := read[resultShown](t, "beyond", s.Do("GET", "/results/"+first.ID+"?limit=1&cursor="+
		base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d", math.MaxInt)), key, nil), 200)
	if len(beyond.Rows) != 0 || beyond.NextCursor != nil {
		t.Errorf("beyond the last row are %v, and then %v", beyond.Rows, *beyond.NextCursor)
	}
	if lines := bytes.Count(s.Do("GET", "/results/"+first.ID+"?format=csv", key, nil).Body, []byte("\n")); lines !=
		len(whole.Rows)+1 {
		t.Errorf("CSV has %d lines", lines)
	}
}

// Every block of figures has its files, which are read like the result itself.
func TestTheFilesBehindBlocksAreServed(t *testing.T) { // rule R570
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	seen := map[string]int{}
	for _, task := range []string{"выручка по дням за 30 дней", "ABC-анализ товаров",
		"сколько денег на счетах и в кассах", "сколько лежит товар на складе",
		"покажи последний заказ покупателя", "средний чек за 30 дней"} {
		v := ask(t, s, key, about(s, task))
		for _, b := range v.Blocks {
			files, _ := b["files"].(map[string]any)
			kind := fmt.Sprint(b["type"])
			if figures := kind == "table" || kind == "chart" || kind == "kpi"; figures != (files != nil) {
				t.Errorf("%s: a block %s has the files %v", task, kind, files)
			}
			for format, path := range files {
				seen[kind+" "+format]++
				a := s.Do("GET", strings.TrimPrefix(fmt.Sprint(path), "/api/v1"), key, nil)
				want := map[string]string{"csv": "\ufeff", "xlsx": "PK", "svg": "<svg"}[format]
				if a.Status != 200 || !bytes.HasPrefix(a.Body, []byte(want)) {
					t.Errorf("%s: %s: %d %.200s", task, path, a.Status, a.Body)
				}
				if !strings.Contains(a.Header.Get("Content-Disposition"), "."+format) ||
					!strings.Contains(a.Header.Get("Content-Type"), map[string]string{"csv": "text/csv", "xlsx": xlsx,
						"svg": "image/svg+xml"}[format]) || a.Header.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s: %v", path, a.Header)
				}
			}
		}
	}
	for _, want := range []string{"table csv", "table xlsx", "chart csv", "chart xlsx", "chart svg", "kpi csv"} {
		if seen[want] == 0 {
			t.Errorf("no block had %s: %v", want, seen)
		}
	}
	path := "/results/" + ask(t, s, key, about(s, "выручка по дням за 30 дней")).Results[0].ID
	for _, query := range []string{"format=svg", "format=svg&x=day", "format=svg&x=day&y=no",
		"format=svg&x=no&y=revenue", "format=svg&x=day&y=revenue&chart=pie",
		"format=svg&x=day&y=revenue&limit=0", "format=csv&x=day", "part=0",
		"format=csv&part=-1", "format=svg&x=day&y=a,b,c,d,e"} {
		wantError(t, query, s.Do("GET", path+"?"+query, key, nil), 422, stockhand.CodeValidation)
	}
	if a := s.Do("GET", path+"?format=svg&x=date&y=sum&chart=line", key, nil); a.Status != 200 ||
		!regexp.MustCompile(`\d\d\.\d\d\.\d{4} – \d\d\.\d\d\.\d{4}</text>`).Match(a.Body) {
		t.Errorf("the picture does not say of when it is: %d %.1500s", a.Status, a.Body)
	}
	wantError(t, "no such part", s.Do("GET", path+"?format=csv&part=1", key, nil), 404, stockhand.CodeNotFound)
	_, other := s.Organization("other")
	wantError(t, "of another organization", s.Do("GET", path+"?format=svg&x=day&y=revenue", other, nil), 404,
		stockhand.CodeNotFound)
}
