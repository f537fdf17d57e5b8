package request

import (
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// Comparatives are words before the number of a condition.
var Comparatives = func() map[string]analysis.Op {
	out := map[string]analysis.Op{}
	for op, list := range map[analysis.Op]string{
		analysis.Greater: `больше более выше свыше дороже дольше старше
			превышает over above exceeding exceeds more higher
			greater longer older pricier costlier`,
		analysis.Less:         "меньше менее ниже дешевле младше less under below fewer cheaper lower younger shorter",
		analysis.GreaterEqual: "минимум least",
		analysis.LessEqual:    "максимум most",
	} {
		for w := range words.Set(list) {
			out[w] = op
		}
	}
	return out
}()

// Informal are scales that only people write.
var Informal = map[string]int64{"т": 1000, "тыщ": 1000, "тыщи": 1000, "тр": 1000, "косарей": 1000, "grand": 1000,
	"лям": 1e6, "ляма": 1e6, "лямов": 1e6}

// Numeral returns the value of a numeral in words; 0 for any other word.
func Numeral(w string) int { return quantity.Numeral(w) }

var (
	PercentOf = map[string]string{} // of a phrase such as "треть"
	Fractions = func() (list []string) {
		for _, e := range Entries {
			if e.Section != "fraction" {
				continue
			}
			for _, p := range e.Phrases {
				PercentOf[p] = e.Meaning
				list = append(list, p)
			}
		}
		return LongestFirst(list)
	}()
)

// Slang is a number that only people write.
type Slang struct {
	Value string
	Unit  words.UnitKind
}

var Slangs = func() map[string]Slang {
	out := map[string]Slang{}
	for _, e := range Entries {
		if e.Section != "number" {
			continue
		}
		value, unit, _ := strings.Cut(e.Meaning, " ")
		x := Slang{Value: value}
		if unit == "money" {
			x.Unit = words.Money
		}
		for _, p := range e.Phrases {
			out[p] = x
		}
	}
	return out
}()
