package moysklad

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// 120 characters, columns separated by two spaces, cells truncated at 36
func TestEssentialColumnsFitATerminal(t *testing.T) {
	for _, a := range toolAnswers() {
		if a.err != nil {
			t.Fatal(a.err)
		}
		if a.role != "owner" {
			continue
		}
		for _, part := range a.result.InPages().Split() {
			r, err := part.Whole()
			if err != nil {
				t.Fatal(err)
			}
			used := -2
			for i, c := range r.Columns {
				if c.Detail || strings.HasSuffix(c.Name, "id") {
					continue
				}
				width := 0
				for _, row := range append(slices.Clone(r.Rows[:min(20, len(r.Rows))]), r.Totals) {
					if row != nil {
						width = max(width, utf8.RuneCountInString(row[i].Format(c.Unit, a.language)))
					}
				}
				if c.Unit == tool.UnitText {
					width = min(width, 36)
				}
				used += max(width, utf8.RuneCountInString(c.Label)) + 2
			}
			if used > 120 {
				t.Errorf("%s in %s: %d characters wide", a.tool, a.language, used)
			}
		}
	}
}

func TestShortagesStartWithTheMostUrgent(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 300, Days: 60}})
	for _, mode := range []string{"all", "below_minimum", "running_out"} {
		r := callTool(t, s.owner(t), "moysklad_shortages", `{"days":20,"mode":"`+mode+`"}`)
		const none, some, unknown = 0, 1, 2
		rank, lasts := none, decimal.Zero
		for _, row := range r.Rows {
			free, cover := number(t, r, row, "free"), cell(t, r, row, "days_of_cover")
			now := unknown
			switch {
			case free.Sign() <= 0:
				now = none
			case !cover.IsEmpty():
				now = some
			}
			if now < rank {
				t.Errorf("%s: %v is too far down", mode, row)
			}
			if days, ok := cover.Decimal(); ok && now == some {
				if days.Less(lasts) {
					t.Errorf("%s: %v runs out before the previous row", mode, row)
				}
				lasts = days
			}
			rank = now
		}
		if top := cell(t, r, r.Rows[0], "name").Text(); !strings.Contains(r.Answer, "Срочнее всего «"+top+"»") {
			t.Errorf("%s: the first row is %s, the answer: %s", mode, top, r.Answer)
		}
		var names []string
		for _, c := range r.Columns[:10] {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != "name store reason free minimum days_of_cover to_order supplier "+
			"price sum" {
			t.Errorf("columns: %s", got)
		}
	}
}

func TestTheAnswerNamesTheBestOrWorstRowAsSorted(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	for order, words := range map[string][2]string{
		"profit":   {"Наибольшая прибыль", "Самый большой убыток"},
		"revenue":  {"Наибольшая выручка", "Наименьшая выручка"},
		"margin":   {"Самая высокая маржа", "Самая низкая маржа"},
		"quantity": {"Больше всего прода", "Меньше всего прода"},
	} {
		for i, direction := range []string{"desc", "asc"} {
			for _, by := range []string{"product", "variant", "employee", "counterparty", "sales_channel"} {
				r := callTool(t, a, "moysklad_profitability", `{"by":"`+by+`","order":"`+order+`","direction":"`+
					direction+
					`",`+inOctober+`}`)
				want := words[i]
				if d, ok := cell(t, r, r.Rows[0], "profit").Decimal(); order == "profit" && i == 1 && ok &&
					d.Sign() >= 0 {
					want = "Наименьшая прибыль"
				}
				if name := wording.InQuotes(r.Rows[0][0].Text(), stockhand.Russian); !strings.Contains(r.Answer,
					want) ||
					!strings.Contains(r.Answer, "— "+name+": ") {
					t.Errorf("%s %s %s: %s, the first row is %s", by, order, direction, r.Answer, name)
				}
			}
		}
	}
}

func TestQuantitiesInSeveralUnitsHaveNoFirstPlace(t *testing.T) { // rule R1106
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_analyze",
		`{"measures":["stock"],"by":["store"],"order":[{"field":"stock","direction":"desc"}]}`)
	if strings.Contains(r.Answer, "Больше всего") {
		t.Error(r.Answer)
	}
	r = callTool(t, a, "moysklad_analyze",
		`{"measures":["stock"],"by":["product"],"order":[{"field":"stock","direction":"desc"}]}`)
	if !strings.Contains(r.Answer, "Больше всего") {
		t.Error(r.Answer)
	}
}

func TestABalanceInAHiddenCurrencyIsNotShownAsRoubles(t *testing.T) {
	const rub, usd, org = "00000000-0000-0000-0000-0000000000c1", "00000000-0000-0000-0000-0000000000c2",
		"00000000-0000-0000-0000-0000000000d1"
	account := func(body string) string {
		return `{` + body + `"organization":{"meta":{"href":"x/entity/organization/` + org +
			`","type":"organization"},"name":"О"},"balance":10050}`
	}
	bank := `"account":{"meta":{"href":"x/entity/organization/` + org +
		`/accounts/00000000-0000-0000-0000-0000000000e1","type":"account"},"name":"1"},`
	bodies := map[string]string{
		"entity/currency": listJSON(`{"id":"`+rub+`","isoCode":"RUB","default":true}`, `{"id":"`+
			usd+`","isoCode":"USD"}`),
		"report/money/byaccount": `{"meta":{"type":"moneyreport"},"rows":[` + account(bank) + `,` +
			account(``) + `]}`,
		"entity/organization/" + org + "/accounts": "403",
	}
	unlisted := `{"id":"00000000-0000-0000-0000-0000000000e1","currency":{"meta":{"href":"x/entity/currency/00000000-0000-0000-0000-0000000000c9","type":"currency"}}}`
	// variants: no access to the account, no account, a currency missing from the list
	for _, list := range []string{"403", listJSON(), listJSON(unlisted)} {
		bodies["entity/organization/"+org+"/accounts"] = list
		a := serve(t, respond(t, bodies))
		r := callTool(t, a, "moysklad_money", `{}`)
		for _, row := range r.Rows {
			want := "RUB"
			if cell(t, r, row, "account").Text() == "1" {
				want = ""
			}
			if v := cell(t, r, row, "balance"); v.Currency() != want {
				t.Errorf("%v in %q", row, v.Currency())
			}
			wantEqual(t, "balance", number(t, r, row, "balance"), decimal.MustParse("100.5"))
		}
		if !cell(t, r, r.Totals, "balance").IsEmpty() || !strings.Contains(r.Answer, "100,50\u00a0₽") ||
			!strings.Contains(r.Answer, "Ещё на 1 счёте") {
			t.Errorf("totals %v: %s", r.Totals, r.Answer)
		}
		if m := wantNotice(t, r, tool.NoticeCurrency); !strings.Contains(m, "Валюта не видна у 1 счёта") {
			t.Errorf("notice: %s", m)
		}
		o := callTool(t, a, "moysklad_account_overview", `{}`)
		if last := o.Rows[len(o.Rows)-1]; !cell(t, o, last, "amount").IsEmpty() ||
			cell(t, o, last, "details").Text() != "100,50\u00a0₽" {
			t.Errorf("overview: %v", last)
		}
	}
}

func TestWithoutTheCurrencyListNothingIsShownAsRoubles(t *testing.T) {
	a := serve(t, respond(t, map[string]string{
		"entity/currency":        "403",
		"report/money/byaccount": `{"meta":{"type":"moneyreport"},"rows":[{"organization":{"name":"О"},"balance":10050},{"organization":{"name":"П"},"balance":500}]}`,
	}))
	r := callTool(t, a, "moysklad_money", `{}`)
	for _, row := range r.Rows {
		if v := cell(t, r, row, "balance"); v.Currency() != "" {
			t.Errorf("%v in %q", row, v.Currency())
		}
	}
	if !cell(t, r, r.Totals, "balance").IsEmpty() || strings.Contains(r.Answer, "₽") {
		t.Errorf("totals %v: %s", r.Totals, r.Answer)
	}
	wantNotice(t, r, tool.NoticeCurrency)
}

func TestASumWithoutKnownValuesIsNotZero(t *testing.T) {
	a := serve(t, respond(t, map[string]string{"report/stock/all": listJSON(
		`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"А","stock":-2,"reserve":0,"quantity":-2,"price":0,"salePrice":0}`)}), "viewproductcostandprofit")
	r := callTool(t, a, "moysklad_stock", `{"only":"negative"}`)
	if !cell(t, r, r.Totals, "cost_sum").IsEmpty() || !cell(t, r, r.Totals, "sale_sum").IsEmpty() {
		t.Errorf("totals: %v", r.Totals)
	}
	if want := "На всех складах: 1 наименование с отрицательным остатком, в сумме −2 ед. Себестоимость неизвестна."; r.Answer != want {
		t.Errorf("answer: %s", r.Answer)
	}
}

func TestStockSaysWhichGoodsItCounts(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for only, want := range map[string]string{"negative": "с отрицательным остатком", "zero": "с нулевым остатком",
		"in_stock": "с остатком"} {
		if r := callTool(t, a, "moysklad_stock", `{"only":"`+only+`"}`); !strings.Contains(r.Answer, want) {
			t.Errorf("%s: %s", only, r.Answer)
		}
	}
	if r := callTool(t, a, "moysklad_stock",
		`{"only":"negative","stores":["Витрина"]}`); r.Answer != "Товаров с отрицательным остатком на складе «Витрина» нет." {
		t.Errorf("answer: %s", r.Answer)
	}
	// An empty result hides nothing, so a missing right must not be given as the reason.
	if r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_stock",
		`{"only":"negative","stores":["Витрина"]}`); countNotices(r, "Нет права") != 0 {
		t.Errorf("notices: %v", r.Notices)
	}
}

func TestAnEmptyAnswerFromPartialDataSaysSo(t *testing.T) { // fact M42
	s := openShop(t, sandbox.Options{})
	sales := s.as(t, s.info.Tokens.Sales)
	if r := callTool(t, sales, "moysklad_overdue_orders",
		`{"min_days":1000}`); r.Answer != "Среди заказов, которые видны сотруднику, просроченных на 1\u00a0000 дней и больше нет." {
		t.Errorf("orders: %s", r.Answer)
	}
	if r := callTool(t, sales, "moysklad_profitability", `{"from":"2030-01-01","to":"2030-01-02"}`); !strings.HasPrefix(
		r.Answer, "Среди документов, которые видит сотрудник, продаж") {
		t.Errorf("profitability: %s", r.Answer)
	}
	if r := callTool(t, s.owner(t), "moysklad_overdue_orders",
		`{"min_days":1000}`); r.Answer != "Заказов покупателей, просроченных на 1\u00a0000 дней и больше, нет." {
		t.Errorf("the owner's orders: %s", r.Answer)
	}
}

func TestMissingEndsOfThePeriodAreReported(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	for arguments, want := range map[string]string{
		`{}`:                    "Период не назван: взяты последние 30 дней, с 22.10.2026 по 20.11.2026",
		`{"from":"2026-11-10"}`: "Конец периода не назван: взято по сегодняшний день, с 10.11.2026",
		`{"to":"2026-11-10"}`:   "Начало периода не названо: взяты 30 дней до названного дня, с 12.10.2026 по 10.11.2026",
	} {
		if r := callTool(t, a, "moysklad_turnover", arguments); !strings.HasPrefix(
			wantNotice(t, r, tool.NoticeAssumption),
			want) {
			t.Errorf("%s: %v", arguments, r.Notices)
		}
	}
}

func TestAnAccountIsNotNamedAfterALegalEntity(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_account_overview", `{}`)
	for _, o := range s.company.Catalogue().Organizations {
		if strings.Contains(r.Answer, o.Name) {
			t.Errorf("the account is named after the legal entity %s: %s", o.Name, r.Answer)
		}
	}
	if !strings.HasPrefix(r.Answer, "В аккаунте 2 юрлица, ") {
		t.Errorf("answer: %s", r.Answer)
	}
}

func TestADirectionNotRequestedHasNoColumn(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	for direction, want := range map[string][]string{"owed_to_us": {"owed_to_us"}, "owed_by_us": {"owed_by_us"},
		"both": {"owed_to_us", "owed_by_us"}} {
		r := callTool(t, a, "moysklad_receivables", `{"direction":"`+direction+`"}`)
		var got []string
		for _, c := range r.Columns {
			if strings.HasPrefix(c.Name, "owed_") {
				got = append(got, c.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", direction, got)
		}
	}
}

func TestALimitedStockByWarehouseHasTheLargestRows(t *testing.T) { // regardless of the number of goods
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var supplier *company.Counterparty
	for _, g := range s.company.Catalogue().Goods {
		if g.Supplier != nil {
			supplier = g.Supplier
		}
	}
	for _, arguments := range []string{``, `,"suppliers":["` + string(supplier.ID) + `"]`} {
		most := decimal.Zero
		sums := map[string]decimal.Decimal{}
		all := callTool(t, a, "moysklad_stock_by_store", `{"limit":0`+arguments+`}`)
		for _, row := range all.Rows {
			id := cell(t, all, row, "id").Text()
			sums[id] = sums[id].Add(number(t, all, row, "stock"))
		}
		for _, sum := range sums {
			most = most.Max(sum)
		}
		if r := callTool(t, a, "moysklad_stock_by_store", `{"limit":2`+arguments+`}`); len(r.Rows) != 2 ||
			sums[cell(t, r, r.Rows[0], "id").Text()].Less(most) {
			t.Errorf("%s: %v", arguments, r.Rows)
		}
	}
}
