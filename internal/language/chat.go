package language

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// The messages that ask nothing about an account are recognised before any name is looked for in them: a chat program
// sends its own prompts, and people paste letters. Each name that is looked up costs requests to the account.

var (
	// chatPrompt finds what a chat program asks of a model for itself: a title, tags, follow-up questions.
	chatPrompt = regexp.MustCompile(`(?is)<chat_history>|### task:|### (chat|conversation) history|` +
		`\b(titles?|tags|summary|summarize|follow-ups?|follow-up questions|search quer(y|ies))\b.*` +
		`\b(chat|conversation|dialogue)\b|` +
		`\b(chat|conversation|dialogue)\b.{0,80}\b(titles?|tags|summary|follow-ups?|a name)\b|` +
		`(заголов\p{L}+|тему|названи\p{L}+|теги) .{0,40}(диалога|переписки|беседы|чата)([^\p{L}]|$)`)
	// markup begins a piece of code, JSON, XML or quoted mail, which is pasted and not asked.
	markup = regexp.MustCompile("(?m)^\\s*(```|[{\\[]\\s*\"|</?[a-z_]+>|>\\s|(From|Subject|От кого|Кому|Тема):)")
	// regards ends a letter.
	regards = regexp.MustCompile(`(?i)с уважением|\b(best|kind|warm) regards|yours (sincerely|faithfully)|sincerely,`)
)

const (
	maxTaskWords  = 120 // a longer message is a task only when it is a list of goods
	wordsPerCount = 10  // in a list of goods, one word of this many is a number
	maxSmallTalk  = 8   // words of thanks, greeting or agreement
)

// notATask reports whether a message is not asked of Stockhand by a person: an instruction of a chat program, code, or
// a pasted letter.
func notATask(text string) bool {
	if chatPrompt.MatchString(text) || markup.MatchString(text) {
		return true
	}
	count, numbers := 0, 0
	for w := range words.Scan(text) {
		switch w.Kind {
		case words.Word:
			count++
		case words.Number:
			numbers++
		case words.Mark:
		}
	}
	return count > maxTaskWords && numbers*wordsPerCount < count || count > 30 && regards.MatchString(text)
}

// smallTalkWords are the words of thanks and agreement, besides those of [conceptGreeting].
var smallTalkWords = words.Set(`ок окей окау ok okay k да нет ага угу неа хорошо ладно понятно понял поняла ясно принято
	отлично супер класс круто здорово молодец замечательно прекрасно большое вам тебе всем за ответ и очень ну все
	yes no yep yeah nope sure got it fine good great cool nice perfect awesome alright thank you so much very understood
	that is all for now well done`)

// smallTalk reports whether the task is nothing but thanks, a greeting, agreement or an emoji.
func (r *reader) smallTalk() bool {
	count := 0
	for i, t := range r.ts {
		switch {
		case t.Kind == token.Mark:
		case t.Kind == token.Word && (smallTalkWords[words.Fold(t.Raw)] || r.means(i, conceptGreeting)):
			count++
		default:
			return false
		}
	}
	return count <= maxSmallTalk && strings.TrimSpace(r.task) != ""
}

var thanks = regexp.MustCompile(`(?i)спасиб|благодар|спс|thank|thx|cheers`)

// Reply answers small talk in one line.
func (r Reading) Reply(l stockhand.Language) string {
	switch {
	case thanks.MatchString(r.Task):
		return l.Pick("Пожалуйста! Если нужно что-то ещё, спрашивайте.",
			"You're welcome! Ask if you need anything else.")
	case r.greets:
		return l.Pick("Здравствуйте! Спросите об остатках, продажах, деньгах или заказах.",
			"Hello! Ask about stock, sales, money or orders.")
	}
	return l.Pick("Хорошо. Что посмотреть ещё?", "OK. What shall I look at next?")
}
