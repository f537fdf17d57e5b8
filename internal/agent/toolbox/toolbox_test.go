package toolbox_test

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

func shown() []llm.Tool {
	return toolbox.New(moysklad.Kind.Tools, nil, func(tool.Tool) bool { return false }).Shown()
}

func TestTheToolsOfAnAccountAreShort(t *testing.T) {
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
	if all > 5000 {
		t.Errorf("the tools are %d tokens", all)
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
			if !strings.Contains(fn.Description, "from?: string (first day of the period for the sales rate") {
				t.Errorf("%s does not say what from means: %s", fn.Name, fn.Description)
			}
		}
		if fn.Name == "propose_transfers" && !strings.Contains(fn.Description, "stores?: string[] (warehouses that lack") {
			t.Errorf("it does not say what stores means: %s", fn.Description)
		}
	}
}
