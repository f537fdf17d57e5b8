package request

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// Roundings are phrases for how new prices are rounded.
var (
	RoundOf   = map[string]quantity.Round{}
	Roundings = func() (list []string) {
		for _, e := range Entries {
			if e.Section != "rounding" {
				continue
			}
			how, value, _ := strings.Cut(e.Meaning, " ")
			for _, p := range e.Phrases {
				if how == "ending" {
					RoundOf[p] = quantity.Round{Ending: value}
				} else {
					RoundOf[p] = quantity.Round{To: value}
				}
				list = append(list, p)
			}
		}
		return LongestFirst(list)
	}()
)

// Shortages are phrases for what is short, and the mode that they name. Longer ones come first.
var Shortages = func() (list []Shortage) {
	for _, meaning := range []string{"below_minimum", "running_out", "out", "lacking", "surplus"} {
		for _, p := range PhrasesOf("phrase", meaning) {
			x := Shortage{Words: p, None: meaning == "out"}
			if meaning == "below_minimum" || meaning == "running_out" {
				x.Mode = meaning
			}
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b Shortage) int {
		return len(strings.Fields(b.Words)) - len(strings.Fields(a.Words))
	})
	return list
}()

// Shortage is a phrase for what is short.
type Shortage struct {
	Words, Mode string
	None        bool // there is none at all
}

// Relatives are words behind "that" in a clause.
var Relatives = words.Set(`
	are is was were have has had do does did cost costs sell sells sold runs run ran not no will would
	can which need needs we i you lay lie`)

// Small are words between a number and what it is of.
var Small = words.Set(`
	до на в с со по к от над сверх сверху не за is to of at the a an on top over above from with by be would
	должна была будет была стала стать чтобы их её ее`)
