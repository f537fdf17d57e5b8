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
	// regards matches the closing of a letter.
	regards = regexp.MustCompile(`(?i)с уважением|\b(best|kind|warm) regards|yours (sincerely|faithfully)|sincerely,`)
)

const (
	maxTaskWords  = 120 // a longer message is a task only if it is a list of goods
	wordsPerCount = 10  // a list of goods has at least one number per this many words
)

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
	return count > maxTaskWords && numbers*wordsPerCount < count || count > 30 && regards.MatchString(text)
}
