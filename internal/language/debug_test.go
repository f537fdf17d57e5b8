package language

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestShow prints how the tasks of $TASKS, one per line, are read.
func TestShow(t *testing.T) {
	for task := range strings.Lines(os.Getenv("TASKS")) {
		task = strings.TrimSpace(task)
		r := &reader{x: load(), in: Input{Now: time.Date(2026, 10, 21, 12, 0, 0, 0, time.UTC)}, task: task}
		r.today = dayOf(2026, 10, 21)
		r.ts = tokenize(task)
		r.x.repair(r.ts)
		r.readTime()
		r.found = r.x.find(r.ts)
		r.weigh()
		r.ranking = r.evidence.rank(r.ts)
		var cs []string
		for _, f := range r.found {
			if n := r.x.concepts[f.concept]; n != "STOP" {
				w := n + "("
				for _, i := range f.at {
					w += r.ts[i].norm + " "
				}
				cs = append(cs, strings.TrimSpace(w)+")")
			}
		}
		got := Read(task, r.in)
		t.Logf("%s\n  %v\n  %v\n  -> %s out=%v q=%v args=%+v unknown=%+v", task, cs, r.ranking, got.Skill, got.Outside, got.Question != nil, got.Arguments, got.Unknown)
	}
}
