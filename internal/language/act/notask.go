package act

import (
	"regexp"

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
	// letter matches what is written to another firm or to customers, not to Stockhand.
	letter = regexp.MustCompile(`(?i)уважаем(ый|ая|ые)\s+\p{L}|коммерческ\p{L}+ предложени|(^|[^\p{L}])(направляем|` +
		`сообщаем|` +
		`уведомляем|благодарим вас|доводим до|во вложении|прилагаем|приглашаем|рады сообщить|настоящим|в ответ на ` +
		`ваш\p{L}*)` +
		`([^\p{L}]|$)|\bdear\s+\p{L}|please find attached|we are (writing|pleased)|to whom it may|` +
		`\byours (sincerely|faithfully)|sincerely,`)
	// regards matches the closing of a letter.
	regards = regexp.MustCompile(`(?i)с уважением|\b(best|kind|warm) regards`)
	// asks matches what a person writes to have something shown or prepared.
	asks = regexp.MustCompile(`(?i)(^|[^\p{L}])(сколько|скольк\p{L}|како\p{L}+|каки\p{L}+|покажи\p{L}*|подскаж\p{L}+|` +
		`скажи\p{L}*|` +
		`найди\p{L}*|посмотри\p{L}*|посчитай\p{L}*|выведи\p{L}*|проверь\p{L}*|дай\p{L}{0,2}|что|чего|кто|кому|где|` +
		`когда|почему|` +
		`есть ли|можно ли|можете|хватит ли|закажи\p{L}*|подними\p{L}*|снизь\p{L}*|перемести\p{L}*|подготовь\p{L}*|` +
		`нужн\p{L}+|надо|` +
		`узнать|понять|how|what|which|who|where|when|why|show|list|find|tell me|check|order|raise|lower|need|` +
		`want)([^\p{L}]|$)|\?`)
)

const (
	maxTaskWords  = 120 // a longer message is a task only if it is a list of goods, or asks
	maxAskedWords = 250 // a longer one is a task only if it is a list of goods
	wordsPerCount = 10  // a list of goods has at least one number per this many words
)

// Asks reports whether a text is written to Stockhand: it has a question or an order, and no marks of a letter.
// Dictated and polite questions are long, too (rule R339).
func Asks(text string) bool { return asks.MatchString(text) && !letter.MatchString(text) }

// IsNoTask reports whether a message is not a user's task: a prompt of a chat client, code, or a pasted letter.
func IsNoTask(text string) bool {
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
	const short = 30 // words of a text that is no letter yet
	asked := Asks(text)
	most := maxTaskWords
	if asked {
		most = maxAskedWords
	}
	return count > most && numbers*wordsPerCount < count ||
		count > short && !asked && (regards.MatchString(text) || letter.MatchString(text))
}
