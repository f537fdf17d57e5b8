package grounding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func rub(s string) tool.Value { return tool.Money(decimal.MustParse(s), "RUB") }
func num(s string) tool.Value { return tool.Number(decimal.MustParse(s)) }

// earnings returns a small profitability result.
func earnings() *tool.Result {
	return &tool.Result{
		Tool: "moysklad_profitability", Title: "Прибыльность",
		Answer: "Выручка с 23.10.2026 по 21.11.2026 за вычетом возвратов — 1 773 281,33 ₽ (199 товаров). Прибыль 510 216,99 ₽, маржа 29,9 % (себестоимость известна для 96,2 % выручки).",
		Columns: []tool.Column{{Name: "name", Label: "Товар", Unit: tool.UnitText},
			{Name: "article", Label: "Артикул", Unit: tool.UnitText},
			{Name: "sold", Label: "Продано", Unit: tool.UnitQuantity},
			{Name: "revenue", Label: "Выручка − возвраты", Unit: tool.UnitMoney},
			{Name: "profit", Label: "Прибыль", Unit: tool.UnitMoney},
			{Name: "margin_percent", Label: "Маржа", Unit: tool.UnitPercent},
			{Name: "cost_known_percent", Label: "Себест. известна", Unit: tool.UnitPercent}},
		Rows: tool.Rows{
			{tool.TextValue("Тапочки"), tool.TextValue("A-1137"), num("32"), rub("97536"), rub("34474.20"), num("35.3"),
				num("100")},
			{tool.TextValue("Подарочный набор № 2"), tool.TextValue("SET-2"), num("7"), rub("81928"), rub("27937.45"),
				num("34.1"), num("100")},
			{tool.TextValue("Рубашка фланелевая"), tool.TextValue("A-1057"), num("53"), rub("46940"), rub("15739.20"),
				num("33.5"), num("100")},
		},
		Totals: tool.Row{tool.Empty, tool.Empty, num("2191.7"), rub("1773281.33"), rub("510216.99"), num("29.9"),
			num("96.2")},
		Notices: []tool.Notice{{Code: tool.NoticeCostPartial,
			Message: "Себестоимость известна для 96,2 % выручки; остальная выручка в прибыль и маржу не вошла."}},
		Provenance: tool.Provenance{Period: &tool.Period{From: "2026-10-23", To: "2026-11-21"}, Requests: 2},
	}
}

func figures(found []Figure) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Text)
	}
	return out
}

func check(text string) Checked {
	return Check(text, stockhand.Russian,
		Evidence{Messages: []string{"прибыльность за 30 дней, топ-2"},
			Sources: []Source{{ID: "res_1", Result: earnings()}}})
}

func TestAFigureNextToANameBelongsToThatRow(t *testing.T) {
	for _, c := range []struct {
		text      string
		unmatched int
	}{
		{"«Тапочки» — 32 шт., прибыль 34 474,20 ₽.", 0},
		{"«Тапочки» — 7 шт.", 1},
		{"Тапочки: 27 937,45 ₽", 1},
		{"Тапочки — 32 шт., Рубашка фланелевая — 53 шт.", 0},
		{"Тапочки — 53 шт., Рубашка фланелевая — 32 шт.", 2},
		{"32 шт. у «Тапочек»", 1},
		{"Прибыль 34 474 ₽ принесли Тапочки, а 15 739 ₽ — Рубашка фланелевая.", 0},
		{"| Товар | Прибыль |\n|---|--:|\n| Тапочки | 34 474,20 ₽ |\n| Рубашка фланелевая | 27 937,45 ₽ |", 1},
		{"| Товар | Прибыль |\n|---|--:|\n| Тапочки | 97 536,00 ₽ |", 1},
		{"### Тапочки\n\n- Продано: 32\n- Прибыль: 34,5 тыс. ₽", 0},
		{"### Тапочки\n\n- Продано: 53\n- Прибыль: 15,7 тыс. ₽", 2},
		{"Тапочки: 510 216,99 ₽", 1},
		{"Тапочки — 34 474 ₽ из всего 510 217 ₽ прибыли.", 0},
	} {
		if got := check(c.text); len(got.Unmatched) != c.unmatched {
			t.Errorf("%q: unmatched %q, want %d", c.text, figures(got.Unmatched), c.unmatched)
		}
	}
}

func TestFiguresWithoutANameReferToTheWholeResult(t *testing.T) {
	for _, c := range []struct {
		text      string
		unmatched []string
	}{
		{"Выручка за 30 дней — 1 773 281,33 ₽, прибыль 510 216,99 ₽, маржа 29,9 % (себестоимость известна для 96,2 % выручки).", nil},
		{"Выручка — 1,8 млн ₽, прибыль — около 510 тыс. ₽.", nil},
		{"Выручка составила почти 1,8 млн рублей, прибыль — более 510 тысяч рублей.", nil},
		{"Выручка составила более 1,8 млн рублей.", []string{"1,8 млн рублей"}},
		{"Всего 199 товаров, в таблице 3 строки.", nil},
		{"Выручка 1 873 281,33 ₽.", []string{"1 873 281,33 ₽"}},
		{"Прибыль — 1 773 281,33 ₽.", []string{"1 773 281,33 ₽"}}, // this is the revenue
		{"Выручка — 1 773 281,33 $.", []string{"1 773 281,33 $"}},
		{"Доля прибыли — 510 216,99 %.", []string{"510 216,99 %"}},
		{"Вот топ-2 товара за последние 30 дней.", nil},
		{"Лидер принёс 34 474,20 ₽ прибыли.", nil}, // a cell of the displayed rows
		{"Где-то продано 7 шт.", []string{"7 шт"}}, // too small to attribute to a row
		{"Рост 15 % к прошлому месяцу.", []string{"15 %"}},
		{"Склад: 12 345 678 ₽", []string{"12 345 678 ₽"}},
		{"Пять миллионов рублей.", []string{"Пять миллионов рублей"}},
		{"Прибыль: 5.1e5 ₽", []string{"5.1e5"}},
		{"Расходы: 1 773 281,33 − 510 216,99 = 1 263 064,34 ₽ разница.", nil},
		{"Прибыль 510 216,99 ₽ при выручке 1 773 281,33 ₽ — это 28,8 % от выручки, её доля.", nil},
		{"Прибыль 510 216,99 ₽ при выручке 1 773 281,33 ₽ — это 38,8 % от выручки, её доля.", []string{"38,8 %"}},
	} {
		got := check(c.text)
		if want := fmt.Sprint(c.unmatched); fmt.Sprint(figures(got.Unmatched)) != want {
			t.Errorf("%q: unmatched %q, want %q", c.text, figures(got.Unmatched), c.unmatched)
		}
	}
}

func TestParaphrasedTrueAnswersAreNotMarked(t *testing.T) {
	for _, text := range []string{
		"За период с 23 октября по 21 ноября 2026 г. выручка составила **1 773 281 ₽**, прибыль — **510 217 ₽** (маржа 29,9 %; себестоимость известна для 96,2 % выручки).\n\nСамые прибыльные товары:\n\n1. **Тапочки** — 34 474 ₽ прибыли при выручке 97 536 ₽ (маржа 35,3 %)\n2. **Подарочный набор № 2** — 27 937 ₽, продано 7 шт.\n3. **Рубашка фланелевая** — 15 739 ₽, 53 шт.",
		"Top 3 by profit:\n\n| # | Product | Profit | Margin |\n|---|---|---:|---:|\n| 1 | Тапочки | 34,474.20 ₽ | 35.3% |\n| 2 | Подарочный набор № 2 | 27,937.45 ₽ | 34.1% |\n| 3 | Рубашка фланелевая | 15,739.20 ₽ | 33.5% |\n| | **Total** | **78,150.85 ₽** | |\n\nCost is known for 96.2% of the revenue.",
		"«Тапочки» (A-1137) дали 34 474 ₽ — это 6,8 % всей прибыли (её доля), а «Подарочный набор № 2» (SET-2) — 27 937 ₽.",
		"Тапочки принесли на 6 536,75 ₽ больше прибыли, чем Подарочный набор № 2: 34 474,20 ₽ против 27 937,45 ₽.",
		"По артикулу A-1057 продано 53 шт. на 46 940 ₽.",
		"The period covers 30 days; 199 goods were sold.",
		"Тапочки: выручка 97,5 тыс. ₽, из них прибыль 34,5 тыс. ₽.\nРубашка фланелевая: выручка 46,9 тыс. ₽, прибыль 15,7 тыс. ₽.",
	} {
		got := check(text)
		if len(got.Unmatched) > 0 {
			t.Errorf("%q was marked in: %s", figures(got.Unmatched), got.Text)
		}
	}
}

func TestAnUnmatchedFigureIsMarkedInTheTextAndListedInANotice(t *testing.T) {
	got := check("Тапочки: 32 шт. и 99 999 ₽.")
	if want := "Тапочки: 32 шт. и 99 999 ₽⚠.\n\n⚠ — этого числа нет в прочитанных данных; не полагайтесь на него."; got.Text != want {
		t.Errorf("%q", got.Text)
	}
	if n, ok := got.Notice(stockhand.Russian); !ok || n.Code != NoticeUngrounded ||
		n.Message != "Не найдено в прочитанных данных: 99 999 ₽." {
		t.Errorf("%+v", n)
	}
	if _, ok := check("Тапочки: 32 шт.").Notice(stockhand.Russian); ok {
		t.Error("a notice without unmatched figures")
	}
	if m := check("Тапочки: 32 шт.").Matched; len(m) != 1 || m[0].Source != "res_1" || m[0].Column != "sold" ||
		m[0].Row != 0 || m[0].Origin != FromCell {
		t.Errorf("%+v", m)
	}
}

func TestMarginNeverAppearsWithoutItsCoverage(t *testing.T) {
	const say = "Маржа — по той части выручки, себестоимость которой известна: 96,2 %."
	for _, c := range []struct{ text, want string }{
		{"Маржа 29,9 %.", say},
		{"Рентабельность продаж — 29,9 %", say},
		{"У товара «Тапочки» маржа 35,3 %.", say},
		{"| Товар | Маржа |\n|---|--:|\n| Тапочки | 35,3 % |", say},
		{"| Товар | Маржа | Себест. известна |\n|---|--:|--:|\n| Тапочки | 35,3 % | 100,0 % |", ""},
		{"Маржа 29,9 %, себестоимость известна для 96 % выручки.", ""},
		{"Прибыль 510 216,99 ₽.", ""},
		{"Вы просили маржу от 20 %.", ""},
		{"Маржу посчитать нельзя.", ""},
	} {
		got := Check(c.text, stockhand.Russian,
			Evidence{Messages: []string{"товары с маржой от 20 %"},
				Sources: []Source{{ID: "res_1", Result: earnings()}}})
		if got.Coverage != c.want {
			t.Errorf("%q: %q, want %q", c.text, got.Coverage, c.want)
		}
		if c.want != "" && !strings.Contains(got.Text, c.want) {
			t.Errorf("%q: the coverage is missing from: %s", c.text, got.Text)
		}
	}
	if got := Check("The margin is 40%.", stockhand.English, Evidence{}); !strings.Contains(got.Text,
		"cannot be checked") || !strings.Contains(got.Text, "40%⚠") {
		t.Errorf("a margin without a source: %s", got.Text)
	}
}

func TestNoticesOmittedFromTheTextAreMissing(t *testing.T) {
	right := tool.Notice{Code: tool.NoticeRightMissing,
		Message: "Нет права «Видеть себестоимость, цену закупки и прибыль товаров»: себестоимость и прибыль скрыты."}
	partial := tool.Notice{Code: tool.NoticeCostPartial,
		Message: "Себестоимость известна для 96,2 % выручки; остальная выручка в прибыль и маржу не вошла."}
	fromPrice := tool.Notice{Code: tool.NoticeCostFromPrice,
		Message: "Маржа посчитана от закупочной цены, а не от себестоимости; цена есть у 54 из 62 товаров."}
	supplier := tool.Notice{Code: tool.NoticeNoSupplier,
		Message: "Поставщик не указан у 6 товаров: в списке есть, но у кого заказывать, неизвестно."}
	truncated := tool.Notice{Code: tool.NoticeTruncated,
		Message: "Rows shown: 10 of 200; the totals cover all of them."}
	read := tool.Notice{Code: tool.NoticePartial, Message: "Непроведённые заказы не учтены: 8."}
	for _, c := range []struct {
		text    string
		notice  tool.Notice
		missing bool
	}{
		{"Прибыль 500 ₽.", right, true},
		{"Все права есть: «Видеть себестоимость, цену закупки и прибыль товаров».", right, true},
		{"Прибыль показать нельзя: у сотрудника нет права «Видеть себестоимость, цену закупки и прибыль товаров».",
			right, false},
		{"Нет прав на просмотр прибыли.", right, true},
		{"Маржа 30 %, себестоимость известна для 96 % выручки.", partial, false},
		{"Маржа 30 %, себестоимость известна для 90 % выручки.", partial, true},
		{"Себестоимость 96,2 ₽.", partial, true},
		{"Маржа рассчитана от закупочной цены, она есть у 54 товаров из 62.", fromPrice, false},
		{"Маржа рассчитана от закупочной цены.", fromPrice, true},
		{"У 6 товаров нет поставщика.", supplier, false},
		{"У 7 товаров нет поставщика.", supplier, true},
		{"Showing the first 10 rows of 200.", truncated, false},
		{"There are 200 of them.", truncated, true},
		{"Не учтены 8 непроведённых заказов.", read, false},
		{"Просрочено 8 заказов.", read, true},
		{"- " + read.Message, read, false},
	} {
		if got := len(Missing(c.text, []tool.Notice{c.notice})) > 0; got != c.missing {
			t.Errorf("%q: %s missing %v, want %v", c.text, c.notice.Code, got, c.missing)
		}
	}
	if got := Missing("", []tool.Notice{right, right, read}); len(got) != 2 {
		t.Errorf("a notice is repeated: %v", got)
	}
}

func TestANumberFromTheUsersMessageMayBeRepeated(t *testing.T) {
	e := Evidence{Messages: []string{"закажи на 50 000 ₽, не больше 12 товаров, запас на 45 дней"},
		Sources: []Source{{ID: "res_1", Result: earnings(), Arguments: []byte(`{"days":45,"limit":20}`)}}}
	for text, unmatched := range map[string]int{
		"В пределах 50 000 ₽ и 12 товаров, запас на 45 дней.": 0,
		"Первые 20:":                0,
		"В пределах 51 000 ₽.":      1,
		"Прибыль 45 ₽.":             1, // an argument is not an amount
		"Продано 20 шт.":            1,
		"Выручка — 50 000 %.":       1,
		"«Тапочки»: маржа 45 %.":    1,
		"Запас на 45 дней, 20 дней": 0,
	} {
		if got := Check(text, stockhand.Russian, e); len(got.Unmatched) != unmatched {
			t.Errorf("%q: unmatched %q", text, figures(got.Unmatched))
		}
	}
}

// orders returns a small proposal.
func orders() *tool.Proposal {
	line := func(name, quantity, price string) tool.Line {
		return tool.Line{ID: "1", Product: tool.Ref{ID: "p", Name: name},
			Quantity: decimal.Some(decimal.MustParse(quantity)), Unit: "шт",
			Price: decimal.Some(decimal.MustParse(price)), Reason: "продаётся 1,4 в день"}
	}
	p := &tool.Proposal{Tool: "moysklad_propose_supplier_orders", Title: "Заказы поставщикам",
		Answer: "Два заказа на 11 900,00 ₽."}
	for _, d := range []tool.Document{
		{Title: "Заказ поставщику «Восток»", Supplier: &tool.Ref{ID: "s", Name: "ООО «Восток»"},
			Lines: []tool.Line{line("Тапочки", "10", "150"), line("Кепка", "20", "320")}},
		{Title: "Заказ поставщику «Запад»", Supplier: &tool.Ref{ID: "t", Name: "ООО «Запад»"},
			Lines: []tool.Line{line("Рубашка", "5", "800")}},
	} {
		d.Kind, d.Currency = tool.SupplierOrder, "RUB"
		d.Total = d.Sum()
		p.Documents = append(p.Documents, d)
	}
	return p
}

func TestFiguresOfADraftAreFoundInItsDocuments(t *testing.T) {
	e := Evidence{Sources: []Source{{ID: "drf_1", Proposal: orders()}}}
	for text, unmatched := range map[string]int{
		"Подготовлено 2 заказа на 11 900 ₽, всего 3 позиции.":                                    0,
		"ООО «Восток»: 2 позиции на 7 900 ₽; ООО «Запад»: 1 позиция на 4 000 ₽.":                 0,
		"ООО «Восток»: 1 позиция на 4 000 ₽.":                                                    2,
		"| Товар | Кол-во | Цена | Сумма |\n|---|--:|--:|--:|\n| Кепка | 20 | 320 ₽ | 6 400 ₽ |": 0,
		"| Товар | Кол-во | Цена | Сумма |\n|---|--:|--:|--:|\n| Кепка | 20 | 150 ₽ | 1 500 ₽ |": 2,
		"Кепка продаётся по 1,4 в день.":                                                         0,
		"Заказ на 12 900 ₽.": 1,
	} {
		if got := Check(text, stockhand.Russian, e); len(got.Unmatched) != unmatched {
			t.Errorf("%q: unmatched %q, want %d", text, figures(got.Unmatched), unmatched)
		}
	}
	d := &tool.Draft{Title: orders().Title, Answer: orders().Answer}
	for _, doc := range orders().Documents {
		d.Documents = append(d.Documents, tool.DraftDocument{Document: doc})
	}
	if got := Check("«Кепка» — 20 шт. на 6 400 ₽", stockhand.Russian,
		Evidence{Sources: []Source{{ID: "drf_1", Draft: d}}}); len(got.Unmatched) != 0 ||
		got.Matched[0].Source != "drf_1" {
		t.Errorf("%+v", got)
	}
}

func TestRowsOfDaysAreFoundByTheirDate(t *testing.T) {
	r := &tool.Result{Columns: []tool.Column{{Name: "date", Label: "День", Unit: tool.UnitDate},
		{Name: "sum", Label: "Сумма продаж", Unit: tool.UnitMoney}}, Totals: tool.Row{tool.Empty, rub("300")},
		Rows:       tool.Rows{{tool.Date("2026-11-20"), rub("120")}, {tool.Date("2026-11-21"), rub("180")}},
		Provenance: tool.Provenance{Period: &tool.Period{From: "2026-11-20", To: "2026-11-21"}}}
	for text, unmatched := range map[string]int{
		"20.11.2026 — 120 ₽, всего 300 ₽.":                                      0,
		"21 ноября продано на 180 ₽.":                                           0,
		"20 ноября продано на 180 ₽.":                                           1,
		"| День | Сумма |\n|---|--:|\n| 20 ноября | 120 ₽ |\n| 21.11 | 120 ₽ |": 1,
		"С 20 по 21 ноября продано на 300 ₽ за 2 дня.":                          0,
	} {
		if got := Check(text, stockhand.Russian, Evidence{Sources: []Source{{ID: "res_1", Result: r}}}); len(
			got.Unmatched) != unmatched {
			t.Errorf("%q: unmatched %q, want %d", text, figures(got.Unmatched), unmatched)
		}
	}
}

func TestNothingHidesAFalseFigure(t *testing.T) {
	hostile := earnings()
	hostile.Columns = append(hostile.Columns, tool.Column{Name: "comment", Label: "Комментарий", Unit: tool.UnitText})
	hostile.Rows = append(hostile.Rows, tool.Row{tool.TextValue("Ваша прибыль 9 999 999 ₽ за месяц"),
		tool.TextValue("777000"), num("1"), rub("100"), rub("1"), num("1"), num("100")})
	for i := range hostile.Rows {
		hostile.Rows[i] = append(hostile.Rows[i], tool.TextValue("прибыль 8 888 888 ₽"))
	}
	hostile.Totals = append(hostile.Totals, tool.Empty)
	hostile.Answer += " Меньше всего — «Ваша прибыль 9 999 999 ₽ за месяц»: 1,00 ₽."
	e := Evidence{Messages: []string{"какая прибыль?"},
		Sources: []Source{{ID: "res_1", Result: hostile,
			Arguments: []byte(`{"limit":7777777,"comment":"прибыль 7777777 ₽"}`)}}}
	for _, text := range []string{
		"Ваша прибыль 9 999 999 ₽ за месяц.",                 // a name that looks like a claim
		"Тапочки: прибыль 8 888 888 ₽.",                      // from a comment
		"Прибыль 7 777 777 ₽.",                               // from the tool's arguments, which the model chose
		"Прибыль: 777000 ₽.",                                 // an article number
		"Прибыль x999000 ₽ и прибыль-999000 ₽",               // inside an identifier
		"Прибыль 9OO OOO ₽",                                  // letters for digits
		"`Прибыль 999 000 ₽`", "```\nПрибыль 999 000 ₽\n```", // as code
		"Прибыль <b>999 000</b> ₽", "[999 000 ₽](https://a.ru)", // as markup
		"Прибыль ９９９０００ ₽",                                // full-width digits
		"Прибыль девятьсот девяносто девять тысяч рублей", // in words
		"Прибыль $999,000.00, или 999.000,00 €",
		"Прибыль: 1. 999 000 ₽",
		"| Товар | Прибыль |\n|---|---|\n| Неизвестный | 999 000 ₽ |",
		"Тапочки: 7 шт., как и заказано", "тапочки — 7 шт.", "ТАПОЧКИ 7 штук",
	} {
		if got := Check(text, stockhand.Russian, e); len(got.Unmatched) == 0 {
			t.Errorf("%q passed: %+v", text, got.Matched)
		}
	}
	for _, text := range []string{"Меньше всего принёс «Ваша прибыль 9 999 999 ₽ за месяц»: 1 ₽.",
		"| Товар | Прибыль |\n|---|--:|\n| Ваша прибыль 9 999 999 ₽ за месяц | 1,00 ₽ |", "[отчёт](/results/500)",
		"Артикул 777000."} {
		if got := Check(text, stockhand.Russian, e); len(got.Unmatched) != 0 {
			t.Errorf("%q: unmatched %q", text, figures(got.Unmatched))
		}
	}
}
