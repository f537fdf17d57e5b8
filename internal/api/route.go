package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
)

// route is one row of the table.
type route struct {
	method  string // anyMethod for all
	path    string // under /api/v1
	access  access
	name    string // the operation's id in the OpenAPI document
	summary string
	handler handler
}

const anyMethod = ""

// access says who may call a route: whoever has the scope.
type access struct {
	scope stockhand.Scope // empty: whoever is signed in
	own   bool            // without the scope, what the caller started itself; the handler sees to it by mayRead
}

var (
	signedIn   = access{}
	readTools  = access{scope: stockhand.ScopeReadTools}
	writeTools = access{scope: stockhand.ScopeWriteTools}
	readData   = access{scope: stockhand.ScopeReadData}
	readOwn    = access{scope: stockhand.ScopeReadData, own: true}
	gateway    = access{scope: stockhand.ScopeGateway}
	admin      = access{scope: stockhand.ScopeAdmin}
)

// handler is how a route is served: typed ones are decoded, validated and documented by huma, plain ones do it themselves.
type handler struct {
	register func(api huma.API, op huma.Operation) // of a typed one
	plain    func(w http.ResponseWriter, r *http.Request) error
}

// typed makes a handler of a function from a decoded request to an answer.
func typed[In, Out any](f func(ctx context.Context, in *In) (*Out, error)) handler {
	return handler{register: func(api huma.API, op huma.Operation) { huma.Register(api, op, f) }}
}

// plain makes a handler of a function that writes its own answer; an error that it returns before writing is written for it.
func plain(f func(w http.ResponseWriter, r *http.Request) error) handler { return handler{plain: f} }
