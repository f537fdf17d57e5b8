package llm

import (
	"math"
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Micros is an amount of money in millionths, rounded up: budgets are whole numbers, so that the database can add and
// compare them in one statement.
func Micros(amount decimal.Decimal) int64 { return whole(amount.Mul(decimal.FromInt(1_000_000))) }

// whole is the number rounded up; what is too large is as much as there is.
func whole(d decimal.Decimal) int64 {
	n, err := strconv.ParseInt(d.Ceil(0).String(), 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}

// Passes reports whether callers may be passed through to a model of that name: to those that are configured, and to
// any where none has a price. What costs nothing here because its price was not configured would pass every limit of
// money.
func (p *Provider) Passes(model string) bool {
	return !slices.ContainsFunc(p.Models,
		func(m ModelConfig) bool { return !m.InputPrice.IsZero() || !m.OutputPrice.IsZero() }) ||
		slices.ContainsFunc(p.Models, func(m ModelConfig) bool { return m.Name == model })
}
