package talk

import "testing"

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
