package msapi

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/stockhand/stockhand/internal/decimal"
)

// AttributeType is the type of an additional field; any other than these is a link to an object (fact M44).
type AttributeType string

// The types.
const (
	AttributeString AttributeType = "string"
	AttributeText   AttributeType = "text" // of several lines
	AttributeURL    AttributeType = "link"
	AttributeLong   AttributeType = "long"
	AttributeDouble AttributeType = "double"
	AttributeFlag   AttributeType = "boolean"
	AttributeTime   AttributeType = "time"
	AttributeFile   AttributeType = "file"
)

// AttributeDefinition is an additional field (Доп. поле) that users defined for a type of entity.
type AttributeDefinition struct {
	ID   ID            `json:"id"`
	Name string        `json:"name"`
	Type AttributeType `json:"type"`
}

func (a AttributeDefinition) key() Key { return a.ID.Key() }

// AttributeValue is the value of an additional field of an object. Only the member for the field's type is set.
type AttributeValue struct {
	Field  ID
	Name   string        // of the field
	Type   AttributeType // of the field
	Text   string        // of strings, texts and addresses of pages
	Number decimal.Maybe
	Flag   bool
	Time   Moment
	Link   Ref // to an object, such as an element of a user's directory
}

// UnmarshalJSON decodes the value by the field's type. A value of an unexpected form is left out: it must not fail the
// whole list.
func (v *AttributeValue) UnmarshalJSON(b []byte) error {
	var wire struct {
		AttributeDefinition
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	if len(wire.Value) == 0 || string(wire.Value) == "null" { // no value is not false
		*v = AttributeValue{}
		return nil
	}
	*v = AttributeValue{Field: wire.ID, Name: wire.Name, Type: wire.Type}
	var into any = &v.Link
	switch wire.Type {
	case AttributeString, AttributeText, AttributeURL:
		into = &v.Text
	case AttributeLong, AttributeDouble:
		into = &v.Number
	case AttributeFlag:
		into = &v.Flag
	case AttributeTime:
		into = &v.Time
	case AttributeFile:
		return nil
	}
	if json.Unmarshal(wire.Value, into) != nil {
		*v = AttributeValue{}
	}
	return nil
}

// Attributes lists the additional fields of a type of entity. All kinds of goods share those of "product".
func (r *Reader) Attributes(ctx context.Context, entity string) iter.Seq2[AttributeDefinition, error] {
	return list[AttributeDefinition](ctx, r, listing{path: "entity/" + entity + "/metadata/attributes"})
}
