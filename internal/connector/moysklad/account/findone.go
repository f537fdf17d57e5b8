package account

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// FindOne finds the only entry with a name or ID. No match and several matches are errors that list the entries;
// FindOne never guesses.
func FindOne[T any](c *Call, field string, word tool.Text, name string, list []T, of func(T) (msapi.ID, []string)) (T,
	error) {
	id, isID := msapi.ParseID(name)
	var found []T
	var all []string
	for _, x := range list {
		own, words := of(x)
		all = append(all, words[0])
		if isID && own == id || !isID && slices.ContainsFunc(words, func(w string) bool {
			return w != "" && wording.Fold(w) == wording.Fold(name)
		}) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	message := c.Pickf("%s «%s»: в МоёмСкладе не найдено", "%s “%s”: not found in MoySklad", word.In(c.Lang), name)
	if len(found) > 1 {
		message = c.Pickf("%s «%s»: таких несколько, укажите идентификатор", "%s “%s”: there are several, give the id",
			word.In(c.Lang), name)
	}
	var none T
	return none, Invalid(field, message).WithHint("%s", c.Pick("есть: ", "there are: ")+strings.Join(all, "; "))
}
