package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// demo lists the names of the demo's account, which the unseen phrases are about. Without IDs, readings have the names.
func demo() []connector.Name {
	c := company.New(company.Options{Seed: 1, Now: unseenDay.Time().Add(9 * time.Hour), Products: 300}).Catalogue()
	var list []connector.Name
	add := func(k connector.NameKind, name string, also ...string) {
		list = append(list, connector.Name{Kind: k, Name: name, Also: slices.DeleteFunc(also, func(s string) bool {
			return s == ""
		})})
	}
	for _, x := range c.Stores {
		add(connector.NameStore, x.Name)
	}
	for _, x := range c.Folders {
		add(connector.NameGroup, x.Name)
	}
	for _, x := range c.Counterparties {
		add(connector.NameCounterparty, x.Name)
	}
	for _, x := range c.Employees {
		add(connector.NameEmployee, x.ShortName)
	}
	for _, x := range c.SalesChannels {
		add(connector.NameSalesChannel, x.Name)
	}
	for _, x := range c.Organizations {
		add(connector.NameOrganization, x.Name)
	}
	for _, x := range c.Goods {
		add(connector.NameProduct, x.Name, x.Article, x.Code)
	}
	return list
}

// TestQueriesOfUnseenPhrases prints how the phrases that mean one query are read: as that query or as a call of another
// tool with the same meaning, as another query, by another tool, or as a question or a refusal. Nothing is tuned on
// them.
func TestQueriesOfUnseenPhrases(t *testing.T) {
	b, err := os.ReadFile("testdata/unseen.json")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readUnseen(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	names, verdicts := demo(), map[string]int{}
	for _, c := range all {
		var previous *language.Reading
		for _, u := range c.Turns {
			r := language.Read(u.Say, language.Input{Now: unseenDay.Time().Add(9 * time.Hour), Names: names,
				Catalogue: measures.Catalogue, Previous: previous})
			previous = &r
			if u.Query == nil {
				continue
			}
			verdict := "same query"
			switch got := outcome(r); {
			case got == "outside" || got == "question":
				verdict = got
			case r.Query != nil && normal(*r.Query) == normal(*u.Query):
			case sameMeaning(meaningOf(t, language.Analyze, u.Query), meaningOf(t, r.Skill, r.ToolInput())):
				verdict = "same meaning"
			case r.Query == nil:
				verdict = "another tool"
			default:
				verdict = "another query"
			}
			verdicts[verdict]++
		}
	}
	t.Logf("%v", verdicts)
}

// meaningOf returns what a call of a skill's tool means.
func meaningOf(t *testing.T, skill language.Skill, input any) *meaning {
	b, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	return readCalls([]call{{Tool: string(skill), Arguments: b}})
}

// sameMeaning reports whether a call answers the same question as another one, perhaps with another tool: it shows the
// measures and the breakdown, and has the same conditions, period, comparison, order and limit.
func sameMeaning(want, got *meaning) bool {
	has := func(m *meaning, f fact, field func(x, y string) bool) bool {
		return slices.ContainsFunc(m.facts, func(g fact) bool {
			return f.kind == g.kind && field(f.field, g.field) && sameName(f.value, g.value) && (f.op == g.op ||
				f.kind == "order")
		})
	}
	equal := func(p, q *tool.Period) bool { return p == nil && q == nil || p != nil && q != nil && same(*q, *p) }
	shows := func(x, y string) bool { return x == y || slices.Contains(alsoMeasures[x], y) }
	limited := slices.ContainsFunc(want.facts, func(f fact) bool { return f.kind == "limit" })
	for _, f := range want.facts {
		if f.op == "default" && !limited {
			continue
		}
		if !has(got, f, map[bool]func(x, y string) bool{true: shows, false: alikeField}[f.kind == "measure"]) {
			return false
		}
	}
	for _, f := range got.facts {
		if !f.mild && !has(want, f, alikeField) {
			return false
		}
	}
	return (want.period == nil || equal(want.period, got.period)) && equal(want.other, got.other)
}

// normal writes a query so that two which mean the same are equal.
func normal(q analysis.Query) string {
	slices.Sort(q.Measures)
	slices.Sort(q.By)
	var where []string
	for _, w := range q.Where {
		op := w.Op
		switch op {
		case analysis.Equal:
			op = analysis.In
		case analysis.NotEqual:
			op = analysis.NotIn
		default:
		}
		values := make([]string, len(w.Values))
		for i, v := range w.Values {
			values[i] = strings.ToLower(string(v))
		}
		slices.Sort(values)
		where = append(where, fmt.Sprint(w.Field, op, values))
	}
	slices.Sort(where)
	compare := ""
	if q.Compare != nil {
		p := tool.Period{From: q.From, To: q.To}
		if p.From == "" {
			p = tool.Period{From: unseenDay.Add(-29), To: unseenDay}
		}
		other, _ := analysis.Other(p, *q.Compare)
		compare = fmt.Sprint(other)
	}
	order := ""
	if len(q.Order) > 0 && q.Order[0].Direction == analysis.Ascending {
		order = fmt.Sprint(q.Order[0])
	}
	return fmt.Sprint(q.Measures, q.By, where, q.From, "..", q.To, " compare ", compare, order, q.Limit, q.Share,
		q.Explain)
}
