package work_test

import (
	"fmt"
	"testing"

	"github.com/stockhand/stockhand/internal/work/worktest"
)

func TestReplicasHearEachOthersCounts(t *testing.T) {
	noneLeft(t)
	c := worktest.New(t)
	one, other := open(t, c.URL()), open(t, c.URL())
	sent := map[string]int{}
	for i := range 3000 {
		sent[fmt.Sprint("actor key:", i)] = i
	}
	one.TellCounts(sent)
	heard := map[string]int{}
	for len(heard) < len(sent) {
		for name, n := range next(t, other.HearCounts(), "counts") {
			if heard[name] = n; sent[name] != n {
				t.Fatalf("%s: %d, want %d", name, n, sent[name])
			}
		}
	}
}
