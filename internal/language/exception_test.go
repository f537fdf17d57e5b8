package language

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

func TestExceptionsAreKeptByEveryDraft(t *testing.T) { // rule R352
	for task, want := range map[string]string{
		"посуда +8%, дешевле 100 рублей не трогай":                         `{"field":"price","op":"\u003e=","values":["100"]}`,
		"подними посуду на 8 %, а что дороже 3000 рублей оставь как есть":  `{"field":"price","op":"\u003c=","values":["3000"]}`,
		"снизь цены на посуду на 5 %, не трогай то, что дешевле 200":       `{"field":"price","op":"\u003e=","values":["200"]}`,
		"raise prices of Посуда by 4% but leave anything above 3000 alone": `{"field":"price","op":"\u003c=","values":["3000"]}`,
		"raise Посуда by 4%, keep those below 200 as is":                   `{"field":"price","op":"\u003e=","values":["200"]}`,
		"перекинь всю посуду кроме чайника стального с основного склада на склад Центр": `{"field":"product","op":"not_in",` +
			`"values":["Чайник стальной"]}`,
		"поставь минимум 3 на посуду без чайника стального": `{"field":"product","op":"not_in",` +
			`"values":["Чайник стальной"]}`,
		"transfer what is short from Основной склад to Склад Центр except Посуда": `{"field":"group","op":"not_in",` +
			`"values":["Посуда"]}`,
	} {
		r := Read(task, Input{Now: wednesday, Names: shop, Catalogue: measures.Catalogue})
		if got := said(r); !strings.Contains(got, want) || strings.HasPrefix(got, "?") {
			t.Errorf("%q: %s; want %s", task, got, want)
		}
	}
}

func TestWhatADraftCannotHaveIsAQuestion(t *testing.T) { // rule R353
	for task, want := range map[string]string{
		"закажи у Петрушкина 10 стальных чайников":      "У кого заказать?",
		"order 10 «Чайник стальной» from Petrushkin":    "From whom shall I order?",
		"закажи 20 кг «Чайник стальной»":                "в единицах, в которых учитывается товар",
		"закажи 3 коробки «Чайник стальной»":            "Сколько штук входит в «3 коробки»",
		"order 3 boxes of «Чайник стальной»":            "how many pieces are in “3 boxes”",
		"сделай заказ как 00012":                        "по номеру я не умею",
		"повтори заказ поставщику 00012 только без чая": "по номеру я не умею",
		"copy order 00012": "one by its number",
	} {
		r := Read(task, Input{Now: wednesday, Names: shop, Catalogue: measures.Catalogue})
		got := r.Refusal
		if r.Question != nil {
			got = r.Question.Text
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s %q; want %q", task, said(r), got, want)
		}
	}
}
