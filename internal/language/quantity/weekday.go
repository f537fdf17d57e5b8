package quantity

import "time"

// relativeWeekday reads "эту субботу", "last Monday", "позапрошлый вторник" at a word such as "this" (rule R830).
// "Last" beside "this" of the same day is a week before it.
func (c *calendar) relativeWeekday(i int) (Period, bool) {
	w := c.norm(i)
	wd, ok := weekdays[c.norm(i+1)]
	if !ok || nextWords[w] {
		return Period{}, false
	}
	d := c.weekday(wd)
	if !thisWords[w] && (d.Equal(c.today) || c.namesThis(wd, i)) {
		d = d.AddDate(0, 0, -7)
	}
	if beforeLast[w] {
		d = d.AddDate(0, 0, -7)
	}
	return Period{From: d, To: d, End: i + 2}, true
}

// namesThis reports whether the latest such day is named before token i.
func (c *calendar) namesThis(wd time.Weekday, i int) bool {
	for k := range i {
		if d, ok := weekdays[c.ts[k].Norm]; ok && d == wd && !previousWords[c.before(k)] && !beforeLast[c.before(k)] {
			return true
		}
	}
	return false
}

// before is the word before a token, also one that was read.
func (c *calendar) before(k int) string {
	if k == 0 {
		return ""
	}
	return c.ts[k-1].Norm
}

// afterYesterday reports whether "day before" at token i follows "yesterday", as in "yesterday vs the day before".
func (c *calendar) afterYesterday(i int) bool {
	for k := range i {
		if yesterdayWords[c.ts[k].Norm] {
			return true
		}
	}
	return false
}

// upTo reads "по 15-е ноября", "по 10 число", "по вчерашний день": the month up to that day (rule R831). What begins
// on the first of a month is the month before it.
func (c *calendar) upTo(i int) (Period, bool) {
	if c.norm(i) != "по" {
		return Period{}, false
	}
	to, end, ok := c.lastDay(i + 1)
	if !ok {
		return Period{}, false
	}
	from := Begin(month, to)
	if from.Equal(to) {
		from = Shift(month, from, -1)
	}
	if c.ahead && to.After(c.today) {
		from = c.today
	}
	return Period{From: from, To: to, End: end}, true
}

// lastDay reads the day that a period lasts to, behind "по".
func (c *calendar) lastDay(i int) (d time.Time, end int, ok bool) {
	if _, named := daysBack(c.norm(i)); named && c.length(i+1) == day {
		p, ok := c.relative(i)
		return p.From, i + 2, ok
	}
	w, ok := c.writtenDay(i, false)
	if !ok {
		return time.Time{}, 0, false
	}
	return c.day(w), w.end, true
}

// ended gives a period that began "с начала месяца" or "с понедельника" the end that is named behind it: "по 15-е", "по
// вчера".
func (c *calendar) ended(p Period) Period {
	if w := c.norm(p.End); w != "по" && w != "до" && w != "to" && w != "till" && w != "until" && w != "through" {
		return p
	}
	to, end, ok := c.lastDay(p.End + 1)
	if w, bare := c.writtenDay(p.End+1, true); !ok && bare && w.month == 0 && !c.counted(w.end) {
		to, end, ok = c.day(w), w.end, true
	}
	if !ok {
		if q, named := c.relative(p.End + 1); named && q.From.Equal(q.To) {
			to, end, ok = q.To, q.End, true
		}
	}
	if !ok || to.Before(p.From) {
		return p
	}
	p.To, p.End = to, end
	return p
}
