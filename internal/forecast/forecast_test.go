package forecast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var monday = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// generate draws the sales of some days from a known rate for each day.
func generate(seed uint64, days int, rate func(day int) float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	sold := make([]float64, days)
	for i := range sold {
		sold[i] = poisson(r, rate(i))
	}
	return sold
}

func poisson(r *rand.Rand, rate float64) float64 {
	limit, n := math.Exp(-rate), 0.0
	for p := r.Float64(); p > limit; p *= r.Float64() {
		n++
	}
	return n
}

func of(t testing.TB, sold []float64, horizon int) *Forecast {
	t.Helper()
	f, why := Of(Series{First: monday, Sold: sold}, horizon)
	if f == nil {
		t.Fatalf("no forecast: %v", why)
	}
	return f
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s: %.2f, want %.2f ± %.0f%%", what, got, want, tolerance*100)
	}
}

// shapes are how products sell in the tests: the expected sales of a day.
var shapes = map[string]func(day int) float64{
	"steady": func(int) float64 { return 6 },
	"rare":   func(int) float64 { return 0.15 },
	"weekdays": func(day int) float64 {
		return []float64{4, 4, 4, 4, 8, 14, 0}[day%7]
	},
	"new pace": func(day int) float64 { return map[bool]float64{true: 3, false: 9}[day < 130] },
	"growing":  func(day int) float64 { return 2 + float64(day)*0.04 },
	"dying":    func(day int) float64 { return max(0.02, 1.2-float64(day)*0.0075) },
}

func TestForecastsAreCloserToTheTruthThanTheMean(t *testing.T) { // rule R250
	const days, horizon, seeds = 182, 14, 40
	var missed, byMean float64
	for _, name := range []string{"steady", "rare", "weekdays", "new pace", "growing", "dying"} {
		inside := 0
		var own, mean float64
		for seed := range uint64(seeds) {
			sold := generate(seed, days+horizon, shapes[name])
			f := of(t, sold[:days], horizon)
			var truth, real, all float64
			for day := days; day < days+horizon; day++ {
				truth, real = truth+shapes[name](day), real+sold[day]
			}
			for _, x := range sold[:days] {
				all += x * horizon / days
			}
			own, mean = own+math.Abs(f.Total-truth), mean+math.Abs(all-truth)
			if real >= math.Floor(f.Low) && real <= math.Ceil(f.High) { // pieces
				inside++
			}
		}
		t.Logf("%-9s error %5.2f, of the mean %5.2f, %3d%% within the interval", name, own/seeds, mean/seeds,
			inside*100/seeds)
		if inside < seeds*70/100 {
			t.Errorf("%s: %d of %d are within the interval", name, inside, seeds)
		}
		missed, byMean = missed+own, byMean+mean
	}
	if missed > byMean/2 {
		t.Errorf("error %.1f, of the mean %.1f", missed, byMean)
	}
}

func TestAForecastKnowsWeekdays(t *testing.T) {
	f := of(t, generate(1, 182, shapes["weekdays"]), 7)
	if f.Weekdays != SeasonUsed {
		t.Fatalf("%+v", f)
	}
	within(t, "Saturday", f.fit.on(5), 14, 0.2)
	if sunday := f.fit.on(6); sunday > 0.2 {
		t.Errorf("%.2f are expected on a Sunday, when the shop is closed", sunday)
	}
	if f := of(t, generate(1, 182, shapes["steady"]), 7); f.Weekdays == SeasonUsed {
		t.Error("weekdays without a difference are used")
	}
	if f := of(t, generate(1, 42, shapes["weekdays"]), 7); f.Weekdays != SeasonShort {
		t.Errorf("six weeks are enough for weekdays: %v", f.Weekdays)
	}
}

func TestAForecastKnowsSeasonsAfterTwoYears(t *testing.T) {
	summer := func(day int) float64 { return 6 - 5*math.Cos(2*math.Pi*float64(day)/365) }
	sold := generate(3, 730+60, summer)
	f := of(t, sold[60:], 60) // the history ends in February, sales will grow
	var truth float64
	for day := 790; day < 850; day++ {
		truth += summer(day)
	}
	if f.Year != SeasonUsed {
		t.Fatalf("%+v", f)
	}
	within(t, "spring", f.Total, truth, 0.25)
	if f := of(t, sold[400:], 60); f.Year != SeasonShort {
		t.Errorf("a year is enough for seasons: %v", f.Year)
	}
	if f := of(t, generate(3, 790, shapes["steady"]), 60); f.Year == SeasonUsed {
		t.Error("seasons without a difference are used")
	}
}

func TestOneLargeOrderDoesNotRaiseTheForecast(t *testing.T) {
	sold := generate(5, 182, shapes["new pace"])
	without := of(t, sold, 14)
	sold[170] = 400
	f := of(t, sold, 14)
	if f.Method != Pace || len(f.Large) != 1 || !f.Large[0].Equal(monday.AddDate(0, 0, 170)) {
		t.Errorf("method %v, large sales %v", f.Method, f.Large)
	}
	within(t, "with a large order", f.Total, without.Total, 0.3)
}

func TestRegularLargeOrdersCount(t *testing.T) {
	sold := generate(5, 182, shapes["steady"])
	for i := 3; i < len(sold); i += 15 {
		sold[i] = 200
	}
	if f := of(t, sold, 30); len(f.Large) > 0 || f.Total < 300 {
		t.Errorf("total %.0f, of which two orders of 200 are to be expected; left out: %v", f.Total, f.Large)
	}
}

func TestANewProductIsNotHeldToTheDaysBeforeItWasSold(t *testing.T) {
	sold := append(make([]float64, 120), generate(9, 62, shapes["steady"])...)
	f := of(t, sold, 14)
	within(t, "new", f.Total, 6*14, 0.2)
	if f.Days > 62 {
		t.Errorf("%d days count", f.Days)
	}
}

func TestTooLittleHistoryHasNoForecast(t *testing.T) { // rule R251
	some := func(days int, at ...int) []float64 {
		sold := make([]float64, days)
		for _, i := range at {
			sold[i] = 2
		}
		return sold
	}
	for name, c := range map[string]struct {
		s    Series
		want Reason
	}{
		"nothing":      {Series{}, NeverSold},
		"never sold":   {Series{Sold: some(182)}, NeverSold},
		"returns only": {Series{Sold: []float64{-1, 0, 0}}, NeverSold},
		"four weeks":   {Series{Sold: some(28, 0, 9, 20)}, Enough},
		"too short":    {Series{Sold: some(27, 0, 9, 20)}, TooShort},
		"new": {Series{Sold: append(make([]float64, 100),
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}, TooShort},
		"sold twice": {Series{Sold: some(182, 5, 90)}, TooFew},
	} {
		c.s.First = monday
		if f, why := Of(c.s, 14); why != c.want || (f == nil) != (why != Enough) {
			t.Errorf("%s: %v, want %v", name, why, c.want)
		}
	}
}

func TestTheTestOfAForecastIsShownAndDecides(t *testing.T) {
	f := of(t, generate(2, 182, shapes["new pace"]), 14)
	own, known := f.Test.Error()
	mean, _ := f.Test.MeanError()
	if !known || f.Method != Pace || own >= mean || f.Test.Periods != 6 || f.Test.Days != 14 {
		t.Errorf("%+v", f)
	}
	f = of(t, generate(2, 30, shapes["steady"]), 14)
	if _, known := f.Test.Error(); known || f.Test.Periods != 0 || f.Method != Mean {
		t.Errorf("two weeks cannot be tested with 30 days: %+v", f)
	}
}

func TestStockLastsUntilExpectedSalesUseItUp(t *testing.T) {
	sold := make([]float64, 60)
	for i := range sold {
		sold[i] = 2
	}
	f := of(t, sold, 14)
	for stock, want := range map[float64]int{-1: 0, 0: 0, 1: 0, 2: 1, 7: 3, 20: 10} {
		if days, ok := f.Lasts(stock); !ok || days != want {
			t.Errorf("%v lasts %d days, want %d", stock, days, want)
		}
	}
	if days, ok := f.Lasts(1e6); ok {
		t.Errorf("a million pieces last %d days", days)
	}
}

func TestForecastsAreFiniteAndTheSameEveryTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Series{First: monday.AddDate(0, 0, rapid.IntRange(0, 6).Draw(t, "weekday")),
			Sold: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
				return float64(rapid.IntRange(-3, 9).Draw(t, "kind")) * rapid.SampledFrom(
					[]float64{0, 0, 1, 1, 0.25, 1e9}).Draw(t, "size")
			}), 0, 120).Draw(t, "sold")}
		horizon := rapid.IntRange(1, 90).Draw(t, "horizon")
		f, why := Of(s, horizon)
		again, _ := Of(s, horizon)
		if (f == nil) != (why != Enough) || !reflect.DeepEqual(f, again) {
			t.Fatalf("%v, then %v", f, again)
		}
		if f == nil {
			return
		}
		var sum float64
		for day := range horizon {
			sum += f.fit.on(day)
		}
		if math.IsNaN(f.High) || math.IsInf(f.High, 0) || f.Low < 0 || f.Low > f.Total || f.Total > f.High ||
			math.Abs(sum-f.Total) > 1e-6*max(1, sum) || f.Test.Missed > f.Test.ByMean {
			t.Fatalf("%+v, days add up to %v", f, sum)
		}
		more, ok := f.Lasts(2e6)
		if less, _ := f.Lasts(1e6); ok && less > more {
			t.Fatal("less stock lasts longer")
		}
	})
}

func BenchmarkForecast(b *testing.B) {
	for _, goods := range []int{50, 10_000} {
		b.Run(fmt.Sprint(goods), func(b *testing.B) {
			series := make([][]float64, 50)
			for i := range series {
				series[i] = generate(uint64(i), 182, shapes["weekdays"])
			}
			for b.Loop() {
				for i := range goods {
					of(b, series[i%len(series)], 14)
				}
			}
		})
	}
}

func TestRareSalesDoNotSayThatTheHistoryIsTooShort(t *testing.T) {
	sold := make([]float64, 1000)
	for i := 0; i < len(sold); i += 31 {
		sold[i] = 2
	}
	h := prepare(Series{First: monday, Sold: sold})
	if m := h.model(); m.method != Intermittent || m.seasons == SeasonShort || m.weekdays == SeasonShort {
		t.Errorf("method %v, seasons %v, weekdays %v", m.method, m.seasons, m.weekdays)
	}
}
