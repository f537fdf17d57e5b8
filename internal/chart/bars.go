package chart

import (
	"strconv"

	"github.com/stockhand/stockhand/internal/tool"
)

// bars draws figures of named things below one another, because names are long. A desk has the names beside the bars, a
// phone above them. In a Pareto chart, a line shows what the bars come to together.
func (p *picture) bars(c Chart) {
	low, high := c.bounds()
	if high == low {
		high = low + 1
	}
	names, figures, negative := 0.0, 0.0, 0.0
	for _, point := range c.Points {
		names = max(names, textWidth(point.Label))
		for s := range c.Series {
			v, known := point.value(s)
			if width := textWidth(c.short(v)) + 8; known && v < 0 {
				negative = max(negative, width)
			} else if known {
				figures = max(figures, width)
			}
		}
	}
	names = min(names+12, p.width*0.34)
	thick, gap, above := 16.0, 10.0, 0.0
	if len(c.Series) > 1 {
		thick = 14
	}
	if p.narrow() {
		names, above, gap = 0, 17, 12
	}
	left, right, top := names+negative, p.width-figures-4, 4.0
	var marks []float64
	if c.Kind == Pareto {
		right, top, marks = right-50, 22, []float64{50, 80, 100}
	}
	zero := left - low/(high-low)*(right-left)
	x := func(v float64) float64 { return left + (v-low)/(high-low)*(right-left) }
	y := top
	var path string
	for i, point := range c.Points {
		start := y
		if p.narrow() {
			p.label(0, y+12, "start", "name", clip(point.Label, p.width))
		} else {
			p.label(names-10, y+float64(len(c.Series))*thick/2+4, "end", "name", clip(point.Label, names-10))
		}
		y += above
		for _, percent := range marks {
			to := left + percent/100*(right-left)
			p.add(shape{kind: "line", class: "grid", x: to, y: y - 2, w: to, h: y + thick + 2, line: true,
				dashes: "3 3"})
		}
		p.add(shape{kind: "line", class: "base", x: zero, y: y - 3, w: zero,
			h: y + thick*float64(len(c.Series)) + 3, line: true})
		for s := range c.Series {
			p.bar(c, point, s, x, zero, y, thick)
			y += thick
		}
		if percent, ok := point.Whole.Decimal(); ok && c.Kind == Pareto {
			mid := y - thick/2
			to := left + percent.Float64()/100*(right-left)
			path += map[bool]string{true: "M", false: "L"}[path == ""] + at(to) + " " + at(mid)
			p.add(shape{kind: "circle", class: "whole", x: to, y: mid, r: 3, fill: true})
			p.label(p.width, mid+4, "end", "tick", point.Whole.Format(tool.UnitPercent, c.Language))
		}
		p.add(shape{kind: "rect", class: "hover", x: 0, y: start, w: p.width, h: y - start,
			title: c.title(c.Points[i])})
		y += gap
	}
	p.height = y
	if path != "" {
		p.add(shape{kind: "path", class: "whole curve", d: path, line: true})
		for _, percent := range marks {
			to := left + percent/100*(right-left)
			p.label(to, 12, "middle", "tick", strconv.Itoa(int(percent))+c.Language.Pick("\u00a0%", "%"))
		}
	}
}

// bar draws a bar and its figure.
func (p *picture) bar(c Chart, point Point, series int, x func(float64) float64, zero, y, thick float64) {
	v, known := point.value(series)
	if !known {
		p.label(zero+6, y+thick/2+4, "start", "value", "—")
		return
	}
	from, to := min(zero, x(v)), max(zero, x(v))
	p.add(shape{kind: "rect", class: c.colour(series), x: from, y: y + 1, w: max(to-from, 1), h: thick - 2, r: 2,
		fill: true})
	if v < 0 {
		p.label(from-6, y+thick/2+4, "end", "value", c.short(v))
	} else {
		p.label(to+6, y+thick/2+4, "start", "value", c.short(v))
	}
}

// mostParts is how many parts of a whole have a part of their own.
const mostParts = 6

// parts returns the chart with the smallest parts put together, in order.
func (c Chart) parts() (names []string, values []tool.Value, percents []float64) {
	total := 0.0
	for _, p := range c.Points {
		if v, ok := p.value(0); ok && v > 0 {
			total += v
		}
	}
	positive := 0
	for _, p := range c.Points {
		if v, _ := p.value(0); v > 0 {
			positive++
		}
	}
	rest, sum := 0, tool.Empty
	for _, p := range c.Points {
		v, ok := p.value(0)
		if !ok || v <= 0 {
			continue
		}
		if positive > mostParts && len(names) == mostParts-1 || len(names) == mostParts {
			rest++
			sum = tool.SumCells([]tool.Value{sum, p.Values[0]}, func(v tool.Value) tool.Value { return v })
			continue
		}
		names, values, percents = append(names, p.Label), append(values, p.Values[0]), append(percents, v/total*100)
	}
	if n, ok := sum.Decimal(); ok {
		names = append(names, c.Language.Pick("остальные: ", "others: ")+strconv.Itoa(rest))
		values, percents = append(values, sum), append(percents, n.Float64()/total*100)
	}
	return names, values, percents
}

// shares draws the parts of a whole in one bar, with a line for each below it.
func (p *picture) shares(c Chart) {
	names, values, percents := c.parts()
	const thick, row = 30.0, 22.0
	x := 0.0
	for i, percent := range percents {
		class, width := "c"+strconv.Itoa(i+1), percent/100*p.width
		text := number(percent, 1, true, c.Language) + c.Language.Pick("\u00a0%", "%")
		p.add(shape{kind: "rect", class: class, x: x, y: 0, w: max(width-1.5, 0.5), h: thick, r: 2, fill: true,
			title: names[i] + "\n" + values[i].Format(c.Unit, c.Language) + "\n" + text})
		if textWidth(text)+8 < width {
			p.label(x+width/2, thick/2+4, "middle", "on", text)
		}
		x += width
		y := thick + 10 + row*float64(i)
		p.add(shape{kind: "rect", class: class, x: 0, y: y + 4, w: 12, h: 12, r: 2, fill: true})
		figure := values[i].Format(c.Unit, c.Language)
		if p.narrow() {
			v, _ := values[i].Decimal()
			figure = c.short(v.Float64())
		}
		figure += " · " + text
		p.label(p.width, y+14, "end", "value", figure)
		p.label(20, y+14, "start", "name", clip(names[i], p.width-textWidth(figure)-32))
	}
	p.height = thick + 10 + row*float64(len(names))
}
