package raw

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// Repeated failures and unchanged results are recognized by URL, so identical operations must produce the same one.
func TestIdenticalOperationsMakeIdenticalRequests(t *testing.T) {
	reader := msapi.Open(msapi.Config{BaseURL: "https://example.com/api/remap/1.2"})
	ids := []string{"00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"}
	i := slices.IndexFunc(operations, func(o operation) bool { return o.Name == "report_stock_current" })
	first := ""
	for range 50 {
		_, params, err := operations[i].request(reader, rawInput{Items: ids, Stores: ids[:1], ByStore: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := params.Encode(); first == "" {
			first = got
		} else if got != first {
			t.Fatalf("%s\n%s", first, got)
		}
	}
}

func TestAConditionDoesNotModifyItsCallersValues(t *testing.T) {
	reader := msapi.Open(msapi.Config{BaseURL: "https://example.com/api/remap/1.2"})
	values := []string{"00000000-0000-0000-0000-000000000001"}
	i := slices.IndexFunc(operations, func(o operation) bool { return o.Name == "list" })
	in := rawInput{Entity: "demand", Filter: []rawCondition{{Field: "store", Op: "=", Entity: "store", Values: values}}}
	if _, _, err := operations[i].request(reader, in); err != nil {
		t.Fatal(err)
	}
	if values[0] != "00000000-0000-0000-0000-000000000001" {
		t.Errorf("the value became %s", values[0])
	}
}
