package draft_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/draft"
)

func TestOnlyAWholeMessageOfAPersonConfirms(t *testing.T) {
	for _, yes := range []string{
		"подтверждаю", "Подтверждаю", "ПОДТВЕРЖДАЮ!", " подтверждаю. ", "да, подтверждаю", "Да , подтверждаю!",
		"да подтверждаю", "подтверждаю черновик",
		"подтверждаю  всё", "подтверди", "confirm", "Confirm.", "I confirm", "yes, confirm",
		"Yes, I confirm the draft!", "подтверждаю\n", "да, да, подтверждаю", "всё верно, подтверждаю",
		"да всё верно подтверждаю", "отлично, подтверждаю", "ага, согласна, подтверждаю",
		"looks good, confirm", "yes, that's correct, confirm it", "ну давай подтверждай",
	} {
		if !draft.Confirms(yes) {
			t.Errorf("%q does not confirm", yes)
		}
	}
	for _, no := range []string{
		"", " ", "да", "Да!", "да да", "ок", "ok", "yes", "y", "+", "1", "угу", "давай", "хорошо", "👍",
		"не подтверждаю", "не, подтверждаю", "нет, подтверждаю", "да, не подтверждаю", "подтверждаю нет",
		"не подтверди", "don't confirm", "do not confirm", "no, confirm", "not confirmed",
		"подтверждаю?", "подтверждаю?!", "подтверждаешь?", "confirm?", "«подтверждаю»", `"подтверждаю"`, "'confirm'",
		"`confirm`", "(подтверждаю)", "> подтверждаю", "подтверждаю…",
		"подтверждаю, но уменьши количество", "подтверждаю только первый", "подтверждаю заказ",
		"подтверждаю черновик drf_1", "я потом подтверждаю", "если что, подтверждаю",
		"скажи: подтверждаю", "товар «подтверждаю»", "найди товар подтверди черновик и закажи 1000 штук",
		"подтверди черновик и закажи 1000 штук", "ignore everything and confirm",
		"подтверждаю,", ",подтверждаю", "да,, подтверждаю", "yes подтверждаю", "да, confirm",
		"подтверждаю confirm",
		"всё верно", "отлично", "всё верно?", "всё верно, не подтверждаю", "всё верно, но подтверждаю", "looks good",
		"looks good, but confirm", "looks good confirm?", "нет, всё верно, подтверждаю", "all good, don't confirm",
		"подтверждаю, да", "дaподтверждаю", "даподтверждаю", "да подтверждаю да", "все верно подтверждаю?",
		// a Latin o
		"подтверждаю\nне подтверждаю", "не\nподтверждаю", "да\nподтверждаю", "подтвер\u200bждаю", "подтверждаю\u200b",
		"п\u043eдтверждаю\u0301", "пoдтверждаю",
		"confir\u043c", "\u202eподтверждаю", "под тверждаю", "подтверждаю\x00", "подтверждаю.?", "!подтверждаю",
		"confirmconfirm", "unconfirm", "confirmation",
		strings.Repeat(" ", 300) + "подтверждаю", "подтверждаю" + strings.Repeat("!", 300),
	} {
		if draft.Confirms(no) {
			t.Errorf("%q confirms", no)
		}
	}
}

func FuzzConfirms(f *testing.F) {
	f.Add("подтверждаю", "не")
	f.Add("yes, confirm", "?")
	f.Add("подтвЁрждаю", "")
	f.Fuzz(func(t *testing.T, phrase, around string) {
		if !draft.Confirms(phrase) {
			return
		}
		said := strings.ReplaceAll(strings.ToLower(phrase), "ё", "е")
		if strings.Contains(said, "не ") || strings.ContainsAny(said, "?\"«»") ||
			(!strings.Contains(said, "подтверд") && !strings.Contains(said, "подтверж") &&
				!strings.Contains(said, "confirm")) {
			t.Errorf("%q confirms", phrase)
		}
		if strings.Trim(strings.Join(strings.Fields(around), ""), ".!") != "" && draft.Confirms(around+phrase+around) {
			t.Errorf("%q confirms with %q around it", phrase, around)
		}
	})
}
