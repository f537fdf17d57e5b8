package language

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// TestLimitsOfDrafts reads bounds of new prices and quantities, and conditions that look like them.
func TestLimitsOfDrafts(t *testing.T) { // rules R530, R531 and R534
	for task, want := range map[string]string{
		"снизь цены на посуду на 10%, но не ниже себестоимости":          `"over_cost":"0"`,
		"снизь цены на посуду на 10%, минимум себестоимость плюс 5%":     `"over_cost":"5"`,
		"снизь цены на посуду на 10%, не опускаясь ниже закупочной цены": `"over_purchase":"0"`,
		"снизь цены на посуду на 40% но не в убыток":                     `"over_cost":"0"`,
		"скинь 25% на посуду но чтоб маржа не упала ниже 10":             `"min_margin":"10"`,
		"снизь цены на посуду на 10%, но не дешевле 200 рублей":          `"min_price":"200"`,
		"снизь цены на посуду не дешевле 200 рублей на 10%":              `"where":[{"field":"price","op":"\u003e=","values":["200"]}]`,
		"подними цены на посуду на 5%, но не выше 500":                   `"max_price":"500"`,
		"cut prices of Посуда by 10% but not below cost":                 `"over_cost":"0"`,
		"закажи посуду, не больше 50 штук каждого":                       `"at_most":"50"`,
		"order Посуда, at most 20 of each":                               `"at_most":"20"`,
		"закажи всё ниже минимума упаковками по 12":                      `"multiple":"12"`,
		"закажи 5 упаковок по 12 «Чайник стальной»":                      `"quantity":"60"`,
		"закажи 30 «Чайник стальной», не дороже 10000":                   `"budget":"10000"`,
		"закажи всё ниже минимума, уложись в 40 тысяч":                   `"budget":"40000"`,
		"сделай маржу 30% на всё, где она ниже":                          `"margin":"30","where":[{"field":"margin","op":"\u003c","values":["30"]}]`,
		"товары с наценкой ниже 20% подними до 25%":                      `"markup":"25","where":[{"field":"markup","op":"\u003c"`,
		"подними цены на посуду на 8%, кроме тех, где маржа выше 50%":    `{"field":"margin","op":"\u003c=","values":["50"]}`,
		"перемести всю посуду с основного на витрину, оставь на основном по 2": `{"field":"group","op":"in",` +
			`"values":["Посуда"]}`,
		"перемести всё с основного на витрину, оставь на основном по 2": `"keep":"2"`,
	} {
		r := proposed(task, nil, nil)
		if got := said(r); !strings.Contains(got, want) || strings.HasPrefix(got, "?") {
			t.Errorf("%q: %s; want %s", task, got, want)
		}
	}
}

func TestAGoodWithVariantsIsAQuestion(t *testing.T) { // rule R533
	in := Input{Now: wednesday, Catalogue: measures.Catalogue, Names: append([]connector.Name{
		{Kind: connector.NameProduct, ID: "k", Name: "Кепка"},
		{Kind: connector.NameProduct, ID: "k1", Name: "Кепка (серый, L)"},
		{Kind: connector.NameProduct, ID: "k2", Name: "Кепка (синий, M)"}}, shop...)}
	r := Read("закажи 10 «Кепка»", in)
	if r.Question == nil || len(r.Question.Options) != 3 ||
		r.Question.Options[1].Text != "Закажи 10 шт «Кепка (синий, M)»" {
		t.Errorf("%s %+v", said(r), r.Question)
	}
}

func TestAPastedListIsGoodsWithQuantities(t *testing.T) { // rule R534
	r := proposed("1) «Чайник стальной» - 24 шт\n2) «Ключ гаечный мини» - 36 шт", nil, nil)
	if r.Question == nil || len(r.Question.Options) == 0 ||
		!strings.HasPrefix(r.Question.Options[0].Text, "Закажи 24 шт «Чайник стальной», 36 шт «Ключ гаечный мини") {
		t.Errorf("%s %+v", said(r), r.Question)
	}
}
