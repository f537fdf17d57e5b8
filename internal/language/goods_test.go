package language_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

// readings checks what tasks are read as, asked of the demo's shop. The call needs to contain all that is wanted.
func readings(t *testing.T, wanted map[string]string) {
	t.Helper()
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	for task, want := range wanted {
		r := language.Read(task, language.Input{Now: now, Known: []*names.Index{known},
			Catalogue: measures.Catalogue})
		got := reading(r)
		if r.Question != nil {
			got = "? " + r.Question.Text
		}
		for part := range strings.SplitSeq(want, " & ") {
			if !strings.Contains(got, part) || len(r.Unused) > 0 {
				t.Errorf("%s\n got %s, unused %v\nwant %s", task, got, r.Unused, want)
				break
			}
		}
	}
}

func TestAShortNameCoversEveryGoodThatItBegins(t *testing.T) { // rule R740
	readings(t, map[string]string{
		"сколько осталось носков":       "products:[Носки,Носки № 2,Носки № 3]",
		"на сколько дней хватит гречки": "Крупа гречневая домашние 1 кг,Крупа гречневая первый сорт 400 г]",
		"почем тапки":                   "sale_price & Тапочки]",
		"сколько наборов №3 соберем":    "stock {products:[Подарочный набор № 3]}",
		"сколько стоит доставка":        "sale_price & Доставка по городу]",
	})
}

func TestAnAdjectiveMayNameAGroup(t *testing.T) { // rule R741
	readings(t, map[string]string{
		"что из детских товаров заканчивается": "shortages {groups:[Детям]}",
		"что из игрушечного закончилось":       "values:[Игрушки] & op:<=",
		"дефицит по хозке":                     "shortage & [Хозтовары]",
		"посудные товары дороже 1000":          "[Посуда] & sale_price,op:>,values:[1000]",
		"список хозтоваров":                    "stock,sale_price & [Хозтовары]",
	})
}

func TestWhatIsLeftOutIsOfWhatIsAskedFor(t *testing.T) { // rule R742
	readings(t, map[string]string{"остатки по складам чай без зеленого": "Чай травяной с бергамотом 100 г"})
}

func TestPiecesWithoutAVerbAreInStock(t *testing.T) { // rule R743
	readings(t, map[string]string{
		"сколько штук посуды":                       "stock {groups:[Посуда]}",
		"сколько штук продали посуды":               "quantity",
		"сколько кг изюма осталось":                 "measures:[stock]",
		"чего меньше 10 штук":                       "stock,op:<,values:[10]",
		"на сколько денег товара на витрине":        "stock_cost & [Витрина]",
		"самые старые остатки":                      "stock_age",
		"сковороды где лежат":                       "stock_by_store",
		"сколько печенья доступно с учетом резерва": "measures:[free]",
	})
}

func TestAWordForATypeOfPricesIsThatType(t *testing.T) { // rules R744 and R951
	readings(t, map[string]string{
		"цены в интернет магазине на чай":  "price_type,op:in,values:[Интернет-магазин]}",
		"прайс для интернет-магазина":      "price_type,op:in,values:[Интернет-магазин]}",
		"почем пирамидки оптом":            "price_type,op:in,values:[Оптовая] & Пирамидка",
		"сколько стоит кружка на сайте":    "price_type,op:in,values:[Интернет-магазин] & Кружка",
		"чай оптом дешевле 500":            "values:[Оптовая] & sale_price,op:<,values:[500]",
		"нет оптовой цены у каких товаров": "values:[Оптовая] & sale_price,op:is_empty",
		"где оптовая цена выше розничной":  "? Отобрать товары сравнением двух типов цен нельзя",
	})
}

func TestInStockBesideAPriceIsACondition(t *testing.T) { // rule R745
	readings(t, map[string]string{
		"игрушки до 300 рублей в наличии": "[Игрушки] & sale_price,op:<=,values:[300] & " +
			"stock,op:>,values:[0]",
		"что дешевле 50 рублей и при этом больше сотни штук на остатке": "sale_price,op:<,values:[50] & " +
			"stock,op:>,values:[100]",
		"остаток товаров группы а": "measures:[revenue,stock] & abc,op:in,values:[A]",
	})
}

func TestFromWhomItIsCheaper(t *testing.T) { // rule R746
	readings(t, map[string]string{
		"у кого дешевле закупать гречку":        "purchase_price & by:[counterparty] & direction:asc",
		"где дешевле всего брать кофе в зернах": "purchase_price & by:[counterparty] & direction:asc",
	})
}

func TestTheLastPricePaid(t *testing.T) { // rule R747
	readings(t, map[string]string{
		"почем рис брали в прошлый раз":        "last_purchase_price,last_purchase",
		"сколько платили за рис в прошлый раз": "last_purchase_price,last_purchase",
		"по какой цене муку закупали":          "last_purchase_price,last_purchase",
	})
}

func TestVariantsAreShownAsVariants(t *testing.T) { // rule R748
	readings(t, map[string]string{
		"тапочки xl есть?":                      "variant,op:in,values:[Тапочки (синий, XL)]",
		"какие размеры кепок есть":              "by:[variant] & Кепка № 2",
		"ед изм у кураги":                       "by:[product,unit]",
		"из чего состоит подарочный набор 2":    "product {product:Подарочный набор № 2}",
		"в каких наборах есть Кружка эмаль 2 л": "product {product:Кружка эмаль 2 л}",
	})
}

func TestWhatIsNotThereIsFound(t *testing.T) { // rule R749
	readings(t, map[string]string{
		"чего уже нет на мира":             "stock {stores:[Магазин на Мира],only:zero}",
		"чего нет на лесной":               "stock {stores:[Склад на Лесной],only:zero}",
		"какие товары на нуле на мира":     "stock {stores:[Магазин на Мира],only:zero}",
		"у каких товаров не задан минимум": "field:minimum,op:is_empty",
		"что стоит в резерве":              "measures:[reserve] & field:reserve,op:>,values:[0]",
	})
}

func TestPiecesOfNamedGoodsAreInStock(t *testing.T) { // rule R743
	readings(t, map[string]string{
		"соль экстра сколько штук":       "stock {products:[Соль экстра 500 г]}",
		"кто больше всех накупил":        "measures:[revenue],by:[counterparty]",
		"кто висит больше чем на 50 тыщ": "field:owed_to_us,op:>,values:[50000]",
	})
}

func TestAWarehouseThatDoesNotExistIsUnknown(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	r := language.Read("остатки на новом складе", language.Input{Now: now,
		Known: []*names.Index{names.New(demoNames(now))}, Catalogue: measures.Catalogue})
	if len(r.Unknown) != 1 || r.Unknown[0].Words != "новом" {
		t.Errorf("unknown: %v", r.Unknown)
	}
}
