package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// reach says whether an amount is of one piece or of all of them.
type reach uint8

const (
	anyReach reach = iota
	ofEach         // "at 5 ₽ each", "3 шт. по 5 ₽"
	ofAll          // "5 ₽ in total", "3 шт. на 5 ₽"
)

// Words directly before an amount, behind a quantity before it, and directly behind it.
var (
	wholeBefore = []string{"на сумму", "в сумме", "общей суммой", "на общую", "value of", "total of", "worth"}
	eachBefore  = []string{"по цене", "each worth", "each at"}
	wholeJoin   = []string{"на", "worth", "for"}
	eachJoin    = []string{"по", "at", "@", "x", "х", "×", "*"}
	wholeBehind = []string{"in total", "in all", "altogether", "всего", "в сумме", "total value"}
	eachBehind  = []string{"each", "apiece", "a piece", "per unit", "per piece", "per item", "per kg",
		"за штуку", "за шт",
		"за единицу", "за кг", "за килограмм", "за упаковку", "за пачку", "за литр", "за метр", "за каждую",
		"за каждый",
		"каждая", "каждый"}
)

// reachOf returns what the words beside an amount say about it.
func (c *checker) reachOf(f *figure) reach {
	if f.cell != nil || f.Kind != money {
		return anyReach
	}
	behind := c.doc.text[f.UnitEnd:min(len(c.doc.text), f.UnitEnd+farthest)]
	if strings.HasPrefix(behind, "/") { // 5 ₽/шт
		return ofEach
	}
	if r := beginning(behind); r != anyReach {
		return r
	}
	from := max(0, f.Start-farthest)
	if i := c.doc.index(f.Start); i > 0 && c.doc.figures[i-1].UnitEnd <= f.Start {
		before := c.doc.figures[i-1]
		from = max(from, before.UnitEnd)
		if before.Kind == quantity || before.Kind == count {
			switch between := strings.ToLower(strings.Trim(c.doc.text[before.UnitEnd:f.Start], " .*_\u00a0")); {
			case slices.Contains(wholeJoin, between):
				return ofAll
			case slices.Contains(eachJoin, between):
				return ofEach
			}
		}
	}
	last := prose.LastWords(c.doc.text[from:f.Start], 2)
	slices.Reverse(last)
	two := strings.Join(last, " ")
	one := two[strings.LastIndexByte(two, ' ')+1:]
	switch {
	case slices.Contains(eachBefore, two):
		return ofEach
	case slices.Contains(wholeBefore, two), slices.Contains(wholeBefore, one):
		return ofAll
	}
	return anyReach
}

// beginning returns what the first words of a text say about the amount before it.
func beginning(text string) reach {
	var said []string
	end := 0
	for _, t := range prose.Tokens(text) {
		between := text[end:t.Start]
		if len(said) == 2 || strings.ContainsAny(between, ",;:—–(\n") || strings.Contains(between, ". ") {
			break
		}
		said, end = append(said, t.Folded), t.End
	}
	for n := len(said); n > 0; n-- {
		switch words := strings.Join(said[:n], " "); {
		case slices.Contains(eachBehind, words):
			return ofEach
		case slices.Contains(wholeBehind, words):
			return ofAll
		}
	}
	return anyReach
}

// reaches reports whether the words beside an amount allow it to be of a fact's column. Where a table has amounts of
// one piece and of all, their names tell them apart.
func (c *checker) reaches(f *figure, of fact) bool {
	if of.table < 0 || of.column == "" || of.kind != money {
		return true
	}
	switch c.reachOf(f) {
	case ofAll:
		return !strings.Contains(of.column, "price") && !slices.ContainsFunc(c.sources[of.table].columns,
			func(col tool.Column) bool { return col.Name == of.column+"_sum" })
	case ofEach:
		return of.column != "sum" && !strings.HasSuffix(of.column, "_sum")
	case anyReach:
	}
	return true
}
