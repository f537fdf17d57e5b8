package compose

import "testing"

func TestWhatIsAskedDecidesTheRows(t *testing.T) { // rule R342
	for task, want := range map[string]string{
		"кто у нас чаще всего покупает":                  "receipts by counterparty order receipts desc",
		"кто больше всех купил за октябрь":               "revenue by counterparty 2026-10-01..2026-10-31 order revenue desc",
		"какой процент возвратов за октябрь":             "return_rate 2026-10-01..2026-10-31",
		"что привезли за октябрь":                        "quantity_received+purchases by product 2026-10-01..2026-10-31",
		"у какого поставщика покупали дороже за октябрь": "purchase_price by supplier 2026-10-01..2026-10-31 order purchase_price desc",
		// the debts are a question of their own
		"sales last week and who owes us":     "revenue+owed_to_us 2026-11-09..2026-11-15",
		"выручка за октябрь и кто нам должен": "revenue+owed_to_us 2026-10-01..2026-10-31",
		"прибыль за неделю, и кому мы должны": "profit+owed_by_us 2026-11-16..2026-11-22",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
	for _, x := range []struct{ first, then, want string }{
		{"себестоимость и маржа за сентябрь по группам", "только где маржа меньше 25%",
			"cost+margin by group where margin < [25] 2026-09-01..2026-09-30"},
		{"кто нам должен больше 50000", "а мы кому должны", "owed_by_us by counterparty"},
		{"who owes us more than 50000", "and what do we owe", "owed_by_us by counterparty"},
	} {
		first := read(x.first, nil)
		if got := short(read(x.then, &first.Query)); got != x.want {
			t.Errorf("%s / %s\n got %s\nwant %s", x.first, x.then, got, x.want)
		}
	}
}
