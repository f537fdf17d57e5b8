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
)

// The OpenAPI document is made of the table of routes and of the handlers' types. What neither can tell is in
// openapi_operations.go.

const about = `Ask an inventory-accounting account in plain Russian or English, run its tools, and decide about proposed changes.

**Authentication.** Every request carries ` + "`Authorization: Bearer <token>`" + `: an API key (` + "`sk-org-…`" + `) of one organization, or a token (` + "`sk-usr-…`" + `)
of a person. Each operation names the scope it needs (` + "`x-required-scope`" + `); ` + "`admin`" + ` passes all. A person who belongs to several
organizations names one in ` + "`X-Org-Id`" + `.

**Errors** have one shape everywhere: ` + "`{\"detail\": {\"code\", \"message\", \"hint\", \"request_id\", \"errors\"?}}`" + `. Decide by ` + "`code`" + `; show ` + "`message`" + ` and
` + "`hint`" + ` to people (in Russian with ` + "`Accept-Language: ru`" + `); quote ` + "`request_id`" + ` when you ask for help. It is the header ` + "`X-Request-Id`" + ` of every answer;
your own is kept if you send one.

**Lists** take ` + "`limit`" + ` (1–200, default 50) and ` + "`cursor`" + `, and answer ` + "`{\"data\": […], \"next_cursor\": string|null}`" + `.

**Values.** Times are RFC 3339 in UTC. Money is ` + "`{\"amount\": \"1234.56\", \"currency\": \"RUB\", \"text\": \"1 234,56 ₽\"}`" + `: a decimal string in main units, never a
float; quantities are decimal strings. Ids carry a prefix of their type and sort by time. Clients ignore fields they do not know.

**Writes** take ` + "`Idempotency-Key`" + `: the same request with the same key within 24 hours does nothing twice and gets the first answer again, marked
` + "`Idempotency-Replayed: true`" + `. Where it is offered, ` + "`X-Dry-Run: 1`" + ` tells what would be done and does nothing.

**Limits.** A body is at most 1 MiB of JSON. Answers tell in ` + "`RateLimit-Limit`" + `, ` + "`RateLimit-Remaining`" + ` and ` + "`RateLimit-Reset`" + ` (seconds) how many requests are left;
429 says in ` + "`Retry-After`" + ` when to come back.`

// newDocument begins the OpenAPI document; routes add themselves.
func newDocument(version string) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	aliasShapes(schemas)
	d := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: "Stockhand", Version: cmp.Or(version, "dev"), Description: about},
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
	body := schemas.Schema(reflect.TypeFor[ErrorBody](), true, "ErrorBody")
	for code, f := range failures {
		d.Components.Responses[string(code)] = &huma.Response{
			Description: said[code],
			Content: map[string]*huma.MediaType{"application/json": {Schema: body,
				Example: map[string]ErrorDetail{"detail": {
					Code: code, Message: said[code], Hint: f.en, RequestID: "req_06gzz9jzeeq2wnym3bgv03h5ng"}}}},
		}
	}
	for name, p := range headers {
		d.Components.Parameters[name] = p
	}
	return d
}

// said is what each code means, for the document.
var said = map[stockhand.Code]string{
	stockhand.CodeTokenExpired:        "The token is missing, malformed, unknown, expired or revoked.",
	stockhand.CodePermissionDenied:    "The scope is missing, or the organization is not the caller's.",
	stockhand.CodeOrgRequired:         "A caller in several organizations sent no X-Org-Id.",
	stockhand.CodeNotFound:            "There is no such thing in this organization.",
	stockhand.CodeMethodNotAllowed:    "This address takes other methods.",
	stockhand.CodeConflict:            "The state moved; nothing was done.",
	stockhand.CodeDraftChanged:        "The draft has another version by now; nothing was done.",
	stockhand.CodeIdempotencyMismatch: "This Idempotency-Key was used for another request; nothing was done.",
	stockhand.CodeAccountRequired:     "Several accounts are connected and the request names none; the hint lists them.",
	stockhand.CodeBodyTooLarge:        "The body is larger than 1 MiB.",
	stockhand.CodeUnsupportedMedia:    "The body is not JSON, or is compressed.",
	stockhand.CodeValidation:          "The request is not valid; errors names the fields.",
	stockhand.CodeConsolidation:       "The task wants several accounts in one answer.",
	stockhand.CodeTokenRejected:       "The external system refused the token.",
	stockhand.CodeRateLimited:         "Too many requests; Retry-After says when to come back.",
	stockhand.CodeExternalUnavailable: "The external system did not answer.",
	stockhand.CodeModelUnavailable:    "The model did not answer.",
	stockhand.CodeDatabaseUnavailable: "The service cannot reach its database; Retry-After says when to try again.",
	stockhand.CodeInternal:            "Something went wrong inside; nothing internal is told.",
}

// headers are what many requests may carry.
var headers = map[string]*huma.Param{
	"X-Org-Id": {Name: "X-Org-Id", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "The organization, for a person who belongs to several. A key acts in its own alone.",
		Example:     "org_06gzz9jzeeq2wnym3bgv03h5ng"},
	idempotentKey: {Name: idempotentKey, In: "header",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(255)},
		Description: "Of your making, one for each request: the same request again within 24 hours gets the first answer and does nothing twice."},
	"X-Dry-Run": {Name: "X-Dry-Run", In: "header", Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"1"}},
		Description: "Tell what would be done, and do nothing."},
}

// schemaName is a type's name in the document: its own, and for a page of a list that of its entries with List.
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

// operation is a route as the document tells of it; huma adds what the types say.
func (s *Server) operation(r route) huma.Operation {
	op := huma.Operation{
		OperationID: r.name, Method: r.method, Path: r.path, Summary: r.summary,
		Description: strings.TrimSpace(descriptions[r.name] + "\n\n" + r.access.words() +
			mayFailWords(mayFail[r.name])),
		Tags:       []string{tagOf(r.path)},
		Extensions: map[string]any{"x-required-scope": r.access.name()},
		Responses:  map[string]*huma.Response{},
		// The body is read before huma is asked, within its bounds of size and time.
		DefaultStatus: r.handler.status, MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
	for _, name := range r.headers() {
		op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	for _, code := range r.failures() {
		status := strconv.Itoa(failures[code].status)
		if op.Responses[status] == nil { // several codes may have one status: the first is the usual one
			op.Responses[status] = &huma.Response{Ref: "#/components/responses/" + string(code)}
		}
	}
	if say := described[r.name]; say != nil {
		say(&op, s.document.Components.Schemas)
	}
	return op
}

// headers names what the route's requests may carry beside the token.
func (r route) headers() []string {
	names := []string{"X-Org-Id"}
	if r.writes() {
		names = append(names, idempotentKey)
	}
	if r.handler.tries {
		names = append(names, "X-Dry-Run")
	}
	return names
}

func (r route) writes() bool { return r.method != anyMethod && writes(r.method) }

// failures lists the codes that the route may answer, of those that have the same status the usual one first.
func (r route) failures() []stockhand.Code {
	codes := []stockhand.Code{stockhand.CodeTokenExpired, stockhand.CodeOrgRequired, stockhand.CodePermissionDenied,
		stockhand.CodeValidation, stockhand.CodeRateLimited, stockhand.CodeInternal}
	if strings.Contains(r.path, "{") {
		codes = append(codes, stockhand.CodeNotFound)
	}
	if r.writes() || r.method == anyMethod {
		codes = append(codes, stockhand.CodeConflict, stockhand.CodeBodyTooLarge, stockhand.CodeUnsupportedMedia)
	}
	return append(codes, mayFail[r.name]...)
}

// name is the scope as x-required-scope says it.
func (a access) name() string {
	if a.scope == "" {
		return "none"
	}
	return string(a.scope)
}

func (a access) words() string {
	switch {
	case a.scope == "":
		return "Needs no scope: whoever is signed in."
	case a.own:
		return "Needs the scope `" + string(a.scope) + "`. Without it a key reads what it started itself."
	}
	return "Needs the scope `" + string(a.scope) + "`."
}

// mayFailWords names the codes that are an operation's own: of those with one status the document shows the usual one.
func mayFailWords(codes []stockhand.Code) string {
	var b strings.Builder
	for i, code := range codes {
		b.WriteString([]string{" Look out for ", ", "}[min(i, 1)] + "`" + string(code) + "` (" +
			strconv.Itoa(failures[code].status) + ")")
	}
	if len(codes) > 0 {
		b.WriteString(".")
	}
	return b.String()
}

// section is a part of the document.
type section struct{ begins, tag, about string } // about is told once for each tag

// sections are told apart by how the path begins, the longest first where one begins another.
var sections = []section{
	{"/me", "Who is calling", "The caller, and a person's own tokens."},
	{"/organizations/{org_id}/api-keys", "API keys",
		"Keys of one organization, with scopes and an expiry. The secret is shown once."},
	{"/organizations/{org_id}/members", "Members", "People of the organization and their roles."},
	{"/organizations/{org_id}/agents", "Agents", "Agents of the organization: instructions, and what they may use."},
	{"/organizations", "Organizations", "Organizations and their data: usage, audit log, settings."},
	{"/sessions", "Sessions", "Conversations: give a task, follow the work, read the answer."},
	{"/drafts", "Drafts", "Proposed changes, which happen only after a person confirms them."},
	{"/results", "Results", "The tables behind an answer."},
	{"/tools", "Tools", "Typed functions over an account: read ones answer a result, propose ones make a draft."},
	{"/connectors", "Connectors", "Kinds of external systems, and their operations."},
	{"/connections", "Connections", "Credentials for external accounts, and the gateway to the external system's own API."},
	{"/agents", "Agents", ""},
	{"/v1/", "OpenAI", "The OpenAI format. Also at `/v1` without the prefix, which is the base URL for OpenAI clients."},
}

func tagOf(path string) string {
	i := slices.IndexFunc(sections, func(s section) bool { return strings.HasPrefix(path, s.begins) })
	if i < 0 {
		return "Other"
	}
	return sections[i].tag
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
		all = append(all, &huma.Param{Name: name, In: "path", Required: true,
			Schema: &huma.Schema{Type: huma.TypeString}})
	}
	return all
}

// documentJSON is the document as it is served.
func (s *Server) documentJSON() []byte {
	for path, item := range s.document.Paths { // ServeMux's wildcard for a rest is none of OpenAPI's
		if plain := strings.ReplaceAll(path, "...}", "}"); plain != path {
			delete(s.document.Paths, path)
			s.document.Paths[plain] = item
		}
	}
	raw, err := json.Marshal(s.document)
	if err != nil {
		panic(err) // it is made of constants and types
	}
	return raw
}
