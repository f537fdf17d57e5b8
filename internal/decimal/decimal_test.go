package decimal

import (
	"encoding/json"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestRoundingIsHalfAwayFromZero(t *testing.T) {
	for _, c := range []struct {
		in     string
		places int
		want   string
	}{
		{"0.005", 2, "0.01"}, {"0.015", 2, "0.02"}, {"0.025", 2, "0.03"}, {"-0.005", 2, "-0.01"}, {"2.5", 0, "3"},
		{"-2.5", 0, "-3"}, {"1.2349", 2, "1.23"}, {"7", 2, "7.00"}, {"0.004999999999999999", 2, "0.00"},
	} {
		if got := MustParse(c.in).Fixed(c.places); got != c.want {
			t.Errorf("%s to %d places: %s, want %s", c.in, c.places, got, c.want)
		}
	}
}

func TestAnInvalidNumberStaysInvalid(t *testing.T) {
	bad := One.Div(Zero)
	huge := MustParse("9999999999999999999")
	for name, x := range map[string]Decimal{"division by zero": bad, "overflow": huge.Mul(huge),
		"afterwards": bad.Add(One).Mul(Zero).Round(2)} {
		if x.Valid() || x.Err() == nil || x.String() != "invalid" {
			t.Errorf("%s gave %s", name, x)
		}
		if _, err := json.Marshal(x); err == nil {
			t.Errorf("%s was stored as a value", name)
		}
	}
	if got := bad.Max(One); got.Cmp(One) != 0 || !got.Valid() {
		t.Error("the maximum of an invalid number and 1 is", got)
	}
}

func TestJSONNumbersAreReadWithoutLossOfPrecision(t *testing.T) {
	for in, want := range map[string]string{
		`216174.97`: "216174.97", `50260.869565217391304347826`: "50260.86956521739130", `1.5E7`: "15000000",
		`-3`: "-3", `"12.50"`: "12.5", `0`: "0",
	} {
		var d Decimal
		if err := json.Unmarshal([]byte(in), &d); err != nil {
			t.Errorf("%s: %v", in, err)
		} else if d.Cmp(MustParse(want)) != 0 {
			t.Errorf("%s: %s, want %s", in, d, want)
		}
	}
	for _, in := range []string{`"NaN"`, `"1,5"`, `""`, `1e999`, `99999999999999999999999`} {
		var d Decimal
		if err := json.Unmarshal([]byte(in), &d); err == nil {
			t.Errorf("%s was read as %s", in, d)
		}
	}
}

func TestAbsentIsNotZero(t *testing.T) {
	var row struct{ Absent, Null, Zero Maybe }
	if err := json.Unmarshal([]byte(`{"Null":null,"Zero":0}`), &row); err != nil {
		t.Fatal(err)
	}
	if row.Absent.Known || row.Null.Known || !row.Zero.Known {
		t.Errorf("%+v", row)
	}
}

func TestMinorUnitsConvertExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kopecks := rapid.Int64Range(-1e15, 1e15).Draw(t, "kopecks")
		roubles := FromInt(kopecks).Major()
		want := new(big.Rat).SetFrac64(kopecks, 100).FloatString(2)
		if roubles.Fixed(2) != want || roubles.Minor().Cmp(FromInt(kopecks)) != 0 {
			t.Fatalf("%d kopecks became %s, want %s", kopecks, roubles, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "-1.5", "1e5", "9999999999999999999", "1e-30", ".", "--1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(d.String())
		if err != nil || again.Cmp(d) != 0 {
			t.Errorf("%q was read as %s and back as %s, %v", s, d, again, err)
		}
	})
}

func BenchmarkParseMultiplyAddPrint(b *testing.B) {
	b.Run("decimal", func(b *testing.B) {
		for b.Loop() {
			x, _ := Parse("216174.97")
			_ = x.Mul(MustParse("12.5")).Add(One).Fixed(2)
		}
	})
	b.Run("big.Rat", func(b *testing.B) {
		for b.Loop() {
			x, _ := new(big.Rat).SetString("216174.97")
			y, _ := new(big.Rat).SetString("12.5")
			_ = x.Add(x.Mul(x, y), big.NewRat(1, 1)).FloatString(2)
		}
	})
}
