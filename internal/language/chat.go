package language

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Messages that are not tasks are recognised before names are looked up, since each lookup costs requests to the
// account: chat clients send prompts of their own, and users paste letters.

var (
	// chatPrompt matches prompts that a chat client sends for itself: for a title, tags or follow-up questions.
	chatPrompt = regexp.MustCompile(`(?is)<chat_history>|### task:|### (chat|conversation) history|` +
		`\b(titles?|tags|summary|summarize|follow-ups?|follow-up questions|search quer(y|ies))\b.*` +
		`\b(chat|conversation|dialogue)\b|` +
		`\b(chat|conversation|dialogue)\b.{0,80}\b(titles?|tags|summary|follow-ups?|a name)\b|` +
		`(заголов\p{L}+|тему|названи\p{L}+|теги) .{0,40}(диалога|переписки|беседы|чата)([^\p{L}]|$)`)
	// markup matches the start of pasted code, JSON, XML or quoted mail.
	markup = regexp.MustCompile("(?m)^\\s*(```|[{\\[]\\s*\"|</?[a-z_]+>|>\\s|(From|Subject|От кого|Кому|Тема):)")
	// regards matches the closing of a letter.
	regards = regexp.MustCompile(`(?i)с уважением|\b(best|kind|warm) regards|yours (sincerely|faithfully)|sincerely,`)
)

const (
	maxTaskWords  = 120 // a longer message is a task only if it is a list of goods
	wordsPerCount = 10  // a list of goods has at least one number per this many words
	maxSmallTalk  = 8   // maximum words of small talk
)

// notATask reports whether a message is not a user's task: a prompt of a chat client, code, or a pasted letter.
func notATask(text string) bool {
	if len(text) > token.MaxTask { // what is left out might change what is read
		return true
	}
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

// smallTalkWords are words of thanks and agreement, in addition to those of [conceptGreeting].
var smallTalkWords = words.Set(`ок окей окау ok okay k да нет ага угу неа хорошо ладно понятно понял поняла ясно принято
	отлично супер класс круто здорово молодец замечательно прекрасно большое вам тебе всем за ответ и очень ну все
	yes no yep yeah nope sure got it fine good great cool nice perfect awesome alright thank you so much very understood
	that is all for now well done мда ого вау ясненько понял-принял угумс спасибки wow hmm`)

// smallTalk reports whether the task consists only of thanks, a greeting, agreement or an emoji.
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

// Reply returns a one-line reply to small talk.
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
