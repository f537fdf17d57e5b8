package draft

import (
	"slices"
	"strings"
)

// Confirms reports whether a person's message confirms the draft shown right before it (rule R61). Call it only with
// the person's own message, never with text of a model, a tool or the external system.
//
// Only whole messages confirm: a phrase of a short list, behind any words of assent in the same language. A bare "да"
// does not: it may answer another question. Nor does a phrase with anything else around it: "не подтверждаю",
// "подтверждаю?", "«подтверждаю»", "подтверждаю, но…".
func Confirms(message string) bool {
	const longest = 200 // bytes; nothing longer confirms
	if len(message) > longest {
		return false
	}
	said := strings.ToLower(strings.TrimSpace(message))
	if strings.ContainsAny(said, "\r\n\u2028\u2029") {
		return false
	}
	said = strings.ReplaceAll(strings.TrimRight(said, ".!"), "ё", "е")
	said = strings.Join(strings.Fields(said), " ")
	for _, l := range confirmations {
		if l.confirm(said) {
			return true
		}
	}
	return false
}

// language is how people confirm in one language.
type language struct {
	assents []string // words that may stand before a phrase
	phrases []string
}

// confirm reports whether words are a phrase, behind any words of assent, each with a comma behind it or none.
func (l language) confirm(said string) bool {
	if slices.Contains(l.phrases, said) {
		return true
	}
	for _, a := range l.assents {
		rest, ok := strings.CutPrefix(said, a)
		rest = strings.TrimPrefix(rest, " ") // "да , подтверждаю"
		rest, comma := strings.CutPrefix(rest, ",")
		if ok && (comma || strings.HasPrefix(said, a+" ")) && l.confirm(strings.TrimPrefix(rest, " ")) {
			return true
		}
	}
	return false
}

var confirmations = []language{{
	assents: []string{"да", "ага", "угу", "ок", "окей", "хорошо", "отлично", "супер", "прекрасно", "верно", "правильно",
		"все верно", "все правильно", "все так", "все хорошо", "все ок", "все в порядке", "все нормально",
		"все устраивает", "меня все устраивает", "годится", "подходит", "принято",
		"согласен", "согласна", "ладно", "ну", "давай"},
	phrases: []string{"подтверждаю", "подтверждаем", "подтвердить", "подтверди", "подтверждаю черновик",
		"подтверди черновик", "подтвердить черновик", "подтверждаю последний черновик", "подтверди последний черновик",
		"подтверди последний", "подтверждай", "подтверждаю все", "подтверди все", "я подтверждаю"},
}, {
	assents: []string{"yes", "yep", "yeah", "ok", "okay", "sure", "alright", "great", "perfect",
		"good", "fine", "correct", "right", "looks good", "looks right", "all good",
		"all correct", "that is correct", "that's correct",
		"that is right", "that's right"},
	phrases: []string{"confirm the last draft", "confirm", "i confirm", "confirmed", "confirm it", "confirm the draft",
		"confirm draft", "i confirm the draft", "confirm all", "i confirm it"},
}}
