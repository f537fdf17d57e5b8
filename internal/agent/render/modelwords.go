package render

import (
	"regexp"
	"strings"
)

// actionClaim matches a model's claim that it changed something, which it never has. Making a draft is the one thing it
// can cause, so claims to have created something are apart.
var (
	actionClaim = claim(`подтвердил[аи]?|подтвержд[её]н[аоы]?|отправил[аи]?|отправлен[аоы]?|оформил[аи]?|оформлен[аоы]?|` +
		`провел[аи]?|пров[её]л|разместил[аи]?|размещен[аоы]?|изменил[аи]?|обновил[аи]?|переместил[аи]?|заказал[аи]?|` +
		`поднял[аи]?|снизил[аи]?|записал[аи]?|confirmed|sent|submitted|placed|` +
		`(?:i|we)(?:['’]ve| have)? (?:just |now |already )?(?:ordered|changed|updated|moved|applied|raised|lowered)`)
	creationClaim = claim(`создал[аи]?|(?:i|we)(?:['’]ve| have)? (?:just |now |already )?created`)

	// notAClaim is what turns the words after it in a clause into a denial, a condition or a plan.
	notAClaim = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:не|ничего|нельзя|если|когда|после|пока|чтобы|бы|был[аои]? бы|буд[еу]т\p{L}*|можно|нужно|` +
		`not|nothing|never|no|if|once|when|after|until|before|unless|will|would|can|could|must|should|to be)(?:[^\p{L}]|$)|n['’]t `)
	clauses = regexp.MustCompile(`[.!?;:\n—]+`)
)

func claim(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + words + `)(?:[^\p{L}]|$)`)
}

// ClaimsAction reports whether a text claims that something was confirmed, sent, changed or, unless there is a draft,
// created. It may take a report of what others did for a claim: the notice that follows is true then, too.
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

// ownLink is a link target that a model's words may keep: a path of this service.
const ownLink = "/api/v1/"

var (
	image      = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	link       = regexp.MustCompile(`\[([^\[\]]*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)`)
	definition = regexp.MustCompile(`(?m)^[ \t>]*\[[^\]\n]+\]:.*$`)
	address    = regexp.MustCompile("(?i)`*" + `\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>()\[\]` + "`" + `"'«»]+` + "`*")
	tag        = regexp.MustCompile(`<([A-Za-z/!?])`)
)

// Sanitize takes from a model's words what a reader's program would fetch by itself or open on a click: an address may
// carry the account's figures to a foreign server, and a scheme such as javascript: may run a program. Images and links
// become their texts, bare addresses become code, HTML becomes text. Links to this service's own paths stay.
func Sanitize(s string) string {
	s = image.ReplaceAllString(s, "$1")
	s = strings.ReplaceAll(s, "![", "[") // of an image in parts
	s = definition.ReplaceAllString(s, "")
	s = link.ReplaceAllStringFunc(s, func(l string) string {
		parts := link.FindStringSubmatch(l)
		if strings.HasPrefix(parts[2], ownLink) && !strings.ContainsAny(parts[2], " \t\\") {
			return l
		}
		return parts[1]
	})
	s = looseLinks(s)
	s = address.ReplaceAllStringFunc(s, func(a string) string {
		bare := strings.Trim(a, "`")
		end := len(strings.TrimRight(bare, ".,;:!?*_"))
		return "`" + bare[:end] + "`" + bare[end:]
	})
	return tag.ReplaceAllString(s, "&lt;$1")
}

// looseLinks breaks what could still be read as a link: brackets within a link's text, or within its target.
func looseLinks(s string) string {
	parts := strings.Split(s, "](")
	for i := 1; i < len(parts); i++ {
		if strings.HasPrefix(parts[i], ownLink) {
			parts[i] = "](" + parts[i]
		} else {
			parts[i] = "] (" + parts[i]
		}
	}
	return strings.Join(parts, "")
}
