// Package quantity parses the numbers in a task, in digits or words: periods, durations, amounts, percentages, row
// limits and rounding of prices.
package quantity

import (
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Quantities are the numbers in a task, by meaning.
type Quantities struct {
	Limit     int
	Percent   string // with its minus sign
	Off       bool   // "20% off"
	Plus      bool   // "+5 %"
	Round     *Round
	Amounts   []Amount
	Durations []Duration
	Periods   []Period
}

// Amount is an amount of money in main units.
type Amount struct {
	Text string // decimal
	at   int
	over bool
}

// Read parses the numbers of a task, relative to today, and marks their tokens as used: first durations, then periods,
// rounding, and finally other numbers.
func Read(ts []token.Token, today time.Time) Quantities {
	c := &calendar{ts: ts, today: today}
	q := Quantities{Durations: c.durations(), Periods: c.periods(), Round: c.readRounding()}
	c.readNumbers(&q)
	return q
}
