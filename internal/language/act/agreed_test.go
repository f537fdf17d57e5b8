package act

import (
	"strings"
	"testing"
)

// A confirmation may have any words that carry out what the draft does and point at it, and nothing else.
func TestAConfirmationInAnyWords(t *testing.T) { // rule R1131
	for said := range strings.SplitSeq("подтверждаю, меняй; подтверждаю этот вариант; теперь подтверждаю этот вариант; "+
		"ладно, всё ок, можно менять цены; окей давай так и сделаем; ставь новые цены; супер, оформляй у них; ну давай "+
		"этот заказ, подтверждаю; меняй; вези; ок, перевози; всё верно, заказывай у них; ok go; yes go ahead and change "+
		"them; perfect, place it; great, move them; confirm this version; подтверждаю исправленный вариант", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind != Agree || got.Weak {
			t.Errorf("%s: kind %v, weak %v", said, got.Kind, got.Weak)
		}
	}
	for said := range strings.SplitSeq("подтверждаю прежний вариант; подтверждаю первый вариант; подтверждаю, но 15; "+
		"подтверждаю завтра; подтверждаю если дешевле; меняй завтра; меняй только опт; вези на Лесную; можно менять?; "+
		"оформляй новый заказ; подтверждаю кроме чая; не меняй; нет, меняй; ставь 15; confirm the old version; change it "+
		"to 12; go to Vitrina; подтверждаю два", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind == Agree {
			t.Errorf("%s: agrees", said)
		}
	}
}

// A refusal may have its reason in front of it or behind it.
func TestARefusalWithItsReason(t *testing.T) { // rule R1132
	for said := range strings.SplitSeq("стой, перед новым годом не стоит, убери это; перед новым годом рано, отменяй; не, "+
		"это мы уже заказали вчера, удаляй; мы уже купили, отмени; я передумала, убери это; ошибочно сделали, отмени; "+
		"завтра сам уточню, отменяй пока; отмени, сезон прошёл", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind != Reject || got.Weak {
			t.Errorf("%s: kind %v, weak %v", said, got.Kind, got.Weak)
		}
	}
	for said := range strings.SplitSeq("стой, не надо пока, я уточню; пока не надо, я подумаю", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind != Reject || !got.Weak {
			t.Errorf("%s: kind %v, weak %v", said, got.Kind, got.Weak)
		}
	}
	for said := range strings.SplitSeq("чай убери, я его уже заказал; отмени, лучше закажи 5; мы уже заказали 10, убери; "+
		"не надо, сделай 20; кастрюли не надо, они лежат с прошлого года; что мы заказали, удаляй; чай уже "+
		"заказали, удаляй; Восток уже привёз, убирай", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind == Reject {
			t.Errorf("%s: refuses all", said)
		}
	}
}

// An edit beside a confirmation changes the draft and confirms nothing.
func TestAnEditBesideAConfirmation(t *testing.T) { // rule R1133
	for said, want := range map[string]string{
		"подтверждаю, но 15":                    "set to 15",
		"подтверждаю, но чая 15":                "set [чая] to 15",
		"кастрюли исключи и проводи":            "drop [кастрюли]",
		"убери соль и отправляй":                "drop [соль]",
		"ок, подтверждаю, только без соли":      "drop [соли]",
		"чая сделай 15 и подтверждаю":           "set [чая] to 15",
		"remove the salt and confirm":           "drop [salt]",
		"подтверждаю, но на Витрину":            "",
		"подтверждаю и ещё закажи 5 кофе":       "",
		"подтверди перемещение и закажи 5 кофе": "",
		"отправляй, а завтра закажи 20 чая":     "",
		"подтверждаю, а сколько там чая":        "",
	} {
		if got := show(Read(said)); got != want {
			t.Errorf("%s: %s; want %s", said, got, want)
		}
	}
}
