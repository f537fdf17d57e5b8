package toolbox_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// own are the tools of every run besides those of the account.
func own() []tool.Tool {
	return []tool.Tool{toolbox.Query(nil), toolbox.Compute(nil, nil), toolbox.Ask(),
		toolbox.Drafts(nil, tool.Provenance{}), toolbox.EditDraft(), toolbox.ProposeNote(nil, tool.Provenance{})}
}

// shown are the tools as a model sees them.
func shown() []llm.Tool {
	var tools []tool.Tool
	for _, fn := range moysklad.Kind.Tools {
		tools = append(tools, fn.IntoDrafts())
	}
	return toolbox.New(tools, own(), func(tool.Tool) bool { return false }).Shown()
}

// Everything that a model may call, in under 4,500 tokens, as JSON and as the text that a model reads (R371, R552).
func TestTheToolsAreShort(t *testing.T) {
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		plain, wire := 0, ""
		for _, fn := range shown() {
			n, err := codec.Count(fn.Name + fn.Description + string(fn.Parameters))
			if err != nil {
				t.Fatal(err)
			}
			plain += n
			one := strings.Builder{}
			e := json.NewEncoder(&one)
			e.SetEscapeHTML(false)
			err = e.Encode(map[string]any{"type": "function", "function": map[string]any{"name": fn.Name,
				"description": fn.Description, "parameters": fn.Parameters}})
			if err != nil {
				t.Fatal(err)
			}
			wire += strings.TrimSpace(one.String()) + ","
		}
		sent, err := codec.Count(wire)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d tools: %d tokens, as JSON %d", encoding, len(shown()), plain, sent)
		if sent >= 4500 {
			t.Errorf("the tools are %d tokens", sent)
		}
	}
}

// pitfalls are what goes wrong with each tool, in the words that a model reads.
var pitfalls = map[string]string{
	"query_result":   "No joins: compute.",
	"compute":        "NULL is unknown or hidden, not zero.",
	"ask":            "Only if readings of the task lead to different answers",
	"drafts":         "Decided ones are not listed.",
	"edit_draft":     "It cannot add",
	"propose_note":   "Only what the person said.",
	"stock":          "All warehouses together",
	"stock_by_store": "No costs",
	"shortages":      "Without a price, the sum is not known.",
	"stock_age":      "Goods may be old and still sell",
	"turnover":       "Not revenue.",
	"profitability":  "no margin without it.",
	"money":          "Payments, not profit.",
	"overdue_orders": "Those without a state count.",
	"sales_trend":    "First and last step may be incomplete.",
	"receivables":    "not by document.",
	"abc_xyz":        "which needs a long period.",
	"find_products":  "Words are matched, not meanings.",
	"reference":      "nothing else.",

	"account_overview":        "The month is not over.",
	"analyze":                 "Dimensions of goods cannot be combined with orders.",
	"documents":               "Sums are of posted documents.",
	"document":                "a number may need its kind.",
	"lookup":                  "Drafts are in it unless posted is true.",
	"product":                 "A name must mean one good.",
	"counterparty":            "A name must mean one.",
	"forecast":                "the error of past forecasts.",
	"propose_supplier_orders": "Lines without a price are not in its sum.",
	"propose_transfers":       "Nested warehouses count in.",
	"propose_price_change":    "One goal",
	"propose_minimum_stock":   "It replaces them.",
}

// Each tool says what it returns, what goes wrong with it, its arguments, and one call (R371, R552).
func TestRule552_EachToolSaysWhatItReturnsItsPitfallAndAnExample(t *testing.T) {
	for _, fn := range shown() {
		about, rest, _ := strings.Cut(fn.Description, "\n")
		pitfall := pitfalls[fn.Name]
		at := strings.Index(about, pitfall)
		if pitfall == "" || at <= 0 || len(strings.Fields(about[:at])) < 3 {
			t.Errorf("%s says what it returns, and then %q: %s", fn.Name, pitfall, about)
		}
		if !strings.HasPrefix(rest, "{") || strings.Count(rest, "\nE.g. {") != 1 {
			t.Errorf("%s has no arguments or no example: %s", fn.Name, rest)
		}
	}
	if len(shown()) != len(pitfalls) {
		t.Errorf("%d tools, %d pitfalls", len(shown()), len(pitfalls))
	}
}

// An example that the tool would refuse teaches a model to call it wrongly (rule R371).
func TestEveryToolHasAnExampleThatItAccepts(t *testing.T) {
	tools := slices.Concat(moysklad.Kind.Tools, own())
	for _, fn := range tools {
		if len(fn.Example) == 0 {
			t.Errorf("%s has no example", fn.Name)
		}
		if _, err := fn.Input.Check(fn.Example); err != nil {
			t.Errorf("%s: %v", fn.Name, err)
		}
	}
}

// What a model asks of edit_draft is one revision of the draft (R472).
func TestEachPartOfEditDraftReachesTheRevision(t *testing.T) {
	some := func(s string) decimal.Maybe { return decimal.Some(decimal.MustParse(s)) }
	for arguments, want := range map[string]tool.Revision{
		`{"draft":"drf_1","drop":["Соль","2"]}`: {Drop: []string{"Соль", "2"}},
		`{"draft":"drf_1","budget":300000}`:     {Budget: some("300000")},
		`{"draft":"drf_1","merge":"drf_2"}`:     {Merge: "drf_2"},
		`{"draft":"drf_1","split":["Соль"]}`:    {Split: []string{"Соль"}},
		`{"draft":"drf_1","set":[{"product":"Чай","document":2,"quantity":3}]}`: {
			Set: []tool.RevisedLine{{Product: "Чай", Document: 2, Quantity: some("3")}}},
		`{"draft":"drf_1","set":[{"product":"Чай","price":"9.50"}]}`: {
			Set: []tool.RevisedLine{{Product: "Чай", Price: some("9.5")}}},
	} {
		want.Draft = "drf_1"
		p, err := toolbox.EditDraft().Propose(t.Context(), tool.Env{Language: stockhand.English},
			json.RawMessage(arguments))
		if err != nil || len(p.Documents) != 0 {
			t.Errorf("%s: %v", arguments, err)
			continue
		}
		got, _ := json.Marshal(p.Revision)
		if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
			t.Errorf("%s: %s, want %s", arguments, got, wanted)
		}
	}
	_, err := toolbox.EditDraft().Propose(t.Context(), tool.Env{},
		json.RawMessage(`{"draft":"d","set":[{"product":"a"}]}`))
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("a line without a quantity and a price: %v", err)
	}
}

// "from" is the first day of a table's period in most tools, and of the sales rate in those that order.
func TestAFieldThatMeansSomethingElseSaysSo(t *testing.T) {
	for _, fn := range shown() {
		switch fn.Name {
		case "stock":
			if strings.Contains(fn.Description, "nested groups count in") {
				t.Errorf("says what the instructions say: %s", fn.Description)
			}
		case "shortages", "propose_supplier_orders", "propose_transfers", "propose_minimum_stock":
			if !strings.Contains(fn.Description, "from (first day of the sales rate") {
				t.Errorf("%s does not say what from means: %s", fn.Name, fn.Description)
			}
		}
		if fn.Name == "propose_transfers" &&
			!strings.Contains(fn.Description, "stores [] (that lack goods") {
			t.Errorf("it does not say what stores means: %s", fn.Description)
		}
	}
}
