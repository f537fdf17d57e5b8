package language

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// maxSmallTalk is the maximum number of words of small talk.
const maxSmallTalk = 8

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

// social reads a message that thanks, greets or leaves, or that asks about Stockhand itself (rule R731), before names
// are looked up.
func (r *reader) social(out *Reading) bool {
	out.social = courtesy.ReadSocial(r.task)
	switch out.social {
	case courtesy.NotSocial:
		return false
	case courtesy.AsksUsage:
		out.Skill = Help
	default:
		out.Skill = SmallTalk
	}
	out.Language, out.Confidence = languageOf(r.ts, r.in.spoken()), 1
	return true
}

// WithoutTalk returns a task without the greetings, thanks and remarks around its question (rule R770).
func WithoutTalk(task string) string {
	return courtesy.Without(draftHeading.ReplaceAllString(task, "$1"))
}

// draftHeading only says that what follows is to be prepared: "черновик: текстиль плюс 3 %".
var draftHeading = regexp.MustCompile(`(?i)^\s*(?:(?:сделай|подготовь|make a|prepare a)\s+)?(?:черновик|draft)\s*[:—–]\s*(\S.*)$`)

var (
	thanks = regexp.MustCompile(`(?i)спасиб|благодар|спс|thank|thx|cheers`)
	leaves = regexp.MustCompile(`(?i)до свидан|до встречи|до завтра|^пока[ !.]*$|всего доброго|всего хорошего|` +
		`goodbye|^bye|see you`)
	agrees = regexp.MustCompile(`(?i)^(да|ага|угу|yes|yep|yeah|подтверждаю)[ !.,]*$`)
)

// Reply returns a one-line reply to small talk.
func (r Reading) Reply(l stockhand.Language) string {
	switch {
	case r.social != courtesy.NotSocial:
		return r.social.Reply(l)
	case thanks.MatchString(r.Task):
		return l.Pick("Пожалуйста! Если нужно что-то ещё, спрашивайте.",
			"You're welcome! Ask if you need anything else.")
	case leaves.MatchString(r.Task):
		return l.Pick("До свидания!", "Goodbye!")
	case r.greets:
		return l.Pick("Здравствуйте! Спросите об остатках, продажах, деньгах или заказах.",
			"Hello! Ask about stock, sales, money or orders.")
	}
	if agrees.MatchString(r.Task) {
		return l.Pick("Подтверждать сейчас нечего. Что посмотреть?", "There is nothing to confirm now. What shall I show?")
	}
	return l.Pick("Хорошо. Что посмотреть ещё?", "OK. What shall I look at next?")
}
