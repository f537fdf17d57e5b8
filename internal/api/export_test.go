package api

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/docs"
	"github.com/stockhand/stockhand/internal/api/openapi"
)

// RouteInfo is a row of the table of routes, for tests that walk all of them.
type RouteInfo struct {
	Method, Path, Name string // Method is GET of a route that takes all
	Scope              stockhand.Scope
	Own                bool
	Wildcards          []string
	Tries              bool // honours X-Dry-Run
	Typed              bool
	Properties         []string // of its body
	Required           []string
	Example            any      // of its body; nil where it takes none
	Audits             []string // actions that it leaves in the audit log
	Params             []*huma.Param
	Schema             *huma.Schema // of its body; nil where it takes none
	Resolve            func(*huma.Schema) *huma.Schema
}

// Routes lists the table of routes.
func Routes() []RouteInfo {
	s := New(Config{})
	resolve := func(schema *huma.Schema) *huma.Schema {
		for schema.Ref != "" {
			schema = s.document.Components.Schemas.SchemaFromRef(schema.Ref)
		}
		return schema
	}
	var all []RouteInfo
	for _, r := range s.table {
		info := RouteInfo{Method: r.method(), Path: Base + r.path(), Name: r.name, Scope: r.access.scope,
			Own:       r.access.own,
			Wildcards: wildcards(r.path()), Audits: r.handler.audits.actions, Tries: r.handler.tries,
			Typed: r.handler.register != nil}
		item := s.document.Paths[strings.ReplaceAll(r.path(), "...}", "}")]
		op := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch,
			"DELETE":          item.Delete,
			openapi.AnyMethod: item.Get}[r.method()]
		info.Params, info.Resolve = op.Parameters, resolve
		if info.Method == openapi.AnyMethod {
			info.Method = "GET"
		}
		if op.RequestBody != nil && info.Typed {
			schema := op.RequestBody.Content["application/json"].Schema
			resolved := schema
			resolved = resolve(resolved)
			info.Schema = resolved
			info.Example = docs.Example(s.document.OpenAPI, schema)
			for name := range resolved.Properties {
				info.Properties = append(info.Properties, name)
			}
			slices.Sort(info.Properties)
			info.Required = resolved.Required
		}
		all = append(all, info)
	}
	return all
}
