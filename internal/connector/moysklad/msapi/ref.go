package msapi

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Ref is a link to an entity with whatever the answer says about it: always the type and id, the rest when the API
// gives it or the link was expanded. A zero Ref means that the field was absent.
type Ref struct {
	Type     string // "product", "variant", "store", …; lower case
	ID       ID     // from the path of meta.href, never from uuidHref, which names another id (fact M38)
	Name     string
	Code     string
	Article  string
	PathName string // of a folder: its parents
	Hidden   bool   // expanded, but the employee may not see it (fact M20)
}

// IsZero reports whether there is no link.
func (r Ref) IsZero() bool { return r.ID == "" && r.Type == "" && r.Name == "" }

// meta is the wire form of a link's address and of a list's page.
type meta struct {
	Href      string `json:"href"`
	Type      string `json:"type"`
	Size      *int   `json:"size"`
	Limit     int    `json:"limit"`
	Permitted *bool  `json:"permitted"` // present only on a stub of an object that may not be seen
}

// id is the entity's own, from its address where it has one.
func (m meta) id(given ID) ID {
	if id := idOfHref(m.Href); id != "" {
		return id
	}
	return given
}

// UnmarshalJSON reads {"meta": …, "name": …}; an expanded object's other fields are passed over.
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
	Currency Ref           `json:"currency"` // zero when the answer does not name it: the account's own
}

// SalePrice is the price of one price type.
type SalePrice struct {
	Price
	PriceType PriceType `json:"priceType"`
}

// rows is a collection inside an entity; its rows are there only when expanded, and may be fewer than its size
// (fact M20).
type rows[T any] struct {
	Meta meta `json:"meta"`
	Rows []T  `json:"rows"`
}

// whole returns a collection inside an entity, all of it. Expanded ones are cut at a hundred or a thousand, or were not
// expanded at all (facts M18 and M19): what is not there is read from the collection's own path.
func whole[T any](ctx context.Context, r *Reader, c *rows[T], path string) ([]T, error) {
	if c == nil || c.Meta.Size == nil && c.Rows == nil || c.Meta.Size != nil && len(c.Rows) < *c.Meta.Size {
		return Collect(list[T](ctx, r, listing{path: path}))
	}
	return c.Rows, nil
}
