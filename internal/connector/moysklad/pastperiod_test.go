package moysklad

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R224: what was sold is divided by the days that have passed, and not by those yet to come.
func TestAPeriodOfTheFutureDoesNotDilutePace(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, q := range []struct{ tool, arguments string }{
		{"moysklad_product", `{"product":"00018"`}, {"moysklad_shortages", `{"days":30`},
		{"moysklad_abc_xyz", `{"by":"revenue"`},
		{"moysklad_analyze", `{"measures":["pace","days_of_cover"],"by":["product"]`},
		{"moysklad_analyze", `{"measures":["per_week"],"by":["product"],"define":[{"name":"per_week","formula":"pace * 7"}]`},
	} {
		past := callTool(t, a, q.tool, q.arguments+`,"from":"2026-10-22","to":"2026-11-20"}`)
		r := callTool(t, a, q.tool, q.arguments+`,"from":"2026-10-22","to":"2026-12-31"}`)
		if r.Answer != past.Answer || asJSON(r.Rows) != asJSON(past.Rows) || r.Provenance.Period.To != "2026-11-20" {
			t.Errorf("%s %s: %s\nwant %s", q.tool, q.arguments, r.Answer, past.Answer)
		}
		if countNotices(r, "заканчивается в будущем") != 1 || countNotices(past, "в будущем") != 0 {
			t.Errorf("%s: %v", q.tool, r.Notices)
		}
		_, err := tryTool(a, q.tool, q.arguments+`,"from":"2026-11-21","to":"2026-12-31"}`, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s of the future: %v", q.tool, err)
		}
	}
	for _, name := range []string{"moysklad_propose_supplier_orders", "moysklad_propose_transfers", minimums4} {
		in := `{"from":"2026-10-22","to":"2026-12-31"`
		if name == minimums4 {
			in += `,"everything":true`
		}
		quantities := func(in string) (all []string) {
			p, err := tryProposal(t, a, name, in+"}")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range p.Documents {
				for _, l := range d.Lines {
					all = append(all, l.Product.Name+" "+l.Quantity.String()+" "+l.Reason)
				}
			}
			return all
		}
		past := quantities(strings.Replace(in, "2026-12-31", "2026-11-20", 1))
		if got := quantities(in); len(got) == 0 || !slices.Equal(got, past) {
			t.Errorf("%s: %d lines, want %d", name, len(got), len(past))
		}
	}
	// Sums of a period that may hold documents of the future are those of the whole period.
	for name, in := range map[string]string{"moysklad_documents": `{"kinds":["customerorder"]`,
		"moysklad_analyze": `{"measures":["revenue"]`} {
		r := callTool(t, a, name, in+`,"from":"2026-10-22","to":"2026-12-31"}`)
		if r.Provenance.Period.To != "2026-12-31" || countNotices(r, "в будущем") != 0 {
			t.Errorf("%s: %v", name, r.Notices)
		}
	}
}
