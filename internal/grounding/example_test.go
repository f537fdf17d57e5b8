package grounding_test

import (
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

func ExampleCheck() {
	result := &tool.Result{
		Columns: []tool.Column{{Name: "product", Label: "Product", Unit: tool.UnitText},
			{Name: "stock", Label: "Stock", Unit: tool.UnitQuantity}},
		Rows: []tool.Row{
			{tool.TextValue("Green tea"), tool.Number(decimal.FromInt(12))},
			{tool.TextValue("Kettle"), tool.Number(decimal.FromInt(40))},
		},
	}
	checked := grounding.Check("There are 12 pcs of Green tea and 12 pcs of Kettle.", stockhand.English,
		grounding.Evidence{Sources: []grounding.Source{{ID: "res_1", Result: result}}})
	fmt.Println(checked.Text)
	// Output:
	// There are 12 pcs of Green tea and 12⚠ pcs of Kettle.
	//
	// ⚠ — this number is not in the data that was read; do not rely on it.
}
