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
	Sections             []Section
	Schemas              []Schema
}

// Route is a route as the page lists it. Its method is empty for a route of every method.
type Route struct {
	ID, Method, Path, Tag, Scope, Summary string
}

// Document describes the operations of an OpenAPI document.
type Document struct {
	document *huma.OpenAPI
	base     string // the prefix of all paths
	routes   []Route
}

// New returns the description of a document, with the routes in their order.
func New(d *huma.OpenAPI, base string, routes []Route) *Document { return &Document{d, base, routes} }

// Sections returns all operations by their sections.
func (r *Document) Sections() (all []Section) {
	for _, tag := range r.document.Tags {
		section := Section{Name: tag.Name, About: tag.Description, Anchor: anchor(tag.Name)}
		for _, route := range r.routes {
			if route.Tag == tag.Name {
				section.Operations = append(section.Operations, r.operation(route))
			}
		}
		if len(section.Operations) > 0 {
			all = append(all, section)
		}
	}
	return all
}

// Operation returns an operation with the fields within its bodies.
func (r *Document) Operation(id string) (Operation, bool) {
	i := slices.IndexFunc(r.routes, func(route Route) bool { return route.ID == id })
	if i < 0 {
		return Operation{}, false
	}
	route := r.routes[i]
	o, op := r.operation(route), r.described(route)
	if body, _ := bodyOf(op); body != nil {
		o.Fields = r.within("", body, 0)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if response.Ref != "" {
			continue
		}
		for _, media := range slices.Sorted(maps.Keys(response.Content)) {
			schema := response.Content[media].Schema
			a := Answer{Status: status, About: response.Description, Media: media}
			if schema != nil {
				a.Name, a.Fields = refName(schema.Ref), r.within("", schema, 0)
			}
			o.Answers = append(o.Answers, a)
		}
		if len(response.Content) == 0 {
			o.Answers = append(o.Answers, Answer{Status: status, About: response.Description})
		}
	}
	return o, true
}

// deepest is how many levels of fields within fields are listed.
const deepest = 3

// within lists the fields of a schema with those within them: lines[].price.
func (r *Document) within(path string, schema *huma.Schema, depth int) (all []Field) {
	schema = r.resolve(schema)
	if schema.Type == huma.TypeArray && schema.Items != nil {
		return r.within(path+"[]", schema.Items, depth)
	}
	if len(schema.OneOf) > 0 { // the first that is not null
		return r.within(path, schema.OneOf[0], depth)
	}
	if path != "" {
		path += "."
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		f := field(path+name, p, slices.Contains(schema.Required, name))
		if f.Type == "" {
			f.Type = r.resolve(p).Type
		}
		all = append(all, f)
		if depth < deepest-1 {
			all = append(all, r.within(path+name, p, depth+1)...)
		}
	}
	return all
}

// Page renders the page and its content security policy.
func (r *Document) Page() (html []byte, policy string) {
	d := r.document
	p := page{Title: d.Info.Title, Version: d.Info.Version, Base: r.base, About: paragraphs(d.Info.Description),
		Sections: r.Sections()}
	schemas := d.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if schemas[name].Type == huma.TypeObject {
			p.Schemas = append(p.Schemas, Schema{Name: name, Fields: fields(schemas[name])})
		}
	}
	var out bytes.Buffer
	_ = document(p).Render(context.Background(), &out) // writing to a buffer cannot fail
	sum := sha256.Sum256([]byte(docsCSS))
	return out.Bytes(), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// described is the operation of a route; of a route of every method, its GET.
func (r *Document) described(route Route) *huma.Operation {
	item := r.document.Paths[strings.ReplaceAll(route.Path, "...}", "}")]
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodPut: item.Put,
		http.MethodDelete: item.Delete, "": item.Get,
	}[route.Method]
}

// bodyOf returns the schema of an operation's body and its example; nil for none.
func bodyOf(op *huma.Operation) (*huma.Schema, any) {
	if op.RequestBody == nil {
		return nil, nil
	}
	m := op.RequestBody.Content["application/json"]
	if m == nil {
		return nil, nil
	}
	return m.Schema, m.Example
}

// operation describes a route.
func (r *Document) operation(route Route) Operation {
	op := r.described(route)
	o := Operation{ID: route.ID, Method: route.Method, Path: r.base + route.Path, Scope: route.Scope,
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
		if param.Schema != nil {
			f.Choices = choices(param.Schema)
		}
		if param.Description != "" {
			f.About = param.Description
		}
		o.Parameters = append(o.Parameters, f)
	}
	body, example := bodyOf(op)
	if body != nil {
		o.Body, o.Fields, o.Takes = refName(body.Ref), fields(r.resolve(body)), true
		if example == nil {
			example = r.exampleOf(body, 0)
		}
		o.BodyExample = example
	}
	o.Example = r.command(route, example)
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if response.Ref != "" {
			code := refName(response.Ref)
			o.Failures = append(o.Failures, Failure{status, code, r.document.Components.Responses[code].Description})
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
	return (&Document{document: d}).exampleOf(schema, 0)
}

// command is a curl command that calls the operation.
func (r *Document) command(route Route, example any) string {
	var b strings.Builder
	b.WriteString("curl -H \"Authorization: Bearer $KEY\"")
	if route.Method != http.MethodGet && route.Method != "" {
		fmt.Fprintf(&b, " -X %s", route.Method)
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
func (r *Document) exampleOf(schema *huma.Schema, depth int) any {
	schema = r.resolve(schema)
	if len(schema.Examples) > 0 {
		return schema.Examples[0]
	}
	const most = 4
	switch {
	case depth > most:
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

func (r *Document) resolve(schema *huma.Schema) *huma.Schema {
	for schema.Ref != "" {
		schema = r.document.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}
