// Package openapi builds the OpenAPI document from the routes, the Go types and the descriptions in operations.go.
package openapi

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/api/problem"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// Document is the OpenAPI document. Routes are added one by one; huma adds what their types say.
type Document struct{ *huma.OpenAPI }

// Route is what the document needs to know about a row of the table of routes.
type Route struct {
	Name, Summary string
	Method, Path  string          // Method is AnyMethod for a route that serves all; Path is relative to the base
	Scope         stockhand.Scope // empty: any valid token
	Own           bool            // without the scope, callers only get their own objects
	Status        int             // of a success; 0 means 200
	DryRun        bool            // supports X-Dry-Run
}

// AnyMethod is the method of a route that serves all.
const AnyMethod = ""

const introduction = `Ask an inventory-accounting account in plain Russian or English, run its tools, and decide on proposed changes.

**Authentication.** Send ` + "`Authorization: Bearer <token>`" + ` with every request:
an API key (` + "`sk-org-…`" + `) of
one organization, or a user token (` + "`sk-usr-…`" + `). Each operation names the scope it requires
(` + "`x-required-scope`" + `); ` + "`admin`" + ` includes all scopes. If you belong to several organizations, name one
in ` + "`X-Org-Id`" + `.

**Errors** have the same shape everywhere: ` + "`{\"detail\": {\"code\", \"message\", \"hint\", \"request_id\", \"errors\"?}}`" + `.
Branch on ` + "`code`" + `; show ` + "`message`" + ` and ` + "`hint`" + ` to people (in Russian with
` + "`Accept-Language: ru`" + `); quote ` + "`request_id`" + ` when you ask for help. It is also in the
` + "`X-Request-Id`" + ` response header; if you send your own, it is kept.

**Lists** take ` + "`limit`" + ` (1–200, default 50) and ` + "`cursor`" + `, and return
` + "`{\"data\": […], \"next_cursor\": string|null}`" + `.

**Values.** Times are RFC 3339 in UTC. Money is ` + "`{\"amount\": \"1234.56\", \"currency\": \"RUB\", \"text\": \"1 234,56 ₽\"}`" + `:
a decimal string in main units, never a float. Quantities are decimal strings. IDs start with a prefix for their type
and sort by time. Ignore fields that you do not know.

**Writes** take ` + "`Idempotency-Key`" + `: repeating a request with the same key within 24 hours, or as
many days as the organization keeps answers (at most 7), returns the first response, marked
` + "`Idempotency-Replayed: true`" + `, and changes nothing. Where supported, ` + "`X-Dry-Run: 1`" + ` returns
what would happen and changes nothing.

**Limits.** A request body is at most 1 MiB of JSON (20 MiB for chat completions). ` + "`RateLimit-Limit`" + `,
` + "`RateLimit-Remaining`" + ` and ` + "`RateLimit-Reset`" + ` (seconds) tell how many requests are left. A 429 has
` + "`Retry-After`" + `.`

// New returns a document without operations for the API at base.
func New(version, base string) *Document {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	wire.DescribeCustomJSON(schemas)
	d := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{Title: "Stockhand", Version: cmp.Or(version, "dev"), Description: introduction,
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
			Contact: &huma.Contact{Name: "Stockhand", URL: "https://github.com/stockhand/stockhand"}},
		Servers: []*huma.Server{{URL: base}},
		Components: &huma.Components{
			Schemas: schemas, Responses: map[string]*huma.Response{}, Parameters: map[string]*huma.Param{},
			SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer",
				Description: "An API key sk-org-… or a user token sk-usr-…"}},
		},
		Security: []map[string][]string{{"bearer": {}}},
		Paths:    map[string]*huma.PathItem{},
	}
	for _, s := range sections {
		if s.about != "" {
			d.Tags = append(d.Tags, &huma.Tag{Name: s.tag, Description: s.about})
		}
	}
	for name, p := range headers {
		d.Components.Parameters[name] = p
	}
	return &Document{d}
}

// failureResponse returns a reference to the response of an error code and adds it to the components.
func (d *Document) failureResponse(code stockhand.Code) *huma.Response {
	components := d.Components
	if components.Responses[string(code)] == nil {
		components.Responses[string(code)] = &huma.Response{
			Description: problem.Kinds[code].Meaning,
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: components.Schemas.Schema(reflect.TypeFor[problem.ErrorBody](), true, "ErrorBody"),
				Example: map[string]wire.ErrorDetail{"detail": {Code: code, Message: problem.Kinds[code].Meaning,
					Hint: problem.Kinds[code].Hint, RequestID: "req_06gzz9jzeeq2wnym3bgv03h5ng"}}}},
		}
	}
	return &huma.Response{Ref: "#/components/responses/" + string(code)}
}

// headers are the request headers of many operations.
var headers = map[string]*huma.Param{
	"X-Org-Id": {Name: "X-Org-Id", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "The organization, if you belong to several. An API key acts only in its own.",
		Example:     "org_06gzz9jzeeq2wnym3bgv03h5ng"},
	idempotency.Header: {Name: idempotency.Header, In: "header",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(idempotency.MostKey)},
		Description: "A value of your choice, new for each request. Repeating the request with the same value within 24 hours, or as many days as the organization keeps answers, returns the first response and changes nothing."},
	"X-Dry-Run": {Name: "X-Dry-Run", In: "header", Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"1"}},
		Description: "Return what would happen and change nothing."},
}

// schemaName names a type in the document: a page of Things is ThingList, the body of a ThingInput is ThingRequest.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if entry, ok := strings.CutPrefix(name, "List"); ok && strings.HasSuffix(entry, "Body") {
		return strings.TrimSuffix(entry, "Body") + "List"
	}
	if input, ok := strings.CutSuffix(name, "InputBody"); ok {
		return input + "Request"
	}
	return name
}

func ptr[T any](v T) *T { return &v }

// Operation describes a route. huma adds what its types say, and adds it to the document; for one without types, Add
// does.
func (d *Document) Operation(r Route) huma.Operation {
	op := huma.Operation{
		OperationID: r.Name, Method: r.Method, Path: r.Path, Summary: r.Summary,
		Description: strings.TrimSpace(descriptions[r.Name] + "\n\n" + r.access() +
			listFailures(extraFailures[r.Name])),
		Tags:       []string{r.Tag()},
		Extensions: map[string]any{"x-required-scope": r.ScopeName()},
		Responses:  map[string]*huma.Response{},
		// The guard has already read the body, with its own size and time limits.
		DefaultStatus: r.Status, MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
	for _, name := range r.headers() {
		op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	for _, code := range r.failures() {
		status := strconv.Itoa(problem.Kinds[code].Status)
		if op.Responses[status] == nil { // several codes may share a status: the first is the most common one
			op.Responses[status] = d.failureResponse(code)
		}
	}
	if add := details[r.Name]; add != nil {
		add(&op, d.Components.Schemas)
	}
	return op
}

// headers lists the request headers of a route, besides Authorization.
func (r Route) headers() []string {
	names := []string{"X-Org-Id"}
	if r.writes() {
		names = append(names, idempotency.Header)
	}
	if r.DryRun {
		names = append(names, "X-Dry-Run")
	}
	return names
}

func (r Route) writes() bool {
	return r.Method != AnyMethod && r.Method != http.MethodGet && r.Method != http.MethodHead
}

// failures lists the error codes of a route; of several with one status, the most common comes first.
func (r Route) failures() []stockhand.Code {
	codes := []stockhand.Code{stockhand.CodeTokenExpired, stockhand.CodeOrgRequired, stockhand.CodePermissionDenied,
		stockhand.CodeValidation, stockhand.CodeRateLimited, stockhand.CodeInternal}
	if strings.Contains(r.Path, "{") {
		codes = append(codes, stockhand.CodeNotFound)
	}
	if r.writes() || r.Method == AnyMethod {
		codes = append(codes, stockhand.CodeConflict, stockhand.CodeBodyTooLarge, stockhand.CodeUnsupportedMedia)
	}
	codes = append(codes, extraFailures[r.Name]...)
	return append(codes, stockhand.CodeDatabaseUnavailable)
}

// ScopeName returns the scope, or "none".
func (r Route) ScopeName() string { return cmp.Or(string(r.Scope), "none") }

func (r Route) access() string {
	switch {
	case r.Scope == "":
		return "Requires any valid token; no scope."
	case r.Own:
		return "Requires the scope `" + string(r.Scope) + "`. Without it, a key reads only what it created itself."
	}
	return "Requires the scope `" + string(r.Scope) + "`."
}

// listFailures lists an operation's additional error codes; for each status, the document refers to only one of them.
func listFailures(codes []stockhand.Code) string {
	var list []string
	for _, code := range codes {
		list = append(list, "`"+string(code)+"` ("+strconv.Itoa(problem.Kinds[code].Status)+")")
	}
	if len(list) == 0 {
		return ""
	}
	return " Specific errors: " + strings.Join(list, ", ") + "."
}

// section groups the operations whose path has a prefix under a tag. Only the first of a tag describes it.
type section struct{ prefix, tag, about string }

// sections are matched in order: a longer prefix comes before a shorter one.
var sections = []section{
	{"/me/invitations", "Invitations", "Offers of membership, which the invited person accepts or declines."},
	{"/invitations", "Invitations", ""},
	{"/organizations/{org_id}/invitations", "Invitations", ""},
	{"/me", "Caller", "The caller, and a user's own tokens."},
	{"/organizations/{org_id}/api-keys", "API keys",
		"Keys of an organization, with scopes and an expiry. The secret is shown once."},
	{"/organizations/{org_id}/members", "Members", "People of the organization and their roles."},
	{"/organizations/{org_id}/agents", "Agents",
		"An organization's agents: instructions, and the tools and accounts they may use."},
	{"/organizations/{org_id}/measures", "Analysis",
		"Questions as values: any measure of the catalogue, own ones among them, by any dimension."},
	{"/organizations", "Organizations", "Organizations and their data: usage, audit log, settings."},
	{"/sessions", "Sessions", "Conversations: send a task, follow its events, read the answer."},
	{"/drafts", "Drafts", "Proposed changes. Nothing is written until a person confirms them."},
	{"/results", "Results", "The tables behind an answer."},
	{"/tools", "Tools", "Typed functions over an account. Read tools return a result; propose tools create a draft."},
	{"/query", "Analysis", ""},
	{"/reports", "Analysis", ""},
	{"/catalogue", "Analysis", ""},
	{"/connectors", "Connectors", "Kinds of external systems, and their operations."},
	{"/connections", "Connections", "Credentials for external accounts, and the gateway to the external system's own API."},
	{"/agents", "Agents", ""},
	{"/v1/", "OpenAI", "The OpenAI API format. Also served at `/v1` without the prefix: the base URL for OpenAI clients."},
}

// Tag returns the name of the section that lists the route.
func (r Route) Tag() string {
	i := slices.IndexFunc(sections, func(s section) bool { return strings.HasPrefix(r.Path, s.prefix) })
	if i < 0 {
		return "Other"
	}
	return sections[i].tag
}

// Add adds the operation of a route without types. A route for every method becomes one operation per method.
func (d *Document) Add(op huma.Operation) {
	op.Path = strings.ReplaceAll(op.Path, "...}", "}") // OpenAPI has no {rest...} wildcards
	if op.Method != AnyMethod {
		d.AddOperation(&op)
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		one := op
		one.Method = method
		one.OperationID += method[:1] + strings.ToLower(method[1:])
		d.AddOperation(&one)
	}
}

var wildcard = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// PathParameters returns the parameters of a path, which huma does not know for a route without types.
func PathParameters(path string) []*huma.Param {
	var all []*huma.Param
	for _, m := range wildcard.FindAllStringSubmatch(path, -1) {
		all = append(all, &huma.Param{Name: m[1], In: "path", Required: true,
			Schema: &huma.Schema{Type: huma.TypeString}})
	}
	return all
}

// JSON returns the document as it is served.
func (d *Document) JSON() []byte { return encoded(json.Marshal(d.OpenAPI)) }

// YAML is JSON in YAML. Creating it takes most of the time needed to mount the API.
func (d *Document) YAML() []byte { return encoded(d.OpenAPI.YAML()) }

func encoded(document []byte, err error) []byte {
	if err != nil {
		panic(err) // it is built from constants and types
	}
	return document
}
