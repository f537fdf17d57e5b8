package blocks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/tool"
)

// Place is where a model's text has a table, a chart or key figures of a result (rule R366, decision 69).
type Place struct {
	Start, End int // bytes of the text, with the line break after a reference that is alone on its line
	Kind       Kind
	Result     string // r2, or the result's ID
	Columns    []string
	Rows       int // 0: as many as an answer shows
}

// The bounds of what a model places.
const (
	mostPlaces = 8
	mostPlaced = 50 // rows of a table
)

// reference matches what a model writes: [[table r2]], [[table r2 columns=name,profit rows=5]], [[chart r2]],
// [[kpi r2]]; also as small models write it: with a colon, in braces, in backticks.
var (
	reference = regexp.MustCompile("(?i)`?(?:\\[\\[|\\{\\{)\\s*(table|chart|kpi|figures)[\\s:=]+(r\\d{1,4}|res_[\\w-]{1,60})" +
		"\\b([^\\]}\n]{0,200})(?:\\]\\]|\\}\\})`?")
	option = regexp.MustCompile(`(?i)(columns|rows)\s*[=:]\s*([^\s;,]+(?:\s*,\s*[^\s;=,]+)*)`)
)

var placeable = map[string]Kind{"table": Table, "chart": Chart, "kpi": KPI, "figures": KPI}

// Places returns the references of a text to results, in order; the same one only once, the others as text to leave
// out: their Kind is empty.
func Places(text string) []Place {
	var out []Place
	seen := map[string]bool{}
	for _, at := range reference.FindAllStringSubmatchIndex(text, -1) {
		p := Place{Start: at[0], End: at[1], Result: strings.ToLower(text[at[4]:at[5]])}
		kind := placeable[strings.ToLower(text[at[2]:at[3]])]
		for _, o := range option.FindAllStringSubmatch(text[at[6]:at[7]], -1) {
			if strings.EqualFold(o[1], "rows") {
				p.Rows, _ = strconv.Atoi(o[2])
				p.Rows = min(max(p.Rows, 0), mostPlaced)
				continue
			}
			for c := range strings.SplitSeq(o[2], ",") {
				p.Columns = append(p.Columns, strings.TrimSpace(c))
			}
		}
		if key := string(kind) + " " + p.Result; !seen[key] && len(seen) < mostPlaces {
			seen[key] = true
			p.Kind = kind
		}
		out = append(out, p)
	}
	return out
}

// Of returns the blocks of a place, and the same as Markdown. A chart is a table where only text is shown; alone says
// that the text has no table of the result beside it.
func (p Place) Of(id stockhand.ResultID, t tool.Table, alone bool, l stockhand.Language) ([]Block, render.Markdown,
	error) {
	rows := p.Rows
	if rows == 0 {
		rows = render.ShownRows
	}
	var out []Block
	var texts []string
	first := 0
	for i, part := range t.Split() {
		whole, err := part.First(rows)
		if err != nil {
			return nil, "", err
		}
		at := first
		first += part.Count
		if len(whole.Rows) == 0 {
			continue
		}
		chosen := render.Choose(whole, p.Columns)
		b := Block{Type: Table, Title: whole.Title, Result: id, Columns: render.Columns(chosen), Offset: at,
			Limit: min(part.Count, rows)}
		if len(t.Parts) > 0 {
			b.Part = &i
		}
		text := string(render.Table(chosen, part.Count-len(whole.Rows), l))
		switch p.Kind {
		case KPI:
			if k, ok := keyFiguresOf(id, chosen, at, part.Count, l); ok {
				b = k
			}
		case Chart:
			if c, ok := p.chart(whole, b, part.Count); ok {
				b = c
				if !alone {
					text = ""
				}
			}
		case Text, Table, Draft, Question:
		}
		out = append(out, b)
		if text != "" {
			texts = append(texts, text)
		}
	}
	return out, render.Markdown(strings.Join(texts, "\n\n")), nil
}

// keyFiguresOf returns the figures of the only row, or the totals of several.
func keyFiguresOf(id stockhand.ResultID, r *tool.Result, at, count int, l stockhand.Language) (Block, bool) {
	if count == 1 {
		return keyFigures(id, r, at, l), true
	}
	b := Block{Type: KPI, Title: r.Title}
	for i, c := range r.Columns {
		if len(r.Totals) > i && !r.Totals[i].IsEmpty() && slices.Contains(render.Columns(r), c.Name) {
			b.Figures = append(b.Figures, figureOf(c, r.Totals[i], Source{Result: id, Column: c.Name}, l))
		}
	}
	return b, len(b.Figures) > 0
}

// chart returns the chart of a part: of the chosen columns, or as people would look at it, or bars of its first
// figure.
func (p Place) chart(r *tool.Result, table Block, count int) (Block, bool) {
	c, ok := chartOf(r, table, count)
	keys, values := keysOf(r), valuesOf(r)
	if !ok {
		if len(keys) == 0 || len(values) == 0 || count < 2 {
			return c, false
		}
		c.X, c.Y, c.Chart, c.Limit = keys[0], values[:1], Bar, min(count, mostBars)
	}
	var chosen []string
	for _, name := range p.Columns {
		if slices.Contains(values, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) > 0 && c.Chart != Pareto {
		c.Y = alike(r, chosen)
	}
	if p.Rows > 0 {
		c.Limit = min(c.Limit, p.Rows)
	}
	return c, true
}
