package agent

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language"
)

// maxLookUps is the maximum number of requests to understand a task (rule R75).
const maxLookUps = 6

// likeNames returns the phrases that look like names, in quotes; empty for none.
func likeNames(phrases []language.Phrase) string {
	var list []string
	for _, p := range phrases {
		if len([]rune(p.Words)) > 3 {
			list = append(list, "«"+p.Words+"»")
		}
	}
	return strings.Join(list, ", ")
}
