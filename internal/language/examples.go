package language

import (
	"math"
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
)

// example is a task whose skill is known. A task that is similar to it gets a higher score for that skill.
type example struct {
	skill  Skill
	text   string
	vector []weighted
}

// weighted is one feature of a text: a stem, or a pair of neighbouring stems.
type weighted struct {
	feature string
	weight  float64
}

// weighExamples weighs each feature of the examples by its inverse document frequency: rare ones count more.
func (x *lexicon) weighExamples() {
	count := map[string]int{}
	grams := make([][]string, len(x.examples))
	for i := range x.examples {
		grams[i] = ngrams(token.Split(x.examples[i].text))
		for _, g := range grams[i] {
			count[g]++
		}
	}
	for i := range x.examples {
		v := make([]weighted, 0, len(grams[i]))
		for _, g := range grams[i] {
			v = append(v, weighted{g, math.Log(1 + float64(len(x.examples))/float64(count[g]))})
		}
		x.examples[i].vector = unitLength(v)
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

// likeness returns for each skill the cosine similarity of the tokens and its nearest example, 0 to 1.
func (x *lexicon) likeness(ts []token.Token) map[Skill]float64 {
	idf := map[string]float64{}
	for _, g := range ngrams(ts) {
		idf[g] = math.Log(1 + float64(len(x.examples)))
	}
	if len(idf) == 0 {
		return nil
	}
	// The task's own weights: those of the examples where a feature occurs, the rarest one's otherwise.
	norm := 0.0
	for _, w := range idf {
		norm += w * w
	}
	out := map[Skill]float64{}
	for i := range x.examples {
		e := &x.examples[i]
		dot := 0.0
		for _, w := range e.vector {
			if q, ok := idf[w.feature]; ok {
				dot += w.weight * q
			}
		}
		if dot > 0 {
			out[e.skill] = max(out[e.skill], dot/math.Sqrt(norm))
		}
	}
	return out
}
