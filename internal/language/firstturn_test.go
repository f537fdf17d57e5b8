package language_test

import (
	"cmp"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// TestFirstQuestionsAreRead reads the questions of testdata/first.txt, each with its call behind "=>", asked of the
// demo's shop (rule R486). STOCKHAND_TEST_READINGS names a file of questions: their readings are written beside it.
func TestFirstQuestionsAreRead(t *testing.T) {
	update := os.Getenv("STOCKHAND_TEST_READINGS")
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	known := names.New(demoNames(now))
	var out strings.Builder
	for _, q := range firstQuestions(t) {
		r := language.Read(q.task, language.Input{Now: now, Known: []*names.Index{known},
			Catalogue: measures.Catalogue})
		got := reading(r)
		out.WriteString(q.task + " => " + got + "\n")
		if update == "" && got != q.call {
			t.Errorf("%s\n got %s\nwant %s", q.task, got, q.call)
		}
	}
	if update != "" {
		if err := os.WriteFile(update+".read", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// question is a task with the call that it leads to.
type question struct{ task, call string }

// firstQuestions returns the questions of testdata/first.txt, or of the file that STOCKHAND_TEST_READINGS names.
func firstQuestions(t *testing.T) (list []question) {
	t.Helper()
	b, err := os.ReadFile(cmp.Or(os.Getenv("STOCKHAND_TEST_READINGS"), "testdata/first.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if task, call, _ := strings.Cut(strings.TrimSpace(line), " => "); task != "" {
			list = append(list, question{task, call})
		}
	}
	return list
}

// reading is a reading in one line; empty for a question or a refusal. Lists of goods are cut.
func reading(r language.Reading) string {
	if r.Outside || r.Question != nil || len(r.Unknown) > 0 || len(r.Unused) > 0 || !r.Skill.Calls() {
		return ""
	}
	b, err := json.Marshal(r.ToolInput())
	if err != nil {
		return err.Error()
	}
	return string(r.Skill) + " " + strings.NewReplacer(`\u003e`, ">", `\u003c`, "<", `"`, "").Replace(string(b))
}

func demoNames(now time.Time) (list []connector.Name) {
	c := company.New(company.Options{Seed: 1, Now: now, Products: 300}).Catalogue()
	add := func(k connector.NameKind, name string, also ...string) {
		var codes []string
		for _, s := range also {
			if s != "" {
				codes = append(codes, s)
			}
		}
		list = append(list, connector.Name{Kind: k, ID: name, Name: name, Also: codes})
	}
	suppliers := map[string]bool{}
	for _, x := range c.Goods {
		if x.Supplier != nil {
			suppliers[x.Supplier.Name] = true
		}
		add(connector.NameProduct, x.Name, x.Article, x.Code)
	}
	for _, x := range c.Counterparties {
		if add(connector.NameCounterparty, x.Name); suppliers[x.Name] {
			add(connector.NameSupplier, x.Name)
		}
	}
	for _, x := range c.Stores {
		add(connector.NameStore, x.Name)
	}
	for _, x := range c.Folders {
		add(connector.NameGroup, x.Name)
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
	for _, x := range c.PriceTypes {
		add(connector.NamePriceType, x.Name)
	}
	for _, x := range c.ExpenseItems {
		add(connector.NameExpenseItem, x.Name)
	}
	return list
}
