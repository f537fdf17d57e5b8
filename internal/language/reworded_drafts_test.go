package language

import (
	"strings"
	"testing"
)

func TestRequestsAreReadInOtherWordsForTheSame(t *testing.T) { // rule R911
	for want, tasks := range map[string][]string{
		`price_change {"groups":["Посуда"],"percent":"5"}`: {"пусть посуда подорожает на 5%", "+5% на посуду",
			"посуду бы подороже сделать, на 5%", "bump Посуда prices up 5%", "i want Посуда to cost 5% more"},
		`price_change {"percent":"5","where":[{"field":"margin","op":"\u003c","values":["20"]}]}`: {
			"подними на 5% цены тех, у кого маржа не дотягивает до 20%",
			"повысь на 5% цены того, что даёт маржу меньше 20 процентов"},
		`price_change {"percent":"-15","where":[{"field":"days_without_sale","op":"\u003e=","values":["90"]}]}`: {
			"непроданное 90 дней - минус 15%", "скинь 15% с того что не продавалось 90 дней"},
		`supplier_orders {"mode":"below_minimum"}`: {"закажи то, что упало ниже своего минимума",
			"order whatever has fallen below its minimum stock level", "ниже неснижаемого остатка - закажи их"},
		`transfers {"from_stores":["Основной склад"],"stores":["Магазин на Мира"]}`: {
			"закрой нехватку на мира с основного"},
		`price_change {"except":{"products":["Чайник стальной"]},"groups":["Посуда"],"percent":"8"}`: {
			"накинь 8% на посуду, чайник стальной оставь как есть",
			"подними на 8% всю посуду, чайник стальной не трогай"},
	} {
		for _, task := range tasks {
			r := counted(task)
			if got := said(r); !strings.Contains(got, want) || r.Question != nil {
				t.Errorf("%s: %s, want %s", task, got, want)
			}
		}
	}
}
