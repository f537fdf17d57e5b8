package msapi

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Ref is a link to an entity. It always has the type and ID, and the rest if the response contains it or the link was
// expanded. The zero Ref means that the field was missing.
type Ref struct {
	Type     string // "product", "variant", "store", …; lower case
	ID       ID     // from the path of meta.href, never from uuidHref, which contains another ID (fact M38)
	Name     string
	Code     string
	Article  string
	PathName string // for a folder: path of its parents
	Hidden   bool   // expanded, but hidden from the employee (fact M20)
}

// IsZero reports whether there is no link.
func (r Ref) IsZero() bool { return r.ID == "" && r.Type == "" && r.Name == "" }

// meta is the JSON form of a link's address and of a list's page.
type meta struct {
	Href      string `json:"href"`
	Type      string `json:"type"`
	Size      *int   `json:"size"`
	Limit     int    `json:"limit"`
	Permitted *bool  `json:"permitted"` // only present on a stub of a hidden object
}

// id returns the ID in the entity's address, or the given one if there is none.
func (m meta) id(given ID) ID {
	if id := idOfHref(m.Href); id != "" {
		return id
	}
	return given
}

// UnmarshalJSON decodes {"meta": …, "name": …} and ignores other fields of an expanded object.
func (r *Ref) UnmarshalJSON(b []byte) error {
	var wire struct {
		Meta     meta   `json:"meta"`
		Name     string `json:"name"`
		Code     string `json:"code"`
		Article  string `json:"article"`
		PathName string `json:"pathName"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	*r = Ref{
		Type: wire.Meta.Type, ID: idOfHref(wire.Meta.Href), Name: wire.Name, Code: wire.Code,
		Article: wire.Article, PathName: wire.PathName, Hidden: wire.Meta.Permitted != nil,
	}
	return nil
}

// Price is an amount in minor units of a currency.
type Price struct {
	Value    decimal.Maybe `json:"value"`
	Currency Ref           `json:"currency"` // zero means the account currency
}

// SalePrice is the price of one price type.
type SalePrice struct {
	Price
	PriceType PriceType `json:"priceType"`
}

// rows is a collection within an entity. Its rows are only present if expanded, and may be fewer than its size (fact
// M20).
type rows[T any] struct {
	Meta meta `json:"meta"`
	Rows []T  `json:"rows"`
}

// whole returns a complete collection within an entity. If the collection was not expanded, or cut at a hundred or a
// thousand rows (facts M18 and M19), it is read from its own path.
func whole[T any](ctx context.Context, r *Reader, c *rows[T], path string) ([]T, error) {
	if c == nil || c.Meta.Size == nil && c.Rows == nil || c.Meta.Size != nil && len(c.Rows) < *c.Meta.Size {
		return Collect(list[T](ctx, r, listing{path: path}))
	}
	return c.Rows, nil
}
