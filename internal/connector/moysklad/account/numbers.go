package account

import (
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Share returns part as a percentage of whole, or unknown if whole is zero.
func Share(part, whole decimal.Decimal) decimal.Maybe {
	if whole.Sign() == 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(part.Mul(decimal.Hundred).Div(whole))
}

// Descending orders greater numbers first, and unknown ones last.
func Descending(x, y decimal.Maybe) int {
	switch {
	case x.Known && y.Known:
		return y.Cmp(x.Decimal)
	case x.Known:
		return -1
	case y.Known:
		return 1
	}
	return 0
}

// Ascending orders smaller numbers first, and unknown ones last.
func Ascending(x, y decimal.Maybe) int {
	if x.Known && y.Known {
		return x.Cmp(y.Decimal)
	}
	return Descending(x, y)
}

// Integral reports whether a number has no fraction.
func Integral(d decimal.Decimal) bool { return d.Cmp(d.Floor(0)) == 0 }

func Major(m decimal.Maybe) decimal.Maybe {
	m.Decimal = m.Major()
	return m
}

// Rounded returns a number rounded for display. Round only once, at the end.
func Rounded(n decimal.Maybe, places int) tool.Value {
	n.Decimal = n.Round(places)
	return tool.MaybeNumber(n)
}

// Product returns the product if both numbers are known.
func Product(x, y decimal.Maybe) decimal.Maybe {
	if !x.Known || !y.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(x.Mul(y.Decimal))
}

// Left returns what is left of a sum, and zero if more than all of it is done.
func Left(sum, done decimal.Maybe) decimal.Maybe {
	if !sum.Known || !done.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(sum.Sub(done.Decimal).Max(decimal.Zero))
}
