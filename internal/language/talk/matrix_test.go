package talk

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
)

// firstAsked is a question, what its call has of each type of parts, as regular expressions, and what its rows are.
type firstAsked struct {
	say  string
	has  map[string]string
	rows string
}

// saidNext is a follow-up, the type of the part that it changes, and what the call must have of it.
type saidNext struct {
	say, kind, want string
}

const (
	october   = `2026-10-01","to":"2026-10-31`
	september = `2026-09-01","to":"2026-09-30`
)

var matrixQuestions = []firstAsked{
	{"продажи за октябрь", map[string]string{"period": october}, ""},
	{"выручка по товарам за октябрь",
		map[string]string{"period": october, "by": "product", "measure": "revenue"}, "product"},
	{"прибыль по группам за октябрь",
		map[string]string{"period": october, "by": "group", "measure": "profit"}, "group"},
	{"продажи за октябрь на Мира", map[string]string{"period": october, "store": "Мира"}, ""},
	{"продажи посуды за октябрь по дням",
		map[string]string{"period": october, "goods": "Посуда", "by": "day"}, "day"},
	{"топ 5 товаров по прибыли за октябрь",
		map[string]string{"period": october, "limit": `"limit":5`, "measure": "profit"}, "product"},
	{"топ 5 покупателей по выручке за октябрь",
		map[string]string{"period": october, "limit": `"limit":5`, "by": "counterparty"}, "counterparty"},
	{"маржа по складам за октябрь",
		map[string]string{"period": october, "by": "store", "measure": "margin"}, "store"},
	{"средний чек по сотрудникам за октябрь",
		map[string]string{"period": october, "by": "employee", "measure": "average_receipt"}, "employee"},
	{"динамика продаж по неделям за октябрь", map[string]string{"period": october, "by": "week"}, "week"},
	{"сравни выручку октября и сентября по группам",
		map[string]string{"period": "2026-10-01", "by": "group", "compare": "compare|2026-09"}, "group"},
	{"возвраты за октябрь по товарам", map[string]string{"period": october, "measure": "return"}, "product"},
	{"закупки у Петровой за октябрь",
		map[string]string{"period": october, "partner": "Петрова", "measure": "purchases|supply"}, ""},
	{"что покупала Альфа за октябрь", map[string]string{"period": october, "partner": "Альфа"}, "product"},
	{"остатки посуды на Лесной",
		map[string]string{"goods": "Посуда", "store": "Лесной", "measure": "stock"}, "product"},
	{"остатки по складам", map[string]string{"by": "store", "measure": "stock"}, "store"},
	{"остаток по себестоимости по группам", map[string]string{"by": "group", "measure": "stock_cost"}, "group"},
	{"что заканчивается на Лесной", map[string]string{"store": "Лесной", "tool": "shortages"}, "product"},
	{"что залежалось на Лесной",
		map[string]string{"store": "Лесной", "tool": "stock_age|days_in_stock"}, "product"},
	{"обороты товаров за октябрь", map[string]string{"period": october}, "product"},
	{"кто нам должен", map[string]string{"measure": "owed_to_us"}, "counterparty"},
	{"сколько денег на счетах", map[string]string{"measure": "money|balance"}, "account"},
	{"расходы по статьям за октябрь",
		map[string]string{"period": october, "measure": "money_out"}, "expense_item"},
	{"отгрузки за октябрь", map[string]string{"period": october, "tool": "demand"}, "document"},
	{"заказы покупателей за октябрь",
		map[string]string{"period": october, "tool": "customerorder"}, "document"},
	{"неоплаченные счета", map[string]string{"tool": "invoiceout", "flag": "unpaid"}, "document"},
	{"платежи за октябрь", map[string]string{"period": october, "tool": "paymentin|money"}, "document"},
	{"какие заказы просрочены", map[string]string{"tool": "overdue"}, "document"},
	{"какие товары не продавались в октябре",
		map[string]string{"period": "2026-10-01", "cond": `"pace","op":"="`}, "product"},
	{"товары с маржой ниже 20% за октябрь", map[string]string{"period": october, "cond": `"20"`}, "product"},
	{"abc по выручке за октябрь", map[string]string{"period": october, "tool": "abc"}, "product"},
	{"прайс на посуду", map[string]string{"goods": "Посуда", "measure": "sale_price|price_there"}, "product"},
	{"прогноз продаж посуды на месяц", map[string]string{"goods": "Посуда", "tool": "forecast"}, "product"},
	{"остаток соли", map[string]string{"goods": "Соль", "measure": "stock"}, "product"},
	{"выручка кружек за октябрь", map[string]string{"period": october, "goods": "Кружка"}, "product"},
	{"sales by product for October", map[string]string{"period": october, "by": "product"}, "product"},
	{"profit by customer in October",
		map[string]string{"period": october, "by": "counterparty", "measure": "profit"}, "counterparty"},
	{"top 5 products by revenue in October at Мира",
		map[string]string{"period": october, "limit": `"limit":5`, "store": "Мира"}, "product"},
	{"stock of Посуда at Лесной",
		map[string]string{"goods": "Посуда", "store": "Лесной", "measure": "stock"}, "product"},
	{"shipments in October", map[string]string{"period": october, "tool": "demand"}, "document"},
	{"payments in October", map[string]string{"period": october, "tool": "paymentin|money"}, "document"},
	{"what is running low", map[string]string{"tool": "shortages"}, "product"},
	{"who owes us", map[string]string{"measure": "owed_to_us"}, "counterparty"},
	{"revenue by month this year", map[string]string{"period": "2026-01-01", "by": "month"}, "month"},
}

var matrixFollowUps = []saidNext{
	{"а за сентябрь", "period", september + `|"at":"2026-09-30"`},
	{"за прошлую неделю", "period", `2026-11-09|"at":"2026-11-15"`},
	{"а вчера?", "period", "2026-11-21"},
	{"а годом раньше", "period", "2025-"},
	{"по складам", "by", "store"},
	{"по покупателям", "by", `"counterparty"|receivables`},
	{"разбей по месяцам", "by", "month"},
	{"по товарам", "by", "product|goods|stock|shortages|turnover|abc|forecast"},
	{"кто из сотрудников больше", "by", "employee"},
	{"только Текстиль", "goods", "Текстиль"},
	{"а по посуде", "goods", "Посуда"},
	{"без канцтоваров", "goods", "not_in.*Канцтовары|Канцтовары.*not_in|exclude.*Канц"},
	{"только кружки", "goods", "Кружка"},
	{"а на Витрине", "store", "Витрина"},
	{"кроме Лесной", "store", "not_in.*Лесной|exclude"},
	{"только Бета", "partner", "Бета"},
	{"а у Петровой", "partner", "Петрова"},
	{"только сайт", "channel", "Сайт"},
	{"и прибыль", "add", "profit"},
	{"а маржа?", "measure", "margin"},
	{"в штуках", "measure", "quantity|stock|units|income|returned"},
	{"на какую сумму", "sum",
		"revenue|profit|cost|sum|documents|balance|owed|purchases|returns|money|overdue|unpaid|abc|turnover|sales"},
	{"топ 3", "limit", `"limit":3`},
	{"топ 3 по прибыли", "limit", `profit","direction":"desc.*"limit":3`},
	{"где упало", "changed", `"of":"change"|change":true`},
	{"худшие 5", "limit", `"limit":5.*|asc`},
	{"больше 10 тысяч", "cond", `10000`},
	{"где больше 100 штук", "cond", `100`},
	{"с остатком больше нуля", "cond", `"stock(_cost)?","op":"(>|!=)"`},
	{"сравни с сентябрём", "compare", "2026-09"},
	{"по сравнению с прошлым годом", "compare", "compare|2025"},
	{"отсортируй по прибыли", "order", `profit`},
	{"по возрастанию", "order", "asc|smallest"},
	{"почему так", "why", "explain|compare"},
	{"только неоплаченные", "flag", "unpaid"},
	{"какая доля у каждого", "share", "share"},
	{"самый дешёвый", "one", "asc|smallest"},
	{"and for September?", "period", september + `|"at":"2026-09-30"`},
	{"last week", "period", `2026-11-09|"at":"2026-11-15"`},
	{"by warehouse", "by", "store"},
	{"by customer", "by", `"counterparty"|receivables`},
	{"only Текстиль", "goods", "Текстиль"},
	{"without Канцтовары", "goods", "not_in|exclude"},
	{"only at Витрина", "store", "Витрина"},
	{"and for Бета", "partner", "Бета"},
	{"add profit", "add", "profit"},
	{"in units", "measure", "quantity|stock|units|income|returned"},
	{"top 3", "limit", `"limit":3`},
	{"over 10000", "cond", "10000"},
	{"vs last year", "compare", "compare|2025"},
	{"sort by profit", "order", "profit"},
	{"by quantity", "order", "quantity|stock|units|income|returned"},
}

// inPlaceOf are the types of parts of the question before that a follow-up may take the place of, by its own type:
// a breakdown by all warehouses drops the condition on one of them (rule R271).
var inPlaceOf = map[string][]string{
	"period":  {"period", "compare"},
	"by":      {"by", "store", "partner", "limit"},
	"measure": {"measure", "order", "tool"},
	"order":   {"order", "measure", "tool"},
	"limit":   {"limit", "order"},
	"one":     {"limit", "order", "measure", "tool"},
	"changed": {"compare", "store", "order"},
	"sum":     {"measure", "tool"},
	"goods":   {"goods"}, "store": {"store"}, "partner": {"partner"}, "compare": {"compare"},
}

// TestNoFollowUpLosesACondition asks each question with each follow-up (rule R650): what the follow-up says is
// applied and all else of the question is kept, or the answer is a question, a refusal, or names what it did not
// use.
func TestNoFollowUpLosesACondition(t *testing.T) {
	counts := map[string]int{}
	var log strings.Builder
	for _, b := range matrixQuestions {
		in := shop()
		first := Read(b.say, in)
		call := callOf(&first)
		for kind, has := range b.has {
			if !complete(&first) || !regexp.MustCompile(has).MatchString(call) {
				t.Errorf("%s: no %s in %s", b.say, kind, call)
			}
		}
		in.Previous, in.Earlier = &first, []string{b.say}
		if b.rows != "" {
			in.Rows = &refer.Rows{Result: "res_1", Dimension: b.rows, More: true,
				IDs:   []string{"id/a", "id/b", "id/c", "id/d", "id/e", "id/f"},
				Names: []string{"Первая", "Вторая", "Третья", "Четвертая", "Пятая", "Шестая"}}
		}
		for _, f := range matrixFollowUps {
			r := Read(f.say, in)
			verdict := judgeNext(b, f, &r)
			counts[strings.Fields(verdict)[0]]++
			if strings.HasPrefix(verdict, "lost") {
				t.Errorf("%s | %s: %s: %s", b.say, f.say, verdict, callOf(&r))
			}
			fmt.Fprintf(&log, "%s: %s | %s => %s\n", verdict, b.say, f.say, callOf(&r))
		}
	}
	t.Log(counts)
	if path := os.Getenv("STOCKHAND_TEST_MATRIX"); path != "" {
		if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// callOf is what a reading does, as text.
func callOf(r *language.Reading) string {
	switch {
	case r.Outside:
		return "refusal " + r.Refusal
	case r.Question != nil:
		return "question " + r.Question.Text
	}
	raw, err := json.Marshal(r.ToolInput())
	if err != nil {
		return err.Error()
	}
	call := string(r.Skill) + " " + strings.NewReplacer(`\u003e`, ">", `\u003c`, "<").Replace(string(raw))
	if !complete(r) {
		call += fmt.Sprint(" unused: ", r.Unused, r.Unknown, r.Ignored)
	}
	return call
}

// judgeNext says what became of a follow-up.
func judgeNext(b firstAsked, f saidNext, r *language.Reading) string {
	switch {
	case r.Outside:
		return "refused"
	case r.Question != nil || !r.Skill.Calls():
		return "asked"
	case !complete(r):
		return "named"
	}
	call := callOf(r)
	if !regexp.MustCompile(f.want).MatchString(call) {
		return "lost " + f.kind + " of the follow-up"
	}
	if strings.Contains(call, `"id/a"`) {
		return "applied" // to the rows that were shown
	}
	for kind, has := range b.has {
		kept := slices.Contains(inPlaceOf[f.kind], kind) || kind == "tool"
		if !kept && !regexp.MustCompile(has).MatchString(call) {
			return "lost " + kind + " of the question"
		}
	}
	return "applied"
}
