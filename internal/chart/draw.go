package chart

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The widths of a picture in pixels.
const (
	desk  = 720
	phone = 340
)

// picture is a drawn chart.
type picture struct {
	width, height float64
	shapes        []shape
}

// shape is a part of a picture. Only the attributes of its kind are set.
type shape struct {
	kind       string // rect, path, line, circle, text
	class      string
	x, y       float64 // of a rect or text, the center of a circle, the start of a line
	w, h       float64 // of a rect; the end of a line
	r          float64 // of a circle; of the corners of a rect
	d          string  // of a path
	anchor     string  // of a text: start, middle, end
	text       string
	title      string // shown by the mouse
	dashes     string
	fill, line bool // painted with the colour of its class
	opacity    string
}

// draw draws the chart as wide as a desk or a phone has room.
func (c Chart) draw(width float64) picture {
	p := &picture{width: width}
	switch c.Kind {
	case Line:
		p.lines(c)
	case Columns:
		p.columns(c)
	case Bars, Pareto:
		p.bars(c)
	case Shares:
		p.shares(c)
	}
	return *p
}

func (p *picture) narrow() bool { return p.width < 500 }

func (p *picture) add(s shape) { p.shapes = append(p.shapes, s) }

func (p *picture) label(x, y float64, anchor, class, text string) {
	p.add(shape{kind: "text", x: x, y: y, anchor: anchor, class: class, text: text})
}

// colour is the class of a series: its own colour, or that of the period compared with.
func (c Chart) colour(series int) string {
	if c.Series[series].Before {
		return "before"
	}
	return "c" + strconv.Itoa(series%6+1)
}

// dashes distinguish lines for people who do not see their colours.
func (c Chart) dashes(series int) string {
	if c.Series[series].Before {
		return "4 3"
	}
	return []string{"", "7 3", "2 3", "9 3 2 3"}[series%4]
}

// textWidth estimates the width of a text of 12 pixels. Fonts differ, so it is a little more.
func textWidth(s string) float64 {
	width := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune(" .,'|ilI1\u00a0:;()", r):
			width += 4.2
		case strings.ContainsRune("mwMWшщжюмыфШЩЖЮМЫФ@%", r):
			width += 9.6
		case r >= '0' && r <= '9':
			width += 7.2
		case strings.ToUpper(string(r)) == string(r):
			width += 8.8
		default:
			width += 7.3
		}
	}
	return width
}

// clip shortens a text to a width.
func clip(s string, width float64) string {
	if textWidth(s) <= width {
		return s
	}
	for textWidth(s+"…") > width && utf8.RuneCountInString(s) > 1 {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return strings.TrimRight(s, " ,.-–\u00a0") + "…"
}

// at formats a position.
func at(n float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", n), "0"), ".")
}

// plot is the area of a picture between its axes, with a scale of figures from the bottom up.
type plot struct {
	left, right, top, bottom float64
	axis                     axis
}

func (f plot) y(v float64) float64 {
	return f.bottom - (v-f.axis.low)/(f.axis.high-f.axis.low)*(f.bottom-f.top)
}

// upright draws the grid of a chart whose figures go up, and returns its area.
func (p *picture) upright(c Chart) plot {
	p.height = 250
	ticks := 5
	if p.narrow() {
		p.height, ticks = 210, 4
	}
	f := plot{top: 26, bottom: p.height - 24, right: p.width - 10, axis: c.newAxis(ticks)}
	for _, l := range f.axis.labels {
		f.left = max(f.left, textWidth(l)+10)
	}
	if caption := c.caption(f.axis.unit); caption != "" {
		p.label(0, 12, "start", "note", caption)
	}
	for i, v := range f.axis.ticks {
		class := "grid"
		if v == 0 {
			class = "base"
		}
		p.add(shape{kind: "line", class: class, x: f.left, y: f.y(v), w: f.right, h: f.y(v), line: true})
		p.label(f.left-8, f.y(v)+4, "end", "tick", f.axis.labels[i])
	}
	return f
}

// ticks writes as many labels below the points as there is room for.
func (p *picture) ticks(c Chart, f plot, x func(i int) float64) {
	widest := 0.0
	for _, point := range c.Points {
		widest = max(widest, textWidth(point.Short))
	}
	every := 1
	for n := len(c.Points); float64(n/every)*(widest+14) > f.right-f.left+14 && every < n; every++ {
	}
	for i := 0; i < len(c.Points); i += every {
		text, anchor, place := c.Points[i].Short, "middle", x(i)
		half := textWidth(text) / 2
		if place+half > p.width {
			anchor, place = "end", p.width
		}
		if place-half < 0 {
			anchor, place = "start", 0
		}
		p.label(place, p.height-6, anchor, "tick", clip(text, max(40, f.right-f.left)))
	}
}

// title is what the mouse shows at a point: its name and figures, exactly.
func (c Chart) title(p Point) string {
	lines := []string{p.Label}
	for i, s := range c.Series {
		text := p.Values[i].Format(c.Unit, c.Language)
		if len(c.Series) > 1 {
			text = s.Name + ": " + text
		}
		lines = append(lines, text)
	}
	if !p.Whole.IsEmpty() {
		lines = append(lines, c.Language.Pick("нарастающим итогом ", "cumulative ")+
			p.Whole.Format("percent", c.Language))
	}
	return strings.Join(lines, "\n")
}
