package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Section is a group of operations.
type Section struct {
	Name, About, Anchor string
	Operations          []Operation
}

// Operation is what a request can be made for.
type Operation struct {
	ID, Method, Path, Scope, Summary string // Method is ANY for all of them; Path begins with the API's base
	About                            []string
	Parameters                       []Field
	Takes                            bool   // a JSON body
	Body                             string // name of its schema, or a description
	Fields                           []Field
	BodyExample                      any
	Answer                           string // the same of the first response
	Status, Media                    string
	Answers                          []Answer // of a success
	Failures                         []Failure
	Example                          string // a command line
}

// Answer is a response of an operation in one format.
type Answer struct {
	Status, About, Media, Name string
	Fields                     []Field
}

// Failure is an error of an operation.
type Failure struct{ Status, Code, About string }

// Field is a parameter, or a field of a body.
type Field struct {
	Name, In, Type, Ref, About string
	Required                   bool
	Choices                    []string // the only values of a parameter
	Facts                      []Fact   // about its values
}

// Fact is what a schema says about the values of a field, such as "from" "1".
type Fact struct{ Name, Value string }

// Words are what is known about a field: "Days · from 1 · to 365".
func (f Field) Words() string {
	all := make([]string, 0, 1+len(f.Facts))
	if f.About != "" {
		all = append(all, f.About)
	}
	for _, fact := range f.Facts {
		all = append(all, fact.Name+" "+fact.Value)
	}
	return strings.Join(all, " · ")
}

// Schema is a type of the document.
type Schema struct {
	Name   string
	Fields []Field
}

// choices are the only values of a schema; nil for any.
func choices(schema *huma.Schema) (all []string) {
	if schema.Type == huma.TypeBoolean {
		return []string{"true", "false"}
	}
	for _, v := range schema.Enum {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

func fields(schema *huma.Schema) []Field {
	var all []Field
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		all = append(all, field(name, schema.Properties[name], slices.Contains(schema.Required, name)))
	}
	return all
}

func field(name string, schema *huma.Schema, required bool) Field {
	f := Field{Name: name, Required: required, About: schema.Description, Type: schema.Type,
		Ref: refName(schema.Ref)}
	if schema.Type == huma.TypeArray && schema.Items != nil {
		f.Type, f.Ref = "array of "+schema.Items.Type, refName(schema.Items.Ref)
	}
	if schema.Format != "" {
		f.Type += " (" + schema.Format + ")"
	}
	if schema.Nullable {
		f.Type += " or null"
	}
	for _, fact := range []struct {
		says  string
		value any
		known bool
	}{
		{"one of", schema.Enum, len(schema.Enum) > 0}, {"from", schema.Minimum, schema.Minimum != nil},
		{"to", schema.Maximum, schema.Maximum != nil},
		{"length from", schema.MinLength, schema.MinLength != nil},
		{"length to", schema.MaxLength, schema.MaxLength != nil},
		{"items from", schema.MinItems, schema.MinItems != nil}, {"items to", schema.MaxItems, schema.MaxItems != nil},
		{"default", schema.Default, schema.Default != nil},
	} {
		if fact.known {
			f.Facts = append(f.Facts, Fact{fact.says, valueOf(fact.value)})
		}
	}
	return f
}

// valueOf formats numbers, strings and lists of them: "ru, en".
func valueOf(v any) string {
	switch v := v.(type) {
	case []any:
		all := make([]string, len(v))
		for i := range v {
			all[i] = valueOf(v[i])
		}
		return strings.Join(all, ", ")
	case string:
		return v
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}

func refName(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

func anchor(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// paragraphs splits a description into paragraphs without markup.
func paragraphs(text string) []string {
	text = strings.NewReplacer("`", "", "**", "").Replace(strings.TrimSpace(text))
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n\n")
}
