package limit

import (
	"cmp"
	"slices"
	"time"
)

// usualInterval stands in for the vendor's interval while an answer names a limit and no interval.
const usualInterval = 3 * time.Second

// employee is what is known about one token: its requests on the way and the vendor's budget for it.
//
// The vendor weighs requests and says, with each answer, how many units are left. Weights and limits change by date
// and kind of token, so both are learnt. What we sent is kept for the vendor's interval and weighed with the learnt
// weights; when an answer says that more is used than that, another program shares the budget, or a weight is wrong,
// and the difference counts as used for an interval too.
type employee struct {
	slots    []*slot // of the last interval
	inFlight int
	blocked  uint64 // the round in which a request before had to wait

	cap, capMax int       // slots in flight: lowered when the vendor says "too many at once"
	capChanged  time.Time // when cap last moved
	paused      time.Time // no request before this moment

	margin   time.Duration
	limit    int // units in the interval; 0 while unknown
	interval time.Duration
	weights  map[string]*weight // by the kind of request
	foreign  int                // units used by others
	until    time.Time

	overlap  bool // the requests on the way are or were several
	lastLeft int  // units left by the last answer
	returned bool // units have come back since the first answer
	lastOK   bool // that request was alone on the way, so the difference to the next lone one is the latter's weight
}

// weight is the learnt price of one kind of request, in units.
type weight struct {
	seen  []int // the last few clean observations
	guess int   // the least that answers of requests sent together allow, while there is none; 0 before any
}

// value is the middle of the clean observations, so that one made while others spent units does no harm.
func (w *weight) value() int {
	if len(w.seen) == 0 {
		return max(w.guess, 1)
	}
	sorted := slices.Sorted(slices.Values(w.seen))
	return sorted[len(sorted)/2]
}

func (w *weight) observe(units int) {
	if units <= 0 {
		return
	}
	w.seen = append(w.seen, units)
	if len(w.seen) > 5 {
		w.seen = w.seen[1:]
	}
}

// kind is what the request's weight is learnt under.
func (r Request) kind() string {
	switch {
	case r.Kind != "":
		return r.Kind
	case r.Heavy:
		return "heavy"
	}
	return "light"
}

func (e *employee) weight(kind string) *weight {
	w := e.weights[kind]
	if w == nil {
		if e.weights == nil {
			e.weights = map[string]*weight{}
		}
		w = &weight{}
		e.weights[kind] = w
	}
	return w
}

// cost is what a request of that kind is taken to cost. One that was never answered is taken for dear: for twice the
// dearest that was, so that a stock report, whose weight shows late among others, does not overrun the budget before.
func (e *employee) cost(kind string) int {
	if w := e.weight(kind); len(w.seen) > 0 || w.guess > 0 {
		return w.value()
	}
	most := 1
	for _, other := range e.weights {
		if len(other.seen) > 0 || other.guess > 0 {
			most = max(most, 2*other.value())
		}
	}
	return most
}

// spent is the weight of our own requests that the vendor may count at present.
func (e *employee) spent() int {
	sum := 0
	for _, p := range e.slots {
		sum += e.cost(p.kind)
	}
	return sum
}

func (e *employee) prune(now time.Time) {
	interval := e.interval
	if interval == 0 {
		interval = usualInterval
	}
	before := len(e.slots)
	e.slots = unexpired(e.slots, now, interval+e.margin)
	if len(e.slots) < before {
		e.lastOK = false // units came back: the next difference is not a weight
	}
	if !now.Before(e.until) {
		e.foreign = 0
	}
}

// admits tells whether the employee may send now; if not, when that may change by itself (zero: only by an answer).
func (e *employee) admits(kind string, now time.Time) (time.Time, bool) {
	if now.Before(e.paused) {
		return e.paused, false
	}
	if e.inFlight >= e.cap {
		return time.Time{}, false
	}
	if e.limit == 0 {
		return time.Time{}, true
	}
	e.prune(now)
	spent := e.spent() + e.foreign
	if spent == 0 || spent+e.cost(kind) <= e.limit {
		return time.Time{}, true // a request dearer than the whole budget still goes, alone
	}
	var wake time.Time
	if e.foreign > 0 {
		wake = e.until
	}
	for _, p := range e.slots {
		if at := p.done.Add(e.interval + e.margin); p.answered && (wake.IsZero() || at.Before(wake)) {
			wake = at
		}
	}
	return wake, false
}

// sent records that a request goes out.
func (e *employee) sent(p *slot, now time.Time) {
	p.went = now
	if len(e.slots) == 0 {
		e.returned = false // after a rest nothing is left to come back
	}
	e.slots = append(e.slots, p)
	e.overlap = e.inFlight > 0
	e.inFlight++
}

// answered records the answer to a request whose slot is p.
func (e *employee) answered(p *slot, f Feedback, now time.Time) {
	e.inFlight--
	if f.Pause > 0 && now.Add(f.Pause).After(e.paused) {
		e.paused = now.Add(f.Pause)
	}
	switch {
	case f.Crowded:
		e.cap, e.capChanged = max(1, e.cap/2), now
	case e.cap < e.capMax && now.Sub(e.capChanged) >= time.Second:
		e.cap, e.capChanged = e.cap+1, now
	}
	if f.Limit <= 0 {
		e.lastOK = false
		return
	}
	e.limit = f.Limit
	if f.Interval > 0 {
		e.interval = f.Interval
	} else if e.interval == 0 {
		e.interval = usualInterval
	}
	e.prune(now)
	e.learn(p, f)
	e.foreign = max(0, f.Limit-f.Remaining-e.spent())
	e.until = now.Add(e.interval + e.margin)
}

// learn takes the request's weight from the answer: from the units used, when it was the only request of the
// interval, or else from the difference to the answer before, when both were alone on the way: answers of requests
// that overlap may come in another order than the vendor counted them. While neither has happened, compare guesses.
func (e *employee) learn(p *slot, f Feedback) {
	used := f.Limit - f.Remaining
	w := e.weight(p.kind)
	alone := e.inFlight == 0 && !e.overlap
	switch {
	case len(e.slots) == 1:
		w.observe(used)
	case e.lastOK && alone:
		w.observe(e.lastLeft - f.Remaining)
	}
	for _, q := range e.slots { // an answer that was there before this request went, and left less
		e.returned = e.returned || q.known && q.done.Before(p.went) && q.left < f.Remaining
	}
	p.left, p.known = f.Remaining, true
	if !e.returned {
		e.compare(f.Limit)
	}
	e.lastLeft = f.Remaining
	e.lastOK = alone
}

// compare takes weights from answers of requests that were on the way together. As long as no units have come back, the
// units left sort the answers in the order in which the vendor counted the requests, and the step down to each is its
// weight, or more when a request between is not answered yet or another program's.
func (e *employee) compare(limit int) {
	var known []*slot
	for _, p := range e.slots {
		if p.known {
			known = append(known, p)
		}
	}
	slices.SortFunc(known, func(a, b *slot) int { return cmp.Compare(b.left, a.left) })
	least := map[string]int{}
	for i, before := 0, limit; i < len(known); i++ {
		if step := before - known[i].left; step > 0 && (least[known[i].kind] == 0 || step < least[known[i].kind]) {
			least[known[i].kind] = step
		}
		before = known[i].left
	}
	for kind, step := range least {
		e.weight(kind).guess = step
	}
}
