package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand"
)

// bar draws a progress bar of requests on one line of a terminal. A nil bar draws nothing.
type bar struct {
	w     io.Writer
	width int
	began time.Time
	drawn time.Time
	on    bool // the line is not empty
}

// bar returns a progress bar on standard error, or nil if that is not a terminal or quiet is set.
func (e *env) bar(quiet bool) *bar {
	f, ok := terminal(e.streams.Err)
	if !ok || quiet {
		return nil
	}
	return &bar{w: f, width: width(f)}
}

// draw draws the state, at most ten times per second.
func (b *bar) draw(done, planned int, label string) {
	if b == nil {
		return
	}
	now := time.Now()
	if b.began.IsZero() {
		b.began = now
	}
	if now.Sub(b.drawn) < 100*time.Millisecond && done != planned {
		return
	}
	b.drawn = now
	const cells = 24
	filled := 0
	if planned > 0 {
		filled = min(cells, done*cells/planned)
	}
	line := label + " …" // the total is not known yet
	if planned > 0 {
		line = fmt.Sprintf("%s%s %d/%d %s", strings.Repeat("█", filled), strings.Repeat("░", cells-filled), done,
			planned, label)
	}
	if spent := now.Sub(b.began); done > 0 && planned > done && spent > 2*time.Second {
		line += fmt.Sprintf(" ~%s", (spent / time.Duration(done) * time.Duration(planned-done)).Round(time.Second))
	}
	fmt.Fprintf(b.w, "\r%s\x1b[K", runewidth.Truncate(line, max(b.width-1, 20), "…"))
	b.on = true
}

// event shows the progress in an event of a run; other events are part of the finished message.
func (b *bar) event(kind stockhand.EventType, data json.RawMessage) {
	var d struct {
		Done, Total int
		Label       string
		Steps       []string
	}
	switch kind {
	case stockhand.EventPlan:
		if json.Unmarshal(data, &d) == nil {
			b.list(d.Steps)
		}
	case stockhand.EventThinking, stockhand.EventToolStarted, stockhand.EventToolProgress:
		_ = json.Unmarshal(data, &d) // only a label would be lost
		b.draw(d.Done, d.Total, d.Label)
	default:
	}
}

// list writes what is going to be done, above the bar.
func (b *bar) list(steps []string) {
	if b == nil {
		return
	}
	b.clear()
	for i, s := range steps {
		fmt.Fprintln(b.w, runewidth.Truncate(fmt.Sprintf("%d. %s", i+1, s), max(b.width-1, 20), "…"))
	}
}

// clear empties the line.
func (b *bar) clear() {
	if b != nil && b.on {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.on = false
	}
}
