package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/tool"
)

func TestWhyAfterTwoPeriodsComparesThem(t *testing.T) { // rule R991
	const ofBoth = `"from":"2026-10-01","to":"2026-10-31","compare":{"from":"2026-09-01","to":"2026-09-30"},"explain":true`
	follows(t, nil, map[string]string{
		"выручка за октябрь | а за сентябрь | почему меньше?":           ofBoth,
		"выручка за сентябрь | а за октябрь | почему?":                  ofBoth,
		"расходы за октябрь по статьям | а за сентябрь | что выросло":   ofBoth,
		"выручка за октябрь | почему":                                   `"compare":{"with":"previous"},"explain":true`,
		"сколько заработали на этой неделе | а на прошлой? | почему":    `"compare":{"from":"2026-11-09","to":"2026-11-15"}`,
		"выручка за октябрь | прибыль за сентябрь | почему так мало?":   `"compare":{"with":"previous"},"explain":true`,
		"выручка посуды за октябрь | выручка за сентябрь | почему мало": `"compare":{"with":"previous"},"explain":true`,
	})
}

func TestThatDayIsTheDayThatWasShown(t *testing.T) { // rule R992
	days := []tool.Day{"2026-11-15", "2026-11-03"}
	for said, want := range map[string]string{
		"продажи за ноябрь по дням | в какой день было больше всего | а что продали в этот день": `"from":"2026-11-15","to":"2026-11-15"`,
		"выручка по дням за октябрь | лучший день | что купили в тот день":                       `"from":"2026-11-15","to":"2026-11-15"`,
		"выручка по дням за октябрь | сколько чеков было в этот день":                            "?О каком дне речь?",
		"выручка за 15 ноября | сколько чеков было в этот день":                                  `"receipts"],"from":"2026-11-15","to":"2026-11-15"`,
		"выручка за 15 ноября | что тогда купили":                                                `["revenue","quantity"],"by":["product"],"from":"2026-11-15"`,
		"выручка за октябрь | что продали в этот день":                                           "?О каком дне речь?",
		"revenue on 15 november | how many receipts that day":                                    `"from":"2026-11-15","to":"2026-11-15"`,
	} {
		turns := strings.Split(said, " | ")
		in := shop()
		for _, before := range turns[:len(turns)-1] {
			if r := Read(before, in); complete(&r) {
				in.Previous = &r
			}
			in.Earlier = append(in.Earlier, before)
		}
		in.Days = days
		r := Read(turns[len(turns)-1], in)
		input, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		got := string(input)
		if r.Question != nil {
			got = "?" + r.Question.Text
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

func TestWhoAsksForTheRowsThatWereShown(t *testing.T) { // rule R990
	follows(t, nil, map[string]string{
		"продажи по сотрудникам за месяц | у кого средний чек выше": `{"measures":["average_receipt"],"by":["employee"],` +
			`"from":"2026-10-23","to":"2026-11-22"`,
		"sales by employee this month | who has the highest average receipt": `"by":["employee"],"from":"2026-11-01"`,
		"выручка по сотрудникам за октябрь | кто больше всех купил":          `"by":["counterparty"],"from":"2026-10-01"`,
		"закупки по поставщикам за октябрь | кто больше всех":                `"by":["supplier"],"from":"2026-10-01"`,
	})
}

func TestNamesAndDebtsAreWhatIsAskedFor(t *testing.T) { // rules R993 and R994
	follows(t, nil, map[string]string{
		"кому срочно платить":               `"owed_by_us"`,
		"кому надо заплатить":               `receivables {"direction":"owed_by_us"}`,
		"кому платили в октябре":            `"money_out"`,
		"лесная и витрина - сравни выручку": `"values":["Склад на Лесной","Витрина"]}]}`,
		"сравни выручку на лесной и на витрине с прошлым месяцем": `"from":"2026-11-01","to":"2026-11-22",` +
			`"compare":{"with":"previous"}`,
	})
	follows(t, shown("product", "a", "b"), map[string]string{
		"товары без движения | сколько в них денег": `{"measures":["stock_cost"],"by":["product"],"where":[` +
			`{"field":"product","op":"in","values":["a","b"]}]}`,
	})
}

func TestASignOfPercentIsKept(t *testing.T) { // rule R995
	r := converseOf("остатки посуды | подними им цену до 50%", shown("product", "a", "b"))
	if r.Question == nil || !strings.Contains(r.Question.Text, "До 50%") {
		t.Errorf("%s %v", r.Skill, r.Question)
	}
}
