package language_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

func TestRule1020_WordsThatChangeNoFigure(t *testing.T) {
	const (
		byGroup = "{measures:[revenue],by:[group],from:2026-10-01,to:2026-10-31"
		onShelf = "stores:[Витрина],groups:[Посуда]"
	)
	readPlain(t, []plainQuestion{
		{"разбери выручку по группам за октябрь", byGroup, ""},
		{"изучи выручку по группам за октябрь", byGroup, ""},
		{"примерно выручка по группам за октябрь", byGroup, ""},
		{"полностью выручка по группам за октябрь", byGroup, ""},
		{"гони остатки посуды на Витрине", onShelf, ""},
		{"сколько приблизительно осталось посуды на Витрине", "Витрина", ""},
		{"полная картина по закупкам за октябрь", "measures:[purchases],from:2026-10-01", ""},
		{"каково количество продаж за октябрь", "measures:[quantity]", ""},
		{"чему равна прибыль за октябрь", "from:2026-10-01", ""},
		{"analyse revenue by group for october", byGroup, ""},
		{"walk me through revenue by group for october", byGroup, ""},
		{"roughly what is revenue by group for october", byGroup, ""},
	})
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	for _, task := range []string{"создай счёт для альфы на 10000", "раздели накладную",
		"каталажная выручка за октябрь",
		"выручка за октябрь по примерным каналам", "выручка за октябрь кроме детальных"} {
		r := language.Read(task, language.Input{Now: now, Known: []*names.Index{known}, Catalogue: measures.Catalogue})
		if r.Question == nil && !r.Outside && len(r.Unknown)+len(r.Unused) == 0 {
			t.Errorf("%s: %s, want a question or a refusal", task, reading(r))
		}
	}
}

func TestRule1021_TheMainOnesAreTheGreatest(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"три главных поставщика по закупкам за полгода", "measures:[purchases],by:[supplier]", ""},
		{"основные статьи расходов за октябрь", "measures:[money_out],by:[expense_item],from:2026-10-01", ""},
		{"what are our main suppliers by purchases this year",
			"{measures:[purchases],by:[supplier],from:2026-01-01", ""},
		{"выручка по основным группам за октябрь", "{measures:[revenue],by:[group],from:2026-10-01", ""},
		{"остатки на основном", "stores:[Основной склад]", ""}, {"stock at main", "stores:[Основной склад]", ""},
		{"остатки на основном складе", "stores:[Основной склад]", ""},
	})
}

func TestRule1022_RowsAreComparedByShowingThem(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сравни каналы продаж по выручке за октябрь", "by:sales_channel", ""},
		{"сравни менеджеров по прибыли за ноябрь", "by:employee", ""},
		{"сравни менеджеров", "{measures:[revenue],by:[employee]", ""},
		{"сравни поставщиков", "{measures:[purchases],by:[supplier]", ""},
		{"compare our stores", "{measures:[revenue],by:[store]", ""},
		{"сравни прибыль", "compare", ""},
	})
}

func TestRule1023_AnOptionSaysWhatIsShown(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	for task, want := range map[string]string{
		"волшебная прибыль по сотрудникам за ноябрь": "Прибыль по сотрудникам с 01.11.2026 по 22.11.2026",
		"волшебные остатки посуды на Витрине":        "Какие остатки товаров на складе «Витрина» по группе «Посуда»",
	} {
		r := language.Read(task, language.Input{Now: now, Known: []*names.Index{known}, Catalogue: measures.Catalogue})
		if len(r.Unknown) == 0 || r.Said != want {
			t.Errorf("%s: %q, want %q", task, r.Said, want)
		}
	}
}

func TestRule1024_ANumberInANameIsNoOther(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"заказы Столовой № 5",
			"documents {kinds:[customerorder,purchaseorder],counterparties:[ООО «Столовая № 5»]}", ""},
	})
}

func TestRule1025_WordsForSeveralGoodsEach(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"чай против кофе по выручке за октябрь", "{measures:[revenue],by:[product],where:[{field:product", ""},
		{"tea versus coffee revenue in october", "{measures:[revenue],by:[product],where:[{field:product", ""},
		{"прибыль чая против кофе за октябрь", "order:profit", ""},
		{"как продаётся чай", "order:revenue", ""}, {"какой есть чай", "measures:[stock,sale_price]", ""},
	})
}

func TestRule1026_NamesAreShownOneByOne(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько ушло на рекламу и на зарплату в октябре",
			"{measures:[money_out],by:[expense_item],where:[{field:", ""},
		{"сколько ушло на рекламу в октябре", "{measures:[money_out],where:[{field:expense_item", ""},
	})
}

func TestRule1027_GoneAndSoldBefore(t *testing.T) {
	const gone = "{field:stock,op:<=,values:[0]},{field:revenue,op:>,values:[0]}],from:2026-10-01"
	readPlain(t, []plainQuestion{
		{"что закончилось, но продавалось в октябре", gone, ""},
		{"which items are out of stock but sold in October", gone, ""},
		{"что закончилось из того что в октябре продавалось", gone, ""},
		{"каких товаров Светотехники нет в наличии", "{field:stock,op:<=,values:[0]}]}", ""},
		{"товары с нулевым остатком", "only:zero", ""},
	})
}

func TestRule1028_OrdersAndPurchasesOfTheWordsAroundThem(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какие заказы мы сделали поставщикам в ноябре", "documents {kinds:[purchaseorder],from:2026-11-01", ""},
		{"какие заказы покупателей пришли на этой неделе", "documents {kinds:[customerorder],from:2026-11-16", ""},
		{"какие товары мы не закупали больше трёх месяцев", "{field:last_purchase,op:<,values:[2026-08-24]}", ""},
	})
}

func TestRule1029_SalesPerDayAndBySize(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"sales per day this week", "interval:day", ""}, {"average sales per day this week", "revenue_per_day", ""},
		{"sales per day in october", "revenue_per_day", ""},
		{"остатки рубашек по размерам", "{measures:[stock],by:[variant],where:[{field:product", ""},
		{"остатки рубашек по цветам", "{measures:[stock],by:[variant],where:[{field:product", ""},
		{"средний размер чека", "average_receipt", ""},
	})
}

// TestRule1030_RevenueFromSomebody has every counterparty as a supplier, too, as accounts list them.
func TestRule1030_RevenueFromSomebody(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	all := demoNames(now)
	for _, n := range all {
		if n.Kind == connector.NameCounterparty {
			n.Kind = connector.NameSupplier
			all = append(all, n)
		}
	}
	known := names.New(all)
	for task, want := range map[string]string{"revenue from Альфа last month": `"field":"counterparty"`,
		"sales of goods from Восток in october": `"suppliers"`} {
		r := language.Read(task, language.Input{Now: now, Known: []*names.Index{known}, Catalogue: measures.Catalogue})
		if b, err := json.Marshal(r.ToolInput()); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s %s, want %s", task, r.Skill, b, want)
		}
	}
}
