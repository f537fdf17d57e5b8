package loop

import (
	"cmp"
	"time"

	"github.com/stockhand/stockhand/internal/llm"
)

// Model configures answering with a language model. The zero value answers without one.
type Model struct {
	llm.Model             // nil answers without a model
	Budget    *llm.Budget // limits per organization; nil means unlimited
	Limits    llm.Limits  // limits per run, with defaults
	Currency  string      // of what models cost; empty if none has a price
	Routing   llm.Routing // which steps a small model makes
	Reader    llm.Reader  // what the reader does before the model is asked
	Context   int         // tokens that the model can take; 0 means llm.DefaultContext
	Gauge     *llm.Gauge  // how many tokens an estimate stands for; nil means a new one
	// allowed link targets in a model's text: prefixes of addresses, e.g. "https://online.moysklad.ru"
	Links []string
}

// The limits of a run (rule R14), and defaults.
const (
	mostSteps       = 50
	defaultPatience = 5 * time.Minute
)

// patience is how long a model that fails in the middle of a run is waited for.
func (m Model) patience() time.Duration {
	return cmp.Or(time.Duration(m.Limits.Patience), defaultPatience)
}

// Room returns the tokens of a request, beside which a reply fits.
func (m Model) Room() int { return m.Context - min(replyTokens, m.Context/4) }

// OrDefaults returns the configuration with defaults in place of zeros.
func (m Model) OrDefaults() Model {
	if m.Limits.MaxIterations == 0 {
		m.Limits.MaxIterations = llm.DefaultIterations
	}
	m.Limits.MaxIterations = min(max(m.Limits.MaxIterations, 1), mostSteps)
	if m.Limits.RunTokens == 0 {
		m.Limits.RunTokens = llm.DefaultRunTokens
	}
	if m.Context == 0 {
		m.Context = llm.DefaultContext
	}
	if m.Gauge == nil {
		m.Gauge = &llm.Gauge{}
	}
	return m
}
