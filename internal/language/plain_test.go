package language_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

// plainQuestion is a first question, what its reading says, and the words that its answer names as not applied.
type plainQuestion struct {
	task, want, unused string
}

func readPlain(t *testing.T, list []plainQuestion) {
	t.Helper()
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	for _, q := range list {
		r := language.Read(q.task, language.Input{Now: now, Known: []*names.Index{known},
			Catalogue: measures.Catalogue})
		unused := strings.Join(r.Unused, ", ")
		r.Unused = nil
		if got := reading(r); !strings.Contains(got, q.want) || unused != q.unused {
			t.Errorf("%s\n got %s, unused %q\nwant %s, unused %q", q.task, got, unused, q.want, q.unused)
		}
	}
}

func TestRule630_MisspeltWordsOfBothLanguages(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"expences for september by item", "{measures:[money_out],by:[expense_item],from:2026-09-01", ""},
		{"average reciept in october", "{measures:[average_receipt],from:2026-10-01", ""},
		{"retuns by customer last 30 days", "{measures:[returns],by:[counterparty]", ""},
		{"wich goods have no sales in november", "{measures:[stock,pace],by:[product]", ""},
		{"склько остаток кофе на мира", "stock {stores:[Магазин на Мира],products:[", ""},
		{"скока сыра асталось на оснавном", "stores:[Основной склад]", ""},
		{"какие поставки ждем на след неделе", "{field:expected_on,op:between,values:[2026-11-23,2026-11-29]}", ""},
		{"выручка за прош. месяц", "from:2026-10-01,to:2026-10-31", ""},
	})
}

func TestRule631_NeverLooksAYearBack(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какие товары ни разу не продавались", "from:2025-11-23,to:2026-11-22", ""},
		{"какие товары ни разу не продавались в октябре", "from:2026-10-01,to:2026-10-31", ""},
	})
}

func TestRule632_WhoseSuppliersRaisedPrices(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какие поставщики подняли цены", "{measures:[purchase_price],by:[counterparty,product],where:[{field:purchase_price," +
			"op:>,values:[0],of:change}],compare:", ""},
	})
}

func TestRule633_OrdersOfWhichSomethingIsLeft(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какие заказы поставщикам до сих пор не приехали", "documents {kinds:[purchaseorder],not_received:true}", ""},
		{"сколько заказов мы еще не отгрузили и на какую сумму", "documents {kinds:[customerorder],unshipped:true}", ""},
		{"сколько заказали на сайте за последние 7 дней", "{measures:[orders,orders_sum],where:[{field:sales_channel", ""},
	})
}

func TestRule634_AVerbBesideANounForTheFigure(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько выручки накапало за позавчера", "{measures:[revenue],from:2026-11-20,to:2026-11-20}", "накапало"},
	})
}

func TestRule635_WhereGoodsLie(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"где у нас лежит чай дороже 500 рублей", "{measures:[stock,price_there],by:[product,store]", ""},
	})
}

func TestRule636_GoodsGiveNothing(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	r := language.Read("сколько нам осталось получить от Эконома", language.Input{Now: now,
		Known: []*names.Index{names.New(demoNames(now))}, Catalogue: measures.Catalogue})
	if r.Question == nil || !strings.Contains(r.Question.Text, "Эконома") {
		t.Errorf("read as %s: a name of goods gives nothing", reading(r))
	}
}

func TestRule637_TheSameMonthOfBothYears(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сравни выручку октября этого года с октябрем прошлого",
			"from:2026-10-01,to:2026-10-31,compare:{from:2025-10-01,to:2025-10-31}", ""},
	})
}

func TestRule638_PiecesAreCounted(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько штук чая продали в октябре", "{measures:[quantity],by:[product]", ""},
		{"how many pieces of textile did we sell last week", "{measures:[quantity],where:[{field:group", ""},
	})
}

func TestRule639_RemindIsNoReminderWithoutATime(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"напомни пж закупочную цену на полотенца", "card_purchase_price],by:[product]", ""},
	})
}

func TestRule640_ReceiptsAboveASum(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько чеков было больше 5 тысяч в ноябре",
			"{measures:[revenue],by:[document],where:[{field:revenue,op:>,values:[5000]}]", ""},
		{"какие товары принесли меньше тысячи рублей за квартал", "where:[{field:revenue,op:<,values:[1000]}]", ""},
	})
}

func TestRule641_HowLongSomebodyHasNotPaid(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"which customers haven't paid for over 30 days",
			"{measures:[debt_age],by:[counterparty],where:[{field:debt_age,op:>=,values:[30]}]}", ""},
		{"how much did ИП Соколов spend with us this year", "{measures:[revenue],where:[{field:counterparty", ""},
	})
}

func TestRule642_WordsThatNameTheRows(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"give me the worst performing groups by margin", "{measures:[margin],by:[group]", ""},
		{"по каким дням лучше всего продается кофе", "by:[weekday]", ""},
		{"сколько стоит килограмм сыра", "{measures:[sale_price],by:[product]", ""},
		{"сколько новых заказов пришло сегодня", "{measures:[orders],from:2026-11-22", ""},
	})
}
