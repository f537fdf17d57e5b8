package render

import (
	"regexp"
)

// actionClaim matches a model's claim that it changed something, which it never can. It can cause drafts, so claims of
// creating something are matched separately.
var (
	actionClaim = claim(`подтвердил[аи]?|подтвержд[её]н[аоы]?|отправил[аи]?|отправлен[аоы]?|оформил[аи]?|оформлен[аоы]?|` +
		`провел[аи]?|пров[её]л|разместил[аи]?|размещен[аоы]?|изменил[аи]?|обновил[аи]?|переместил[аи]?|заказал[аи]?|` +
		`поднял[аи]?|снизил[аи]?|записал[аи]?|confirmed|sent|submitted|placed|` +
		`(?:i|we)(?:['’]ve| have)? (?:just |now |already )?(?:ordered|changed|updated|moved|applied|raised|lowered)`)
	creationClaim = claim(`создал[аи]?|(?:i|we)(?:['’]ve| have)? (?:just |now |already )?created`)

	// notAClaim turns the rest of its clause into a denial, a condition or a plan
	notAClaim = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:не|ничего|нельзя|если|когда|после|пока|чтобы|бы|был[аои]? бы|буд[еу]т\p{L}*|можно|нужно|` +
		`not|nothing|never|no|if|once|when|after|until|before|unless|will|would|can|could|must|should|to be)(?:[^\p{L}]|$)|n['’]t `)
	clauses = regexp.MustCompile(`[.!?;:\n—]+`)
)

func claim(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + words + `)(?:[^\p{L}]|$)`)
}

// ClaimsAction reports whether a text claims that something was confirmed, sent, changed or, unless there is a draft,
// created. It may mistake a report about others' actions for a claim; the notice that follows is still true.
func ClaimsAction(text string, hasDraft bool) bool {
	for _, clause := range clauses.Split(text, -1) {
		at := actionClaim.FindStringIndex(clause)
		if at == nil && !hasDraft {
			at = creationClaim.FindStringIndex(clause)
		}
		if at != nil && !notAClaim.MatchString(clause[:at[0]]+" ") {
			return true
		}
	}
	return false
}
