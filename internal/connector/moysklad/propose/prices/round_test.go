package prices

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"pgregory.net/rapid"
)

func TestNewPricesAreRoundedByTheRule(t *testing.T) {
	price := decimal.MustParse
	to := func(s string) *decimal.Decimal { d := price(s); return &d }
	for _, c := range []struct {
		rule           *roundInput
		old, raw, want string
	}{
		{nil, "100", "107.49", "107"}, {nil, "100", "107.5", "108"}, {nil, "99.9", "106.893", "106.89"},
		{nil, "1", "0.3", "1"},
		{&roundInput{To: to("10")}, "100", "107", "110"},
		{&roundInput{To: to("10"), Direction: roundDown}, "100", "107", "100"},
		{&roundInput{To: to("10"), Direction: roundUp}, "100", "101", "110"},
		{&roundInput{To: to("10"), Direction: roundDown}, "9", "7", "10"},
		{&roundInput{To: to("0.01"), Direction: roundUp}, "100", "107.001", "107.01"},
		{&roundInput{To: to("50")}, "100", "125", "150"},
		{&roundInput{Ending: "9"}, "100", "103", "99"}, {&roundInput{Ending: "9"}, "100", "104.01", "109"},
		{&roundInput{Ending: "9", Direction: roundUp}, "100", "99", "99"},
		{&roundInput{Ending: "99", Direction: roundUp}, "100", "107", "199"},
		{&roundInput{Ending: "990"}, "100", "1600", "1990"}, {&roundInput{Ending: "990"}, "100", "20", "990"},
		{&roundInput{Ending: ".99"}, "100", "107.2", "106.99"},
		{&roundInput{Ending: ",90", Direction: roundUp}, "100", "107.95", "108.9"},
		{&roundInput{Ending: "0"}, "100", "3", "10"},
	} {
		r, wrong := newRounding(c.rule)
		if wrong[0] != "" {
			t.Fatal(wrong)
		}
		if got := r.apply(price(c.raw), decimal.Some(price(c.old))); got.Cmp(price(c.want)) != 0 {
			t.Errorf("%+v: %s for an old price of %s was rounded to %s, want %s", c.rule, c.raw, c.old, got, c.want)
		}
	}
}

func TestRoundingKeepsItsDirectionAndItsStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := decimal.FromInt(rapid.Int64Range(1, 50_000_000).Draw(t, "raw")).Div(decimal.FromInt(1000))
		rule := &roundInput{Direction: rapid.SampledFrom([]roundDirection{roundNearest, roundUp, roundDown, ""}).Draw(t,
			"direction")}
		if rapid.Bool().Draw(t, "ending") {
			rule.Ending = rapid.SampledFrom([]string{"9", "99", "990", "0", ".99", ".5"}).Draw(t, "digits")
		} else {
			step := decimal.MustParse(rapid.SampledFrom([]string{"0.01", "0.05", "1", "5", "10", "100"}).Draw(t, "to"))
			rule.To = &step
		}
		r, _ := newRounding(rule)
		got := r.apply(raw, decimal.Maybe{})
		if got.Sign() <= 0 || !account.Integral(got.Sub(r.offset).Div(r.step)) {
			t.Fatalf("%s was rounded to %s", raw, got)
		}
		off := got.Sub(raw)
		least := r.step
		if r.offset.Sign() > 0 {
			least = r.offset
		}
		switch r.direction {
		case roundUp:
			if off.Sign() < 0 || !off.Less(r.step) && got.Cmp(least) != 0 {
				t.Fatalf("%s was rounded up to %s", raw, got)
			}
		case roundDown:
			if off.Sign() > 0 && got.Cmp(least) != 0 || !off.Neg().Less(r.step) {
				t.Fatalf("%s was rounded down to %s", raw, got)
			}
		case roundNearest:
			if r.step.Less(off.Abs().Mul(decimal.FromInt(2))) && got.Cmp(least) != 0 {
				t.Fatalf("%s was rounded to nearest as %s", raw, got)
			}
		}
	})
}
