package compose

import "testing"

func TestHoursAreConditions(t *testing.T) { // rule R318
	for task, want := range map[string]string{
		"выручка вчера утром":     "revenue where hour in [05 06 07 08 09 10 11] 2026-11-21..2026-11-21",
		"revenue from 9 to 12":    "revenue where hour in [09 10 11]",
		"выручка после 21:00":     "revenue where hour in [21 22 23]",
		"выручка с 9 до 12 часов": "revenue where hour in [09 10 11]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
}

func TestAmountsKeepTheirScaleAndCurrency(t *testing.T) { // rule R319
	for task, want := range map[string]string{
		"товары дороже полутора тысяч": "sale_price by product where sale_price > [1500]",
		"товары дороже 20 тыщ":         "sale_price by product where sale_price > [20000]",
		"products over 1500 rub":       "sale_price by product where sale_price > [1500]",
		"товары дороже 1500 ₽":         "sale_price by product where sale_price > [1500]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
	for _, task := range []string{"товары дороже 100 долларов", "products over $100", "товары дороже 100 €",
		"товары дороже 500 юаней"} {
		if r := read(task, nil); r != nil && r.Complete() {
			t.Errorf("%s: %s", task, short(r))
		}
	}
}
