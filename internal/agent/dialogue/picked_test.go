package dialogue

import "testing"

// TestSeveralOptionsAllButSomeAndFigures are whole tasks (rule R1180).
func TestSeveralOptionsAllButSomeAndFigures(t *testing.T) {
	tea := &Question{Text: "«чай» подходит к нескольким названиям. Что выбрать?", Options: []Option{
		{Text: "закажи чай: все подходящие товары (3)"}, {Text: "закажи «Чай и кофе» (группа)"},
		{Text: "закажи «Чай зелёный 200 г»"}, {Text: "закажи «Чай чёрный 100 г»"}, {Text: "закажи «Чай травяной»"}}}
	shirts := &Question{Text: "Какой нужен?", Options: []Option{{Text: "Закажи 20 шт «Рубашка (синий, M)»"},
		{Text: "Закажи 20 шт «Рубашка (серый, L)»"}}}
	sales := &Question{Text: "Что показать?", Options: []Option{{Text: "Продажи «А»", Tool: "moysklad_analyze"},
		{Text: "Продажи «Б»", Tool: "moysklad_analyze"}}}
	for _, x := range []struct {
		question      *Question
		message, want string
	}{
		{tea, "3 и 4", "закажи «Чай зелёный 200 г» и «Чай чёрный 100 г»"},
		{tea, "третий, четвёртый и пятый", "закажи «Чай зелёный 200 г», «Чай чёрный 100 г» и «Чай травяной»"},
		{tea, "первые два по 10", "закажи «Чай зелёный 200 г» и «Чай чёрный 100 г» по 10"},
		{tea, "третий, 10 штук", "закажи «Чай зелёный 200 г» 10 штук"},
		{tea, "10 штук третьего", "закажи «Чай зелёный 200 г» 10 штук"},
		{tea, "зелёный по 10", "закажи «Чай зелёный 200 г» по 10"},
		{tea, "все по 10", "закажи «Чай зелёный 200 г», «Чай чёрный 100 г» и «Чай травяной» по 10"},
		{tea, "все кроме зелёного", "закажи «Чай чёрный 100 г» и «Чай травяной»"},
		{tea, "второй по 5", "закажи «Чай и кофе» по 5 (группа)"},
		{shirts, "1 и 2", "Закажи 20 шт «Рубашка (синий, M)» и 20 шт «Рубашка (серый, L)»"},
		{shirts, "первую по 5", ""}, // the task has a figure
		{tea, "1 и 3", ""},          // all, and one of them
		{tea, "третий", ""},         // one option is chosen as it stands
		{tea, "все", ""},
		{tea, "по 10", ""},
		{tea, "9 и 10", ""},
		{sales, "1 и 2", ""}, // figures are answered one by one
	} {
		if got := x.question.Spelled(x.message); got != x.want {
			t.Errorf("%s: %q, want %q", x.message, got, x.want)
		}
	}
	for message, want := range map[string]bool{"первый и третий": true, "1 и 3": true, "первые два": true, "10": false,
		"по 10": false, "зелёный": false} {
		if OnlyPicks(message) != want {
			t.Errorf("%s: %v", message, !want)
		}
	}
}
