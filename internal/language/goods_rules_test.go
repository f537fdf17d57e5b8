package language_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

// TestGoodsQuestionsFollowTheirRules reads questions about goods and their documents (rules R820 to R828): each call
// has the parts that are named.
func TestGoodsQuestionsFollowTheirRules(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	for _, q := range [][]string{
		{"R820", "сколько прибыли лежит на складе", "formula:stock_price - stock_cost"},
		{"R820", "прибыль в остатках по группам", "formula:stock_price - stock_cost", "by:[group]"},
		{"R821", "сколько всего товара на основном по закупке", "measures:[stock_cost]", "Основной склад"},
		{"R822", "сыр дороже 800 за кило", "measures:[sale_price],by:[product]", "op:>,values:[800]"},
		{"R823", "чай дешевле 300 на Мира, которого больше 10", "op:<,values:[300]", "field:stock,op:>,values:[10]"},
		{"R823", "посуда дешевле 500 больше 20", "field:sale_price,op:<", "field:stock,op:>,values:[20]"},
		{"R823", "товары без цены которых больше 5", "field:sale_price,op:is_empty", "field:stock,op:>,values:[5]"},
		{"R823", "чай от 200 до 400 на основном", "op:between,values:[200,400]", "Основной склад"},
		{"R822", "себестоимость чая и цена", "measures:[unit_cost,sale_price]"},
		{"R820", "сколько денег в сладостях", "measures:[stock_cost]", "values:[Сладости]"},
		{"R824", "заказы покупателей на завтра", "kinds:[customerorder],due_from:2026-11-23"},
		{"R824", "поставки на завтра", "field:expected_on,op:between,values:[2026-11-23,2026-11-23]"},
		{"R825", "неоплаченные приемки", "documents {kinds:[supply],unpaid:true}"},
		{"R826", "китайские товары", "field:country,op:contains,values:[Китай]"},
		{"R826", "посуда из Турции дешевле 500", "values:[Турция]", "values:[500]", "values:[Посуда]"},
		{"R828", "соль килограммовая", "Соль первый сорт 1 кг", "№ 2"},
		{"R828", "носки размера M на витрине", "stores:[Витрина]", "Носки (белый, M)"},
	} {
		r := language.Read(q[1], language.Input{Now: now, Known: []*names.Index{known}, Catalogue: measures.Catalogue})
		got := reading(r)
		for _, part := range q[2:] {
			if !strings.Contains(got, part) {
				t.Errorf("rule %s: %s\n got %s\nwant %s", q[0], q[1], got, part)
			}
		}
	}
	r := language.Read("хватает ли товара на все заказы", language.Input{Now: now, Known: []*names.Index{known},
		Catalogue: measures.Catalogue})
	if r.Question == nil || len(r.Question.Options) != 1 { // rule R827
		t.Errorf("what lacks for orders is not asked about: %s", reading(r))
	}
}
