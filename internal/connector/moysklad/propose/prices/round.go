package prices

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// roundInput is how to round new prices.
type roundInput struct {
	To        *decimal.Decimal `json:"to,omitempty" jsonschema:"a multiple: 0.01, 1, 10"`
	Direction roundDirection   `json:"direction,omitempty"`
	Ending    string           `json:"ending,omitempty" jsonschema:"last digits, instead: 9, 990, .99"`
}

type roundDirection string

const (
	roundNearest roundDirection = "nearest"
	roundUp      roundDirection = "up"
	roundDown    roundDirection = "down"
)

func (roundDirection) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: nearest", roundNearest, roundUp, roundDown)
}

var (
	kopeck = decimal.MustParse("0.01")
	ten    = decimal.FromInt(10)
)

// rounding is a rounding rule: prices are offset + n × step.
type rounding struct {
	step, offset decimal.Decimal
	direction    roundDirection
	given        bool // the step is given; otherwise it depends on each old price
}

// newRounding validates the rule; the second result describes an error in both languages.
func newRounding(in *roundInput) (r rounding, wrong [2]string) {
	if in == nil {
		return rounding{direction: roundNearest}, wrong
	}
	r.direction = in.Direction
	if r.direction == "" {
		r.direction = roundNearest
	}
	switch {
	case in.To != nil && in.Ending != "":
		return r, [2]string{"назовите либо to, либо ending", "give either to or ending"}
	case in.To != nil:
		r.step, r.given = *in.To, true
		if r.step.Less(kopeck) || !account.Integral(r.step.Minor()) {
			return r, [2]string{"to — не меньше 0.01 и не мельче копеек",
				"to is 0.01 at least and no finer than hundredths"}
		}
	case in.Ending != "":
		digits, cents := strings.CutPrefix(strings.Replace(in.Ending, ",", ".", 1), ".")
		if digits == "" || len(digits) > 3 || cents && len(digits) > 2 ||
			strings.ContainsFunc(digits, func(c rune) bool { return c < '0' || c > '9' }) {
			return r, [2]string{"ending — от одной до трёх последних цифр, например 9, 99 или .99",
				"ending is one to three last digits, such as 9, 99 or .99"}
		}
		r.given, r.step, r.offset = true, decimal.One, decimal.MustParse(digits)
		for range digits {
			if cents {
				r.offset = r.offset.Div(ten)
			} else {
				r.step = r.step.Mul(ten)
			}
		}
	}
	return r, wrong
}

// apply rounds a price; old is the price that it replaces. The result is never below the smallest positive price of the
// rule, so that rounding down never results in zero.
func (r rounding) apply(price decimal.Decimal, old decimal.Maybe) decimal.Decimal {
	step := r.step
	if !r.given {
		if step = kopeck; old.Known && account.Integral(old.Decimal) {
			step = decimal.One
		}
	}
	steps := price.Sub(r.offset).Div(step)
	switch r.direction {
	case roundUp:
		steps = steps.Ceil(0)
	case roundDown:
		steps = steps.Floor(0)
	case roundNearest:
		steps = steps.Add(decimal.MustParse("0.5")).Floor(0)
	}
	rounded := r.offset.Add(steps.Mul(step))
	if rounded.Sign() <= 0 {
		if rounded = r.offset; rounded.Sign() <= 0 {
			rounded = step
		}
	}
	return rounded
}
