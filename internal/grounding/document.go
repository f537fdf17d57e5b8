package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// document is a text and its structure.
type document struct {
	text     string
	figures  []*figure
	mentions []mention
	dates    []prose.Date
	whens    []prose.Months
	clauses  []clause
	tables   []*grid
	known    map[string][]columnRef // labels of columns
	lists    map[int]bool           // the lengths of the text's own lists and tables
}

// clause is the part of a text that a name applies to: part of a sentence up to a semicolon, or a row of a table.
type clause struct {
	prose.Span
	sentence prose.Span
	line     int
	cell     bool // a row of a table
	// the clause whose names apply when this one has none: the one before, the item or heading above; −1 for none
	above int
	lead  prose.Span // of an item in a list after a blank line: the last sentence before the list
}

// grid is a table in Markdown.
type grid struct {
	header []string
	names  [][]*name   // of each column, in its header
	rows   [][]*figure // by row and column, the first figure of each cell
	first  []string    // text of each row's first cell with words
}

// cell is the position of a figure in a table.
type cell struct {
	grid        *grid
	row, column int
}

// line is a line of the text.
type line struct {
	prose.Span
	table   bool
	heading int // level; 0 for none
	indent  int
	item    bool
	blank   bool
}

func (d *document) layOut() {
	lines := d.lines()
	d.lists = map[int]bool{}
	var headings [7]int // the last clause of each level's heading
	for i := range headings {
		headings[i] = -1
	}
	type parent struct{ indent, clause int }
	var parents []parent
	items, previous := 0, -1
	var lead prose.Span
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if l.item {
			items++
		} else if !l.blank {
			d.lists[items] = true
			items = 0
		}
		if l.blank {
			previous = -1
			continue
		}
		if l.table {
			end := i
			for end < len(lines) && lines[end].table {
				end++
			}
			d.table(lines[i:end], i, nearest(headings))
			i = end - 1
			continue
		}
		above := nearest(headings)
		if previous >= 0 && !l.item && l.heading == 0 {
			above = previous
		}
		if l.item {
			for len(parents) > 0 && parents[len(parents)-1].indent >= l.indent {
				parents = parents[:len(parents)-1]
			}
			switch {
			case len(parents) > 0:
				above = parents[len(parents)-1].clause
			case previous >= 0:
				above = previous
			}
		} else {
			parents = parents[:0]
		}
		first := len(d.clauses)
		d.split(l, i, above)
		if l.item {
			for k := first; k < len(d.clauses); k++ {
				d.clauses[k].lead = lead
			}
		} else {
			lead = d.clauses[len(d.clauses)-1].sentence
		}
		switch {
		case l.heading > 0:
			headings[l.heading] = first
			for deeper := l.heading + 1; deeper < len(headings); deeper++ {
				headings[deeper] = -1
			}
		case l.item:
			parents = append(parents, parent{l.indent, first})
		default:
			previous = first
		}
	}
	d.lists[items] = true
	delete(d.lists, 0)
	d.assign()
}

func nearest(headings [7]int) int {
	for i := len(headings) - 1; i > 0; i-- {
		if headings[i] >= 0 {
			return headings[i]
		}
	}
	return -1
}

func (d *document) lines() []line {
	var out []line
	for start := 0; start <= len(d.text); {
		end := strings.IndexByte(d.text[start:], '\n')
		if end < 0 {
			end = len(d.text)
		} else {
			end += start
		}
		l := line{Span: prose.Span{Start: start, End: end}}
		body := strings.TrimLeft(d.text[start:end], " \t>")
		l.indent = end - start - len(body)
		body = strings.TrimRight(body, " \t\r")
		l.blank = body == ""
		switch {
		case strings.HasPrefix(body, "|"):
			l.table = true
		case strings.HasPrefix(body, "#"):
			if l.heading = len(body) - len(strings.TrimLeft(body, "#")); l.heading > 6 {
				l.heading = 6
			}
		case strings.HasPrefix(body, "- "), strings.HasPrefix(body, "* "), strings.HasPrefix(body, "• "),
			strings.HasPrefix(body, "+ "):
			l.item = true
		default:
			if n := prose.DigitsIn(body); n > 0 && n <= 3 && n+1 < len(body) && (body[n] == '.' || body[n] == ')') &&
				body[n+1] == ' ' {
				l.item = true
			}
		}
		out = append(out, l)
		start = end + 1
	}
	return out
}

// figuresIn returns the figures that begin in a span.
func (d *document) figuresIn(at prose.Span) []*figure {
	return d.figures[d.index(at.Start):d.index(at.End)]
}

// index returns the index of the first figure that begins at offset or after it.
func (d *document) index(offset int) int {
	i, _ := slices.BinarySearchFunc(d.figures, offset,
		func(f *figure, offset int) int { return cmp.Compare(f.Start, offset) })
	return i
}

// around returns the names of a span before and after an offset, at most [mostNames] on each side.
func (d *document) around(at prose.Span, offset int) (before, behind []mention) {
	all := d.mentionsIn(at)
	i, _ := slices.BinarySearchFunc(all, offset,
		func(m mention, offset int) int { return cmp.Compare(m.End, offset+1) })
	return all[max(0, i-mostNames):i], all[i:min(len(all), i+mostNames)]
}

// mentionsIn returns the names that begin in a span.
func (d *document) mentionsIn(at prose.Span) []mention {
	first := func(offset int) int {
		i, _ := slices.BinarySearchFunc(d.mentions, offset,
			func(m mention, offset int) int { return cmp.Compare(m.Start, offset) })
		return i
	}
	return d.mentions[first(at.Start):first(at.End)]
}

func (d *document) namesIn(at prose.Span) []*name {
	var out []*name
	for _, m := range d.mentionsIn(at) {
		out = append(out, m.name)
	}
	return out
}

// split cuts a line of prose into sentences, and those into clauses.
func (d *document) split(l line, at, above int) {
	figures, mentions := d.figuresIn(l.Span), d.mentionsIn(l.Span)
	inside := func(i int) int { // figures and names are not cut
		for len(figures) > 0 && figures[0].End <= i {
			figures = figures[1:]
		}
		for len(mentions) > 0 && mentions[0].End <= i {
			mentions = mentions[1:]
		}
		switch {
		case len(figures) > 0 && figures[0].Start <= i:
			return figures[0].End
		case len(mentions) > 0 && mentions[0].Start <= i:
			return mentions[0].End
		}
		return i
	}
	first := len(d.clauses)
	sentence, start := l.Start, l.Start
	cut := func(end int, whole bool) {
		if strings.TrimSpace(d.text[start:end]) != "" {
			c := clause{Span: prose.Span{Start: start, End: end},
				sentence: prose.Span{Start: sentence, End: l.End}, line: at, above: above}
			if len(d.clauses) > first {
				c.above = len(d.clauses) - 1
			}
			d.clauses = append(d.clauses, c)
		}
		start = end
		if whole {
			for i := first; i < len(d.clauses); i++ {
				if d.clauses[i].sentence.Start == sentence {
					d.clauses[i].sentence.End = end
				}
			}
			sentence = end
		}
	}
	for i := l.Start; i < l.End; {
		if next := inside(i); next > i {
			i = next
			continue
		}
		r, size := utf8.DecodeRuneInString(d.text[i:])
		i += size
		switch r {
		case ';':
			cut(i, false)
		case '.', '!', '?', '…':
			if d.sentenceEnds(i, l.End) {
				cut(i, true)
			}
		}
	}
	cut(l.End, true)
	if len(d.clauses) == first { // headings refer to their clause, so each needs one
		d.clauses = append(d.clauses, clause{Span: l.Span, sentence: l.Span, line: at, above: above})
	}
}

// sentenceEnds reports whether the period before i ends a sentence: a space and a capital letter, a quotation mark or
// markup follow. After an abbreviation such as "шт." a small letter or a digit continues the sentence.
func (d *document) sentenceEnds(i, end int) bool {
	rest := strings.TrimLeft(d.text[i:end], "*_`)»\"”")
	next := strings.TrimLeft(rest, " \u00a0")
	if next == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(next)
	return len(next) < len(rest) && (unicode.IsUpper(r) || strings.ContainsRune("«\"“„*_`", r))
}

// assign sets the clause of each figure.
func (d *document) assign() {
	k := 0
	for _, f := range d.figures {
		for k < len(d.clauses)-1 && d.clauses[k].End <= f.Start {
			k++
		}
		f.clause = k
	}
}

// totalWord reports whether the first cell of a row says that the row is a total.
func totalWord(text string) bool {
	word := strings.ToLower(strings.Trim(text, " *_`:"))
	for _, w := range []string{"итого", "всего", "total", "сумма", "sum", "вместе"} {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}
