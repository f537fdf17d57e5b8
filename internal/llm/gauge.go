package llm

import "sync"

// Gauge learns from what providers report how many tokens an estimate stands for; see [Estimate]. The zero value takes
// estimates as they are. It is safe for concurrent use.
type Gauge struct {
	mu    sync.Mutex
	ratio map[string]float64 // by model: the tokens that were reported for one estimated, with a margin
}

// The bounds of what is learned, against providers that report nonsense.
const (
	leastRatio  = 0.3
	mostRatio   = 1.5
	ratioMargin = 1.1
)

// Observe learns from a request with that many estimated tokens, for which a model reported that many.
func (g *Gauge) Observe(model string, estimated, reported int) {
	const least = 500 // shorter requests say little
	if estimated < least || reported <= 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ratio == nil {
		g.ratio = map[string]float64{}
	}
	g.ratio[model] = min(max(float64(reported)/float64(estimated)*ratioMargin, leastRatio), mostRatio)
}

// Tokens returns what an estimate stands for, by the model that needs the most.
func (g *Gauge) Tokens(estimated int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := 0.0
	for _, r := range g.ratio {
		most = max(most, r)
	}
	if most == 0 {
		return estimated
	}
	return int(float64(estimated) * most)
}
