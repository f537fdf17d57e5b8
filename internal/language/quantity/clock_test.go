package quantity_test

import (
	"fmt"
	"testing"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
)

func TestHoursOfTheDay(t *testing.T) { // rule R318
	for task, want := range map[string]string{
		"вчера утром":    "[5 6 7 8 9 10 11]",
		"in the evening": "[18 19 20 21 22 23]", "после обеда": "[13 14 15 16 17 18 19 20 21 22 23]",
		"с 9 до 12": "[9 10 11]", "from 9 to 11 am": "[9 10]", "после 21:00": "[21 22 23]",
		"before 2 am": "[0 1]", "с 9 до 12 тысяч": "", "от 9 до 12": "", "с 9 до 12 ноября": "", "доброе утро": "",
		"good evening": "", "до 15": "",
	} {
		ts := token.Split(task)
		got := ""
		for i := range ts {
			if c, ok := quantity.ClockAt(ts, i); ok && got == "" {
				got = fmt.Sprint(c.Hours)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
}
