package limit

import (
	"cmp"
	"slices"
	"time"
)

// defaultInterval is assumed when a response names a limit but no interval.
const defaultInterval = 3 * time.Second

// employee is what is known about one token: its recent requests and the vendor's budget.
//
// The vendor charges each request a number of units and reports with each response how many are left. Costs and limits
// depend on the date and the kind of token, so both are learned. Our own requests are kept for one interval and
// charged at the learned costs. If a response reports more usage than that, either another program shares the budget
// or a cost is wrong; the difference counts as used for one interval, too.
type employee struct {
	slots    []*slot // of the last interval
	inFlight int
	blocked  uint64 // the dispatch round in which an earlier request had to wait

	cap, capMax int       // slots in flight: lowered when the vendor says "too many at once"
	capChanged  time.Time // when cap last changed
	paused      time.Time // no requests before this time

	margin   time.Duration
	limit    int // units per interval; 0 if unknown
	interval time.Duration
	weights  map[string]*weight // by kind of request
	foreign  int                // units used by other programs
	until    time.Time          // when foreign expires

	overlap  bool // several requests are or were in flight together
	lastLeft int  // units left according to the last response
	returned bool // units were returned since the first response
	// the last request was alone in flight, so the difference to the next such request is the latter's cost
	lastOK bool
}

// weight is the learned cost of one kind of request, in units.
type weight struct {
	seen  []int // the last few clean observations
	guess int   // without clean ones: the minimum consistent with overlapping requests; 0 if unknown
}

// value is the median of the clean observations: one that was distorted by another program does no harm.
func (w *weight) value() int {
	if len(w.seen) == 0 {
		return max(w.guess, 1)
	}
	sorted := slices.Sorted(slices.Values(w.seen))
	return sorted[len(sorted)/2]
}

// observe records what a request seems to have cost. More than its upper bound means that another replica or another
// program used the budget, too.
func (w *weight) observe(units, most int) {
	if units <= 0 || most > 0 && units > most {
		return
	}
	w.seen = append(w.seen, units)
	if len(w.seen) > 5 {
		w.seen = w.seen[1:]
	}
}

// kind is the key under which the request's cost is learned.
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

// cost estimates the units of a request of that kind, whose upper bound is most; 0 if unknown. Before a response tells,
// it is the bound. Without one it is twice the cost of the most expensive known kind, so that a stock report does not
// exceed the budget before its cost is known.
func (e *employee) cost(kind string, most int) int {
	if w := e.weight(kind); len(w.seen) > 0 || w.guess > 0 {
		return w.value()
	}
	if most > 0 {
		return most
	}
	most = 1
	for _, other := range e.weights {
		if len(other.seen) > 0 || other.guess > 0 {
			most = max(most, 2*other.value())
		}
	}
	return most
}

// spent is the cost of our requests that may still count against the budget.
func (e *employee) spent() int {
	sum := 0
	for _, p := range e.slots {
		sum += e.cost(p.kind, p.most)
	}
	return sum
}

func (e *employee) prune(now time.Time) {
	interval := e.interval
	if interval == 0 {
		interval = defaultInterval
	}
	before := len(e.slots)
	e.slots = unexpired(e.slots, now, interval+e.margin)
	if len(e.slots) < before {
		e.lastOK = false // units were returned: the next difference is not a cost
	}
	if !now.Before(e.until) {
		e.foreign = 0
	}
}

// admits reports whether the employee may send now. If not, it returns when that may change without a response (zero:
// only a response can change it).
func (e *employee) admits(r Request, now time.Time) (time.Time, bool) {
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
	if spent == 0 || spent+e.cost(r.kind(), r.MaxUnits) <= e.limit {
		return time.Time{}, true // a request that costs more than the whole budget is sent alone
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

// sent records that a request is sent.
func (e *employee) sent(p *slot, now time.Time) {
	p.sent = now
	if len(e.slots) == 0 {
		e.returned = false // after an idle interval no units are left to be returned
	}
	e.slots = append(e.slots, p)
	e.overlap = e.inFlight > 0
	e.inFlight++
}

// answered records the response to the request of slot p.
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
		e.interval = defaultInterval
	}
	e.prune(now)
	e.learn(p, f)
	e.foreign = max(0, f.Limit-f.Remaining-e.spent())
	e.until = now.Add(e.interval + e.margin)
}

// learn derives the request's cost from the response: from the units used, if it was the only request of the interval;
// otherwise from the difference to the previous response, if both requests were alone in flight. Responses to
// overlapping requests may arrive in another order than the vendor counted them; then compare makes a guess.
func (e *employee) learn(p *slot, f Feedback) {
	used := f.Limit - f.Remaining
	w := e.weight(p.kind)
	alone := e.inFlight == 0 && !e.overlap
	switch {
	case len(e.slots) == 1:
		w.observe(used, p.most)
	case e.lastOK && alone:
		w.observe(e.lastLeft-f.Remaining, p.most)
	}
	for _, q := range e.slots { // a response that arrived before this request was sent, with fewer units left
		e.returned = e.returned || q.known && q.done.Before(p.sent) && q.left < f.Remaining
	}
	p.left, p.known = f.Remaining, true
	if !e.returned {
		e.compare(f.Limit)
	}
	e.lastLeft = f.Remaining
	e.lastOK = alone
}

// compare guesses costs from responses to overlapping requests. As long as no units have been returned, sorting the
// responses by the units left restores the order in which the vendor counted the requests. Each step down is a
// request's cost, or more if there was another request in between.
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
		step, p := before-known[i].left, known[i]
		if step > 0 && (p.most == 0 || step <= p.most) && (least[p.kind] == 0 || step < least[p.kind]) {
			least[p.kind] = step
		}
		before = known[i].left
	}
	for kind, step := range least {
		e.weight(kind).guess = step
	}
}
