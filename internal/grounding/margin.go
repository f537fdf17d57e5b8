package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// coverageColumn is the column of profitability with the share of revenue whose cost is known.
const coverageColumn = "cost_known_percent"

// ofPrice are the columns with the markup and the margin of a price on a card, which are of no sales.
var ofPrice = []string{"price_markup", "price_margin"}

// coverage returns the sentence to add to an answer that states a margin without the share of revenue whose cost is
// known (rule R18), or an empty string. Margins of prices in drafts and margins from the user's messages need no such
// share.
func (c *checker) coverage() string {
	margin, covered := false, false
	for _, f := range c.doc.figures {
		switch {
		case f.Kind != percent && f.Kind != bare:
		case f.found != nil && f.found.column == coverageColumn, c.beside(f, costCue) && c.isCoverage(f):
			covered = true
		case f.Kind == percent && c.near(f, marginCue) && !c.exempt(f), f.Kind == bare && f.cell != nil &&
			c.near(f, marginCue) && !c.exempt(f):
			margin = true
		}
	}
	if !margin || covered {
		return ""
	}
	say := c.coverageKnown()
	if strings.Contains(c.doc.text, say) {
		return ""
	}
	return say
}

func (c *checker) exempt(f *figure) bool {
	return f.found != nil && (f.found.origin == FromPerson || f.verbatim || f.found.origin == FromArgument ||
		f.found.origin == FromCount || slices.Contains(ofPrice, f.found.column) ||
		f.found.table >= 0 && c.sources[f.found.table].draft)
}

// isCoverage reports whether a figure is a coverage from a result.
func (c *checker) isCoverage(f *figure) bool {
	for _, of := range c.coverages() {
		if f.is(of) {
			return true
		}
	}
	return false
}

// coverages returns the shares of revenue with known cost, one for each result.
func (c *checker) coverages() []fact {
	var out []fact
	for t, s := range c.sources {
		for i, column := range s.columns {
			if column.Name == coverageColumn && i < len(s.totals) {
				if of, ok := cellFact(column, s.totals[i]); ok {
					of.location = location{FromTotal, t, column.Name, -1}
					out = append(out, of)
				}
			}
		}
		for _, n := range s.coverage {
			d := c.read(n)
			for _, f := range d.figures {
				if f.Kind == percent && len(f.Readings) > 0 {
					out = append(out, fact{value: f.Readings[0].Value, kind: percent,
						location: location{FromText, t, "", -1}})
				}
			}
		}
	}
	return out
}

func (c *checker) coverageKnown() string {
	all := c.coverages()
	if len(all) == 0 {
		return c.l.Pick("Для какой доли выручки известна себестоимость, прочитанные данные не говорят: маржу по ним проверить нельзя.",
			"The data that was read does not say for what share of revenue the cost is known: the margin cannot be checked.")
	}
	var shares []string
	seen := map[string]bool{}
	for _, of := range all {
		share := tool.Number(of.value).Format(tool.UnitPercent, c.l)
		if key := of.value.Round(1).String(); !seen[key] {
			seen[key] = true
			shares = append(shares, share)
		}
	}
	return c.l.Pick("Маржа — по той части выручки, себестоимость которой известна: ",
		"The margin is of the revenue whose cost is known: ") + strings.Join(shares, "; ") + "."
}
