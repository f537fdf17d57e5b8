package typed

import (
	"embed"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
)

//go:embed vocabulary/*.words
var files embed.FS

// The words of measures and dimensions come from the catalogue; the files have further ones that people use, and those
// of the language itself.
var (
	entriesOfFiles = readWords()
	kindNames      = map[string]Kind{"best": Best, "worst": Worst, "topRows": TopRows, "except": Except, "only": Only,
		"with": With, "share": Share, "why": Why, "per": Per, "absent": Absent, "belowCost": BelowCost,
		"losing":   Losing,
		"negative": Negative, "nonzero": Nonzero, "sorting": Sorting, "trend": Trend, "overYear": OverYear,
		"overMonth": OverMonth, "about": About, "reverse": Reverse, "inMoney": InMoney, "everywhere": Everywhere,
		"apart": Apart, "perDay": PerDay, "average": Average, "joining": Joining,
		"inUnits": InUnits, "earlier": Earlier, "contents": Contents, "clear": Clear, "toNow": ToNow, "idle": Function,
		"unclear": Unexplained}
)

func readWords() []vocabulary.Entry {
	list, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("typed: " + err.Error())
	}
	return list
}

// meaningOf returns what an entry of a file means. A meaning that the catalogue or the code does not know is an error.
// Measures may be several, all of which are shown.
func meaningOf(c *analysis.Catalogue, e *vocabulary.Entry) (entry, error) {
	unknown := func() (entry, error) {
		return entry{}, fmt.Errorf("typed: %s: unknown meaning %q in [%s]", e.Place, e.Meaning, e.Section)
	}
	switch e.Section {
	case "measure":
		for m := range strings.FieldsSeq(e.Meaning) {
			if _, ok := c.Measure(m); !ok {
				return unknown()
			}
		}
		return entry{kind: Measure, id: e.Meaning}, nil
	case "sorted":
		m, order, _ := strings.Cut(e.Meaning, " ")
		d := analysis.Direction(order)
		if _, ok := c.Measure(m); !ok || d != analysis.Ascending && d != analysis.Descending {
			return unknown()
		}
		return entry{kind: Measure, id: m, order: d}, nil
	case "least":
		m, n, _ := strings.Cut(e.Meaning, " ")
		if _, ok := c.Measure(m); !ok || n == "" {
			return unknown()
		}
		return entry{kind: Measure, id: m, least: n}, nil
	case "none":
		if _, ok := c.Measure(e.Meaning); !ok {
			return unknown()
		}
		return entry{kind: Measure, id: e.Meaning, none: true}, nil
	case "dimension":
		if _, ok := c.Dimension(e.Meaning); !ok {
			return unknown()
		}
		return entry{kind: Dimension, id: e.Meaning}, nil
	case "breakdown":
		if _, ok := c.Dimension(e.Meaning); !ok {
			return unknown()
		}
		return entry{kind: Dimension, id: e.Meaning, each: true}, nil
	case "cash":
		return entry{kind: Cash, id: e.Meaning}, nil
	case "kind":
		k, ok := kindNames[e.Meaning]
		if !ok {
			return unknown()
		}
		return entry{kind: k}, nil
	case "shift":
		return entry{kind: Earlier, id: e.Meaning}, nil
	case "factor":
		return entry{kind: Factor, id: e.Meaning}, nil
	case "operator":
		return entry{kind: Operator, id: e.Meaning}, nil
	}
	return unknown()
}
