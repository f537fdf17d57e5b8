// Package docs renders the OpenAPI document as an HTML page.
package docs

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.css
var docsCSS string

// page is what the document shows.
type page struct {
	Title, Version, Base string
	About                []string // paragraphs
	Sections             []docSection
	Schemas              []docSchema
}

type docSection struct {
	Name, About, Anchor string
	Operations          []docOperation
}

type docOperation struct {
	ID, Method, Path, Scope, Summary string
	About                            []string
	Parameters                       []docField
	Body, Answer                     string // names of schemas, or a description
	Fields                           []docField
	Status, Media                    string
	Failures                         []docFailure
	Example                          string // a command line
}

type docFailure struct{ Status, Code, About string }

type docField struct {
	Name, In, Type, Ref, About string
	Required                   bool
}

type docSchema struct {
	Name   string
	Fields []docField
}

// Route is a route as the page lists it. Its method is empty for a route of every method.
type Route struct {
	ID, Method, Path, Tag, Scope, Summary string
}

// renderer renders one document.
type renderer struct {
	document *huma.OpenAPI
	base     string // the prefix of all paths
}

// Page renders the page and its content security policy. It lists the routes in their order.
func Page(d *huma.OpenAPI, base string, routes []Route) (html []byte, policy string) {
	r := renderer{d, base}
	p := page{Title: d.Info.Title, Version: d.Info.Version, Base: base, About: paragraphs(d.Info.Description)}
	for _, tag := range d.Tags {
		section := docSection{Name: tag.Name, About: tag.Description, Anchor: anchor(tag.Name)}
		for _, route := range routes {
			if route.Tag == tag.Name {
				section.Operations = append(section.Operations, r.operation(route))
			}
		}
		if len(section.Operations) > 0 {
			p.Sections = append(p.Sections, section)
		}
	}
	schemas := d.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if schemas[name].Type == huma.TypeObject {
			p.Schemas = append(p.Schemas, docSchema{Name: name, Fields: fields(schemas[name])})
		}
	}
	var out bytes.Buffer
	_ = document(p).Render(context.Background(), &out) // writing to a buffer cannot fail
	sum := sha256.Sum256([]byte(docsCSS))
	return out.Bytes(), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// operation describes a route; for a route of every method, its GET.
func (r renderer) operation(route Route) docOperation {
	item := r.document.Paths[strings.ReplaceAll(route.Path, "...}", "}")]
	op := map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodPut: item.Put,
		http.MethodDelete: item.Delete, "": item.Get,
	}[route.Method]
	o := docOperation{ID: route.ID, Method: route.Method, Path: r.base + route.Path, Scope: route.Scope,
		Summary: route.Summary, About: paragraphs(op.Description)}
	if route.Method == "" {
		o.Method = "ANY"
	}
	for _, param := range op.Parameters {
		if param.Ref != "" {
			param = r.document.Components.Parameters[param.Ref[strings.LastIndex(param.Ref, "/")+1:]]
		}
		f := field(param.Name, param.Schema, param.Required)
		f.In = param.In
		if param.Description != "" {
			f.About = param.Description
		}
		o.Parameters = append(o.Parameters, f)
	}
	var body *huma.Schema
	var example any
	if op.RequestBody != nil {
		if m := op.RequestBody.Content["application/json"]; m != nil {
			body, example = m.Schema, m.Example
			o.Body = refName(body.Ref)
			o.Fields = fields(r.resolve(body))
		}
	}
	o.Example = r.command(route, body, example)
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if response.Ref != "" {
			code := refName(response.Ref)
			o.Failures = append(o.Failures, docFailure{status, code, r.document.Components.Responses[code].Description})
			continue
		}
		if o.Status != "" {
			continue
		}
		o.Status, o.Answer = status, response.Description
		for _, media := range slices.Sorted(maps.Keys(response.Content)) {
			o.Media = media
			if schema := response.Content[media].Schema; schema != nil && schema.Ref != "" {
				o.Answer = refName(schema.Ref)
			}
			break
		}
	}
	return o
}

// Example returns an example of a schema of the document.
func Example(d *huma.OpenAPI, schema *huma.Schema) any {
	return renderer{document: d}.exampleOf(schema, 0)
}

// command is a curl command that calls the operation.
func (r renderer) command(route Route, body *huma.Schema, example any) string {
	var b strings.Builder
	b.WriteString("curl -H \"Authorization: Bearer $KEY\"")
	if route.Method != http.MethodGet && route.Method != "" {
		fmt.Fprintf(&b, " -X %s", route.Method)
	}
	if example == nil && body != nil {
		example = r.exampleOf(body, 0)
	}
	if example != nil {
		if raw, err := json.Marshal(example); err == nil {
			fmt.Fprintf(&b, " -H \"Content-Type: application/json\" \\\n  -d '%s'",
				strings.ReplaceAll(string(raw), "'", `'\''`))
		}
	}
	fmt.Fprintf(&b, " \\\n  \"$URL%s%s\"", r.base,
		strings.NewReplacer("{", "$", "...}", "", "}", "").Replace(route.Path))
	return b.String()
}

// exampleOf returns an example with the required fields and those that have an example.
func (r renderer) exampleOf(schema *huma.Schema, depth int) any {
	schema = r.resolve(schema)
	if len(schema.Examples) > 0 {
		return schema.Examples[0]
	}
	const deepest = 4
	switch {
	case depth > deepest:
		return nil
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Default != nil:
		return schema.Default
	}
	switch schema.Type {
	case huma.TypeObject:
		o := map[string]any{}
		for name, p := range schema.Properties {
			if slices.Contains(schema.Required, name) || len(r.resolve(p).Examples) > 0 {
				o[name] = r.exampleOf(p, depth+1)
			}
		}
		return o
	case huma.TypeArray:
		return []any{r.exampleOf(schema.Items, depth+1)}
	case huma.TypeInteger, huma.TypeNumber:
		return 1
	case huma.TypeBoolean:
		return true
	case huma.TypeString:
		return "…"
	}
	return nil
}

func (r renderer) resolve(schema *huma.Schema) *huma.Schema {
	for schema.Ref != "" {
		schema = r.document.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}

func fields(schema *huma.Schema) []docField {
	var all []docField
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		all = append(all, field(name, schema.Properties[name], slices.Contains(schema.Required, name)))
	}
	return all
}

func field(name string, schema *huma.Schema, required bool) docField {
	f := docField{Name: name, Required: required, About: schema.Description, Type: schema.Type,
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
			raw, _ := json.Marshal(fact.value) // numbers, strings and lists of them
			f.About = strings.TrimSpace(f.About + " · " + fact.says + " " + string(raw))
		}
	}
	f.About = strings.TrimPrefix(f.About, "· ")
	return f
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
