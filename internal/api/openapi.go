package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// The OpenAPI document is generated from the route table and the handlers' types. openapi_operations.go adds what
// neither can express.

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

**Writes** take ` + "`Idempotency-Key`" + `: repeating a request with the same key within 24 hours returns the first
response, marked ` + "`Idempotency-Replayed: true`" + `, and changes nothing. Where supported, ` + "`X-Dry-Run: 1`" + `
returns what would happen and changes nothing.

**Limits.** A request body is at most 1 MiB of JSON (20 MiB for chat completions). ` + "`RateLimit-Limit`" + `,
` + "`RateLimit-Remaining`" + ` and ` + "`RateLimit-Reset`" + ` (seconds) tell how many requests are left. A 429 has
` + "`Retry-After`" + `.`

// newDocument returns an OpenAPI document without operations; routes add themselves.
func newDocument(version string) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	wire.DescribeCustomJSON(schemas)
	d := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{Title: "Stockhand", Version: cmp.Or(version, "dev"), Description: introduction,
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
			Contact: &huma.Contact{Name: "Stockhand", URL: "https://github.com/stockhand/stockhand"}},
		Servers: []*huma.Server{{URL: Base}},
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
	return d
}

// failureResponse returns a reference to the response of an error code and adds it to the components.
func (s *Server) failureResponse(code stockhand.Code) *huma.Response {
	components := s.document.Components
	if components.Responses[string(code)] == nil {
		components.Responses[string(code)] = &huma.Response{
			Description: meanings[code],
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: components.Schemas.Schema(reflect.TypeFor[ErrorBody](), true, "ErrorBody"),
				Example: map[string]wire.ErrorDetail{"detail": {Code: code, Message: meanings[code],
					Hint: failures[code].en, RequestID: "req_06gzz9jzeeq2wnym3bgv03h5ng"}}}},
		}
	}
	return &huma.Response{Ref: "#/components/responses/" + string(code)}
}

// meanings explains each error code in the document.
var meanings = map[stockhand.Code]string{
	stockhand.CodeTokenExpired:        "The token is missing, malformed, unknown, expired or revoked.",
	stockhand.CodePermissionDenied:    "The scope is missing, or the organization is not the caller's.",
	stockhand.CodeOrgRequired:         "The caller belongs to several organizations and sent no X-Org-Id.",
	stockhand.CodeNotFound:            "The organization has no such resource.",
	stockhand.CodeMethodNotAllowed:    "The address does not support this method.",
	stockhand.CodeConflict:            "The resource's state does not allow this. Nothing was changed.",
	stockhand.CodeDraftChanged:        "The draft has a newer version. Nothing was changed.",
	stockhand.CodeIdempotencyMismatch: "This Idempotency-Key was used for a different request. Nothing was changed.",
	stockhand.CodeAccountRequired:     "Several accounts are connected and the request names none; the hint lists them.",
	stockhand.CodeBodyTooLarge:        "The request body is too large.",
	stockhand.CodeUnsupportedMedia:    "The request body is not JSON, or is compressed.",
	stockhand.CodeValidation:          "The request is invalid; `errors` names the fields.",
	stockhand.CodeConsolidation:       "The task asks for several accounts in one answer.",
	stockhand.CodeTokenRejected:       "The external system refused the token.",
	stockhand.CodeRateLimited:         "Too many requests; Retry-After says when to retry.",
	stockhand.CodeExternalUnavailable: "The external system did not answer.",
	stockhand.CodeModelUnavailable:    "The model did not answer.",
	stockhand.CodeDatabaseUnavailable: "The service cannot reach its database; Retry-After says when to retry.",
	stockhand.CodeServerStopping:      "This replica is stopping; another one finishes the run.",
	stockhand.CodeInternal:            "An internal error. The server's log has the details.",
}

// headers are the request headers of many operations.
var headers = map[string]*huma.Param{
	"X-Org-Id": {Name: "X-Org-Id", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "The organization, if you belong to several. An API key acts only in its own.",
		Example:     "org_06gzz9jzeeq2wnym3bgv03h5ng"},
	idempotency.Header: {Name: idempotency.Header, In: "header",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(255)},
		Description: "A value of your choice, new for each request. Repeating the request with the same value within 24 hours returns the first response and changes nothing."},
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

// operation describes a route; huma adds what its types say.
func (s *Server) operation(r route) huma.Operation {
	op := huma.Operation{
		OperationID: r.name, Method: r.method(), Path: r.path(), Summary: r.summary,
		Description: strings.TrimSpace(descriptions[r.name] + "\n\n" + r.access.describe() +
			listFailures(extraFailures[r.name])),
		Tags:       []string{tagOf(r.path())},
		Extensions: map[string]any{"x-required-scope": r.access.name()},
		Responses:  map[string]*huma.Response{},
		// The guard has already read the body, with its own size and time limits.
		DefaultStatus: r.handler.status, MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
	for _, name := range r.headers() {
		op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	for _, code := range r.failures() {
		status := strconv.Itoa(failures[code].status)
		if op.Responses[status] == nil { // several codes may share a status: the first is the most common one
			op.Responses[status] = s.failureResponse(code)
		}
	}
	if add := details[r.name]; add != nil {
		add(&op, s.document.Components.Schemas)
	}
	return op
}

// headers lists the request headers of a route, besides Authorization.
func (r route) headers() []string {
	names := []string{"X-Org-Id"}
	if r.writes() {
		names = append(names, idempotency.Header)
	}
	if r.handler.tries {
		names = append(names, "X-Dry-Run")
	}
	return names
}

func (r route) writes() bool { return r.method() != anyMethod && writes(r.method()) }

// failures lists the error codes of a route; of several with one status, the most common comes first.
func (r route) failures() []stockhand.Code {
	codes := []stockhand.Code{stockhand.CodeTokenExpired, stockhand.CodeOrgRequired, stockhand.CodePermissionDenied,
		stockhand.CodeValidation, stockhand.CodeRateLimited, stockhand.CodeInternal}
	if strings.Contains(r.path(), "{") {
		codes = append(codes, stockhand.CodeNotFound)
	}
	if r.writes() || r.method() == anyMethod {
		codes = append(codes, stockhand.CodeConflict, stockhand.CodeBodyTooLarge, stockhand.CodeUnsupportedMedia)
	}
	codes = append(codes, extraFailures[r.name]...)
	return append(codes, stockhand.CodeDatabaseUnavailable)
}

// name returns the value of x-required-scope.
func (a access) name() string {
	if a.scope == "" {
		return "none"
	}
	return string(a.scope)
}

func (a access) describe() string {
	switch {
	case a.scope == "":
		return "Requires any valid token; no scope."
	case a.own:
		return "Requires the scope `" + string(a.scope) + "`. Without it, a key reads only what it created itself."
	}
	return "Requires the scope `" + string(a.scope) + "`."
}

// listFailures lists an operation's additional error codes; for each status, the document refers to only one of them.
func listFailures(codes []stockhand.Code) string {
	var list []string
	for _, code := range codes {
		list = append(list, "`"+string(code)+"` ("+strconv.Itoa(failures[code].status)+")")
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
	{"/organizations", "Organizations", "Organizations and their data: usage, audit log, settings."},
	{"/sessions", "Sessions", "Conversations: send a task, follow its events, read the answer."},
	{"/drafts", "Drafts", "Proposed changes. Nothing is written until a person confirms them."},
	{"/results", "Results", "The tables behind an answer."},
	{"/tools", "Tools", "Typed functions over an account. Read tools return a result; propose tools create a draft."},
	{"/connectors", "Connectors", "Kinds of external systems, and their operations."},
	{"/connections", "Connections", "Credentials for external accounts, and the gateway to the external system's own API."},
	{"/agents", "Agents", ""},
	{"/v1/", "OpenAI", "The OpenAI API format. Also served at `/v1` without the prefix: the base URL for OpenAI clients."},
}

func tagOf(path string) string {
	i := slices.IndexFunc(sections, func(s section) bool { return strings.HasPrefix(path, s.prefix) })
	if i < 0 {
		return "Other"
	}
	return sections[i].tag
}

// describe adds a plain route to the document. A route for every method becomes one operation per method.
func (s *Server) describe(op huma.Operation) {
	op.Path = strings.ReplaceAll(op.Path, "...}", "}") // OpenAPI has no {rest...} wildcards
	if op.Method != anyMethod {
		s.document.AddOperation(&op)
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		one := op
		one.Method = method
		one.OperationID += method[:1] + strings.ToLower(method[1:])
		s.document.AddOperation(&one)
	}
}

// parameters documents the path parameters of a plain route.
func parameters(path string) []*huma.Param {
	var all []*huma.Param
	for _, name := range wildcards(path) {
		all = append(all, &huma.Param{Name: name, In: "path", Required: true,
			Schema: &huma.Schema{Type: huma.TypeString}})
	}
	return all
}

// documentJSON returns the OpenAPI document as it is served.
func (s *Server) documentJSON() []byte { return encoded(json.Marshal(s.document)) }

// documentYAML is documentJSON in YAML. Creating it takes most of the time needed to mount the API.
func (s *Server) documentYAML() []byte { return encoded(s.document.YAML()) }

func encoded(document []byte, err error) []byte {
	if err != nil {
		panic(err) // it is built from constants and types
	}
	return document
}
