package chart

import (
	"fmt"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
)

var months = map[stockhand.Language][]string{
	stockhand.Russian: {"янв", "фев", "мар", "апр", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"},
	stockhand.English: {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
}

// place sets where the points are along the axis. Points of time are as far apart as they are in time, so that a
// missing day is a gap and not a shorter way.
func (c *Chart) place() {
	for i := range c.Points {
		p := &c.Points[i]
		at, short, ok := when(p.Label, c.Language)
		if !ok {
			for j := range c.Points {
				c.Points[j].At, c.Points[j].Short = float64(j), c.Points[j].Label
			}
			return
		}
		p.At, p.Short = at, short
	}
}

// when reads a day, week, month, quarter or year as tables show them. It returns its number, counted in steps of its
// kind, and a short name.
func when(label string, l stockhand.Language) (at float64, short string, ok bool) {
	for _, layout := range []string{"02.01.2006", "2 Jan 2006", time.DateOnly} {
		if t, err := time.Parse(layout, label); err == nil {
			return float64(t.Unix() / 86400), l.Pick(fmt.Sprintf("%d %s", t.Day(), months[l][t.Month()-1]),
				t.Format("2 Jan")), true
		}
	}
	if t, err := time.Parse("2006-01", label); err == nil {
		return float64(t.Year()*12 + int(t.Month())), fmt.Sprintf("%s %02d", months[l][t.Month()-1], t.Year()%100), true
	}
	var year, n int
	if k, err := fmt.Sscanf(label, "%4d-W%02d", &year, &n); k == 2 && err == nil {
		// the ISO week with 4 January is the first of its year
		monday := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
		monday = monday.AddDate(0, 0, 7*(n-1)-(int(monday.Weekday())+6)%7)
		return float64(monday.Unix()/86400) / 7, l.Pick(fmt.Sprintf("%d %s", monday.Day(), months[l][monday.Month()-1]),
			monday.Format("2 Jan")), true
	}
	if k, err := fmt.Sscanf(label, "%4d-Q%1d", &year, &n); k == 2 && err == nil {
		return float64(year*4 + n), fmt.Sprintf(l.Pick("%d кв. %02d", "Q%d %02d"), n, year%100), true
	}
	if year, err := strconv.Atoi(label); err == nil && len(label) == 4 && year > 1900 && year < 2200 {
		return float64(year), label, true
	}
	return 0, "", false
}
