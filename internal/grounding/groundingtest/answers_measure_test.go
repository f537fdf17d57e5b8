package groundingtest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/grounding"
)

// marks returns the figures of a text that are marked.
func (a *answer) marks(text string) []grounding.Figure {
	return grounding.Check(text, a.l, a.evidence).Unmatched
}

// overlap reports whether a marked figure is within a part of a text.
func overlap(marked []grounding.Figure, from, to int) bool {
	return slices.ContainsFunc(marked, func(f grounding.Figure) bool { return f.Start < to && f.End > from })
}

// sentence returns the sentence or table row around an offset.
func sentence(text string, at int) (from, to int) {
	from, to = 0, len(text)
	for _, end := range []string{"\n", ". ", "; "} {
		if i := strings.LastIndex(text[:at], end); i >= 0 {
			from = max(from, i+len(end))
		}
		if i := strings.Index(text[at:], end); i >= 0 {
			to = min(to, at+i)
		}
	}
	return from, to
}

func TestHonestAnswersAreNotMarked(t *testing.T) { // rule R362
	alarms := map[string]*tally{}
	for _, a := range answers(t) {
		marked := a.marks(a.text)
		for _, s := range a.said {
			x := counts(alarms, string(s.class))
			x.all++
			if overlap(marked, s.from, s.to) {
				x.wrong++
				from, to := sentence(a.text, s.from)
				t.Logf("%s: marked %q in %q", a.name, a.text[s.from:s.to], a.text[from:to])
			}
		}
	}
	if sum := report(t, "honest figures of answers marked", alarms); sum.wrong*50 >= sum.all {
		t.Errorf("%s of the honest figures were marked", sum)
	}
}

// planted changes a figure as it is written; it returns "" if that does not make it false.
var planted = map[string]func(figure string, r *rand.Rand) string{
	"the first digit": func(f string, r *rand.Rand) string { return digit(f, 0, r) },
	"the last digit": func(f string, r *rand.Rand) string {
		return digit(f, len(digitsOf(f))-1, r)
	},
	"another digit": func(f string, r *rand.Rand) string {
		if len(digitsOf(f)) < 4 {
			return ""
		}
		return digit(f, 1+r.IntN(len(digitsOf(f))-2), r)
	},
	"a digit of the middle": func(f string, r *rand.Rand) string {
		if len(digitsOf(f)) < 6 {
			return ""
		}
		return digit(f, 2+r.IntN(len(digitsOf(f))-4), r)
	},
	"ten times": func(f string, _ *rand.Rand) string {
		at := digitsOf(f)
		if whole := strings.IndexAny(f, ",."); whole > 0 {
			f = f[:whole] // of "1 234,56 ₽" the fraction is left out
		}
		end := at[0]
		for _, i := range at {
			if i < len(f) {
				end = i
			}
		}
		return strings.NewReplacer("\u00a0", "", ",", "").Replace(f[:end+1]) + "0" + f[end+1:]
	},
	"the sign": func(f string, _ *rand.Rand) string {
		if rest, ok := strings.CutPrefix(f, "−"); ok {
			return rest
		}
		return "−" + f
	},
	"the unit": func(f string, _ *rand.Rand) string {
		switch {
		case strings.HasSuffix(f, "₽"):
			return strings.TrimSuffix(f, "₽") + "$"
		case strings.HasSuffix(f, "%"):
			return strings.TrimRight(strings.TrimSuffix(f, "%"), " ") + " ₽"
		}
		return ""
	},
}

func digitsOf(f string) []int {
	var at []int
	for i := range len(f) {
		if f[i] >= '0' && f[i] <= '9' {
			at = append(at, i)
		}
	}
	return at
}

func digit(f string, n int, r *rand.Rand) string {
	at := digitsOf(f)[n]
	b := []byte(f)
	b[at] = '0' + (b[at]-'0'+byte(1+r.IntN(9)))%10
	if n == 0 && b[at] == '0' {
		b[at] = '1' + (f[at]-'0')%9
	}
	return string(b)
}

func TestMutatedAnswersAreMarked(t *testing.T) { // rule R361
	r := rand.New(rand.NewPCG(11, 12))
	wrong, misplaced := map[string]*tally{}, map[string]*tally{}
	shown := map[string]int{}
	try := func(a *answer, into map[string]*tally, kind string, from, to int, figure string) {
		text := a.text[:from] + figure + a.text[to:]
		x := counts(into, kind)
		x.all++
		found := a.marks(text)
		if overlap(found, from, from+len(figure)) {
			return
		}
		if kind == "the opposite direction" {
			if first, last := sentence(text, from); overlap(found, first, last) {
				return
			}
		}
		x.wrong++
		if shown[kind]++; shown[kind] <= 12 {
			first, last := sentence(text, from)
			t.Logf("%s, not detected (%s): %q in %q", a.name, kind, figure, text[first:last])
		}
	}
	for _, a := range answers(t) {
		for _, s := range a.said {
			if s.class == grounding.ClassEstimate {
				continue
			}
			figure := a.text[s.from:s.to]
			for _, kind := range slices.Sorted(maps.Keys(planted)) { // sorted, to make runs reproducible
				change := planted[kind]
				if other := change(figure, r); other != "" && utf8.ValidString(other) && other != figure {
					try(a, wrong, kind, s.from, s.to, other)
				}
			}
			for kind, places := range s.places {
				for _, other := range places[:min(len(places), 3)] {
					try(a, misplaced, kind, s.from, s.to, other)
				}
			}
		}
		for _, w := range a.turned {
			try(a, misplaced, "the opposite direction", w.from, w.to, w.opposite)
		}
	}
	first := report(t, "planted false figures not marked", wrong)
	second := report(t, "true figures in a wrong place not marked", misplaced)
	if first.wrong*100 > 3*first.all {
		t.Errorf("%s of the planted figures were not marked", first)
	}
	if second.wrong*100 > 5*second.all {
		t.Errorf("%s of the misplaced figures were not marked", second)
	}
	if x := misplaced["another column"]; x.wrong*100 > 6*x.all { // rule R712
		t.Errorf("%s of the figures of other columns were not marked", x)
	}
	if n := first.all + second.all; n < 2000 {
		t.Errorf("only %d mutations", n)
	}
}
