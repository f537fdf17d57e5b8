package aside

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
)

// A long text must not cost the account a request per word (rule R75): only the question in it is answered, if there is
// exactly one. A text above either limit is treated as a letter or similar, because a question has few words, and few
// that the lexicon does not know.
const (
	maxTaskWords   = 60
	maxTaskUnknown = 4
)

// isLong reports whether a text is too long for a question. One that is written to Stockhand may be longer (rule R339).
func isLong(text string, r language.Reading) bool {
	longer := 1
	if act.Asks(text) {
		longer = 3
	}
	return len(strings.Fields(text)) > longer*maxTaskWords || len(r.Unknown) > longer*maxTaskUnknown
}

var (
	// transcript matches a quoted conversation, whose questions are not current
	transcript = regexp.MustCompile(`(?im)<chat_history>|^\s*(?:user|assistant|ai):`)
	sentences  = regexp.MustCompile(`[^.!?\n]+[.!?]*`)
	asks       = regexp.MustCompile(`(?i)^(?:сколько|как(?:ой|ая|ое|ие|их)?|что|кто|где|когда|почему|покажи|найди|выведи|подготовь|` +
		`how|what|which|who|where|when|why|show|list|find|prepare)\s`)
)

// maxSentences is how many sentences of a long text are looked at.
const maxSentences = 100

// questionsIn returns the sentences of a long text that are clear questions about the account on their own.
func questionsIn(text string, in language.Input) []string {
	var out []string
	for _, s := range sentences.FindAllString(text, maxSentences) {
		if s = strings.TrimSpace(s); len(out) > 1 || !strings.Contains(s, " ") { // several, or a word that asks nothing
			continue
		}
		if !strings.HasSuffix(s, "?") && !asks.MatchString(s) {
			continue
		}
		r := language.Read(s, in)
		if r.Skill.Calls() && r.Question == nil && !isLong(s, r) && len(r.Unknown) <= 1 {
			out = append(out, s)
		}
	}
	return out
}

func longTextReply(l stockhand.Language, questions int) string {
	if questions > 1 {
		return l.Pick("В тексте несколько вопросов. Задайте их по одному.",
			"The text has several questions. Please ask them one at a time.")
	}
	return l.Pick("Это длинный текст, и ясного вопроса об учёте в нём нет. Задайте вопрос одним-двумя предложениями.",
		"This is a long text without a clear question about the account. Please ask in one or two sentences.")
}

// Focus reduces a long text to the one question in it. If there is none, it returns the reply.
func Focus(task string, in language.Input, r language.Reading, l stockhand.Language) (question, reply string) {
	if !isLong(task, r) || transcript.MatchString(task) {
		return "", ""
	}
	questions := questionsIn(task, in)
	if len(questions) != 1 {
		return "", longTextReply(l, len(questions))
	}
	return questions[0], ""
}
