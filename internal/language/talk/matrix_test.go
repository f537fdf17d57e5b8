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

// asked is a question and what its call has of each type, as regular expressions.
type asked struct {
	say  string
	has  map[string]string // by the type of the part
	rows string            // what its rows are
}

// said is a follow-up, the type of the part that it changes, and what the call must have of it.
type saidNext struct {
	say, kind, want string
}

const (
	october   = `2026-10-01","to":"2026-10-31`
	september = `2026-09-01","to":"2026-09-30`
)

var firstAsked = []asked{
	{"продажи за октябрь", map[string]string{"period": october}, ""},
	{"выручка по товарам за октябрь", map[string]string{"period": october, "by": "product", "measure": "revenue"}, "product"},
	{"прибыль по группам за октябрь", map[string]string{"period": october, "by": "group", "measure": "profit"}, "group"},
	{"продажи за октябрь на Мира", map[string]string{"period": october, "store": "Мира"}, ""},
	{"продажи посуды за октябрь по дням", map[string]string{"period": october, "goods": "Посуда", "by": "day"}, "day"},
	{"топ 5 товаров по прибыли за октябрь", map[string]string{"period": october, "limit": `"limit":5`, "measure": "profit"}, "product"},
	{"топ 5 покупателей по выручке за октябрь", map[string]string{"period": october, "limit": `"limit":5`, "by": "counterparty"}, "counterparty"},
	{"маржа по складам за октябрь", map[string]string{"period": october, "by": "store", "measure": "margin"}, "store"},
	{"средний чек по сотрудникам за октябрь", map[string]string{"period": october, "by": "employee", "measure": "average_receipt"}, "employee"},
	{"динамика продаж по неделям за октябрь", map[string]string{"period": october, "by": "week"}, "week"},
	{"сравни выручку октября и сентября по группам", map[string]string{"period": "2026-10-01", "by": "group", "compare": "compare|2026-09"}, "group"},
	{"возвраты за октябрь по товарам", map[string]string{"period": october, "measure": "return"}, "product"},
	{"закупки у Петровой за октябрь", map[string]string{"period": october, "partner": "Петрова", "measure": "purchases|supply"}, ""},
	{"что покупала Альфа за октябрь", map[string]string{"period": october, "partner": "Альфа"}, "product"},
	{"остатки посуды на Лесной", map[string]string{"goods": "Посуда", "store": "Лесной", "measure": "stock"}, "product"},
	{"остатки по складам", map[string]string{"by": "store", "measure": "stock"}, "store"},
	{"остаток по себестоимости по группам", map[string]string{"by": "group", "measure": "stock_cost"}, "group"},
	{"что заканчивается на Лесной", map[string]string{"store": "Лесной", "tool": "shortages"}, "product"},
	{"что залежалось на Лесной", map[string]string{"store": "Лесной", "tool": "stock_age|days_in_stock"}, "product"},
	{"обороты товаров за октябрь", map[string]string{"period": october}, "product"},
	{"кто нам должен", map[string]string{"measure": "owed_to_us"}, "counterparty"},
	{"сколько денег на счетах", map[string]string{"measure": "money|balance"}, "account"},
	{"расходы по статьям за октябрь", map[string]string{"period": october, "measure": "money_out"}, "expense_item"},
	{"отгрузки за октябрь", map[string]string{"period": october, "tool": "demand"}, "document"},
	{"заказы покупателей за октябрь", map[string]string{"period": october, "tool": "customerorder"}, "document"},
	{"неоплаченные счета", map[string]string{"tool": "invoiceout", "flag": "unpaid"}, "document"},
	{"платежи за октябрь", map[string]string{"period": october, "tool": "paymentin|money"}, "document"},
	{"какие заказы просрочены", map[string]string{"tool": "overdue"}, "document"},
	{"какие товары не продавались в октябре", map[string]string{"period": "2026-10-01", "cond": `"quantity"|"revenue"|sold|no_sales|days_since`}, "product"},
	{"товары с маржой ниже 20% за октябрь", map[string]string{"period": october, "cond": `"20"`}, "product"},
	{"abc по выручке за октябрь", map[string]string{"period": october, "tool": "abc"}, "product"},
	{"прайс на посуду", map[string]string{"goods": "Посуда", "measure": "sale_price"}, "product"},
	{"прогноз продаж посуды на месяц", map[string]string{"goods": "Посуда", "tool": "forecast"}, "product"},
	{"остаток соли", map[string]string{"goods": "Соль", "measure": "stock"}, "product"},
	{"выручка кружек за октябрь", map[string]string{"period": october, "goods": "Кружка"}, "product"},
	{"sales by product for October", map[string]string{"period": october, "by": "product"}, "product"},
	{"profit by customer in October", map[string]string{"period": october, "by": "counterparty", "measure": "profit"}, "counterparty"},
	{"top 5 products by revenue in October at Мира", map[string]string{"period": october, "limit": `"limit":5`, "store": "Мира"}, "product"},
	{"stock of Посуда at Лесной", map[string]string{"goods": "Посуда", "store": "Лесной", "measure": "stock"}, "product"},
	{"shipments in October", map[string]string{"period": october, "tool": "demand"}, "document"},
	{"payments in October", map[string]string{"period": october, "tool": "paymentin|money"}, "document"},
	{"what is running low", map[string]string{"tool": "shortages"}, "product"},
	{"who owes us", map[string]string{"measure": "owed_to_us"}, "counterparty"},
	{"revenue by month this year", map[string]string{"period": "2026-01-01", "by": "month"}, "month"},
}

var saidThen = []saidNext{
	{"а за сентябрь", "period", september},
	{"за прошлую неделю", "period", "2026-11-09"},
	{"а вчера?", "period", "2026-11-21"},
	{"а годом раньше", "period", "2025-"},
	{"по складам", "by", "store"},
	{"по покупателям", "by", "counterparty"},
	{"разбей по месяцам", "by", "month"},
	{"по товарам", "by", "product|goods"},
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
	{"на какую сумму", "sum", "revenue|profit|cost|sum|documents|balance|owed|purchases|return|money|overdue|shortages|unpaid|stock_age|abc|turnover|payment|sales"},
	{"топ 3", "limit", `"limit":3`},
	{"худшие 5", "limit", `"limit":5.*|asc`},
	{"больше 10 тысяч", "cond", `10000`},
	{"где больше 100 штук", "cond", `100`},
	{"с остатком больше нуля", "cond", `"stock"`},
	{"сравни с сентябрём", "compare", "2026-09"},
	{"по сравнению с прошлым годом", "compare", "compare|2025"},
	{"отсортируй по прибыли", "order", `profit`},
	{"по возрастанию", "order", "asc"},
	{"почему так", "why", "explain"},
	{"только неоплаченные", "flag", "unpaid"},
	{"какая доля у каждого", "share", "share"},
	{"самый дешёвый", "order", "asc"},
	{"and for September?", "period", september},
	{"last week", "period", "2026-11-09"},
	{"by warehouse", "by", "store"},
	{"by customer", "by", "counterparty"},
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

func TestMatrix(t *testing.T) {
	var out strings.Builder
	counts := map[string]int{}
	byKind := map[string]map[string]int{}
	for _, b := range firstAsked {
		in := shop()
		first := Read(b.say, in)
		call := callOf(&first)
		if !complete(&first) {
			fmt.Fprintf(&out, "BASE %s: %s\n", b.say, call)
		}
		for kind, has := range b.has {
			if !regexp.MustCompile(has).MatchString(call) {
				fmt.Fprintf(&out, "BASE %s lacks %s: %s\n", b.say, kind, call)
			}
		}
		in.Previous, in.Earlier = &first, []string{b.say}
		if b.rows != "" {
			in.Rows = &refer.Rows{Result: "res_1", Dimension: b.rows, IDs: []string{"id/a", "id/b", "id/c", "id/d", "id/e", "id/f"},
				Names: []string{"Первая", "Вторая", "Третья", "Четвертая", "Пятая", "Шестая"}, More: true}
		}
		for _, f := range saidThen {
			r := Read(f.say, in)
			verdict, why := judgeNext(b, f, &first, &r)
			counts[verdict]++
			if byKind[f.say] == nil {
				byKind[f.say] = map[string]int{}
			}
			byKind[f.say][verdict]++
			fmt.Fprintf(&out, "%-8s %s | %s => %s %s\n", verdict, b.say, f.say, why, callOf(&r))
		}
	}
	for _, f := range saidThen {
		fmt.Fprintln(&out, "COL", f.say, byKind[f.say])
	}
	fmt.Fprintln(&out, "TOTAL", counts)
	if to := os.Getenv("MATRIX"); to != "" {
		os.WriteFile(to, []byte(out.String()), 0o600)
	}
	t.Log(counts)
}

func callOf(r *language.Reading) string {
	raw, _ := json.Marshal(r.ToolInput())
	s := string(r.Skill) + " " + string(raw)
	if r.Question != nil {
		s = "ASK " + r.Question.Text
		for _, o := range r.Question.Options {
			s += " [" + o.Text + "]"
		}
	}
	if r.Outside {
		s = "OUT " + r.Refusal
	}
	if u := slices.Concat(r.Unused); len(u) > 0 || len(r.Unknown) > 0 || len(r.Ignored) > 0 {
		s += fmt.Sprint(" UNUSED ", u, r.Unknown, r.Ignored)
	}
	return s
}

func judgeNext(b asked, f saidNext, first, r *language.Reading) (verdict, why string) {
	if r.Outside {
		return "refused", ""
	}
	if r.Question != nil || !r.Skill.Calls() {
		return "asked", ""
	}
	if len(r.Unused)+len(r.Ignored)+len(r.Unknown) > 0 {
		return "named", ""
	}
	call := callOf(r)
	if !regexp.MustCompile(f.want).MatchString(call) {
		return "SILENT", "lacks " + f.kind
	}
	for kind, has := range b.has {
		replaced := kind == f.kind || f.kind == "measure" && kind == "order" || kind == "tool" && f.kind != "sum" ||
			f.kind == "order" && kind == "measure" || f.kind == "limit" && kind == "order" || f.kind == "sum" && kind == "measure" || f.kind == "period" && kind == "compare" || f.kind == "by" && kind == "by"
		if !replaced && !regexp.MustCompile(has).MatchString(call) {
			return "SILENT", "lost " + kind
		}
	}
	return "applied", ""
}
