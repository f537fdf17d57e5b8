package main

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/language"
)

func TestFirstPassShow(t *testing.T) {
	ps, _ := parse("tune")
	for _, p := range ps {
		a := language.Read(p.task, language.Input{Now: now})
		if got := outcome(a); !slices.Contains(p.skills, got) {
			t.Logf("FIRST %s: want %v got %s unknown %v", p.task, p.skills, got, a.Unknown)
		} else if len(a.Unknown) > 0 && p.arguments["stores"] == "" && p.arguments["products"] == "" && p.arguments["groups"] == "" && p.arguments["suppliers"] == "" && p.arguments["counterparties"] == "" {
			t.Logf("NOISE %s: %v", p.task, a.Unknown)
		}
		b := language.Read(p.task, language.Input{Now: now, Names: names})
		if len(b.Unknown) > 0 && len(a.Unknown) > 0 && !slices.Contains([]string{"outside"}, outcome(b)) {
			t.Logf("STILL %s: %v", p.task, b.Unknown)
		}
	}
}
