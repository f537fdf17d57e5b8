package forecast

import (
	"math"
	"time"
)

// damping is how much of a trend is left after a day. A trend fades within months: nothing grows for ever.
const damping = 0.98

// fit predicts days.
type fit struct {
	level, trend float64 // of a day without seasons; the trend per day
	week         [7]float64
	year         *[12]float64 // nil without a yearly seasonality
	next         time.Time    // the first day
}

func (f fit) on(day int) float64 {
	x := f.level
	if f.trend != 0 {
		x += f.trend * damping * (1 - math.Pow(damping, float64(day+1))) / (1 - damping)
	}
	x *= f.week[(int(f.next.Weekday())+day)%7]
	if f.year != nil {
		x *= f.year[f.next.AddDate(0, 0, day).Month()-1]
	}
	return max(0, x)
}

// fitted is a fit with what is known of its errors.
type fitted struct {
	fit
	method            Method
	variance          float64 // of a day's sales around the fit
	levelVariance     float64 // of the level, which is the same error on all days
	weekdays, seasons Season
	large             []time.Time
}

var even = [7]float64{1, 1, 1, 1, 1, 1, 1}

// mean predicts the mean of all days, with the weekdays of the model.
func (h *history) mean(model fitted) fitted {
	var sum, squares float64
	n := float64(len(h.sold))
	for _, x := range h.sold {
		sum += x
	}
	for i, x := range h.sold {
		missed := x - sum/n*model.week[h.weekday(i)]
		squares += missed * missed
	}
	variance := squares / max(1, n-1)
	return fitted{fit: fit{level: max(0, sum/n), week: model.week, next: h.next()}, variance: variance,
		levelVariance: variance / n}
}

// seldom is the share of days with sales below which sales are intermittent.
const seldom = 0.35

// model predicts from the recent pace.
func (h *history) model() fitted {
	sold, large := h.capped()
	sales := 0
	for _, x := range sold {
		if x > 0 {
			sales++
		}
	}
	if float64(sales) < seldom*float64(len(h.sold)) {
		return h.intermittent(sold, large)
	}
	m := fitted{method: Pace, large: large, fit: fit{next: h.next()}}
	m.year, m.seasons = h.seasons(sold)
	factor := make([]float64, len(sold)) // of each day
	for i := range factor {
		factor[i] = 1
		if m.year != nil {
			factor[i] = m.year[h.first.AddDate(0, 0, i).Month()-1]
		}
	}
	m.week, m.weekdays = h.weekFactors(sold, factor)
	for i := range factor {
		factor[i] *= m.week[h.weekday(i)]
	}
	best := math.Inf(1)
	for _, alpha := range []float64{0.01, 0.03, 0.1, 0.25} {
		for _, beta := range []float64{0, 0.05} {
			level, trend, score := h.smooth(sold, factor, alpha, beta)
			if score >= best*0.99 { // simpler ones come first
				continue
			}
			best, m.level, m.trend = score, max(0, level), trend
			m.variance, m.levelVariance = score, score*alpha/(2-alpha)
		}
	}
	return m
}

// smooth follows the level and its damped trend through the days (Holt), and returns both with the mean square of the
// errors that it would have made from day to day.
func (h *history) smooth(sold, factor []float64, alpha, beta float64) (level, trend, score float64) {
	const start = 14
	var sum, weight, n float64
	for i, x := range sold {
		if n < start {
			sum, weight, n = sum+x, weight+factor[i], n+1
			level = sum / max(weight, 0.1)
			continue
		}
		expected := level + damping*trend
		missed := x - max(0, expected)*factor[i]
		score, n = score+missed*missed, n+1
		if factor[i] < 0.05 { // closed on these days: they say nothing of the level
			continue
		}
		level = expected + alpha*(x/factor[i]-expected)
		trend = damping*trend + alpha*beta*(x/factor[i]-expected)
	}
	return level, trend, score / max(1, n-start)
}

// intermittent follows the chance of a sale and its size apart (Teunter, Syntetos and Babai), so that the forecast also
// falls when nothing is sold any more.
func (h *history) intermittent(sold []float64, large []time.Time) fitted {
	var sales, sum float64
	for _, x := range sold {
		if x != 0 {
			sales, sum = sales+1, sum+x
		}
	}
	days := float64(len(h.sold))
	m := fitted{method: Intermittent, large: large, fit: fit{week: even, next: h.next()}}
	m.weekdays, m.seasons = SeasonUnclear, SeasonUnclear // rare sales do not show any
	best := math.Inf(1)
	for _, alpha := range []float64{0.005, 0.02, 0.05} {
		for _, beta := range []float64{0.05, 0.2} {
			chance, size, score := sales/days, sum/sales, 0.0
			for _, x := range sold {
				score += (x - chance*size) * (x - chance*size)
				if x == 0 {
					chance -= alpha * chance
					continue
				}
				chance += alpha * (1 - chance)
				size += beta * (x - size)
			}
			if score /= days; score < best*0.99 {
				best, m.level = score, max(0, chance*size)
				m.variance, m.levelVariance = score, score*alpha/(2-alpha)
			}
		}
	}
	return m
}

// weekFactors returns how much the sales of each weekday differ from the mean, once the weekdays differ more than
// by chance (analysis of variance).
func (h *history) weekFactors(sold, season []float64) ([7]float64, Season) {
	const weeks, clear = 8, 2.8 // the chance of a higher ratio without a difference is one in a hundred
	var n, sum, squares [7]float64
	var all, total float64
	for i, x := range sold {
		day, x := h.weekday(i), x/season[i]
		n[day], sum[day], squares[day] = n[day]+1, sum[day]+x, squares[day]+x*x
		all, total = all+1, total+x
	}
	if all < weeks*7 || min(n[0], n[1], n[2], n[3], n[4], n[5], n[6]) < 4 {
		return even, SeasonShort
	}
	mean := total / all
	var between, within float64
	for day := range 7 {
		own := sum[day] / n[day]
		between += n[day] * (own - mean) * (own - mean)
		within += squares[day] - n[day]*own*own
	}
	if mean <= 0 || between/6 <= clear*max(0, within)/(all-7) {
		return even, SeasonUnclear
	}
	var factors [7]float64
	var of float64
	for day := range 7 {
		factors[day] = max(0, sum[day]/(n[day]*mean))
		of += factors[day] / 7
	}
	for day := range 7 {
		factors[day] /= of
	}
	return factors, SeasonUsed
}

// seasons returns how much the sales of each calendar month differ from the mean, if the last two years agree.
func (h *history) seasons(sold []float64) (*[12]float64, Season) {
	const year, agree = 365, 0.6 // chance alone rarely correlates twelve months that well
	if len(sold) < 2*year {
		return nil, SeasonShort
	}
	var years [2][12]float64
	for y := range years {
		var sum, n [12]float64
		var all, days float64
		for i := len(sold) - (y+1)*year; i < len(sold)-y*year; i++ {
			month := h.first.AddDate(0, 0, i).Month() - 1
			sum[month], n[month] = sum[month]+sold[i], n[month]+1
			all, days = all+sold[i], days+1
		}
		for month := range 12 {
			if n[month] < 10 || all <= 0 {
				return nil, SeasonShort
			}
			years[y][month] = sum[month] / n[month] / (all / days)
		}
	}
	var xy, xx, yy float64
	for month := range 12 {
		x, y := years[0][month]-1, years[1][month]-1
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	if xx == 0 || yy == 0 || xy/math.Sqrt(xx*yy) < agree {
		return nil, SeasonUnclear
	}
	factors := new([12]float64)
	var of float64
	for month := range 12 {
		factors[month] = max(0.05, (years[0][month]+years[1][month])/2)
		of += factors[month] / 12
	}
	for month := range 12 {
		factors[month] /= of
	}
	return factors, SeasonUsed
}
