package talk

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

func TestAFollowUpIsAnsweredInItsLanguage(t *testing.T) { // rule R970
	for said, want := range map[string]stockhand.Language{
		"what sold worst in october | top 5 only": stockhand.English,
		"stock of кружки | where":                 stockhand.English,
		"who owes us | total":                     stockhand.English,
		"what do we owe suppliers | overdue only": stockhand.English,
		"sales yesterday | Витрина":               stockhand.English,
		"продажи вчера | Витрина":                 stockhand.Russian,
		"кто нам должен | итого":                  stockhand.Russian,
		"sales in october | за сентябрь":          stockhand.Russian,
		"остатки посуды | na vitrine":             stockhand.Russian,
		"продажи вчера | посуда stock":            stockhand.English,
	} {
		if r := converseOf(said, nil); r.Language != want {
			t.Errorf("%s: in %q, want %q", said, r.Language, want)
		}
	}
}

func TestANameByItselfIsLookedUpFirst(t *testing.T) { // rule R971
	in := shop()
	in.Names, in.Known = nil, nil
	first := Read("продажи вчера", in)
	in.Previous, in.Earlier = &first, []string{"продажи вчера"}
	for _, said := range []string{"Витрина", "Vitrina?"} {
		if r := Read(said, in); r.Question != nil || len(r.Unknown) != 1 {
			t.Errorf("%q: %d unknown words, question %v", said, len(r.Unknown), r.Question)
		}
	}
}

func TestLastAloneIsThePeriodBeforeThisOne(t *testing.T) { // rule R972
	follows(t, nil, map[string]string{
		"average receipt today | and last":              `"from":"2026-11-21","to":"2026-11-21"`,
		"average receipt this week | and last":          `"from":"2026-11-09","to":"2026-11-15"`,
		"average receipt this month | what about last?": `"from":"2026-10-01","to":"2026-10-31"`,
		"average receipt this quarter | and last":       `"from":"2026-07-01","to":"2026-09-30"`,
	})
	if r := converseOf("average receipt in october | and last", nil); r.Skill == language.Shortages {
		t.Errorf("“and last” after a whole month asks for shortages")
	}
}

func TestGoodsAreLeftOutOfADraftInEnglish(t *testing.T) { // rule R973
	const lower = "mark everything in Посуда down 10% | actually make it 15 | "
	const mugs = `"except":{"products":["Кружка `
	for said, want := range map[string][]string{
		lower + "leave out the mugs":                 {`"percent":"-15"`, `"groups":["Посуда"]`, mugs},
		lower + "actually leave out the mugs please": {`"percent":"-15"`, `"groups":["Посуда"]`, mugs},
		lower + "take out the mugs":                  {`"percent":"-15"`, `"groups":["Посуда"]`, mugs},
		lower + "not the mugs":                       {`"percent":"-15"`, `"groups":["Посуда"]`, mugs},
		lower + "remove the mugs":                    {`"percent":"-15"`, `"groups":["Посуда"]`, mugs},
		"order everything that is low | leave out Посуда | and Сладости": {`"except":{"groups":["Посуда","Сладости"]}`},
	} {
		for _, part := range want {
			follows(t, nil, map[string]string{said: part})
		}
	}
}

func TestFactsOfRowsAreAskedInEnglish(t *testing.T) { // rule R974
	const top = "top 3 products by revenue in october | "
	const abc = `["a","b","c"]`
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		top + "how many of them do we have":                        `stock {"products":` + abc,
		top + "how much of those do we still have":                 `stock {"products":` + abc,
		"stock of кружки | how much are they":                      `"measures":["sale_price"]`,
		"stock of кружки | our cost":                               `"card_purchase_price"]`,
		"stock of кружки | what do they cost us":                   `"card_purchase_price"]`,
		"stock of кружки | what do they cost":                      `"measures":["sale_price"]`,
		"dead stock over 180 days | how much money is stuck there": `"products":` + abc,
	})
	follows(t, shown("counterparty", "x", "y"), map[string]string{
		"top 2 customers by revenue in october | what do they usually take": `"by":["product"],"where":[{"field":` +
			`"counterparty","op":"in","values":["x","y"]}]`,
	})
	follows(t, nil, map[string]string{
		"overdue orders | the worst one":       `"order":[{"field":"overdue_days","direction":"desc"}],"limit":1`,
		"overdue orders | by how long":         `overdue_orders {}`,
		"total stock value | at retail prices": `{"measures":["stock_price"]}`,
		"returns this month | of what":         `"measures":["returns"],"by":["product"]`,
		"who owes us | for how long already?":  `"measures":["owed_to_us","debt_age"]`,
		"who owes us | how long overdue":       `"measures":["owed_to_us","debt_age"]`,
	})
}

func TestAVerbWithAPercentIsOfPrices(t *testing.T) { // rule R975
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		"prices of Посуда | raise by 5 percent": `propose_price_change {"percent":"5","rows_of"`,
		"prices of Посуда | lower by 50 rub":    `propose_price_change {"amount":"-50","rows_of"`,
	})
	follows(t, nil, map[string]string{"order everything thats low": `{"mode":"running_out"}`})
}

func TestNoOptionIsOfWhatIsLeftOut(t *testing.T) { // rule R976
	for _, said := range []string{"without Посуда", "без посуды", "leave out Посуда"} {
		if r := Read(said, shop()); r.Question != nil && len(r.Question.Options) > 0 {
			t.Errorf("%q offers %q", said, r.Question.Options[0].Text)
		}
	}
}

func TestRussianPrepositionsInLatinLetters(t *testing.T) { // rule R977
	follows(t, nil, map[string]string{
		"остатки посуды | na vitrine":    `stock {"stores":["Витрина"],"groups":["Посуда"]}`,
		"остатки посуды | a na vitrine":  `stock {"stores":["Витрина"],"groups":["Посуда"]}`,
		"выручка за октябрь | za avgust": `"from":"2026-08-01","to":"2026-08-31"`,
	})
}
