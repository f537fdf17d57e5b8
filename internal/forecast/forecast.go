// Package forecast predicts the sales of one product from its sales of past days. It knows no external system.
//
// It compares two predictions and uses the one that was closer in the last periods: the mean of all days, and a model
// that follows the recent pace, weekdays and, with two years of history, seasons. Rarely sold products have a model of
// their own. A forecast is an estimate, so this package computes in floating point; nothing here is an amount of an
// account. The same series always gives the same forecast.
package forecast

import (
	"math"
	"time"
)

// The least history that a forecast needs: days, and days with sales among them.
const (
	LeastDays  = 28
	LeastSales = 3
)

// Series is what is known of a product: its net sales of each day up to the day before the forecast.
type Series struct {
	First time.Time // the first day
	Sold  []float64 // negative if more was returned than sold
}

// Reason says why there is no forecast.
type Reason int

// The reasons.
const (
	Enough    Reason = iota // there is a forecast
	NeverSold               // nothing was sold in the whole history
	TooShort                // fewer than LeastDays since the first sale
	TooFew                  // sold on fewer than LeastSales days
)

// Method is how a forecast was computed.
type Method int

// The methods.
const (
	Mean         Method = iota // the mean of all days, by weekday if they differ
	Pace                       // the recent pace, with its trend and seasons
	Intermittent               // the recent chance of a sale in a day, times its usual size
)

// Season says whether a forecast uses a seasonality.
type Season int

// The answers.
const (
	SeasonShort   Season = iota // the history is too short to tell
	SeasonUnclear               // the days differ no more than by chance, or the years do not agree
	SeasonUsed
)

// Test is how the methods would have done in the last periods, each predicted from the days before it.
type Test struct {
	Periods int     // none if the history is too short
	Days    int     // of each period: the horizon
	Sold    float64 // in all periods
	Missed  float64 // sum of the differences between the forecasts and the sales of the periods
	ByMean  float64 // the same for the mean
}

// Error returns the test's error as a percentage of what was sold, and false if nothing was tested or sold.
func (t Test) Error() (percent float64, known bool) { return t.percent(t.Missed) }

// MeanError is like [Test.Error] for the mean.
func (t Test) MeanError() (percent float64, known bool) { return t.percent(t.ByMean) }

func (t Test) percent(missed float64) (float64, bool) {
	if t.Periods == 0 || t.Sold <= 0 {
		return 0, false
	}
	return missed / t.Sold * 100, true
}

// Forecast is the expected sales of a horizon.
type Forecast struct {
	Total     float64 // of all days of the horizon
	Low, High float64 // between which the total is in 8 of 10 cases
	Method    Method
	Test      Test
	Weekdays  Season
	Year      Season
	Large     []time.Time // days with an exceptional sale, which counts only in part; none for the mean
	Days      int         // of history used: since the first sale of a new product

	fit fit
}

// mostDays is how far ahead [Forecast.Lasts] looks.
const mostDays = 730

// Lasts returns for how many whole days stock suffices, and false if it suffices for two years or more.
func (f *Forecast) Lasts(stock float64) (days int, ok bool) {
	for day := range mostDays {
		if stock -= f.fit.on(day); stock < -1e-9 {
			return day, true
		}
	}
	return 0, false
}

// mostPeriods is the largest number of periods of a test.
const mostPeriods = 6

// Of predicts the sales of a number of days, at least one, after the series. Without a forecast it returns why.
func Of(s Series, horizon int) (*Forecast, Reason) {
	h := prepare(s)
	if why := h.enough(); why != Enough {
		return nil, why
	}
	model := h.model()
	mean := h.mean(model)
	f := &Forecast{Method: Mean, Weekdays: model.weekdays, Year: model.seasons, Days: len(h.sold), fit: mean.fit}
	used := mean
	var byModel, byMean float64
	f.Test, byModel, byMean = h.test(horizon)
	squares := byMean
	if f.Test.Missed < f.Test.ByMean {
		used, squares, f.fit, f.Method, f.Large = model, byModel, model.fit, model.method, model.large
	} else {
		f.Test.Missed, f.Year = f.Test.ByMean, min(f.Year, SeasonUnclear)
	}
	for day := range horizon {
		f.Total += f.fit.on(day)
	}
	days := float64(horizon)
	variance := used.variance*days + used.levelVariance*days*days
	if f.Test.Periods >= 3 { // its own errors show what the model does not know: that the pace will change
		variance = max(variance, squares/float64(f.Test.Periods))
	}
	f.Low, f.High = interval(f.Total, variance)
	return f, Enough
}

// test predicts the last periods, each from the days before it. It also returns the sums of the squares of both
// errors.
func (h *history) test(horizon int) (t Test, squares, ofMean float64) {
	t.Days = horizon
	for t.Periods < mostPeriods {
		end := len(h.sold) - t.Periods*horizon
		past := h.until(end - horizon)
		if end-horizon < LeastDays || past.enough() != Enough {
			break
		}
		t.Periods++
		model := past.model()
		mean := past.mean(model)
		var sold, byModel, byMean float64
		for i := end - horizon; i < end; i++ {
			day := i - (end - horizon)
			sold += h.sold[i]
			byModel += model.on(day)
			byMean += mean.on(day)
		}
		t.Sold += sold
		t.Missed += math.Abs(byModel - sold)
		t.ByMean += math.Abs(byMean - sold)
		squares += (byModel - sold) * (byModel - sold)
		ofMean += (byMean - sold) * (byMean - sold)
	}
	return t, squares, ofMean
}

// interval returns the tenth and ninetieth percentile of a gamma distribution, which is never negative and as skewed as
// rare sales are, by the approximation of Wilson and Hilferty.
func interval(mean, variance float64) (low, high float64) {
	const tenth = 1.2815515594
	if mean <= 0 || variance <= 0 {
		return max(0, mean), max(0, mean) + tenth*math.Sqrt(max(0, variance))
	}
	part := variance / (9 * mean * mean)
	at := func(z float64) float64 { return mean * math.Pow(max(0, 1-part+z*math.Sqrt(part)), 3) }
	return min(at(-tenth), mean), max(at(tenth), mean)
}
