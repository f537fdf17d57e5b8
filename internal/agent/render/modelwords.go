package render

import (
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// deed is how a model says that it changed something, which it never has.
var actionClaim = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:подтвердил[аи]?|подтвержд[её]н\p{L}{0,2}|отправил[аи]?|отправлен\p{L}{0,2}|оформил[аи]?|оформлен\p{L}{0,2}|` +
	`провел[аи]?|пров[её]л|создал[аи]?|разместил[аи]?|изменил[аи]?|обновил[аи]?|переместил[аи]?|заказал[аи]?|confirmed|sent|submitted|placed|` +
	`(?:i|we)(?:['’]ve| have)? (?:just |now |already )?(?:created|ordered|changed|updated|moved|applied))(?:[^\p{L}]|$)`)

// boasts tells whether a text claims a deed. One that only tells of a deed of somebody else's is taken for it, too: the
// remark that follows is true of any answer without a draft.
func ClaimsAction(text string) bool { return actionClaim.MatchString(text) }

var (
	image = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	tag   = regexp.MustCompile(`<([A-Za-z/!?])`)
)

// harmless takes from a model's words what a reader's program would fetch by itself: an image at an address that holds
// the account's figures would carry them out. HTML becomes text.
func Sanitize(s string) string {
	s = image.ReplaceAllString(s, "$1")
	s = strings.ReplaceAll(s, "![", "[") // of an image in parts
	return tag.ReplaceAllString(s, "&lt;$1")
}

// missing are the remarks of the run's results that a text does not hold word for word, each once.
func MissingNotices(text string, all []tool.Notice) []string {
	var out []string
	plain := strings.Join(strings.Fields(text), " ")
	for _, n := range all {
		message := strings.Join(strings.Fields(n.Message), " ")
		if message != "" && !strings.Contains(plain, strings.TrimRight(message, ".")) &&
			!slices.Contains(out, n.Message) {
			out = append(out, n.Message)
		}
	}
	return out
}
