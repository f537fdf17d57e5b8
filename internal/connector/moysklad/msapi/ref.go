package msapi

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

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

// UnmarshalJSON decodes {"meta": …, "name": …} and ignores other fields of an expanded object. Half of a page consists
// of links, so they are read in one pass by gjson: encoding/json has already checked the syntax.
func (r *Ref) UnmarshalJSON(b []byte) error { return r.read(gjson.ParseBytes(b), nil) }

// read decodes a link, and calls more with each field of the object that is not part of one, unless more is nil.
func (r *Ref) read(object gjson.Result, more func(name string, value gjson.Result) error) error {
	*r = Ref{}
	return eachField(object, func(name string, value gjson.Result) error {
		switch name {
		case "meta":
			return eachField(value, func(name string, value gjson.Result) error {
				switch name {
				case "type":
					return setText(&r.Type, value)
				case "href":
					var href string
					err := setText(&href, value)
					r.ID = idOfHref(href)
					return err
				case "permitted":
					r.Hidden = value.Type != gjson.Null
				}
				return nil
			})
		case "name":
			return setText(&r.Name, value)
		case "code":
			return setText(&r.Code, value)
		case "article":
			return setText(&r.Article, value)
		case "pathName":
			return setText(&r.PathName, value)
		}
		if more != nil {
			return more(name, value)
		}
		return nil
	})
}

// eachField calls field for each field of an object; null has none.
func eachField(object gjson.Result, field func(name string, value gjson.Result) error) error {
	if object.Type != gjson.Null && !object.IsObject() {
		return &json.UnmarshalTypeError{Value: object.Type.String(), Type: reflect.TypeFor[Ref]()}
	}
	var err error
	object.ForEach(func(name, value gjson.Result) bool {
		err = field(name.Str, value)
		return err == nil
	})
	return err
}

// setText sets a text. It is a copy: the value is part of the object's whole text.
func setText(to *string, value gjson.Result) error {
	if value.Type != gjson.String && value.Type != gjson.Null {
		return &json.UnmarshalTypeError{Value: value.Type.String(), Type: reflect.TypeFor[string]()}
	}
	*to = strings.Clone(value.Str)
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
