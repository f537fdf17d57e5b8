package moysklad

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R1139: the same documents in each order, and a limit keeps the first rows of the order.
func TestDocumentsComeInTheOrderAskedFor(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, c := range []struct{ in, order, says, shows string }{
		{`"kinds":["demand"],"from":"2026-10-01","to":"2026-10-31"`, "oldest", "сначала старые", "самых старых"},
		{`"kinds":["demand"],"from":"2026-10-01","to":"2026-10-31"`, "largest", "сначала большие", "самых больших"},
		{`"kinds":["demand"],"from":"2026-10-01","to":"2026-10-31"`, "smallest", "сначала маленькие",
			"самых маленьких"},
		{`"kinds":["customerorder"],"unshipped":true`, "planned", "по плановой дате", "ближайших"},
	} {
		newest := callTool(t, a, "moysklad_documents", `{`+c.in+`}`)
		r := callTool(t, a, "moysklad_documents", `{`+c.in+`,"order":"`+c.order+`"}`)
		if len(r.Rows) != len(newest.Rows) || fmt.Sprint(r.Totals) != fmt.Sprint(newest.Totals) ||
			!strings.Contains(r.Answer, c.says) {
			t.Errorf("%s: %s", c.order, r.Answer)
		}
		for i := 1; i < len(r.Rows); i++ {
			before, row := r.Row(i-1), r.Row(i)
			sums := number(t, r, r.Rows[i-1], "sum").Cmp(number(t, r, r.Rows[i], "sum"))
			planned := row["planned"].Text() != "" && before["planned"].Text() > row["planned"].Text()
			switch {
			case c.order == "oldest" && before["date"].Text() > row["date"].Text(), c.order == "largest" && sums < 0,
				c.order == "smallest" && sums > 0, c.order == "planned" && planned:
				t.Errorf("%s: row %d is not in order", c.order, i)
			}
		}
		cut := callTool(t, a, "moysklad_documents", `{`+c.in+`,"limit":3,"order":"`+c.order+`"}`)
		if len(cut.Rows) != 3 || cut.Row(2)["id"].Text() != r.Row(2)["id"].Text() ||
			!strings.Contains(cut.Answer, c.shows) {
			t.Errorf("%s: %s", c.order, cut.Answer)
		}
	}
}

// Rule R1140: the groups have all documents, and their sums are those of the documents.
func TestDocumentsAreCountedByGroup(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	of := map[string]func(*company.Document) string{
		"store":        func(d *company.Document) string { return d.Store.Name },
		"counterparty": func(d *company.Document) string { return d.Agent.Name },
		"employee":     func(d *company.Document) string { return d.Owner.ShortName },
		"day":          func(d *company.Document) string { return string(tool.DayOf(d.Moment.In(msapi.Moscow))) },
		"month":        func(d *company.Document) string { return d.Moment.In(msapi.Moscow).Format("2006-01") },
	}
	for by, key := range of {
		r := callTool(t, a, "moysklad_documents",
			`{"kinds":["demand"],"from":"2026-10-01","to":"2026-11-20","by":"`+by+`"}`)
		counts, sums := map[string]int{}, map[string]decimal.Decimal{}
		for _, d := range s.company.Documents(company.DemandDoc) {
			if !inDays("2026-10-01", "2026-11-20")(d) {
				continue
			}
			counts[key(d)]++
			if d.Applicable {
				sums[key(d)] = sums[key(d)].Add(d.Sum.Decimal().Major())
			}
		}
		if len(r.Rows) != len(counts) {
			t.Errorf("%s: %d groups, want %d", by, len(r.Rows), len(counts))
		}
		for i := range r.Rows {
			name := r.Row(i)[by].Text()
			wantEqual(t, by+" "+name, number(t, r, r.Rows[i], "sum"), sums[name])
			wantEqual(t, by+" "+name, number(t, r, r.Rows[i], "documents"), decimal.FromInt(int64(counts[name])))
		}
	}
	moved := callTool(t, a, "moysklad_documents", `{"kinds":["move"],"by":"target_store"}`)
	if !strings.Contains(moved.Answer, "по складам, куда переместили: больше всего — «") {
		t.Error(moved.Answer)
	}
	left := callTool(t, a, "moysklad_documents", `{"kinds":["customerorder"],"unshipped":true,"by":"state"}`)
	if column(t, left, "left_sum").Hidden || !strings.Contains(left.Answer, "по статусам") {
		t.Error(left.Answer)
	}
	for _, in := range []string{`{"kinds":["paymentin"],"by":"store"}`, `{"kinds":["demand"],"by":"target_store"}`,
		`{"kinds":["demand"],"order":"planned"}`, `{"kinds":["loss"],"by":"counterparty"}`} {
		if _, err := tryTool(a, "moysklad_documents", in, tool.Env{Now: noon}); err == nil {
			t.Errorf("%s is no error", in)
		}
	}
}

// Rule R1141: documents with any good of a group, and orders of a sales channel.
func TestDocumentsOfAGroupOfGoodsAndOfAChannel(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var group *company.Folder
	for _, d := range s.company.Documents(company.DemandDoc) {
		if group == nil && len(d.Positions) > 0 {
			group = d.Positions[0].Good.Root().Folder
		}
	}
	inGroup := func(d *company.Document) bool {
		return slices.ContainsFunc(d.Positions, func(p company.Position) bool {
			for f := p.Good.Root().Folder; f != nil; f = f.Parent {
				if f == group {
					return true
				}
			}
			return false
		})
	}
	isKind := func(k company.DocumentType) func(*company.Document) bool {
		return func(d *company.Document) bool { return d.Type == k }
	}
	in := fmt.Sprintf(`{"kinds":["demand"],"groups":[%q],"from":"2026-11-01","to":"2026-11-20"}`, group.Name)
	wantDocuments(t, in, callTool(t, a, "moysklad_documents", in), s.company,
		all(isKind(company.DemandDoc), inDays("2026-11-01", "2026-11-20"), inGroup))
	channel := s.company.Catalogue().SalesChannels[0]
	in = fmt.Sprintf(`{"kinds":["customerorder"],"sales_channels":[%q],"from":"2026-09-01","to":"2026-11-20"}`,
		channel.Name)
	wantDocuments(t, in, callTool(t, a, "moysklad_documents", in), s.company, all(isKind(company.CustomerOrderDoc),
		inDays("2026-09-01", "2026-11-20"),
		func(d *company.Document) bool { return d.SalesChannel == channel }))
}

// Rule R1142: a type alone is its newest document, up to today.
func TestTheLatestDocumentOfATypeIsOpened(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	last := callTool(t, a, "moysklad_documents", `{"kinds":["supply"],"to":"2026-11-20","limit":1}`)
	r := callTool(t, a, "moysklad_document", `{"kind":"supply"}`)
	if number := last.Row(0)["number"].Text(); !strings.Contains(r.Answer, number) {
		t.Errorf("%s is not of %s", r.Answer, number)
	}
}
