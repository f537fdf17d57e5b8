package language_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/names/namestest"
)

// The command
//
//	go test -v -run TestSpeedAmong ./internal/language
//
// prints the processor time of reading the questions of testdata/first.txt in an account of 100,000 names.
func TestSpeedAmongAHundredThousandNames(t *testing.T) { // rule R305
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	in := language.Input{Now: now, Known: []*names.Index{names.New(namestest.Large(n, demoNames(now)))},
		Catalogue: measures.Catalogue}
	type timed struct {
		task string
		took time.Duration
	}
	var list []timed
	const runs = 5 // of each task, because the clock is coarse
	for _, q := range firstQuestions(t) {
		language.Read(q.task, in)
		began := namestest.Processor()
		for range runs {
			language.Read(q.task, in)
		}
		list = append(list, timed{q.task, (namestest.Processor() - began) / runs})
	}
	slices.SortFunc(list, func(a, b timed) int { return int(a.took - b.took) })
	at := func(percent int) time.Duration { return list[min(len(list)-1, len(list)*percent/100)].took }
	t.Logf("processor time of %d readings among %d names: p50 %v, p90 %v, p99 %v", len(list), n, at(50), at(90), at(99))
	for _, x := range list[max(0, len(list)-10):] {
		t.Logf("%8v %s", x.took.Round(10*time.Microsecond), x.task)
	}
}
