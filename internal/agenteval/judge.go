package main

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/decimal"
)

// score is how the answer to one task, or to several, was.
type score struct {
	tasks, right int // right: nothing is missing, marked or wrong

	figures int // expected
	read    int // of them in the answer, without a mark
	marked  int // of them in the answer, marked as doubtful: false marks
	wrong   int // not in the answer, which has other figures without a mark instead: missed wrong figures

	planted, caught int // wrong figures that the stand-in wrote on purpose; of them marked

	names, named   int // names that the answer must have; those that it has
	drafts, drawn  int // drafts that were asked for; those that are as asked for
	steps          int // requests to the model
	input, output  int // tokens
	seconds        float64
	cost           int64 // in millionths
	failed, denied int   // runs that failed; unanswerable tasks that were answered without a figure
	asked          int   // unanswerable tasks
}

func (s *score) add(o score) {
	s.tasks, s.right = s.tasks+o.tasks, s.right+o.right
	s.figures, s.read, s.marked, s.wrong = s.figures+o.figures, s.read+o.read, s.marked+o.marked, s.wrong+o.wrong
	s.planted, s.caught = s.planted+o.planted, s.caught+o.caught
	s.names, s.named, s.drafts, s.drawn = s.names+o.names, s.named+o.named, s.drafts+o.drafts, s.drawn+o.drawn
	s.steps, s.input, s.output = s.steps+o.steps, s.input+o.input, s.output+o.output
	s.seconds, s.cost, s.failed = s.seconds+o.seconds, s.cost+o.cost, s.failed+o.failed
	s.denied, s.asked = s.denied+o.denied, s.asked+o.asked
}

// judge compares the answer to the last turn of a task with what the sandbox's data say.
func judge(t task, f *agent.Finished) score {
	s := score{tasks: 1, figures: len(t.figures), names: len(t.names)}
	if f.Failure != nil || f.Cancelled {
		s.failed = 1
	}
	written := figuresIn(f.FinalResponse)
	for _, want := range t.figures {
		there, unmarked := false, false
		for _, w := range written {
			if w.is(want) {
				there, unmarked = true, unmarked || !w.marked
			}
		}
		switch {
		case unmarked:
			s.read++
		case there:
			s.marked++
		case others(written, t):
			s.wrong++
		}
	}
	for _, name := range t.names {
		if strings.Contains(strings.ToLower(f.FinalResponse), strings.ToLower(name)) {
			s.named++
		}
	}
	if t.draft != nil {
		s.drafts = 1
		if len(f.Drafts) == 1 && t.draft(f.Drafts[0]) {
			s.drawn = 1
		}
	}
	if t.unanswerable {
		s.asked = 1
		if !others(unmarked(written), t) && len(f.Drafts) == 0 { // a marked figure is no refusal either
			s.denied = 1
		}
	}
	if t.planted != nil {
		s.planted = 1
		for _, w := range written {
			if w.is(*t.planted) && w.marked {
				s.caught = 1
			}
		}
	}
	if s.read == s.figures && s.named == s.names && s.drawn == s.drafts && s.denied == s.asked && s.failed == 0 {
		s.right = 1
	}
	return s
}

// others reports whether there are figures without a mark that are neither expected nor in the questions. Small whole
// numbers, years and days of months are no figures of an account.
func others(all []written, t task) bool {
	asked := figuresIn(strings.Join(t.turns, "\n"))
	for _, w := range all {
		known := w.marked || w.calendar
		for _, want := range t.figures {
			known = known || w.is(want)
		}
		for _, a := range asked {
			known = known || a.readings[0].Cmp(w.readings[0]) == 0
		}
		if !known {
			return true
		}
	}
	return false
}

// unmarked returns the figures as if no mark stood beside them.
func unmarked(all []written) (out []written) {
	for _, w := range all {
		w.marked = false
		out = append(out, w)
	}
	return out
}

// written is a figure in a text.
type written struct {
	readings []decimal.Decimal // 1,234 can be two figures
	half     decimal.Decimal   // half of the last digit's place
	marked   bool              // as doubtful
	calendar bool              // it may be a day, a month or a year
}

// is reports whether a figure is a value, rounded as it is written.
func (w written) is(value decimal.Decimal) bool {
	for _, r := range w.readings {
		if !w.half.Less(r.Abs().Sub(value.Abs()).Abs()) {
			return true
		}
	}
	return false
}

var (
	figure = regexp.MustCompile("[0-9]+(?:[\u0020\u00a0\u202f,.][0-9]{3})*(?:[.,][0-9]+)?")
	scale  = regexp.MustCompile(`^[\s\x{a0}\x{202f}]*(тыс|млн|k\b|thousand|m\b|million)`)
	scales = map[string]int64{"тыс": 1_000, "k": 1_000, "thousand": 1_000, "млн": 1_000_000, "m": 1_000_000,
		"million": 1_000_000}
	// where a mark stands: after the figure and its unit
	mark = regexp.MustCompile(`^[^0-9\n|]{0,12}?⚠`)
)

// figuresIn returns the figures in a text.
func figuresIn(text string) (all []written) {
	for _, at := range figure.FindAllStringIndex(text, -1) {
		rest := text[at[1]:]
		w := written{readings: readings(text[at[0]:at[1]]), marked: mark.MatchString(rest)}
		if len(w.readings) == 0 {
			continue
		}
		_, places, _ := w.readings[0].Parts()
		unit := decimal.FromInt(1)
		for range places {
			unit = unit.Div(decimal.FromInt(10))
		}
		w.half = unit.Div(decimal.FromInt(2))
		if places > 1 { // kopecks are written as they are
			w.half = unit
		}
		if m := scale.FindStringSubmatch(rest); m != nil {
			by := decimal.FromInt(scales[m[1]])
			for i := range w.readings {
				w.readings[i] = w.readings[i].Mul(by)
			}
			w.half = w.half.Mul(by)
		}
		n := w.readings[0]
		w.calendar = places == 0 && (!decimal.FromInt(31).Less(n) || !n.Less(decimal.FromInt(2000)) &&
			!decimal.FromInt(2100).Less(n))
		all = append(all, w)
	}
	return all
}

// readings returns what digits with separators can stand for.
func readings(text string) (all []decimal.Decimal) {
	plain := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(text)
	last := strings.LastIndexAny(plain, ".,")
	grouped := strings.NewReplacer(",", "", ".", "")
	add := func(s string) {
		if d, err := decimal.Parse(s); err == nil {
			all = append(all, d)
		}
	}
	switch {
	case last < 0:
		add(plain)
	case len(plain)-last-1 == 3:
		add(grouped.Replace(plain))
		add(grouped.Replace(plain[:last]) + "." + plain[last+1:])
	default:
		add(grouped.Replace(plain[:last]) + "." + plain[last+1:])
	}
	return all
}
