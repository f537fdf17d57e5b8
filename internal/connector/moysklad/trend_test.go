package moysklad

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestWeeksAreAddedUpFromDays(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	const period = `"from":"2026-10-22","to":"2026-11-20"` // a Thursday to a Friday
	days := callTool(t, a, "moysklad_sales_trend", `{`+period+`}`)
	before := len(s.Requests())
	weeks := callTool(t, a, "moysklad_sales_trend", `{"interval":"week",`+period+`}`)
	series := 0
	for _, q := range s.Requests()[before:] {
		if query, _ := url.QueryUnescape(q.Query); strings.HasSuffix(q.Path, "plotseries") {
			series++
			if !strings.Contains(query, "interval=day") {
				t.Errorf("query %s", query)
			}
		}
	}
	if series != 1 || len(weeks.Rows) != 5 {
		t.Fatalf("%d series, %d rows", series, len(weeks.Rows))
	}
	day := 0
	for i, row := range weeks.Rows {
		from, through := tool.Day(cell(t, weeks, row, "date").Text()), tool.Day(cell(t, weeks, row, "through").Text())
		if i > 0 && from.Time().Weekday() != time.Monday || i < len(weeks.Rows)-1 &&
			through.Time().Weekday() != time.Sunday {
			t.Errorf("a week from %s to %s", from, through)
		}
		var sum, count decimal.Decimal
		for ; day < len(days.Rows) && tool.Day(cell(t, days, days.Rows[day], "date").Text()) <= through; day++ {
			sum, count = sum.Add(number(t, days, days.Rows[day], "sum")),
				count.Add(number(t, days, days.Rows[day], "sales_count"))
		}
		wantEqual(t, string(from)+" sum", number(t, weeks, row, "sum"), sum)
		wantEqual(t, string(from)+" sales", number(t, weeks, row, "sales_count"), count)
	}
	wantEqual(t, "total", number(t, weeks, weeks.Totals, "sum"), number(t, days, days.Totals, "sum"))
	partial := "Неполные недели: с 22.10.2026 по 25.10.2026 (4 дня), с 16.11.2026 по 20.11.2026 (5 дней)."
	if countNotices(weeks, partial) != 1 {
		t.Errorf("notices: %v", weeks.Notices)
	}
}

func TestWholeWeeksAndMonthsAreNotCalledPartial(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	for arguments, partial := range map[string]int{
		`{"interval":"week","from":"2026-11-02","to":"2026-11-15"}`:  0,
		`{"interval":"week","from":"2026-11-02","to":"2026-11-16"}`:  1,
		`{"interval":"month","from":"2026-10-01","to":"2026-10-31"}`: 0,
		`{"interval":"month","from":"2026-10-02","to":"2026-10-31"}`: 1,
		`{"from":"2026-10-02","to":"2026-10-31"}`:                    0,
	} {
		if r := callTool(t, a, "moysklad_sales_trend", arguments); countNotices(r, "Неполн") != partial {
			t.Errorf("%s: %v", arguments, r.Notices)
		}
	}
}

func TestAWeekIsComparedWithAsManyDays(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_sales_trend",
		`{"interval":"week","from":"2026-10-29","to":"2026-11-12","compare":true}`)
	days := callTool(t, a, "moysklad_sales_trend", `{"from":"2026-10-14","to":"2026-10-28"}`)
	wantEqual(t, "the period before", number(t, r, r.Totals, "previous_sum"), number(t, days, days.Totals, "sum"))
	for _, row := range r.Rows {
		if now, was := tool.Day(cell(t, r, row, "date").Text()),
			tool.Day(cell(t, r, row, "previous_date").Text()); was != now.Add(-15) {
			t.Errorf("%s is compared with %s", now, was)
		}
	}
	if countNotices(r, "Недели сравниваются") != 1 {
		t.Errorf("notices: %v", r.Notices)
	}
	if r := callTool(t, a, "moysklad_sales_trend",
		`{"interval":"week","from":"2026-11-02","to":"2026-11-15","compare":true}`); countNotices(r,
		"Недели сравниваются") != 0 {
		t.Errorf("notices: %v", r.Notices)
	}
}

// countNotices returns the number of notices that contain a text.
func countNotices(r *tool.Result, text string) int {
	n := 0
	for _, notice := range r.Notices {
		if strings.Contains(notice.Message, text) {
			n++
		}
	}
	return n
}

func TestAMonthIsComparedWithTheMonthBefore(t *testing.T) { // rule R191
	a := openShop(t, sandbox.Options{}).owner(t)
	before := callTool(t, a, "moysklad_sales_trend", `{"from":"2026-10-01","to":"2026-10-20"}`)
	r := callTool(t, a, "moysklad_sales_trend", `{"from":"2026-11-01","to":"2026-11-20","compare":true}`)
	wantEqual(t, "the month before", number(t, r, r.Totals, "previous_sum"), number(t, before, before.Totals, "sum"))
	if !strings.Contains(r.Answer, "с 01.10.2026 по 20.10.2026") {
		t.Errorf("answer: %s", r.Answer)
	}
}

func TestNamedPeriodsAreComparedAsNamed(t *testing.T) { // rule R191
	a := openShop(t, sandbox.Options{}).owner(t)
	const other = `"compare_from":"2026-10-01","compare_to":"2026-10-31"`
	october := callTool(t, a, "moysklad_sales_trend", `{"from":"2026-10-01","to":"2026-10-31"}`)
	for _, step := range []string{"day", "week", "month"} {
		r := callTool(t, a, "moysklad_sales_trend",
			`{"interval":"`+step+`","from":"2026-11-01","to":"2026-11-20",`+other+`}`)
		wantEqual(t, step, number(t, r, r.Totals, "previous_sum"), number(t, october, october.Totals, "sum"))
		if countNotices(r, "разное число дней: 20 и 31") != 1 {
			t.Errorf("%s: %v", step, r.Notices)
		}
	}
	for _, arguments := range []string{
		`{"compare_from":"2026-02-31","compare_to":"2026-03-01"}`, `{"compare_from":"2026-10-01"}`,
		`{"compare_from":"2026-10-02","compare_to":"2026-10-01"}`,
	} {
		if _, err := tryTool(a, "moysklad_sales_trend", arguments, tool.Env{Now: noon}); err == nil {
			t.Errorf("%s was accepted", arguments)
		}
	}
}

func TestAnImpossibleDateIsAnError(t *testing.T) { // rule R197
	a := openShop(t, sandbox.Options{}).owner(t)
	tools := 0
	for _, tl := range a.Tools() {
		for _, field := range []string{"from", "to", "at"} {
			schema, err := json.Marshal(tl.Input)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(schema), `"`+field+`":`) {
				continue
			}
			tools++
			arguments := json.RawMessage(`{"` + field + `":"2026-02-31"}`)
			if len(tl.Input.Required) > 0 {
				needed := `{"` + tl.Input.Required[0] + `":"x",`
				arguments = json.RawMessage(strings.Replace(string(arguments), "{", needed, 1))
			}
			if tl.Proposes() {
				_, err = tl.Propose(t.Context(), tool.Env{Now: noon}, arguments)
			} else {
				_, err = tl.Call(t.Context(), tool.Env{Now: noon}, arguments)
			}
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%s with an impossible %s: %v", tl.Name, field, err)
			}
		}
	}
	if tools < 8 {
		t.Errorf("only %d tools take a date", tools)
	}
}
