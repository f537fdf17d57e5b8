package llm

import (
	"math"
	"strconv"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Micros converts an amount of money to millionths, rounded up. Budgets are integers, so that the database can add and
// compare them in one statement.
func Micros(amount decimal.Decimal) int64 { return whole(amount.Mul(decimal.FromInt(1_000_000))) }

// whole rounds a number up, and returns the largest int64 if it is too large.
func whole(d decimal.Decimal) int64 {
	n, err := strconv.ParseInt(d.Ceil(0).String(), 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}

// free reports whether a model has no price.
func (m ModelConfig) free() bool { return m.InputPrice.IsZero() && m.OutputPrice.IsZero() }
