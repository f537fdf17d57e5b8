package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// magnitude is a unit that large figures are shown in.
type magnitude struct {
	of   float64
	name tool.Text
}

var magnitudes = []magnitude{
	{1e9, tool.Text{RU: "млрд", EN: "B"}},
	{1e6, tool.Text{RU: "млн", EN: "M"}},
	{1e3, tool.Text{RU: "тыс.", EN: "K"}},
	{1, tool.Text{}},
}

// magnitudeOf returns the unit for figures up to n. Ten thousand is still written out.
func magnitudeOf(n float64) magnitude {
	n = math.Abs(n)
	for _, m := range magnitudes {
		if n >= m.of && (m.of != 1e3 || n >= 1e4) {
			return m
		}
	}
	return magnitudes[len(magnitudes)-1]
}

// unit returns what stands behind a figure: ₽, %, or days.
func (c Chart) unit() string {
	switch c.Unit {
	case tool.UnitMoney:
		return tool.CurrencySign(c.Currency)
	case tool.UnitPercent:
		return "%"
	case tool.UnitDays:
		return c.Language.Pick("дн.", "days")
	case tool.UnitText, tool.UnitQuantity, tool.UnitCount, tool.UnitNumber, tool.UnitDate, tool.UnitMoment:
	}
	return ""
}

// caption is what the axis of figures measures: "тыс. ₽".
func (c Chart) caption(m magnitude) string {
	if c.Language == stockhand.Russian {
		return strings.TrimSpace(m.name.RU + " " + c.unit())
	}
	return strings.TrimSpace(map[string]string{"B": "billion", "M": "million", "K": "thousand"}[m.name.EN] + " " + c.unit())
}

// short formats a figure beside a bar: three digits and a unit.
func (c Chart) short(n float64) string {
	m := magnitudeOf(n)
	places := 0
	if scaled := math.Abs(n) / m.of; m.of > 1 || n != math.Trunc(n) {
		switch {
		case scaled < 10:
			places = 2
		case scaled < 100:
			places = 1
		}
	}
	text := number(n/m.of, places, true, c.Language)
	name, gap := m.name.In(c.Language), "\u00a0"
	if c.Language == stockhand.English {
		gap = ""
	}
	if name != "" {
		text += gap + name
	}
	switch u := c.unit(); {
	case u == "%" && c.Language == stockhand.English:
		return text + u
	case u != "":
		return text + "\u00a0" + u
	}
	return text
}

// number formats a position's figure. With trim, it has no zeros at the end.
func number(n float64, places int, trim bool, l stockhand.Language) string {
	text := strconv.FormatFloat(math.Abs(n), 'f', places, 64)
	if trim && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, fraction, _ := strings.Cut(text, ".")
	var b strings.Builder
	if n < 0 && strings.Trim(text, "0.") != "" {
		b.WriteString("−")
	}
	for i, digit := range whole {
		if left := len(whole) - i; i > 0 && left%3 == 0 {
			b.WriteString(l.Pick("\u00a0", ","))
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString(l.Pick(",", ".") + fraction)
	}
	return b.String()
}

// axis is a scale of figures with round ticks.
type axis struct {
	low, high float64
	ticks     []float64
	labels    []string
	unit      magnitude
}

// newAxis returns an axis of about n ticks that contains the bounds.
func (c Chart) newAxis(n int) axis {
	low, high := c.bounds()
	if high == low {
		high = low + 1
	}
	step := nice((high - low) / float64(n))
	if c.Unit == tool.UnitCount {
		step = max(step, 1)
	}
	a := axis{low: math.Floor(low/step) * step, high: math.Ceil(high/step) * step}
	a.unit = magnitudeOf(max(math.Abs(a.low), a.high))
	places := 0
	for scaled := step / a.unit.of; places < 4 && math.Abs(scaled-math.Round(scaled)) > 1e-9; places++ {
		scaled *= 10
	}
	for i := 0; ; i++ {
		at := a.low + float64(i)*step
		if at > a.high+step/2 {
			return a
		}
		a.ticks = append(a.ticks, at)
		a.labels = append(a.labels, number(at/a.unit.of, places, false, c.Language))
	}
}

// nice returns the round number at or above n: 1, 2, 2.5 or 5 times a power of ten.
func nice(n float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(n)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if n <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}
