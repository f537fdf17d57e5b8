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
	Context   int         // estimated tokens per request above which old results are shortened; 0 means 24,000
	// allowed link targets in a model's text: prefixes of addresses, e.g. "https://online.moysklad.ru"
	Links []string
}

// The limits of a run (rule R14), and defaults.
const (
	mostSteps       = 50
	defaultContext  = 24_000
	defaultPatience = 5 * time.Minute
)

// patience is how long a model that fails in the middle of a run is waited for.
func (m Model) patience() time.Duration {
	return cmp.Or(time.Duration(m.Limits.Patience), defaultPatience)
}

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
		m.Context = defaultContext
	}
	return m
}
