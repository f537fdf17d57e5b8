package main

import (
	"io"
	"testing"
)

// The floors are a little under what was measured when they were set: a change that reads worse fails here.
func TestAccuracyDoesNotFall(t *testing.T) {
	floors := map[string]struct{ skill, arguments float64 }{"tune": {98, 97}, "heldout": {92, 90},
		"tune-shop": {98, 97}, "heldout-shop": {88, 85}}
	for _, s := range splits {
		c := floors[s.name]
		f, err := measure(s, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		skill, arguments := percent(f.skill, f.phrases), percent(f.right, f.withArguments)
		t.Logf("%s: skill %.1f%% of %d, arguments %.1f%% of %d", s.name, skill, f.phrases, arguments, f.withArguments)
		if skill < c.skill || arguments < c.arguments {
			t.Errorf("%s fell: skill %.1f%% (floor %.0f), arguments %.1f%% (floor %.0f)", s.name, skill, c.skill,
				arguments, c.arguments)
		}
	}
}

func TestEverySplitIsLarge(t *testing.T) {
	for _, s := range splits {
		ps, err := parse(s.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(ps) < 150 {
			t.Errorf("%s has %d phrases", s.name, len(ps))
		}
	}
}
