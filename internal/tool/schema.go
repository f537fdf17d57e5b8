package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Schema is the JSON Schema of a tool's arguments.
type Schema struct {
	*jsonschema.Schema
	resolved *jsonschema.Resolved
	foreign  bool // defined elsewhere at run time; it decides whether unknown fields are allowed
}

// Schemer is implemented by input types that allow only some values of their Go type, such as enumerations.
type Schemer interface{ Schema() *jsonschema.Schema }

// Enum returns the schema of a string with the given values.
func Enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// DescribedEnum is like [Enum], with a description for models and the API documentation.
func DescribedEnum[T ~string](about string, values ...T) *jsonschema.Schema {
	s := Enum(values...)
	s.Description = about
	return s
}

// custom collects the types within an input that define their own schemas.
func custom(t reflect.Type, into map[reflect.Type]*jsonschema.Schema) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if _, seen := into[t]; seen {
		return
	}
	if s, ok := reflect.Zero(t).Interface().(Schemer); ok {
		into[t] = s.Schema()
		return
	}
	if t.Kind() == reflect.Struct && t != reflect.TypeFor[decimal.Decimal]() {
		for f := range t.Fields() {
			if f.IsExported() || f.Anonymous { // even an unexported embedded struct has exported fields
				custom(f.Type, into)
			}
		}
	}
}

// NewSchema resolves a schema written as data. It panics if the schema is invalid, which tests detect.
func NewSchema(s *jsonschema.Schema) *Schema {
	resolved, err := s.Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("schema %s: %v", s.Title, err))
	}
	return &Schema{Schema: s, resolved: resolved}
}

// Describe returns a copy of the tool with the description of one of its arguments, which models read.
func (t Tool) Describe(argument, about string) Tool {
	schema, described := *t.Input.Schema, *t.Input.Properties[argument]
	described.Description = about
	schema.Properties = maps.Clone(schema.Properties)
	schema.Properties[argument] = &described
	t.Input = &Schema{Schema: &schema, resolved: t.Input.resolved, foreign: t.Input.foreign}
	return t
}

// dayPattern is the pattern of days in arguments.
const dayPattern = `^\d{4}-\d{2}-\d{2}$`

// derived caches the schemas of input types, so that opening an account needs no reflection.
var derived sync.Map // reflect.Type to *Schema

// schemaOf derives the schema of In. It panics if In has none, which a test of the tool list detects.
func schemaOf[In any]() *Schema {
	if s, ok := derived.Load(reflect.TypeFor[In]()); ok {
		return s.(*Schema)
	}
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[decimal.Decimal](): {Types: []string{"number", "string"}},
		reflect.TypeFor[Day]():             {Type: "string", Pattern: dayPattern},
	}
	custom(reflect.TypeFor[In](), types)
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", reflect.TypeFor[In](), err))
	}
	known, _ := derived.LoadOrStore(reflect.TypeFor[In](), NewSchema(s))
	return known.(*Schema)
}

// Check validates arguments against the schema and returns them unchanged, or an empty object for none. The error is
// VALIDATION_FAILED; it names each invalid field and never quotes a value.
func (s *Schema) Check(arguments json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(arguments)) == 0 || string(bytes.TrimSpace(arguments)) == "null" {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > maxArguments {
		return nil, &stockhand.Error{Code: stockhand.CodeValidation,
			Message: "the arguments are larger than 64 KiB", Hint: "Send less at once, or ask for all.",
			RU: stockhand.Words{Message: "аргументы больше 64 КиБ",
				Hint: "Отправьте меньше за один раз или запросите всё."}}
	}
	var given map[string]any
	if err := json.Unmarshal(arguments, &given); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the arguments are not a JSON object").
			WithHint("send an object with the fields of the tool's schema")
	}
	if s.foreign {
		return arguments, s.checkForeign(given)
	}
	var fields []stockhand.FieldError
	for name, value := range given {
		property, known := s.Properties[name]
		if !known {
			fields = append(fields, stockhand.FieldError{Field: name, Message: "unknown field; known: " +
				strings.Join(s.names(), ", ")})
			continue
		}
		if err := check(property, value); err != nil {
			fields = append(fields, stockhand.FieldError{Field: name, Message: expectation(property)})
		}
	}
	for _, name := range s.Required {
		if _, ok := given[name]; !ok {
			fields = append(fields, stockhand.FieldError{Field: name, Message: "required"})
		}
	}
	if len(fields) > 0 {
		return nil, misfit(fields...)
	}
	if err := s.resolved.Validate(given); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the arguments do not match the tool's schema")
	}
	return arguments, nil
}

// decode validates arguments against the schema and decodes them into In.
func decode[In any](s *Schema, arguments json.RawMessage) (In, error) {
	var in In
	arguments, err := s.Check(arguments)
	if err != nil {
		return in, err
	}
	if err := json.Unmarshal(arguments, &in); err != nil {
		field := ""
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			field = t.Field
		}
		return in, misfit(stockhand.FieldError{Field: field, Message: "has the wrong type"})
	}
	return in, nil
}

// maxArguments is the size of a call's arguments in bytes.
const maxArguments = 64 << 10

// The bounds of an error: the caller chose how many fields are wrong and what they are called.
const (
	maxFaults    = 20
	maxFieldName = 100 // characters
)

// misfit returns the error for invalid fields; of many, for the first.
func misfit(fields ...stockhand.FieldError) error {
	slices.SortFunc(fields, func(a, b stockhand.FieldError) int { return strings.Compare(a.Field, b.Field) })
	fields = slices.Clip(fields[:min(len(fields), maxFaults)])
	for i, f := range fields {
		if name := []rune(f.Field); len(name) > maxFieldName {
			fields[i].Field = string(name[:maxFieldName]) + "…"
		}
	}
	e := stockhand.Errorf(stockhand.CodeValidation, "invalid arguments: %s: %s", fields[0].Field,
		fields[0].Message).
		WithHint("see the tool's schema")
	e.Fields = fields
	return e
}

func check(s *jsonschema.Schema, value any) error {
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	if err := resolved.Validate(value); err != nil {
		return err
	}
	if day, ok := value.(string); ok && s.Pattern == dayPattern && Day(day).Time().IsZero() {
		return errors.New("no such day") // 31 February
	}
	return nil
}

// names returns the known fields in alphabetical order.
func (s *Schema) names() []string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// expectation describes the values that a field accepts.
func expectation(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprint(v))
		}
		return "expected one of: " + strings.Join(values, ", ")
	case s.Pattern == dayPattern:
		return "expected an existing day, YYYY-MM-DD"
	case s.Pattern != "":
		return "expected text that matches " + s.Pattern
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("expected a number from %g to %g", *s.Minimum, *s.Maximum)
	case s.Type != "":
		return "expected " + s.Type
	case len(s.Types) > 0:
		return "expected " + strings.Join(s.Types, " or ")
	}
	return "does not match the schema"
}
