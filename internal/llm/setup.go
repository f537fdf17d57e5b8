package llm

import (
	"cmp"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Setup is what is configured, without secrets.
type Setup struct {
	Models        []SetupModel // those that are used
	Currency      string       // of prices and budgets
	Reader        Reader
	MaxIterations int
	RunTokens     int
}

// SetupModel is a model with its prices per million tokens.
type SetupModel struct {
	Name          string // "provider/model"
	Input, Output decimal.Decimal
	Place         int  // among those that answer tasks, from 1; 0 if it answers none
	Small         bool // it begins the tasks that the routing gives to small models
	Passed        bool // callers may use it
}

// Setup returns what is configured.
func (p *Providers) Setup() Setup {
	s := Setup{Currency: p.currency, Reader: p.reader,
		MaxIterations: cmp.Or(p.limits.MaxIterations, DefaultIterations),
		RunTokens:     cmp.Or(p.limits.RunTokens, DefaultRunTokens)}
	add := func(t target) *SetupModel {
		i := slices.IndexFunc(s.Models, func(m SetupModel) bool { return m.Name == t.name() })
		if i < 0 {
			i, s.Models = len(s.Models), append(s.Models, SetupModel{Name: t.name(), Input: t.model.InputPrice,
				Output: t.model.OutputPrice})
		}
		return &s.Models[i]
	}
	for i, t := range p.agent {
		add(t).Place = i + 1
	}
	for _, t := range p.small {
		add(t).Small = true
	}
	for _, t := range p.passed {
		add(t).Passed = true
	}
	return s
}
