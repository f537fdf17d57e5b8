package act

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// agreed reads an agreement in any order of its words: one that confirms or says to do what a draft does, and words
// that point at the draft (rule R1131). A number, a name, a condition, a time or an earlier draft is none of these.
func (m *message) agreed() Act {
	agrees := token.Wording{Needs: []map[string]bool{confirming}, Beside: aroundConfirming}
	if !agrees.Is(m.ts, nil) {
		agrees.Needs = []map[string]bool{carriesOut}
		if !agrees.Is(m.ts, nil) {
			return Act{}
		}
	}
	if m.asks { // "можно менять?" wants to see it again
		return Act{Kind: Total, Weak: true}
	}
	return Act{Kind: Agree, OfDraft: m.hasOf(draftWords)}
}

func (m *message) hasOf(set map[string]bool) bool {
	for i := range m.ts {
		if set[m.norm(i)] {
			return true
		}
	}
	return false
}

// doings are verbs that say to do what a draft does, by its kind; a draft of another kind is not meant.
const doings = "меняй меняйте менять меняем поменяй поменяйте поставь ставь ставьте применяй " +
	"вези везите перевози перевозите перекидывай перебрасывай перемещай перемещайте перемещаем заказывай заказывайте заказываем оформляй оформляйте оформляем " +
	"change order transfer move place"

var (
	confirming = words.Set("подтверждаю подтверждай подтверждаем подтвердим подтвердить подтверди подтвердите " +
		"потверждаю подверждаю утверждаю утверждаем утверди одобряю одобряем отправляй отправляйте отправляем отправь " +
		"отправить проводи проводите проводим провести проведи записывай записывайте сохраняй сохраняйте запускай " +
		"запускайте исполняй исполняйте выполняй выполняйте confirm confirmed approve approved submit proceed")
	carriesOut = words.Set(doings + " сделаем go goes")

	aroundConfirming = words.Set(doings + " делай делайте делаем сделай сделаем да ага угу ок окей хорошо ладно " +
		"отлично супер класс норм нормально все всё верно правильно так и же ну а вот давай давайте можно можешь " +
		"теперь тогда уже сейчас сразу смело пожалуйста плиз спасибо я мы согласен согласна согласны готово готов " +
		"этот эту это эти этом вариант варианте вариантом версию версия последний последнюю последнее " +
		"новые исправленный исправленную обновленный обновленную измененный черновик черновика документ документы " +
		"заказ заказы закупку заявку перемещение цены цену ценники изменения изменение правки их его ее им ему у них " +
		"поставщику поставщика в работу с устраивает меня нас подходит годится подтверждаю отправляй проводи " +
		"yes yep yeah ok okay sure fine good looks great perfect right alright and it that this them these those " +
		"please now then the new prices price draft orders version one ahead with i we just let's lets do so confirm")
)

// editedFirst reads an edit of a draft beside an agreement: "подтверждаю, но 15", "кастрюли исключи и проводи". The
// draft is changed and not confirmed: it is to be seen first as it is then (rule R1133).
func editedFirst(text string) Act {
	ts := token.Split(text)
	if len(ts) > most || len(text) > mostText {
		return Act{}
	}
	for i := 1; i+1 < len(ts); i++ {
		switch ts[i].Norm {
		case ",", "и", "но", "а", "только", "and", "but", "then", ".", ";", "-", "—":
		default:
			continue
		}
		end := i + 1
		if next := ts[end].Norm; ts[i].Norm == "только" && next != "без" && next != "кроме" {
			end = i
		}
		first, second := text[:ts[i-1].End], text[ts[end].Start:]
		switch before, behind := read(first), read(second); {
		case before.Kind == Agree && edits(behind.Kind):
			return behind
		case behind.Kind == Agree && !behind.Weak && edits(before.Kind):
			return before
		}
	}
	return Act{}
}

func edits(k Kind) bool { return k == Drop || k == Keep || k == Set || k == Scale }
