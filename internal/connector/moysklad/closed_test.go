package moysklad

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// The rows and totals of a query are the same however a value is written.
func TestValuesMayBeWrittenInPeoplesWords(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, c := range []struct{ query, field, want, words string }{
		{"receipts", "weekday", "6", "суббота|Суббота|субботам|сб|Сб.|Saturday|sat"},
		{"receipts", "hour", "12", "12:00|12 ч|12 часов|12 pm"},
		{"receipts", "month", "2026-10", "октябрь|октябрь 2026|Oct 2026|October|10.2026|10"},
		{"receipts", "day", "2026-11-12", "12.11.2026|12 ноября|12 ноября 2026 г.|12.11|12 November 2026"},
		{"receipts", "quarter", "2026-Q4", "Q4|4 квартал|IV кв. 2026|4|4-й квартал"},
		{"receipts", "week", "2026-W46", "46|W46|46 неделя|2026 W46"},
		{"receipts", "year", "2026", "2026 год|2026 г."},
		{"revenue", "kind", "service", "услуга|Услуги|services"},
		{"revenue", "kind", "bundle", "комплект|комплекты|bundles"},
		{"sales", "document_type", "demand", "Отгрузка|отгрузки|shipment|Shipments"},
		{"quantity", "unit", "кг", "Кг|кг.|килограммы|kg"},
		{"orders_sum", "currency", "RUB", "рубли|руб|₽"},
		{"money_in", "account", "Касса", "касса|наличные|cash desk"},
		{"sale_price", "price_band", "100", "100.00"},
	} {
		query := func(value string) *tool.Result {
			t.Helper()
			return callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":[%q],"by":[%q],"where":[{"field":%q,`+
				`"op":"=","values":[%q]}],"from":"2026-10-01","to":"2026-11-20"}`, c.query, c.field, c.field, value))
		}
		want := query(c.want)
		if len(want.Rows) == 0 && c.field != "kind" {
			t.Errorf("%s = %s: %s", c.field, c.want, want.Answer)
		}
		for value := range strings.SplitSeq(c.words, "|") {
			if got := query(value); asJSON(got.Rows) != asJSON(want.Rows) {
				t.Errorf("%s = %s: %v, want %v", c.field, value, got.Rows, want.Rows)
			}
		}
	}
	weekend := callTool(t, a, "moysklad_analyze", `{"measures":["receipts"],"by":["weekday"],"where":[{"field":`+
		`"weekday","op":"=","values":["выходные"]}],`+inOctober+`}`)
	if len(weekend.Rows) != 2 {
		t.Errorf("the weekend is %v", weekend.Rows)
	}
	returns := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"by":["document_type"],"where":[{"field":`+
		`"document_type","op":"contains","values":["возврат"]}],`+inOctober+`}`)
	if len(returns.Rows) == 0 {
		t.Error(returns.Answer)
	}
}

// A value that no fact can have would find nothing, which is not so.
func TestAValueThatCannotExistIsRefused(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	for where, hint := range map[string]string{
		`"weekday","op":"=","values":["8"]`:              "суббота",
		`"weekday","op":"in","values":["сб","завтра"]`:   "завтра",
		`"hour","op":"=","values":["25"]`:                "9:00",
		`"hour","op":"!=","values":["утро"]`:             "9:00",
		`"month","op":"=","values":["2025-10"]`:          "2026-10 … 2026-11",
		`"month","op":"=","values":["13"]`:               "2026-10 … 2026-11",
		`"month","op":"contains","values":["октябрь"]`:   "in",
		`"day","op":"=","values":["31.11.2026"]`:         "2026-11-20",
		`"week","op":"=","values":["54"]`:                "2026-W47",
		`"year","op":"=","values":["прошлый"]`:           "2026",
		`"quarter","op":"=","values":["5"]`:              "2026-Q4",
		`"document_type","op":"=","values":["Приёмка"]`:  "Отгрузка",
		`"document_type","op":"contains","values":["?"]`: "Отгрузка",
		`"currency","op":"=","values":["тугрики"]`:       "не найдено",
	} {
		wantRefused(t, a, "receipts", where, hint)
	}
	for where, hint := range map[string]string{
		`"kind","op":"=","values":["модификация"]`: "услуга",
		`"price_band","op":"=","values":["120"]`:   "250",
		`"unit","op":"=","values":["попугай"]`:     "кг",
	} {
		wantRefused(t, a, "quantity", where, hint)
	}
	if _, err := a.CounterpartyList(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, a, "revenue", `"tag","op":"=","values":["нет такой группы"]`, "есть: ")
	wantRefused(t, a, "money_in", `"account","op":"=","values":["сейф"]`, "Касса")
}

// What is not there may be excluded.
func TestAValueThatIsNotThereMayBeExcluded(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	all := callTool(t, a, "moysklad_analyze", `{"measures":["receipts"],`+inOctober+`}`)
	for _, where := range []string{`"month","op":"!=","values":["2025-10"]`,
		`"document_type","op":"not_in","values":["Приёмка"]`} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["receipts"],"where":[{"field":`+where+`}],`+inOctober+`}`)
		wantEqual(t, where, number(t, r, r.Totals, "receipts"), number(t, all, all.Totals, "receipts"))
	}
}

func wantRefused(t *testing.T, a opened, measure, where, hint string) {
	t.Helper()
	days := `,"from":"2026-10-01","to":"2026-11-20"`
	_, err := tryTool(a, "moysklad_analyze", fmt.Sprintf(`{"measures":[%q],"where":[{"field":%s}]%s}`, measure, where,
		days), tool.Env{Now: noon})
	var e *stockhand.Error
	if !errors.As(err, &e) || e.Code != stockhand.CodeValidation || !strings.Contains(e.Error()+e.Hint, hint) {
		t.Errorf("%s: %v", where, err)
	}
}

// assumptions joins what a result assumed.
func assumptions(r *tool.Result) string {
	var list []string
	for _, n := range r.Notices {
		if n.Code == tool.NoticeAssumption {
			list = append(list, n.Message)
		}
	}
	return strings.Join(list, "\n")
}

// A condition on a month says the period, if nothing else does.
func TestThePeriodOfAConditionOnTime(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	want := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"from":"2026-10-01","to":"2026-10-31"}`)
	for _, value := range []string{"октябрь", "2026-10"} {
		got := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":["revenue"],"where":[{"field":"month",`+
			`"op":"=","values":[%q]}]}`, value))
		if asJSON(got.Totals) != asJSON(want.Totals) || !strings.Contains(assumptions(got),
			"из условия") {
			t.Errorf("%s: %v, want %v: %s", value, got.Totals, want.Totals, got.Answer)
		}
	}
	compared := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"where":[{"field":"month","op":"=",`+
		`"values":["2026-10"]}],"from":"2026-10-01","to":"2026-10-31","compare":{"with":"previous"}}`)
	before := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"from":"2026-09-01","to":"2026-09-30"}`)
	if got := cell(t, compared, compared.Totals, "revenue_before"); asJSON(got) != asJSON(cell(t, before, before.Totals,
		"revenue")) {
		t.Errorf("before October there was %s, want %v", asJSON(got), before.Totals)
	}
}

// No purchase in the period is not that there never was one.
func TestTheLastPurchaseIsLookedForInAYear(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, measure := range []string{"last_purchase", "last_purchase_price"} {
		query := `{"measures":[%q],"by":["product"]%s}`
		year := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, measure,
			`,"from":"2025-11-21","to":"2026-11-20"`))
		got := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, measure, ""))
		if asJSON(got.Rows) != asJSON(year.Rows) || len(got.Rows) == 0 {
			t.Errorf("%s: %d rows, want %d", measure, len(got.Rows), len(year.Rows))
		}
		if n := assumptions(got); !strings.Contains(n, "365 дней") {
			t.Error(n)
		}
		none := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, measure,
			`,"from":"2020-01-01","to":"2020-01-30"`))
		if !strings.Contains(none.Answer, "За период (30 дней) подходящих закупок не было; раньше — не проверялось") ||
			strings.Contains(none.Answer, "Ничего не найдено") {
			t.Error(none.Answer)
		}
		if n := wantNotice(t, none, tool.NoticeEmpty); !strings.Contains(n, "более ранние не проверялись") {
			t.Error(n)
		}
	}
	beside := callTool(t, a, "moysklad_analyze", `{"measures":["stock","last_purchase"],"by":["product"],`+
		`"from":"2020-01-01","to":"2020-01-30"}`)
	if len(beside.Rows) == 0 || !strings.Contains(beside.Answer, "раньше — не проверялось") {
		t.Error(beside.Answer)
	}
}

func TestDaysSinceASaleChooseThePeriod(t *testing.T) { // rule R228
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, measure := range []string{"days_since_sale", "stock", "quantity"} {
		r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":[%q],"by":["product"],"where":[{"field":`+
			`"days_since_sale","op":">","values":[75]}]}`, measure))
		if n := assumptions(r); !strings.Contains(n, "105 дней") {
			t.Errorf("%s: %s", measure, n)
		}
	}
	r := callTool(t, a, "moysklad_analyze", `{"measures":["last_sale"],"by":["product"]}`)
	if n := assumptions(r); !strings.Contains(n, "90 дней") {
		t.Error(n)
	}
}

// A hidden figure in a condition names the right that would show it.
func TestAConditionOnAHiddenFigureNamesTheRight(t *testing.T) { // rule R15
	s := openShop(t, sandbox.Options{})
	for _, query := range []string{
		`{"measures":["sale_price"],"by":["product"],"where":[{"field":"unit_cost","op":">","values":[0]}]}`,
		`{"measures":["stock_at_end"],"by":["product"],"where":[{"field":"stock_cost_at_end","op":">","values":[1]}]}`} {
		_, err := tryTool(s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze", query, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "нет права") ||
			!strings.Contains(err.Error(), "Видеть себестоимость") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// Names that the employee may not see cannot be searched.
func TestTextsAreNotSearchedInHiddenNames(t *testing.T) { // rule R15
	for dimension, c := range map[string]struct{ path, measure string }{
		"store":        {"entity/store", "orders"},
		"state":        {"entity/customerorder/metadata", "orders"},
		"counterparty": {"entity/counterparty", "orders"},
		"expense_item": {"entity/expenseitem", "money_out"},
	} {
		s := openShop(t, sandbox.Options{})
		a := s.behind(t, func(path string) (string, int) {
			if strings.HasSuffix(path, c.path) {
				return `{"errors":[{"error":"no access","code":1016}]}`, http.StatusForbidden
			}
			return "", 0
		})
		query := fmt.Sprintf(`{"measures":[%q],"by":["month"],"where":[{"field":%q,"op":"contains","values":["о"]}]}`,
			c.measure, dimension)
		_, err := tryTool(a, "moysklad_analyze", query, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "не видны") {
			t.Errorf("%s: %v", dimension, err)
		}
	}
}
