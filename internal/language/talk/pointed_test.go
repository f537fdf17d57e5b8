package talk

import (
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

func TestWhatIsPointedAtIsKept(t *testing.T) { // rule R1090
	follows(t, nil, map[string]string{
		"выручка за октябрь по складам | и какая прибыль с этого":    `{"measures":["profit"],"by":["store"],"from":"2026-10-01"`,
		"продажи посуды за октябрь | how much of that was returned":  `"field":"group","op":"in","values":["Посуда"]`,
		"sales of Посуда in October | how much of that was returned": `"measures":["returns"]`,
	})
}

func TestTheSameIntervalsAreThoseShown(t *testing.T) { // rule R1091
	follows(t, nil, map[string]string{
		"продажи посуды по неделям за октябрь | в какую неделю маржа была лучше": `{"measures":["margin"],"by":["week"],` +
			`"where":[{"field":"group","op":"in","values":["Посуда"]}],"from":"2026-10-01","to":"2026-10-31"`,
		"выручка по дням за октябрь | в какой день прибыль была больше": `"by":["day"],"from":"2026-10-01"`,
	})
}

func TestMoreThenComparesBothPeriods(t *testing.T) { // rule R1092
	follows(t, nil, map[string]string{
		"средний чек за октябрь | а в сентябре больше было?": `{"measures":["average_receipt"],"from":"2026-10-01",` +
			`"to":"2026-10-31","compare":{"from":"2026-09-01","to":"2026-09-30"}}`,
		"средний чек за сентябрь | а в октябре был выше?": `"from":"2026-10-01","to":"2026-10-31",` +
			`"compare":{"from":"2026-09-01","to":"2026-09-30"}`,
	})
}

func TestThereIsWhatTheAnswerBeforeWasAbout(t *testing.T) { // rule R1284
	const ofSite = `"field":"sales_channel","op":"in","values":["Сайт"]`
	follows(t, nil, map[string]string{
		"выручка сайта за октябрь | какие товары там продавались":      ofSite,
		"продажи маркетплейса за октябрь | а что оттуда вернули":       `["Маркетплейс"]}],"from":"2026-10-01"`,
		"выручка Розничного за октябрь | какие товары там продавались": `["Розничный К."]`,
		"продажи посуды за октябрь | сколько там чеков":                `"field":"group","op":"in","values":["Посуда"]`,
		"revenue of the site in October | how many receipts there":     ofSite,
	})
}

func TestPeriodsAreKeptWithConditions(t *testing.T) { // rule R1282
	follows(t, nil, map[string]string{
		"продажи посуды за октябрь | на какую сумму вернули": `["Посуда"]}],"from":"2026-10-01"`,
		"выручка сайта за октябрь | на какую сумму вернули":  `["Сайт"]}],"from":"2026-10-01"`,
		"выручка на Мира за октябрь | сколько вернули":       `"from":"2026-10-01","to":"2026-10-31"`,
	})
}

func TestThisIsAllThatWasShown(t *testing.T) { // rule R1283
	rows := &refer.Rows{Dimension: "product", IDs: []string{"id/Тапочки"}, Names: []string{"Тапочки"}}
	follows(t, rows, map[string]string{"что продали вчера | сколько этого осталось": `"products":["id/Тапочки"]`})
}
