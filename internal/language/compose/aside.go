package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// besides reports whether an unexplained item only says something beside the question: a Russian verb that no number,
// exception or breakdown stands in front of. Such a word is no name of goods, and what it says is not in the figures;
// the answer names it (rule R327).
func (d *draft) besides(it *item) bool {
	t := &d.ts[it.at]
	if it.kind != unexplained || t.Kind != token.Word || !t.Cyrillic || len([]rune(t.Norm)) < 5 ||
		d.x.means(d.ts, it.at) || t.Raw != strings.ToLower(t.Raw) && it.at > 0 {
		return false
	}
	i := slices.Index(d.items, it)
	for _, beside := range []*item{d.neighbour(i, -1), d.neighbour(i, 1)} {
		if is(beside, number) || is(beside, operator) {
			return false
		}
	}
	switch prev := d.neighbour(i, -1); {
	case is(prev, except), is(prev, absent), is(prev, only), is(prev, per), is(prev, with):
		return false
	}
	return slices.ContainsFunc(verbEndings, func(end string) bool { return strings.HasSuffix(t.Norm, end) })
}

// verbEndings are those that few nouns have.
var verbEndings = []string{"ться", "тся", "ать", "ять", "ешь", "ишь", "ется", "ится", "ются", "утся", "лось", "лись",
	"лась",
	"лся", "йте", "ует", "юет", "ает", "яет", "ают", "яют", "уют", "еют", "шься", "емся", "имся"}
