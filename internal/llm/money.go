package llm

import (
	"math"
	"strconv"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Micros converts an amount of money to millionths, rounded up. Budgets are integers, so that the database can add and
// compare them in one statement.
func Micros(amount decimal.Decimal) int64 { return whole(amount.Mul(decimal.FromInt(1_000_000))) }

// Charge is what models cost, at the prices that are set: models without a price add nothing.
type Charge struct {
	Amount   string `json:"amount" example:"0.004213"`
	Currency string `json:"currency" example:"USD"`
}

// NewCharge returns a cost in millionths of the currency; nil if no model has a price, so that it is unknown.
func NewCharge(micros int64, currency string) *Charge {
	if currency == "" {
		return nil
	}
	return &Charge{decimal.FromInt(micros).Mul(millionth).Fixed(6), currency}
}

var millionth = decimal.MustParse("0.000001")

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
