package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
)

// follows checks what the last turn of each conversation is read as.
func follows(t *testing.T, rows *refer.Rows, conversations map[string]string) {
	t.Helper()
	for said, want := range conversations {
		r := converseOf(said, rows)
		input, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.Skill) + " " + string(input); !complete(&r) || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

// converseOf reads conversations as converse does; the rows are those of the table before the last turn.
func converseOf(text string, rows *refer.Rows) language.Reading {
	turns := strings.Split(text, " | ")
	in := shop()
	for _, said := range turns[:len(turns)-1] {
		r := Read(said, in)
		if complete(&r) {
			in.Previous = &r
		}
		in.Earlier = append(in.Earlier, said)
	}
	in.Rows = rows
	return Read(turns[len(turns)-1], in)
}

func TestAnExceptionMayStandInFrontOfItsVerb(t *testing.T) { // rule R735
	follows(t, nil, map[string]string{
		"прибыль по группам за октябрь | посуду убери": `{"field":"group","op":"not_in","values":["Посуда"]}`,
		"закажи у восток-сервиса 10 тапочек на Основной | тапочки замени на соль экстра 500 г, столько же": `"items":` +
			`[{"product":"Соль экстра 500 г","quantity":"10"}]`,
		"закажи у восток-сервиса 10 тапочек на Основной | тапочек лучше 8": `{"product":"Тапочки","quantity":"8"}`,
	})
}

func TestItIsWhatWasNamed(t *testing.T) { // rule R736
	follows(t, nil, map[string]string{
		"отгрузки пекарни за октябрь | номер телефона их дай": `counterparty {"counterparty":"ООО «Пекарня»"`,
		"прогноз продаж тапочек на 30 дней | any delivery of it on the way?": `documents {"kinds":["purchaseorder"],` +
			`"products":["Тапочки"],"not_received":true}`,
	})
}

func TestPaymentsStayPayments(t *testing.T) { // rule R737
	follows(t, nil, map[string]string{
		"сколько денег пришло вчера на счёт | а в кассу": `"money_in"],"where":[{"field":"account","op":"in","values":` +
			`["Касса"]}],"from":"2026-11-21","to":"2026-11-21"}`,
		"сколько денег пришло вчера в кассу | а на счёт": `"money_in"],"where":[{"field":"account","op":"not_in",` +
			`"values":["Касса"]}],"from":"2026-11-21"`,
		"отгрузки пекарни за октябрь | сколько оплачено": `{"measures":["money_in"],"where":[{"field":"counterparty",` +
			`"op":"in","values":["ООО «Пекарня»"]}],"from":"2026-10-01","to":"2026-10-31"}`,
		"сколько денег пришло вчера | а ушло": `{"measures":["money_out"],"from":"2026-11-21"`,
	})
}

func TestWhatWasComparedAndRankedStays(t *testing.T) { // rule R738
	follows(t, nil, map[string]string{
		"margin by category this quarter vs last | only those that fell": `{"field":"margin","op":"\u003c","values":` +
			`["0"],"of":"change"}],"from":"2026-10-01","to":"2026-11-22","compare":{"from":"2026-07-01"`,
		"what sold worst last month | and by margin?":                `"order":[{"field":"margin","direction":"asc"}]`,
		"прибыль по группам за октябрь | от худших к лучшим поставь": `"order":[{"field":"profit","direction":"asc"}]`,
		"выручка по складам за октябрь | сравни с прошлогодним октябрём": `"compare":{"from":"2025-10-01",` +
			`"to":"2025-10-31"}`,
		"sales by supplier this month | what percent of the total is each": `"share":true`,
	})
}

func TestAPlaceIsNoList(t *testing.T) { // rule R739
	follows(t, nil, map[string]string{
		"stock of Тапочки at Витрина | in all warehouses": `"measures":["stock"]`,
	})
	follows(t, shown("product", "a"), map[string]string{
		"топ 1 товар по возвратам за октябрь | кто возвращал": `"by":["counterparty"],"where":[` +
			`{"field":"product","op":"in","values":["a"]}]`,
	})
}
