package compose

import (
	"strings"
	"testing"
)

// checkTurns reads the turns of a conversation, which "|" separates, and checks the last reading.
func checkTurns(t *testing.T, said, want string) {
	t.Helper()
	var r *Reading
	for task := range strings.SplitSeq(said, " | ") {
		if r == nil {
			r = read(task, nil)
		} else {
			r = read(task, &r.Query)
		}
		if r == nil {
			t.Fatalf("%s: nothing is read of %q", said, task)
		}
	}
	if got := short(r); got != want {
		t.Errorf("%s\n got %s\nwant %s", said, got, want)
	}
}

func TestRule850_APreviousDayIsAWeekEarlier(t *testing.T) { // and rule R851
	for said, want := range map[string]string{
		"выручка за субботу | а за прошлую":               "revenue 2026-11-14..2026-11-14",
		"выручка за субботу | а за прошлую субботу":       "revenue 2026-11-14..2026-11-14",
		"выручка за субботу | сравни с прошлой":           "revenue 2026-11-21..2026-11-21 against 2026-11-14..2026-11-14",
		"выручка за субботу | а за предыдущий день":       "revenue 2026-11-20..2026-11-20",
		"выручка за выходные | а за прошлые":              "revenue 2026-11-14..2026-11-15",
		"выручка за пятницу | а неделю назад":             "revenue 2026-11-13..2026-11-13",
		"выручка вчера | в тот же день неделю назад":      "revenue 2026-11-14..2026-11-14",
		"revenue on friday | and a week ago":              "revenue 2026-11-13..2026-11-13",
		"выручка за октябрь | сравни с прошлым годом":     "revenue 2026-10-01..2026-10-31 against last_year..",
		"выручка за октябрь к сентябрю | сравни их":       "revenue 2026-10-01..2026-10-31 against 2026-09-01..2026-09-30",
		"выручка за субботу | прибыль за прошлую субботу": "profit 2026-11-21..2026-11-21",
	} {
		checkTurns(t, said, want)
	}
}

func TestTurnsMoveReplaceAndDropParts(t *testing.T) { // rules R271 and R297
	for said, want := range map[string]string{
		"выручка за октябрь по складам | неделей раньше":                  "revenue by store 2026-09-24..2026-10-24",
		"выручка за октябрь по складам | а месяцем раньше?":               "revenue by store 2026-09-01..2026-09-30",
		"выручка за октябрь по складам | а до этого":                      "revenue by store 2026-09-01..2026-09-30",
		"выручка за прошлую неделю | а предыдущая":                        "revenue 2026-11-02..2026-11-08",
		"revenue last week | and a week earlier":                          "revenue 2026-11-02..2026-11-08",
		"выручка за октябрь | годом раньше":                               "revenue 2025-10-01..2025-10-31",
		"выручка за октябрь | в штуках":                                   "quantity 2026-10-01..2026-10-31",
		"sales in october by store | in units":                            "quantity by store 2026-10-01..2026-10-31",
		"остатки в деньгах по складам | а в штуках":                       "stock by store",
		"возвраты за октябрь | из чего складывается":                      "returns by product 2026-10-01..2026-10-31 order returns desc",
		"расходы за октябрь | детализация":                                "money_out by expense_item 2026-10-01..2026-10-31 order money_out desc",
		"выручка за октябрь по складам | кроме витрины | сними фильтр":    "revenue by store 2026-10-01..2026-10-31",
		"выручка за октябрь по группам | только посуда | по всем группам": "revenue by group 2026-10-01..2026-10-31",
		"закупки за октябрь | нет, я про продажи":                         "revenue 2026-10-01..2026-10-31",
		"закупки за октябрь | не закупки, а продажи":                      "revenue 2026-10-01..2026-10-31",
		"закупки за октябрь | я имел в виду продажи":                      "revenue 2026-10-01..2026-10-31",
		"purchases in october | no, i meant sales":                        "revenue 2026-10-01..2026-10-31",
		"выручка за октябрь | не за октябрь а за сентябрь":                "revenue 2026-09-01..2026-09-30",
		"выручка за октябрь по менеджерам | средний чек добавь":           "revenue+average_receipt by employee 2026-10-01..2026-10-31",
		"выручка за октябрь по менеджерам | у кого больше всего":          "revenue by employee 2026-10-01..2026-10-31 order revenue desc",
		"выручка за октябрь по складам | прибыль":                         "profit by store 2026-10-01..2026-10-31",
		"деньги на счетах | а сколько пришло за октябрь": "money_in where account not_in [Касса] " +
			"2026-10-01..2026-10-31",
		"abc анализ по выручке за октябрь по товарам | только класс а": "revenue by abc,product where abc in [A] 2026-10-01..2026-10-31",
	} {
		checkTurns(t, said, want)
	}
}
