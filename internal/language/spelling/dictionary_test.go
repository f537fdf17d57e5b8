package spelling

import (
	"strings"
	"testing"
)

// TestRule790_MisspeltWordsAreCorrected corrects words with one wrong letter, and leaves others alone.
func TestRule790_MisspeltWordsAreCorrected(t *testing.T) {
	for word, want := range map[string]string{
		"осттаки": "остатки", "тоавров": "товаров", "прдажи": "продажи", "склдов": "складов", "выручкаа": "выручка",
		"поставщку": "поставщику", "штихкод": "штрихкод", "скоько": "сколько", "сколко": "сколько",
		"подтвреждаю": "подтверждаю", "расхооды": "расходы", "inventroy": "inventory", "puchase": "purchase",
		"custmers": "customers",
		// They are right, or other words of the language.
		"остатки": "", "скока": "", "выведи": "", "придаток": "", "лопатки": "", "покупка": "", "sails": "", "торт": "",
		// They may be anything.
		"лютиков": "", "бвгджзк": "", "прст": "",
	} {
		if got := Known().Correct(word); got != want {
			t.Errorf("%s is corrected to %q, not %q", word, got, want)
		}
	}
}

// TestRule790_TextsKeepTheirNames leaves words with a capital inside a sentence as they are.
func TestRule790_TextsKeepTheirNames(t *testing.T) {
	for text, want := range map[string]string{
		"Осттаки по складм, пож.":  "остатки по складам, пож.",
		"продажи фирмы Осттаки":    "продажи фирмы Осттаки",
		"выручка за 2025-й, всё":   "выручка за 2025-й, всё",
		strings.Repeat("щ", 2_000): strings.Repeat("щ", 2_000),
	} {
		if got := Known().Text(text); got != want {
			t.Errorf("%q is corrected to %q, not %q", text, got, want)
		}
	}
}

func BenchmarkCorrect(b *testing.B) {
	d := Known()
	for b.Loop() {
		d.Correct("прибалтаец")
	}
}
