package api

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// newDocument begins the OpenAPI document; routes add themselves.
func newDocument(version string) *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI:    "3.1.0",
		Info:       &huma.Info{Title: "Stockhand", Version: version},
		Servers:    []*huma.Server{{URL: Base}},
		Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)},
	}
}

// operation is a route as the document tells of it.
func (s *Server) operation(r route) huma.Operation {
	return huma.Operation{OperationID: r.name, Method: r.method, Path: r.path, Summary: r.summary,
		DefaultStatus: r.handler.status, MaxBodyBytes: -1, BodyReadTimeout: -1}
}

// describe puts a plain route into the document; one for every method once for each that means something.
func (s *Server) describe(op huma.Operation) {
	if op.Method != anyMethod {
		s.document.AddOperation(&op)
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		one := op
		one.Method = method
		if method != http.MethodGet {
			one.OperationID += method[:1] + strings.ToLower(method[1:])
		}
		s.document.AddOperation(&one)
	}
}

// parameters documents the path of a plain route.
func parameters(path string) []*huma.Param {
	var all []*huma.Param
	for _, name := range wildcards(path) {
		all = append(all, &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	return all
}
