package chart

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Wish is a chart as the blocks of an answer describe it. Kind is line, bar, pareto, shares or histogram.
type Wish struct {
	Kind   string
	Title  string
	X      string
	Y      []string
	Series string
}

// Wishes are the kinds of a wish.
var Wishes = []string{"line", "bar", "pareto", "shares", "histogram"}

var wished = map[string]Kind{"line": Line, "bar": Bars, "pareto": Pareto, "shares": Shares}

// Wished returns the chart of a table for a wish; it reports false if the table has nothing to draw, see [Of]. Bars of
// hours and weekdays stand side by side; those of named things lie.
func Wished(r *tool.Result, w Wish, l stockhand.Language) (Chart, bool) {
	s := Spec{Kind: wished[w.Kind], Title: w.Title, X: w.X, Y: w.Y, Series: w.Series}
	if w.Kind == "histogram" && len(w.Y) > 0 {
		r, s = Histogram(r, w.X, w.Y[0], l)
		s.Title = w.Title
	}
	if w.Kind == "bar" && (w.X == "weekday" || w.X == "hour") {
		s.Kind = Columns
	}
	if len(w.Y) == 2 && w.Y[1] == w.Y[0]+"_before" {
		s.Before = w.Y[1]
	}
	if s.Kind == "" {
		return Chart{}, false
	}
	return Of(r, s, l)
}

// paper are the colours of classes in a file, which has no style sheet: those of the light theme.
var paper = map[string]string{"c1": "#3b4cca", "c2": "#b4540a", "c3": "#0f766e", "c4": "#a21a7a", "c5": "#4d7c0f",
	"c6": "#6b7280", "whole": "#b4540a", "before": "#8a90a0", "base": "#8a90a0", "grid": "#e3e5ea", "tick": "#5a6070",
	"note": "#5a6070", "on": "#ffffff"}

// ink is the colour of texts in a file.
const ink = "#16181d"

func colourOf(class string) string {
	first, _, _ := strings.Cut(class, " ")
	if c, ok := paper[first]; ok {
		return c
	}
	return ink
}

// The measures of a file in pixels.
const (
	fileMargin  = 16
	titleHeight = 28
	legendLine  = 18
)

// mark is an entry of a legend.
type mark struct {
	x, y          float64
	class, dashes string
	line          bool
	text          string
}

// sheet is a picture with its title and legend.
type sheet struct {
	picture
	title string
	marks []mark
	top   float64 // where the picture begins
}

// sheet returns the picture for a file.
func (c Chart) sheet() sheet {
	s := sheet{picture: c.draw(desk), title: clip(c.name(), desk/1.2), top: fileMargin + titleHeight}
	if len(c.Series) == 1 && c.Kind != Pareto || c.Kind == Shares {
		return s
	}
	x, y := 0.0, s.top
	add := func(m mark) {
		wide := 18 + 8 + textWidth(m.text) + 20
		if x > 0 && x+wide > desk {
			x, y = 0, y+legendLine
		}
		m.x, m.y = x, y
		s.marks = append(s.marks, m)
		x += wide
	}
	for i, one := range c.Series {
		add(mark{class: c.colour(i), dashes: c.dashes(i), line: c.Kind == Line, text: clip(one.Name, desk/2)})
	}
	if c.Kind == Pareto {
		add(mark{class: "whole", line: true, text: c.Language.Pick("Нарастающим итогом", "Cumulative")})
	}
	s.top = y + legendLine + 8
	return s
}

func (s sheet) total() float64 { return s.top + s.height + fileMargin }

// drawings are the shapes that are seen; those that only show what the mouse points at come last, above the others.
func (s sheet) drawings() []shape {
	out := slices.Clone(s.shapes)
	slices.SortStableFunc(out, func(a, b shape) int { return hover(a) - hover(b) })
	return out
}

func hover(s shape) int {
	if s.class == "hover" {
		return 1
	}
	return 0
}
