// Package claims finds claims of a model that it did what it cannot do: it confirms, sends and changes nothing.
package claims

import (
	"regexp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Denial returns a notice that nothing was done, if an answer claims that something was, or if its task asked for a
// change and there is no draft. Proposes says that the task reads as a request for a change.
func Denial(answer, task string, drafted, proposes bool, l stockhand.Language) (tool.Notice, bool) {
	n := tool.Notice{Code: tool.NoticeNothingDone}
	switch {
	case drafted && claimsAction(answer, true):
		n.Message = l.Pick("Stockhand ничего не подтвердил и не отправил: черновик ждёт вашего решения.",
			"Stockhand has confirmed and sent nothing: the draft is waiting for your decision.")
	case !drafted && claimsEdit(answer):
		n.Message = l.Pick("Stockhand ничего не изменил: черновик остался прежним.",
			"Stockhand has changed nothing: the draft is as it was.")
	case !drafted && (claimsAction(answer, false) || proposes && !hypothetical.MatchString(task)):
		n.Message = l.Pick("Stockhand ничего не создал, не подтвердил и не отправил: черновика нет.",
			"Stockhand has created, confirmed and sent nothing: there is no draft.")
	default:
		return n, false
	}
	return n, true
}

// hypothetical matches a task that asks for the effect of a change without requesting it.
var hypothetical = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:если|сколько|что будет|как изменится|` +
	`if|how much|how many|what would)(?:[^\p{L}]|$)`)

// actionClaim matches a model's claim that it changed something, which it never can. It can cause drafts, so claims of
// creating something are matched separately.
var (
	actionClaim = claim(`подтвердил[аи]?|подтвержд[её]н[аоы]?|отправил[аи]?|отправлен[аоы]?|оформил[аи]?|оформлен[аоы]?|` +
		`провел[аи]?|пров[её]л|разместил[аи]?|размещен[аоы]?|изменил[аи]?|обновил[аи]?|переместил[аи]?|заказал[аи]?|` +
		`поднял[аи]?|снизил[аи]?|записал[аи]?|confirmed|sent|submitted|placed|` +
		`(?:i|we)(?:['’]ve| have)? (?:just |now |already )?(?:ordered|changed|updated|moved|applied|raised|lowered)`)
	// a draft can be changed, by a call that shows it as it is now
	editClaim = claim(`убрал[аи]?|убран[аоы]?|добавил[аи]?|добавлен[аоы]?|исключил[аи]?|исключ[её]н[аоы]?|` +
		`разделил[аи]?|разделён|объединил[аи]?|объединён|удалил[аи]?|заменил[аи]?|изменил[аи]?|изменён|обновил[аи]?|` +
		`обновлён|(?:i|we)(?:['’]ve| have)? (?:just |now |already )?` +
		`(?:removed|added|split|merged|replaced|dropped|changed|updated|edited)`)
	ofDraft = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:чернов\p{L}*|drafts?)(?:[^\p{L}]|$)`)

	creationClaim = claim(`создал[аи]?|(?:i|we)(?:['’]ve| have)? (?:just |now |already )?created`)

	// notAClaim turns the rest of its clause into a denial, a condition or a plan
	notAClaim = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:не|ничего|нельзя|если|когда|после|пока|чтобы|бы|был[аои]? бы|буд[еу]т\p{L}*|можно|нужно|` +
		`not|nothing|never|no|if|once|when|after|until|before|unless|will|would|can|could|must|should|to be)(?:[^\p{L}]|$)|n['’]t `)
	clauses = regexp.MustCompile(`[.!?;:\n—]+`)
)

func claim(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + words + `)(?:[^\p{L}]|$)`)
}

// claimsAction reports whether a text claims that something was confirmed, sent, changed or, unless there is a draft,
// created. It may mistake a report about others' actions for a claim; the notice that follows is still true.
func claimsAction(text string, hasDraft bool) bool {
	for _, clause := range clauses.Split(text, -1) {
		at := actionClaim.FindStringIndex(clause)
		if at != nil && hasDraft && ofDraft.MatchString(clause) && editClaim.MatchString(clause[at[0]:at[1]]) {
			at = nil // a version of the draft
		}
		if at == nil && !hasDraft {
			at = creationClaim.FindStringIndex(clause)
		}
		if at != nil && !notAClaim.MatchString(clause[:at[0]]+" ") {
			return true
		}
	}
	return false
}

// claimsEdit reports whether a text claims that a draft was changed.
func claimsEdit(text string) bool {
	for _, clause := range clauses.Split(text, -1) {
		at := editClaim.FindStringIndex(clause)
		if at != nil && ofDraft.MatchString(clause) && !notAClaim.MatchString(clause[:at[0]]+" ") {
			return true
		}
	}
	return false
}
