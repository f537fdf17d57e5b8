package compose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// acts reports whether the customers of a task are those who buy or return, and no breakdown: "что вернули покупатели",
// "сколько накупили клиенты" (rule R872).
func (d *draft) acts(it, prev, next *typed.Item) bool {
	if it.ID != "counterparty" || !it.Plural || it.End != it.At+1 || d.Previous != nil || it.At == 0 {
		return false
	}
	before := d.Tokens[it.At-1].Norm
	if asked := whatWords[d.first()] || muchWords[d.first()] || d.first() == "на"; !asked || d.asks(it) ||
		beforePlace[before] || is(prev, typed.Per) || is(prev, typed.Number) || !nominative(d.Tokens[it.At].Norm) {
		return false
	}
	return d.verb(prev) || d.verb(next)
}

// nominative reports whether a plural may be a subject: "клиенты", "покупатели".
func nominative(w string) bool { return strings.HasSuffix(w, "ы") || strings.HasSuffix(w, "и") }

// verb reports whether an item is a measure said by a verb: "вернули".
func (d *draft) verb(it *typed.Item) bool {
	return is(it, typed.Measure) && verbs[d.Tokens[it.End-1].Stem]
}

var beforePlace = words.Set("по для от у к с из о про среди между")
