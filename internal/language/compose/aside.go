package compose

import (
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// besides reports whether an unexplained item only says something beside the question: a Russian verb that no number,
// exception or breakdown stands in front of. Such a word is no name of goods, and what it says is not in the figures;
// the answer names it (rule R327).
func (d *draft) besides(it *typed.Item) bool {
	t := &d.Tokens[it.At]
	if it.Kind != typed.Unexplained || t.Kind != token.Word || !t.Cyrillic || len([]rune(t.Norm)) < 5 ||
		d.Means(it.At) || t.Raw != strings.ToLower(t.Raw) && it.At > 0 {
		return false
	}
	i := slices.Index(d.Items, it)
	for _, beside := range []*typed.Item{d.neighbour(i, -1), d.neighbour(i, 1)} {
		if is(beside, typed.Number) || is(beside, typed.Operator) {
			return false
		}
	}
	switch prev := d.neighbour(i, -1); {
	case is(prev, typed.Except), is(prev, typed.Absent), is(prev, typed.Only), is(prev, typed.Per),
		is(prev, typed.With):
		return false
	}
	return slices.ContainsFunc(verbEndings, func(end string) bool { return strings.HasSuffix(t.Norm, end) })
}

// verbEndings are those that few nouns have.
var verbEndings = []string{"ться", "тся", "ать", "ять", "ешь", "ишь", "ется", "ится", "ются", "утся", "лось", "лись",
	"лась",
	"лся", "йте", "ует", "юет", "ает", "яет", "ают", "яют", "уют", "еют", "шься", "емся", "имся"}
