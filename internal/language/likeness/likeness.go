// Package likeness compares a task with examples whose label is known, by rare words and pairs of words.
package likeness

import (
	"math"
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Example is a task whose label is known.
type Example struct {
	Label, Text string
	vector      []weighted
}

// Examples are weighed by [Examples.Weigh] before they are compared.
type Examples []Example

// weighted is one feature of a text: a stem, or a pair of neighbouring stems.
type weighted struct {
	feature string
	weight  float64
}

// Weigh weighs each feature of the examples by its inverse document frequency: rare ones count more.
func (x Examples) Weigh() {
	count := map[string]int{}
	grams := make([][]string, len(x))
	for i := range x {
		grams[i] = ngrams(token.Split(x[i].Text))
		for _, g := range grams[i] {
			count[g]++
		}
	}
	for i := range x {
		v := make([]weighted, 0, len(grams[i]))
		for _, g := range grams[i] {
			v = append(v, weighted{g, math.Log(1 + float64(len(x))/float64(count[g]))})
		}
		x[i].vector = unitLength(v)
	}
}

// ngrams returns the distinct stems and pairs of neighbouring stems of the unused words, sorted.
func ngrams(ts []token.Token) []string {
	var out []string
	last := ""
	for i := range ts {
		if ts[i].Kind != token.Word || ts[i].Use != token.Unused {
			last = ""
			continue
		}
		out = append(out, ts[i].Stem)
		if last != "" {
			out = append(out, last+" "+ts[i].Stem)
		}
		last = ts[i].Stem
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func unitLength(v []weighted) []weighted {
	sum := 0.0
	for _, w := range v {
		sum += w.weight * w.weight
	}
	if sum == 0 {
		return v
	}
	for i := range v {
		v[i].weight /= math.Sqrt(sum)
	}
	return v
}

// Of returns for each label the cosine similarity of the tokens and its nearest example, 0 to 1.
func (x Examples) Of(ts []token.Token) map[string]float64 {
	idf := map[string]float64{}
	for _, g := range ngrams(ts) {
		idf[g] = math.Log(1 + float64(len(x)))
	}
	if len(idf) == 0 {
		return nil
	}
	// The task's own weights: those of the examples where a feature occurs, the rarest one's otherwise.
	norm := 0.0
	for _, w := range idf {
		norm += w * w
	}
	out := map[string]float64{}
	for i := range x {
		e := &x[i]
		dot := 0.0
		for _, w := range e.vector {
			if q, ok := idf[w.feature]; ok {
				dot += w.weight * q
			}
		}
		if dot > 0 {
			out[e.Label] = max(out[e.Label], dot/math.Sqrt(norm))
		}
	}
	return out
}
