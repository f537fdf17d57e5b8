package llm

import (
	"math"
	"slices"
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

// Passes reports whether callers may use the model through the pass-through API: any model if none has a price,
// otherwise only configured ones. A model without a configured price would cost nothing and so evade the money limits.
func (p *Provider) Passes(model string) bool {
	return !slices.ContainsFunc(p.Models,
		func(m ModelConfig) bool { return !m.InputPrice.IsZero() || !m.OutputPrice.IsZero() }) ||
		slices.ContainsFunc(p.Models, func(m ModelConfig) bool { return m.Name == model })
}
