package courtesy

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// MarkRemarks marks the tokens of reasons, and of sentences that ask for nothing, as used, and returns them (rule
// R335). The names of the account must be marked before: a sentence with one says what is meant. says tells of each
// token whether it may be a condition, a breakdown, a period or an order: such words are never dropped.
func MarkRemarks(ts []token.Token, says func() []bool) (marked []int) {
	if !slices.ContainsFunc(ts, func(t token.Token) bool { return t.Kind == token.Mark && ends[t.Norm] }) &&
		!slices.ContainsFunc(ts, func(t token.Token) bool { return begins(&t) }) {
		return nil
	}
	typed := says()
	for _, i := range append(reasons(ts, typed), remarks(ts, typed)...) {
		if ts[i].Kind != token.Mark && ts[i].Use == token.Unused {
			ts[i].Use = token.AsAccount
			marked = append(marked, i)
		}
	}
	return marked
}

// begins reports whether a word may begin a reason.
func begins(t *token.Token) bool { return len(books["reason"][t.Stem]) > 0 }

// reasons returns the tokens of "а то шеф спрашивает", unless nothing else is left of the task.
func reasons(ts []token.Token, typed []bool) (out []int) {
	for i := 0; i < len(ts); i++ {
		if ts[i].Kind != token.Word || ts[i].Use != token.Unused {
			continue
		}
		from := at("reason", ts, i)
		if from == 0 {
			continue
		}
		for end := reason(ts, from, typed); i < end; i++ {
			out = append(out, i)
		}
	}
	if !slices.ContainsFunc(ts, func(t token.Token) bool {
		return t.Use == token.AsName || t.Use == token.Unused && t.Kind != token.Mark && len([]rune(t.Norm)) > 2
	}) {
		return nil
	}
	return out
}

// reason returns where a reason ends: at a comma, a question word or what may be a condition; 0 if it has a number or
// words in quotes, or a word such as "only".
func reason(ts []token.Token, begin int, typed []bool) int {
	for i := begin; i < len(ts); i++ {
		t := &ts[i]
		switch {
		case narrowing[t.Norm], t.Kind == token.Number, t.Kind == token.Quoted:
			return 0
		case t.Kind == token.Mark && t.Norm != "-", questions[t.Norm]:
			return i
		case t.Use == token.AsName || t.Norm == "по" || typed[i]:
			for i > begin && leading[ts[i-1].Norm] {
				i--
			}
			return i
		}
	}
	return len(ts)
}

// leading are small words that belong to what stands behind them.
var leading = words.Set("за в во на с со до к ко у от из не по без for in on from to at of by with the last this over")

// remarks returns the tokens of sentences that ask for nothing: "Спасибо. Хотим им позвонить." They have a verb of
// their own, but no word that a question or an order begins with, no number and nothing in quotes. A message that has
// no other sentence keeps them, and so does one whose other sentences ask nothing either.
func remarks(ts []token.Token, typed []bool) (out []int) {
	type sentence struct {
		from, to int
		remark   bool
	}
	var list []sentence
	from := 0
	for i := 0; i <= len(ts); i++ {
		if i < len(ts) && !endsAt(ts, i) {
			continue
		}
		if i > from {
			list = append(list, sentence{from, i, !slices.Contains(typed[from:i], true) &&
				isRemark(ts[from:i], i < len(ts) && ts[i].Norm == "?")})
		}
		from = i + 1
	}
	if !slices.ContainsFunc(list, func(s sentence) bool { return !s.remark && asks(ts[s.from:s.to]) }) {
		return nil
	}
	shows := !slices.ContainsFunc(list, func(s sentence) bool { return !s.remark && changes(ts[s.from:s.to]) })
	for _, s := range list {
		if !s.remark || !shows && slices.ContainsFunc(ts[s.from:s.to], func(t token.Token) bool { return isVerb(&t) }) {
			continue // beside an order, what people say may be a condition
		}
		for i := s.from; i < s.to; i++ {
			out = append(out, i)
		}
	}
	return out
}

// changes reports whether words have an order for more than to show something.
func changes(ts []token.Token) bool {
	return slices.ContainsFunc(ts, func(t token.Token) bool {
		return (orders[t.Norm] || t.Cyrillic && isOrder(t.Norm)) && !showing[strings.TrimSuffix(t.Norm, "те")]
	})
}

// endsAt reports whether a sentence ends at a token.
func endsAt(ts []token.Token, i int) bool {
	return ts[i].Kind == token.Mark && !(ts[i].Glued && i+1 < len(ts) && ts[i+1].Glued) && ends[ts[i].Norm]
}

// ends are the marks that sentences end with.
var ends = words.Set(". ! ? ; …")

func isRemark(ts []token.Token, question bool) bool {
	if question || asks(ts) {
		return false
	}
	said := 0
	for i := range ts {
		t := &ts[i]
		switch {
		case t.Kind == token.Word && restricting[t.Norm]:
			return false
		case t.Kind == token.Number || t.Kind == token.Quoted || t.Use != token.Unused && t.Use != token.AsAccount ||
			token.HasDigit(t.Norm):
			return false
		case t.Kind == token.Word && i > 0 && !t.Cyrillic && t.Raw != strings.ToLower(t.Raw) && t.Raw != "I":
			return false // a name
		case t.Kind == token.Word && i > 0 && t.Cyrillic && t.Raw != strings.ToLower(t.Raw):
			return false
		case t.Kind == token.Word && !interjections[t.Norm] && !small[t.Norm]:
			said++
		}
	}
	return said == 0 || slices.ContainsFunc(ts, func(t token.Token) bool { return isVerb(&t) })
}

// asks reports whether words have one that a question or an order begins with.
func asks(ts []token.Token) bool {
	for i := range ts {
		w := ts[i].Norm
		if ts[i].Kind == token.Word && (questions[w] || orders[w] || ts[i].Cyrillic && isOrder(w)) {
			return true
		}
	}
	return false
}

// isOrder reports whether a word has the ending of an imperative or an infinitive: "закажите", "посчитать".
func isOrder(w string) bool {
	for _, e := range []string{"ите", "йте", "ьте"} {
		if strings.HasSuffix(w, e) && len([]rune(w)) > 5 {
			return true
		}
	}
	return false
}

// isVerb reports whether a word can only be a verb that says what someone does.
func isVerb(t *token.Token) bool {
	if t.Kind != token.Word {
		return false
	}
	if verbs[t.Norm] {
		return true
	}
	if !t.Cyrillic || len([]rune(t.Norm)) < 5 {
		return false
	}
	for _, e := range []string{"ают", "яют", "уют", "еют", "ишут", "осят", "дят", "тся", "ются", "ались", "ились",
		"алась",
		"илась", "ался", "ился", "ваем", "ируем", "ирую", "аем", "яем", "ешь", "ишь"} {
		if strings.HasSuffix(t.Norm, e) {
			return true
		}
	}
	return false
}

var (
	// interjections say nothing of their own.
	interjections = words.Set("отлично супер здорово хорошо ладно понятно ясно понял поняла принято класс " +
		"классно круто ок окей спасибо благодарю да нет ага угу так ну вот прекрасно замечательно great cool " +
		"nice perfect ok okay thanks thank you good fine right sure alright yes no well awesome excellent got " +
		"it большое огромное")
	small = words.Set("и а но то же все всё это как же very much so the a большое очень")
	// orders begin what is to be done.
	orders = words.Set("покажи выведи дай закажи сделай подними снизь опусти перемести перекинь подготовь " +
		"сравни посчитай найди открой поставь измени убери добавь отмени подтверди оформи сформируй составь " +
		"построй исключи оставь отсортируй перечисли спиши скажи подскажи назови рассчитай проверь show list " +
		"give order make prepare raise lower cut set move transfer compare find open count check tell confirm " +
		"cancel remove add sort put need хочу нужно надо нужен нужна нужны можно можешь можете прошу " +
		"интересует хотелось хотел хотела")
	showing = words.Set("покажи выведи дай скажи подскажи посчитай сравни найди открой перечисли назови " +
		"рассчитай проверь сообщи расскажи show list give compare find count check tell sort отсортируй need " +
		"хочу нужно надо нужен нужна нужны можно можешь можете прошу интересует хотелось хотел хотела построй " +
		"составь сформируй посмотри подскажи")
	// restricting words begin a condition.
	restricting = words.Set("кроме без только лишь если которые который которая которых которым где исключая " +
		"помимо не все всё except without only if where which those unless not excluding all but")
	// verbs of what people say about themselves and others.
	verbs = words.Set("хотим думаю думаем планирую планируем собираюсь собираемся жду ждем боюсь считаю решил " +
		"решила решили спорим поспорили обсуждаем обсуждали говорят говорит понимаю знаю вижу заметил заметила " +
		"едет едем приедет звонит пришел пришла пришли просят просит спрашивают спрашивает ругается ругаются " +
		"началась начался идет будет будут устал готовлю готовим делаю делаем собираю сижу сидим работаю " +
		"работаем верю надеюсь переживаю волнуюсь позвоню позвоним hope hoping think thinking planning plan " +
		"want wants running preparing going am 'm is are was were will have has asked asks said says doing " +
		"trying worried believe guess know see wonder")
)
