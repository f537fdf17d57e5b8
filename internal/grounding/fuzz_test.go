package grounding

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
)

// FuzzCheck checks that for any text Check does not panic, only inserts, and is idempotent.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		"", "Тапочки: 32 шт., 99 999 ₽", "Маржа 29,9 %.",
		"| Товар | Прибыль |\n|---|--:|\n| Тапочки | 34 474,20 ₽ |\n| **Итого** | 1 |",
		"### Тапочки\n\n- Продано: 53\n  - 7 шт.⚠",
		"1–15 ноября 5–7 шт.; $1.2M, −22, 1,234.56 и сто тысяч рублей.",
		"⚠ — этого числа нет в прочитанных данных; не полагайтесь на него.", "12⚠⚠ 5⚠️",
		"1.2.3 12:30 2026-11-21T10:00:00Z 24/7 40×60 x500 ₽ ٥٠٠",
		"| | |\n|-|-|\n||", "\xff1\xfe 2", "#\n# 5\n- \n1. ", "топ-5; 5 5 000 000 000 000 000 000 000 ₽",
		"от 1 до 2 млн", "п.п. 5 п. п.",
	} {
		f.Add(text)
	}
	e := Evidence{Messages: []string{"топ-5 за 30 дней"}, Sources: []Source{{ID: "res_1", Result: earnings()}}}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
			c := Check(text, l, e)
			if got, want := unmarked(c.Text, c.Coverage, l), unmarked(text, "", l); got != want {
				t.Errorf("%q became %q", text, c.Text)
			}
			for _, u := range c.Unmatched {
				if u.Start < 0 || u.Start > u.End || u.End > len(text) {
					t.Errorf("%q: %+v", text, u)
				}
			}
			again := Check(c.Text, l, e)
			if again.Text != c.Text {
				t.Errorf("not idempotent: %q became %q, then %q", text, c.Text, again.Text)
			}
			if len(again.Unmatched) != len(c.Unmatched) {
				t.Errorf("%q: %d marked, then %d", text, len(c.Unmatched), len(again.Unmatched))
			}
		}
	})
}

// unmarked removes everything that Check inserts.
func unmarked(text, coverage string, l stockhand.Language) string {
	text = strings.TrimSuffix(text, "\n\n"+Remark(l))
	if coverage != "" {
		text = strings.TrimSuffix(text, "\n\n"+coverage)
	}
	return strings.ReplaceAll(text, Mark, "")
}
