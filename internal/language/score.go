package language

import (
	"cmp"
	"maps"
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
)

// The thresholds of a decision, in the units of lexicon/rules.txt. They were set on the tuning set.
const (
	enough  = 2.0 // a skill below this has not been asked for
	margin  = 0.7 // two skills nearer than this are a close call
	orders  = 4.0 // what an order for a draft takes from every other reading
	similar = 1.2 // what a task that equals an example adds
)

// scored is a skill and what speaks for it.
type scored struct {
	skill Skill
	score float64
}

// evidence is everything that rules look at.
type evidence struct {
	x     *lexicon
	has   map[concept]int // how often
	other map[string]bool
	kinds map[connector.NameKind]bool
}

func (e *evidence) holds(f feature) bool {
	switch {
	case f.isName && f.name == "":
		return len(e.kinds) > 0
	case f.isName:
		return e.kinds[f.name]
	case f.other != "":
		return e.other[f.other]
	default:
		return e.has[f.concept] > 0
	}
}

// is tells whether the task has any of the concepts.
func (e *evidence) is(names ...string) bool {
	for _, n := range names {
		if c, ok := e.x.byName[n]; ok && e.has[c] > 0 {
			return true
		}
	}
	return false
}

// rank weighs the skills, best first. Skills that nothing speaks for are left out.
func (e *evidence) rank(ts []token) []scored {
	sum := map[Skill]float64{}
rules:
	for _, r := range e.x.rules {
		for _, f := range r.need {
			if !e.holds(f) {
				continue rules
			}
		}
		for _, f := range r.absent {
			if e.holds(f) {
				continue rules
			}
		}
		sum[r.skill] += r.weight
	}
	for s, v := range e.x.likeness(ts) {
		if v > 0.3 && sum[s] > 0 || v > 0.6 {
			sum[s] += similar * v
		}
	}
	if e.other["drafting"] {
		for s := range sum {
			if !s.Proposes() {
				sum[s] -= orders
			}
		}
	}
	var out []scored
	for _, s := range slices.Sorted(maps.Keys(sum)) {
		if sum[s] > 0 {
			out = append(out, scored{s, sum[s]})
		}
	}
	slices.SortStableFunc(out, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return out
}
