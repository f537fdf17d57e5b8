package account

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// Limit is the number of rows to return; zero means all of them.
type Limit int

// Schema requires a limit that is not negative.
func (Limit) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0),
		Description: "rows to return; 0 or absent: all. Totals cover all rows anyway"}
}

// Days is a number of days in the arguments.
type Days int

// Schema limits the number of days to a meaningful range.
func (Days) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(3650.0)}
}

// GoodsArgs are the arguments that restrict a tool to some goods. Names match exactly, ignoring case.
type GoodsArgs struct {
	Groups    []string `json:"groups,omitempty" jsonschema:"groups of goods, by name, path or id; nested groups count in"`
	Suppliers []string `json:"suppliers,omitempty" jsonschema:"suppliers of the goods, by name or id"`
	Products  []string `json:"products,omitempty" jsonschema:"goods, by name, code, article or id"`
}

// Named lists what the arguments name, as they name it; IDs are only counted.
func (c *Call) Named(g GoodsArgs) string {
	var parts []string
	for _, x := range []struct {
		names  []string
		ru, en string
	}{{g.Groups, "группа", "group"}, {g.Suppliers, "поставщик", "supplier"}, {g.Products, "", ""}} {
		ids := 0
		var names []string
		for _, name := range x.names {
			if _, isID := msapi.ParseID(name); isID {
				ids++
			} else {
				names = append(names, name)
			}
		}
		text := strings.TrimSpace(c.Pick(x.ru, x.en) + " " + c.ListNames(names))
		switch {
		case ids > 0 && len(names) == 0:
			text = strings.TrimSpace(c.Pick(x.ru, x.en) + c.Pickf(" (названо: %d)", " (named: %d)", ids))
		case len(names) == 0:
			continue
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// StoresArg restricts a tool to some warehouses.
type StoresArg struct {
	Stores []string `json:"stores,omitempty" jsonschema:"warehouses, by name or id; none means all"`
}

// LimitArg is the limit argument of most tools.
type LimitArg struct {
	Limit Limit `json:"limit,omitempty"`
}
