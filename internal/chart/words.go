package chart

import (
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// name is how a screen reader calls the picture.
func (c Chart) name() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Series[0].Name
}

// about describes the picture in a sentence: what it shows, and where it is least and greatest.
func (c Chart) about() string {
	var names []string
	for _, s := range c.Series {
		names = append(names, s.Name)
	}
	kind := map[Kind]tool.Text{
		Line:    {RU: "Линия по времени", EN: "Line over time"},
		Columns: {RU: "Столбцы", EN: "Columns"},
		Bars:    {RU: "Полосы", EN: "Bars"},
		Pareto:  {RU: "Диаграмма Парето", EN: "Pareto chart"},
		Shares:  {RU: "Доли целого", EN: "Parts of a whole"},
	}[c.Kind].In(c.Language)
	text := kind + ": " + strings.Join(names, ", ") + "."
	least, most := -1, -1
	for i, p := range c.Points {
		v, ok := p.value(0)
		if !ok {
			continue
		}
		if least < 0 || v < valueOf(c.Points[least]) {
			least = i
		}
		if most < 0 || v > valueOf(c.Points[most]) {
			most = i
		}
	}
	if most < 0 {
		return text
	}
	said := func(what string, p Point) string {
		return " " + what + ": " + p.Label + ", " + p.Values[0].Format(c.Unit, c.Language) + "."
	}
	text += said(c.Language.Pick("Больше всего", "The most"), c.Points[most])
	return text + said(c.Language.Pick("Меньше всего", "The least"), c.Points[least])
}

func valueOf(p Point) float64 {
	v, _ := p.value(0)
	return v
}

// paint is the colour that a shape is filled with.
func (s shape) paint() string {
	if s.fill {
		return "currentColor"
	}
	return "none"
}

// spark returns the path of a line as wide and high as given.
func (c Chart) spark(width, height float64) string {
	low, high := c.bounds()
	if high == low {
		high = low + 1
	}
	var d strings.Builder
	for _, run := range c.runs(0) {
		for n, i := range run {
			v, _ := c.Points[i].value(0)
			x := (c.Points[i].At - c.Points[0].At) / max(c.Points[len(c.Points)-1].At-c.Points[0].At, 1) * width
			d.WriteString(map[bool]string{true: "M", false: "L"}[n == 0] + at(x) + " " +
				at(2+(high-v)/(high-low)*(height-4)))
		}
	}
	return d.String()
}
