package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// highlights names the figure, the share and the place of the rows that the query highlights, and the share of the rows
// that it is limited to (rule R500).
func (v View) highlights(a *analysis.Answer) string {
	m := v.Plan.Shown[0]
	if v.Hidden(m) || len(v.Plan.By) == 0 {
		return ""
	}
	var b strings.Builder
	for i, r := range a.Rows {
		if !v.highlighted(r.Keys[0]) {
			continue
		}
		fmt.Fprintf(&b, " %s — %s", wording.Upper(wording.InQuotes(v.display(v.Plan.Dims[0], r.Keys[0]), v.Lang)),
			v.cell(m, m.Unit, r.Value(m)).Format(m.Unit, v.Lang))
		if r.Share.Known {
			b.WriteString(v.Pickf(", %s от всего", ", %s of the total", v.percent(r.Share.Decimal)))
		}
		b.WriteString(v.Pickf(", место %d из %d.", ", place %d of %d.", i+1, len(a.Rows)))
	}
	if share, n := v.shareOfPage(a); n > 0 {
		b.WriteString(v.Pickf(" Первые %d — %s от всего.", " The first %d are %s of the total.", n, v.percent(share)))
	}
	return b.String()
}

// highlighted reports whether a row of a key is one that the query highlights, by its name or ID.
func (v View) highlighted(k analysis.Key) bool {
	return slices.ContainsFunc(v.Plan.Highlight, func(s analysis.Scalar) bool {
		return string(s) == k.ID || strings.EqualFold(string(s), k.Name)
	})
}

// shareOfPage returns the share of the first rows that are shown, and their number; 0 where that is not asked for.
func (v View) shareOfPage(a *analysis.Answer) (share decimal.Decimal, n int) {
	if !v.Plan.Share || v.Plan.Limit < 2 || v.Plan.Offset > 0 || len(a.Rows) <= v.Plan.Limit {
		return decimal.Zero, 0
	}
	for _, r := range a.Page() {
		if !r.Share.Known {
			return decimal.Zero, 0
		}
		share = share.Add(r.Share.Decimal)
	}
	return share, v.Plan.Limit
}

func (v View) percent(n decimal.Decimal) string {
	return rounded(decimal.Some(n), 1).Format(tool.UnitPercent, v.Lang)
}
