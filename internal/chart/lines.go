package chart

import "strings"

// lines draws figures that follow one another in time. A missing point interrupts its line.
func (p *picture) lines(c Chart) {
	f := p.upright(c)
	first, last := c.Points[0].At, c.Points[len(c.Points)-1].At
	if last < first { // the latest comes first in the table
		first, last = last, first
	}
	x := func(i int) float64 {
		if last == first {
			return (f.left + f.right) / 2
		}
		return f.left + 6 + (c.Points[i].At-first)/(last-first)*(f.right-f.left-12)
	}
	p.ticks(c, f, x)
	for s := range c.Series {
		for _, run := range c.runs(s) {
			p.line(c, s, f, run, x)
		}
	}
	width := (f.right - f.left) / float64(len(c.Points))
	for i, point := range c.Points { // where the mouse finds the point
		p.add(shape{kind: "rect", class: "hover", x: x(i) - width/2, y: f.top, w: width, h: f.bottom - f.top,
			title: c.title(point)})
	}
}

// runs divides the points of a series into those that follow one another without a gap.
func (c Chart) runs(series int) (all [][]int) {
	var run []int
	for i, p := range c.Points {
		_, known := p.value(series)
		gap := false
		if n := len(run); n > 0 {
			apart := p.At - c.Points[run[n-1]].At
			gap = apart > 1.01 || apart < -1.01
		}
		if (gap || !known) && len(run) > 0 {
			all, run = append(all, run), nil
		}
		if known {
			run = append(run, i)
		}
	}
	if len(run) > 0 {
		all = append(all, run)
	}
	return all
}

// mostDots is how many points have a dot each.
const mostDots = 40

func (p *picture) line(c Chart, series int, f plot, run []int, x func(int) float64) {
	var d strings.Builder
	for n, i := range run {
		v, _ := c.Points[i].value(series)
		d.WriteString(map[bool]string{true: "M", false: "L"}[n == 0] + at(x(i)) + " " + at(f.y(v)))
	}
	if len(c.Series) == 1 && len(run) > 1 {
		zero := " " + at(f.y(0))
		area := d.String() + "L" + at(x(run[len(run)-1])) + zero + "L" + at(x(run[0])) + zero + "Z"
		p.add(shape{kind: "path", class: c.colour(series), d: area, fill: true, opacity: "0.12"})
	}
	if len(run) > 1 {
		p.add(shape{kind: "path", class: c.colour(series) + " curve", d: d.String(), line: true,
			dashes: c.dashes(series)})
	}
	for _, i := range run {
		if len(run) == 1 || len(c.Points) <= mostDots {
			v, _ := c.Points[i].value(series)
			p.add(shape{kind: "circle", class: c.colour(series), x: x(i), y: f.y(v), r: 3, fill: true})
		}
	}
}

// columns draws figures side by side.
func (p *picture) columns(c Chart) {
	f := p.upright(c)
	step := (f.right - f.left) / float64(len(c.Points))
	x := func(i int) float64 { return f.left + step*(float64(i)+0.5) }
	p.ticks(c, f, x)
	n := float64(len(c.Series))
	width := min(step*0.72/n, 48)
	for i, point := range c.Points {
		for s := range c.Series {
			v, known := point.value(s)
			if !known {
				continue
			}
			top, bottom := f.y(max(v, 0)), f.y(min(v, 0))
			left := x(i) + (float64(s)-n/2)*width
			p.add(shape{kind: "rect", class: c.colour(s), x: left + 0.5, y: top, w: width - 1, h: bottom - top, r: 2,
				fill: true})
			if len(c.Series) == 1 && textWidth(c.short(v)) < step {
				y := top - 4
				if v < 0 {
					y = bottom + 12
				}
				p.label(x(i), y, "middle", "value", c.short(v))
			}
		}
		p.add(shape{kind: "rect", class: "hover", x: x(i) - step/2, y: f.top, w: step, h: f.bottom - f.top,
			title: c.title(point)})
	}
}
