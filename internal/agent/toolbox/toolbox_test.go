package toolbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
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

// Everything that a model may call, in under 4,500 tokens.
func TestTheToolsAreShort(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, fn := range shown() {
		n, err := codec.Count(fn.Name + fn.Description + string(fn.Parameters))
		if err != nil {
			t.Fatal(err)
		}
		all += n
	}
	t.Logf("%d tools: %d tokens", len(shown()), all)
	if all >= 4500 {
		t.Errorf("the tools are %d tokens", all)
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
