package loop

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/llm"
)

// The bounds of a plan.
const (
	planSteps = 6
	planBytes = 160 // of a step
)

var (
	listMark = regexp.MustCompile(`^\s*(?:[-–—*•]|\d{1,2}[.)]|#+)\s+`)
	figure   = regexp.MustCompile(`\d+`)
	aYear    = regexp.MustCompile(`^20\d\d$`)
)

// planned returns the event with what the model wrote beside its first calls, if that is a plan of several lines (rule
// R430).
func (l *Loop) planned(step int64, m llm.Message) []stockhand.Event {
	if step != 1 || len(m.Calls) == 0 {
		return nil
	}
	var steps []string
	for line := range strings.Lines(m.Content) {
		line = strings.TrimSpace(listMark.ReplaceAllString(line, ""))
		if line == "" || strings.HasSuffix(line, ":") || l.statesFigure(line) {
			continue // empty, a heading, or what must be read first
		}
		if len(steps) < planSteps {
			steps = append(steps, render.Clip(strings.Map(stockhand.Visible, line), planBytes))
		}
	}
	if len(steps) < 2 {
		return nil
	}
	data, err := json.Marshal(Plan{steps})
	if err != nil {
		return nil // strings have an encoding
	}
	return []stockhand.Event{{Type: stockhand.EventPlan, Data: data}}
}

// Plan is the data of an event with what a run is going to do.
type Plan struct {
	Steps []string `json:"steps"` // plain text, not Markdown
}

// statesFigure reports whether a line has a figure that is neither the person's nor a year.
func (l *Loop) statesFigure(line string) bool {
	for _, f := range figure.FindAllString(line, -1) {
		if !aYear.MatchString(f) && !strings.Contains(l.Text, f) {
			return true
		}
	}
	return false
}
