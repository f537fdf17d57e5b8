package talk

import (
	"encoding/json"
	"strings"
	"testing"
)

// What goes on with a draft, or with what was shown before one, keeps what it leaves out.
func TestDraftsGoOnInFewWords(t *testing.T) {
	for _, x := range []struct{ rule, said, want string }{
		{"R766", "остатки тарелка сталь 2 л на витрине | туда с основного 5 тарелка сталь 2 л",
			`"from_stores":["Основной склад"]`},
		{"R766", "что на витрине ниже минимума | закинь туда с основного чего не хватает", `"stores":["Витрина"]`},
		{"R767", "закажи соль экстра 500 г 25 шт | тапочки по 20", "? «тапочки по 20» — это количество или новая цена?"},
		{"R768", "закажи всё ниже минимума | добавь тапочки 2 шт", "/ Закажи 2 шт «Тапочки»"},
		{"R768", "закажи соль экстра 500 г 25 шт | и тапочки допиши, десяток", `{"product":"Тапочки","quantity":"10"}`},
		{"R769", "подними опт на посуду на 4% | и розницу", `{"percent":"4","groups":["Посуда"]}`},
		{"R769", "подними цены на посуду на 4% | копейки убери", `"round":{"to":"1"}`},
		{"R769", "подними цены на посуду на 6% | тарелки не трогай и кружки", `"except":{"products":["Тарелка`},
		{"R769", "закажи соль экстра 500 г 25 шт | столько же на витрину | первый не надо", "первый не надо"},
	} {
		r := converse(x.said)
		b, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		got := string(b)
		if r.Question != nil {
			got = "? " + r.Question.Text
			for _, o := range r.Question.Options {
				got += " / " + o.Text
			}
		}
		if !strings.Contains(got, x.want) {
			t.Errorf("%s: %s: %s %s; want %s", x.rule, x.said, r.Skill, got, x.want)
		}
	}
}
