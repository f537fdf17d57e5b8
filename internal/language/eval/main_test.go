package main

import (
	"io"
	"testing"
)

// The floors are a little under what was measured when they were set: a change that reads worse fails here.
func TestAccuracyDoesNotFall(t *testing.T) {
	for _, c := range []struct {
		split            string
		skill, arguments float64
	}{{"tune", 98, 97}, {"heldout", 92, 90}} {
		f, err := measure(c.split, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		skill, arguments := percent(f.skill, f.phrases), percent(f.right, f.withArguments)
		t.Logf("%s: skill %.1f%% of %d, arguments %.1f%% of %d", c.split, skill, f.phrases, arguments, f.withArguments)
		if skill < c.skill || arguments < c.arguments {
			t.Errorf("%s fell: skill %.1f%% (floor %.0f), arguments %.1f%% (floor %.0f)", c.split, skill, c.skill, arguments, c.arguments)
		}
	}
}

func TestBothSplitsAreLarge(t *testing.T) {
	for _, split := range []string{"tune", "heldout"} {
		ps, err := parse(split)
		if err != nil {
			t.Fatal(err)
		}
		if len(ps) < 200 {
			t.Errorf("%s has %d phrases", split, len(ps))
		}
	}
}
