package language_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

// TestStockQuestionsFollowTheirRules reads questions about stock, prices and cards in several wordings each (rules R880
// to R889): all of them get the same call.
func TestStockQuestionsFollowTheirRules(t *testing.T) {
	const belowMinimum = "analyze {measures:[shortage],by:[product],where:[{field:shortage,op:>,values:[0]}]}"
	const belowCost = "analyze {measures:[sale_price,price_minus_cost],by:[product]," +
		"where:[{field:price_minus_cost,op:<,values:[0]}]}"
	readAlike(t, [][]string{
		{"R880", belowMinimum, "что ниже минимума", "остаток меньше минимального", "ниже минималки",
			"не дотягивает до неснижаемого", "items under minimum stock"},
		{"R881", "analyze {measures:[stock_cost]}", "стоимость остатков", "во сколько оценивается склад",
			"сколько денег на складе в товаре", "сумма остатков"},
		{"R881", "analyze {measures:[stock_cost],by:[store]}", "стоимость остатков по складам",
			"по складам сколько товара в деньгах", "оценка запасов по складам", "сколько стоит товар на каждом складе"},
		{"R882", "stock {only:negative}", "отрицательные остатки", "товары в минусе"},
		{"R882", "stock_by_store {products:[Тапочки]}", "остатки тапочек по складам",
			"сколько тапочек на каждом складе"},
		{"R883", "analyze {measures:[sale_price],by:[product],where:[{field:barcode,op:is_empty}]}",
			"товары без штрихкода", "штрихкод отсутствует", "пустой штрихкод", "у чего не заведен штрихкод"},
		{"R884", "counterparty {counterparty:ООО «Чайный дом»}", "телефон чайного дома", "номер чайного дома",
			"как позвонить в чайный дом"},
		{"R885", belowCost, "товары дешевле закупки", "закупка дороже продажи", "цена продажи ниже себеса"},
		{"R886", "last_purchase_price,last_purchase,card_purchase_price", "сколько стоят тапочки в закупке",
			"по какой цене закупаем тапочки"},
		{"R888", "stock", "сколько наименований на складе", "какое количество наименований на складе"},
		{"R889", "direction:owed_by_us", "сколько мы должны чайному дому", "долг чайному дому",
			"что должны чайному дому"},
		{"R889", "direction:owed_to_us", "долг альфы", "сколько должна альфа"},
		{"R887", "documents {kinds:[purchaseorder],not_received:true}", "открытые заказы поставщикам"},
	})
}

var demoIndex = sync.OnceValue(func() *names.Index { return names.New(demoNames(demoNow)) })

var demoNow = time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)

// readDemo reads a first message in the demo shop.
func readDemo(task string) language.Reading {
	return language.Read(task, language.Input{Now: demoNow, Known: []*names.Index{demoIndex()},
		Catalogue: measures.Catalogue})
}

// readAlike reads the wordings of each line, which begins with a rule and a part of the call: all of them get that
// part.
func readAlike(t *testing.T, lines [][]string) {
	t.Helper()
	for _, line := range lines {
		for _, wording := range line[2:] {
			r := readDemo(wording)
			if got := reading(r); !strings.Contains(got, line[1]) {
				t.Errorf("rule %s: %s\n got %s\nwant %s", line[0], wording, got, line[1])
			}
		}
	}
}
