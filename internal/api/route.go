package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/openapi"
)

// route is one row of the table.
type route struct {
	pattern string // as in http.ServeMux: the method, unless all are served, and the path under /api/v1
	access  access
	name    string // the OpenAPI operation ID
	summary string
	handler handler
}

func (r route) method() string {
	method, _, given := strings.Cut(r.pattern, " ")
	if !given {
		return openapi.AnyMethod
	}
	return method
}

func (r route) path() string { return strings.TrimPrefix(r.pattern, r.method()+" ") }

// access is who may call a route.
type access struct {
	scope stockhand.Scope // empty: any valid token
	own   bool            // without the scope, callers only get their own objects; the handler checks it with maySee
}

var (
	signedIn   = access{}
	readTools  = access{scope: stockhand.ScopeReadTools}
	writeTools = access{scope: stockhand.ScopeWriteTools}
	readData   = access{scope: stockhand.ScopeReadData}
	readOwn    = access{scope: stockhand.ScopeReadData, own: true}
	chat       = access{scope: stockhand.ScopeChat}
	gateway    = access{scope: stockhand.ScopeGateway}
	admin      = access{scope: stockhand.ScopeAdmin}
)

// handler serves a route. huma decodes, validates and documents typed handlers; plain ones do it themselves.
type handler struct {
	register func(api huma.API, op huma.Operation) // typed handlers only
	plain    func(w http.ResponseWriter, r *http.Request) error
	status   int   // of a success; 0 means 200
	tries    bool  // supports X-Dry-Run
	secret   bool  // the response contains a secret
	once     bool  // may write to an external system, so an Idempotency-Key never repeats it
	anyQuery bool  // a plain handler that accepts any query parameter
	lasts    bool  // the response may be a stream; see maxStreams
	body     int64 // the maximum body of a plain handler in bytes; 0 means maxBody
	audits   audited
}

// audited is what a route leaves in the audit log.
type audited struct {
	actions   []string // empty if it changes nothing and reads nothing that is audited
	noted     bool     // the guard notes each success; otherwise the change itself is stored with its entry
	arguments bool     // with a fingerprint of the query and the body
	dry       string   // the action of dry runs that read the external system
}

// typed returns the handler of a function from a decoded request to a response, whose only field is a Body. huma's
// handler, which is large, is compiled for each pair of types, so it gets all responses as one type.
func typed[In, Out any](f func(ctx context.Context, in *In) (*Out, error)) handler {
	return handler{register: func(api huma.API, op huma.Operation) {
		body := openapi.Success(&op, api.OpenAPI().Components.Schemas, reflect.TypeFor[Out]())
		huma.Register(api, op, func(ctx context.Context, in *In) (*struct{ Body any }, error) {
			out, err := f(ctx, in)
			if err != nil || !body {
				return nil, err // huma sends the status alone
			}
			return &struct{ Body any }{reflect.ValueOf(out).Elem().Field(0).Interface()}, nil
		})
		if !body { // huma documented the type above
			op.Responses[strconv.Itoa(op.DefaultStatus)].Content = nil
		}
	}}
}

// typedInFull is like typed, for a response with more than a body, such as headers.
func typedInFull[In, Out any](f func(ctx context.Context, in *In) (*Out, error)) handler {
	return handler{register: func(api huma.API, op huma.Operation) { huma.Register(api, op, f) }}
}

// plain returns the handler of a function that writes its own response. An error returned before the first write
// becomes the response. openapi/operations.go documents its parameters and responses.
func plain(f func(w http.ResponseWriter, r *http.Request) error) handler { return handler{plain: f} }

// returns sets the success status.
func (h handler) returns(status int) handler { h.status = status; return h }

// showsSecret marks a response with a secret, which is returned only once (rule R27): a replay of the same
// Idempotency-Key omits it.
func (h handler) showsSecret() handler { h.secret = true; return h }

// sentOnce marks a handler whose failure leaves open whether it wrote to an external system (rule R112).
func (h handler) sentOnce() handler { h.once = true; return h }

// dryRun marks a handler that checks dryRun(ctx) and then returns what it would do. Other writes reject X-Dry-Run with
// 422.
func (h handler) dryRun() handler { h.tries = true; return h }

// records says that what the handler changes is stored with an audit entry of one of the actions.
func (h handler) records(actions ...string) handler { h.audits.actions = actions; return h }

// notes makes the guard add each success to the audit log as the action, without waiting for the database.
func (h handler) notes(action string) handler {
	h.audits = audited{actions: []string{action}, noted: true}
	return h
}

// notesCall is like notes, with a fingerprint of the arguments.
func (h handler) notesCall(action string) handler {
	h = h.notes(action)
	h.audits.arguments = true
	return h
}

// notesDryRuns is like notes for dry runs, of a handler whose dry runs read the external system.
func (h handler) notesDryRuns(action string) handler { h.audits.dry = action; return h }

// streams marks a handler whose response may be a stream, of which maxStreams may be open.
func (h handler) streams() handler { h.lasts = true; return h }

// takes sets the maximum body of a plain handler.
func (h handler) takes(bytes int64) handler { h.body = bytes; return h }

// passesQuery lets the handler accept any query parameter.
func (h handler) passesQuery() handler { h.anyQuery = true; return h }

// bases returns the prefixes of a route. OpenAI paths also work without one, for clients that append /v1 to the
// server's address (rule R38).
func (r route) bases() []string {
	if strings.HasPrefix(r.path(), "/v1/") {
		return []string{Base, ""}
	}
	return []string{Base}
}

// wildcards returns the names of a path's parameters.
func wildcards(path string) []string {
	var names []string
	for _, p := range openapi.PathParameters(path) {
		names = append(names, p.Name)
	}
	return names
}

// writes reports whether a method changes something.
func writes(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// documented returns what the OpenAPI document needs to know about the route.
func (r route) documented() openapi.Route {
	return openapi.Route{Name: r.name, Summary: r.summary, Method: r.method(), Path: r.path(), Scope: r.access.scope,
		Own: r.access.own, Status: r.handler.status, DryRun: r.handler.tries}
}
