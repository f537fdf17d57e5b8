package quantity

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Round specifies the rounding of new prices.
type Round struct {
	To        string `json:"to,omitempty"`        // decimal: a multiple of this
	Direction string `json:"direction,omitempty"` // up, down
	Ending    string `json:"ending,omitempty"`    // alternatively, the last digits
}

// readRounding reads and marks how to round prices: "округли до 10 рублей", "чтобы кончалось на 9".
func (c *calendar) readRounding() *Round {
	for i := range c.ts {
		w := c.norm(i)
		rounds, ends := strings.HasPrefix(w, "округл") || strings.HasPrefix(w, "round"),
			strings.HasPrefix(w, "конча") || strings.HasPrefix(w, "заканч") || strings.HasPrefix(w, "оканч") ||
				strings.HasPrefix(w, "окончани") ||
				strings.HasPrefix(w, "ending") || w == "end" || w == "ends"
		if !rounds && !ends {
			continue
		}
		out, last := &Round{}, 0
		for j := i + 1; j < len(c.ts) && j <= i+6; j++ {
			w := c.norm(j)
			isNumber := w != "" && c.ts[j].Kind == token.Number && out.To == "" && out.Ending == ""
			switch before := c.norm(j - 1); {
			case rounds && (w == "вверх" || w == "up"):
				out.Direction, last = "up", j
			case rounds && (w == "вниз" || w == "down"):
				out.Direction, last = "down", j
			case ends && isNumber && digitsOnly(strings.TrimPrefix(w, ".")) &&
				(before == "на" || before == "in" || before == "with"):
				out.Ending, last = w, j
			case rounds && isNumber && PlainNumber(w) != "" && !isPercent(c.norm(j+1)):
				out.To, last = PlainNumber(w), j
			case rounds && roundTo[w] != "" && out.To == "":
				out.To, last = roundTo[w], j
			}
		}
		if last > 0 {
			for last+1 < len(c.ts) && isCurrency(c.norm(last+1)) {
				last++
			}
			for j := last + 1; j <= last+2; j++ { // "до 10 рублей вверх"
				if w := c.norm(j); rounds && (w == "вверх" || w == "up" || w == "вниз" || w == "down") {
					out.Direction, last = map[bool]string{true: "up", false: "down"}[w == "вверх" || w == "up"], j
				}
			}
			c.use(i, last+1)
			return out
		}
	}
	return nil
}

// roundTo are the words for what to round prices to.
var roundTo = map[string]string{
	"целых": "1", "целого": "1", "рублей": "1", "рубля": "1", "копеек": "0.01", "десятков": "10", "десяти": "10",
	"десятка": "10", "сотен": "100", "сотни": "100", "ста": "100", "пятидесяти": "50",
	"whole": "1", "integer": "1", "ten": "10", "tens": "10", "hundred": "100", "hundreds": "100",
}

// Rounding reads how prices are rounded, and marks its tokens; nil if the task does not say.
func Rounding(ts []token.Token) *Round { return (&calendar{ts: ts}).readRounding() }
