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

// bar draws requests done of planned on one line of a terminal. A nil one draws nothing.
type bar struct {
	w     io.Writer
	width int
	began time.Time
	drawn time.Time
	on    bool // something is on the line
}

// bar is drawn on the standard error; it is nil when that is no terminal, or when it is to be quiet.
func (e *env) bar(quiet bool) *bar {
	f, ok := terminal(e.streams.Err)
	if !ok || quiet {
		return nil
	}
	return &bar{w: f, width: width(f)}
}

// draw shows the state; often called, it redraws ten times a second at the most.
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
	line := label + " …" // how much there is to do is not known yet
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

// event shows the progress that an event of a run reports; the other events are in the finished message.
func (b *bar) event(kind stockhand.EventType, data json.RawMessage) {
	var d struct {
		Done, Total int
		Label       string
	}
	switch kind {
	case stockhand.EventToolStarted, stockhand.EventToolProgress:
		_ = json.Unmarshal(data, &d) // a label is all that is at stake
		b.draw(d.Done, d.Total, d.Label)
	default:
	}
}

// clear leaves the line empty.
func (b *bar) clear() {
	if b != nil && b.on {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.on = false
	}
}
