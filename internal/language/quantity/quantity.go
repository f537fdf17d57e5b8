// Package quantity reads the numbers of a task, with and without digits: periods, lengths of time, amounts,
// percentages, how many rows to show and how to round prices.
package quantity

import (
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Quantities are the numbers of a task, by what they count.
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

// Amount is a sum of money, in main units.
type Amount struct {
	Text string // decimal
	at   int
	over bool
}

// Read reads and marks the numbers of a task that is asked today: lengths of time, periods, how to round, and what is
// left. Each takes its words away from those that follow.
func Read(ts []token.Token, today time.Time) Quantities {
	c := &calendar{ts: ts, today: today}
	q := Quantities{Durations: c.durations(), Periods: c.periods(), Round: c.readRounding()}
	c.readNumbers(&q)
	return q
}
