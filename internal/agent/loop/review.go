package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/grounding"
)

// examined is a final text of the model, made safe to show and checked.
type examined struct {
	words   string
	places  []blocks.Place
	checked grounding.Checked // of the words; its offsets are theirs
	sources []grounding.Source
}

// examine checks a final text against what was read. References to results are no part of what is checked.
func (l *Loop) examine(record context.Context, words string) (*examined, error) {
	a := &examined{words: string(render.Sanitize(words, l.model.Links...))}
	a.places = blocks.Places(a.words)
	e, err := l.evidence(record)
	if err != nil {
		return nil, err
	}
	a.sources = e.Sources
	plain := []byte(a.words)
	for _, p := range a.places {
		for i := p.Start; i < p.End; i++ {
			plain[i] = ' '
		}
	}
	a.checked = grounding.Check(string(plain), l.Language, e)
	return a, a.checked.Err
}

// The bounds of what an answer is sent back with.
const (
	reviewedFigures = 8
	reviewedBytes   = 3000
)

// review returns what is wrong with a text, for the model to correct it, with the figures that it may have meant; or ""
// if nothing is. The text of the account in it is enclosed in marks.
func (l *Loop) review(a *examined) string {
	var lines []string
	for _, f := range a.checked.Facts {
		if f.Class != grounding.ClassUnverified || len(lines) == reviewedFigures {
			continue
		}
		line := fmt.Sprintf("- %q is in no result, or not with these words.", f.Text)
		var near []string
		for _, n := range f.Nearest {
			near = append(near, l.nearText(n))
		}
		if len(near) > 0 {
			line += " Read: " + strings.Join(near, "; ") + "."
		}
		lines = append(lines, line)
	}
	for _, p := range a.places {
		if _, ok := l.placed(p.Result); ok {
			continue
		}
		line := fmt.Sprintf("- There is no result %s. There are: %s.", p.Result, l.numbers())
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	lines = lines[:min(len(lines), 2*reviewedFigures)]
	for i, line := range lines {
		lines[i] = render.Escape(render.Clip(line, reviewedBytes/len(lines)))
	}
	return "Your answer was checked and is not shown yet:\n<data>\n" + strings.Join(lines, "\n") +
		"\n</data>\nAnswer again in full: correct these figures, compute them with a tool, call a forecast an " +
		"estimate, or leave them out. Keep the rest, and do not mention this check."
}

// nearText writes a figure that was read, with its place.
func (l *Loop) nearText(n grounding.Near) string {
	place := []string{n.Column}
	if n.Row != "" {
		place = append(place, "“"+render.Clip(n.Row, 60)+"”")
	} else {
		place = append(place, "total")
	}
	if i := slices.Index(l.ids(), stockhand.ResultID(n.Source)); i >= 0 {
		place = append(place, toolbox.TableName(i))
	}
	if n.Period != nil {
		place = append(place, fmt.Sprintf("%s to %s", n.Period.From, n.Period.To))
	}
	return n.Text + " (" + strings.Join(place, ", ") + ")"
}

// ids are the results of the session, in the order of their numbers.
func (l *Loop) ids() []stockhand.ResultID {
	all := slices.Clone(l.Numbered)
	for _, r := range l.results {
		all = append(all, r.ID)
	}
	return all
}

// numbers lists the results that an answer may refer to.
func (l *Loop) numbers() string {
	var all []string
	for i := range l.ids() {
		all = append(all, toolbox.TableName(i))
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// placed returns the result that a model means by its number or ID.
func (l *Loop) placed(name string) (stockhand.ResultID, bool) {
	for i, id := range l.ids() {
		if name == toolbox.TableName(i) || strings.EqualFold(name, string(id)) {
			return id, true
		}
	}
	return "", false
}

// better returns the second answer, unless it is worse than the first: with more figures that were found nowhere, or
// without the figures that were found. First may be nil.
func better(first, second *examined) *examined {
	switch {
	case first == nil:
		return second
	case strings.TrimSpace(second.words) == "",
		len(second.checked.Unmatched) > len(first.checked.Unmatched),
		len(first.checked.Matched) > 0 && len(second.checked.Matched)+len(second.places) == 0,
		len(second.checked.Unmatched) == len(first.checked.Unmatched) && len(first.checked.Unmatched) > 0 &&
			len(second.checked.Matched) < len(first.checked.Matched):
		return first
	}
	return second
}
