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

// TestQueriesOfUnseenPhrases prints how the phrases that mean one query are read: as that query, as another one, by
// another tool, or as a question or a refusal. Nothing is tuned on them.
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
			case r.Query == nil:
				verdict = "another tool"
			case normal(*r.Query) != normal(*u.Query):
				verdict = "another query"
			}
			verdicts[verdict]++
			if os.Getenv("STOCKHAND_TEST_SHOW") == verdict {
				t.Logf("%s %s\n got %s %s\nwant %s", c.ID, u.Say, r.Skill, shown(r), normal(*u.Query))
			}
		}
	}
	t.Logf("%v", verdicts)
}

func shown(r language.Reading) string {
	if r.Query != nil {
		return normal(*r.Query)
	}
	b, _ := json.Marshal(r.Arguments)
	return string(b)
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
