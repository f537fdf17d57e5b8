package developers

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/docs"
	"github.com/stockhand/stockhand/internal/console/fields"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// API is the server's own API: what its document says, and how a request gets to it.
type API interface {
	Sections() []docs.Section
	Operation(id string) (docs.Operation, bool)
	http.Handler
}

// unsent are the operations that are not sent from the reference (rule R416), with the reason.
var unsent = map[string]text.T{
	"confirmDraft": text.RefDraftWhy,

	"createConnection": text.RefSecretWhy, "updateConnection": text.RefSecretWhy,
	"createKey": text.RefSecretWhy, "rotateKey": text.RefSecretWhy, "createToken": text.RefSecretWhy,
	"createInvitation": text.RefSecretWhy, "acceptInvitation": text.RefSecretWhy,
	"declineInvitation": text.RefSecretWhy, "updatePassword": text.RefSecretWhy,
	"confirmIdentity": text.RefSecretWhy, "startSecondFactor": text.RefSecretWhy,
	"confirmSecondFactor": text.RefSecretWhy, "createRecoveryCodes": text.RefSecretWhy,
	"startPasskey": text.RefSecretWhy, "startPasskeyProof": text.RefSecretWhy, "createPasskey": text.RefSecretWhy,
}

// referenceView is the list of operations.
type referenceView struct {
	Org      stockhand.OrgID
	Find     string
	Sections []docs.Section
}

func (v referenceView) path(rest ...string) string {
	return path(v.Org, append([]string{reference}, rest...)...)
}

// Reference serves the list of the API's operations (rule R415).
func (h Handlers) Reference(w http.ResponseWriter, r *http.Request) error {
	v := referenceView{Org: stockhand.ActorOf(r.Context()).Org, Find: strings.TrimSpace(r.URL.Query().Get("find"))}
	words := strings.Fields(strings.ToLower(v.Find))
	for _, s := range h.API.Sections() {
		s.Operations = slices.DeleteFunc(slices.Clone(s.Operations), func(o docs.Operation) bool {
			return !has(o, s.Name, words)
		})
		if len(s.Operations) > 0 {
			v.Sections = append(v.Sections, s)
		}
	}
	if page.Part(r) && r.Header.Get("HX-Target") == "operations" {
		return page.Write(w, r, http.StatusOK, operations(v))
	}
	return h.show(w, r, http.StatusOK, reference, referencePage(v))
}

// has reports whether an operation has all words in its names.
func has(o docs.Operation, section string, words []string) bool {
	all := []string{o.Method, o.Path, o.ID, o.Summary, text.Russian()[o.Summary], o.Scope, section,
		text.RefSections[section]}
	for _, f := range o.Parameters {
		all = append(all, f.Name)
	}
	names := strings.ToLower(strings.Join(all, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(names, w) })
}

// sectionName is how a section is called.
func sectionName(ctx context.Context, name string) string {
	return text.Language(ctx).Pick(or(text.RefSections[name], name), name)
}

// operationView is the page of an operation.
type operationView struct {
	docs.Operation
	Org     stockhand.OrgID
	Address string // of this server
	Lacks   bool   // the person lacks its scope
	Unsent  string
	Params  []fields.Field
	Body    fields.Field
	Sent    apiRequest
	Ready   bool // everything that is required is filled in
	Asks    bool // the person is asked whether to send
	Reply   *reply
}

func (v operationView) path(rest ...string) string {
	return path(v.Org, append([]string{reference, v.ID}, rest...)...)
}

func (v operationView) list() string { return path(v.Org, reference) }

// reads reports whether the request changes nothing.
func (v operationView) reads() bool { return v.Sent.Method == http.MethodGet }

// operation returns the page of the operation that a request names, with what a form has for it.
func (h Handlers) operation(r *http.Request, form url.Values) (v operationView, err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	o, ok := h.API.Operation(r.PathValue("operation"))
	if !ok {
		return v, stockhand.Errorf(stockhand.CodeNotFound, "the API has no such operation")
	}
	v = operationView{Operation: o, Org: a.Org, Address: h.Address}
	v.Lacks = o.Scope != "none" && !a.May(stockhand.Scope(o.Scope))
	if why, is := unsent[o.ID]; is {
		v.Unsent = why.In(ctx)
	}
	accounts, err := h.Store.Connections(ctx, a.Org)
	if err != nil {
		return v, err
	}
	for _, p := range o.Parameters {
		if p.Name == "X-Org-Id" { // the page is about one
			continue
		}
		v.Params = append(v.Params, parameter(ctx, p, accounts, form))
	}
	order := []string{"path", "query", "header"}
	slices.SortStableFunc(v.Params, func(a, b fields.Field) int {
		return slices.Index(order, a.In) - slices.Index(order, b.In)
	})
	v.Body = fields.Field{Name: "body", Kind: fields.JSON, Required: true}
	switch given := form["body"]; {
	case len(given) > 0:
		v.Body.Values = given[:1]
	case o.Takes:
		v.Body.Values = []string{indented(o.BodyExample)}
	}
	v.Sent, v.Ready = h.compose(ctx, &v)
	return v, nil
}

// parameter is a parameter as a form has it. IDs that are known are filled in.
func parameter(ctx context.Context, p docs.Field, accounts []stockhand.Connection, form url.Values) fields.Field {
	f := fields.Field{Name: p.Name, Kind: fields.Text, About: words(ctx, p, p.Choices != nil),
		Required: p.Required, In: p.In,
		Values: form[fields.Prefix+p.Name]}
	switch {
	case p.Name == "org_id":
		f.Values = []string{string(stockhand.ActorOf(ctx).Org)}
		f.Fixed = true
	case p.Name == "connection_id" && len(accounts) > 0:
		f.Kind = fields.Choice
		for _, c := range accounts {
			f.Options = append(f.Options, ui.Option{Value: string(c.ID), Title: c.Label + " · " + string(c.ID)})
		}
		if f.Required && f.Value() == "" {
			f.Values = []string{string(accounts[0].ID)}
		}
	case len(p.Choices) > 0:
		f.Kind = fields.Choice
		for _, c := range p.Choices {
			f.Options = append(f.Options, ui.Option{Value: c, Title: c})
		}
	}
	if f.Kind == fields.Choice && !f.Required {
		f.Options = append([]ui.Option{{Title: text.FieldUsual.In(ctx)}}, f.Options...)
	}
	return f
}

// Operation serves the page of an operation.
func (h Handlers) Operation(w http.ResponseWriter, r *http.Request) error {
	v, err := h.operation(r, r.URL.Query())
	if err != nil {
		return err
	}
	for i := range v.Params {
		v.Params[i].Error = ""
	}
	return h.show(w, r, http.StatusOK, reference, operationPage(v))
}

// ShowSent serves the commands that send the request of a form as it is filled in now.
func (h Handlers) ShowSent(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	v, err := h.operation(r, form)
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, commands(v))
}

// Send sends the request of a form: one that reads at once, another after the person has seen it (rule R416).
func (h Handlers) Send(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	v, err := h.operation(r, form)
	if err != nil {
		return err
	}
	status := http.StatusOK
	switch {
	case v.Unsent != "":
		status = http.StatusForbidden
	case !v.Ready:
		status = http.StatusUnprocessableEntity
	case v.reads() || form.Get("sure") == v.Sent.print():
		v.Reply = h.send(r, v.Sent)
	default:
		v.Asks = true
	}
	if page.Part(r) {
		return page.Write(w, r, status, replied(v))
	}
	return h.show(w, r, status, reference, operationPage(v))
}

// wrong are the fields that must be corrected.
func (v operationView) wrong() []fields.Field {
	return slices.DeleteFunc(append(slices.Clone(v.Params), v.Body),
		func(f fields.Field) bool { return f.Error == "" })
}

// dry reports whether the request is a dry run.
func (v operationView) dry() bool {
	return slices.ContainsFunc(v.Sent.Headers, func(h [2]string) bool { return h[0] == "X-Dry-Run" })
}

// scopeOf is a scope as people read it.
// noScope is how the document says that an operation needs no scope.
const noScope = "none"

func scopeOf(ctx context.Context, name string) string {
	if name == noScope {
		return text.RefNoScope.In(ctx)
	}
	return name
}

// words are what is known about a field: "Days · from 1 · to 365". The only values are left out if they can be chosen.
func words(ctx context.Context, f docs.Field, chosen bool) string {
	var all []string
	if f.About != "" {
		all = append(all, text.Described(ctx, f.About))
	}
	for _, fact := range f.Facts {
		if !chosen || fact.Name != "one of" {
			all = append(all, text.Described(ctx, fact.Name)+" "+fact.Value)
		}
	}
	return strings.Join(all, " · ")
}

// mediaOf is the format of a response.
func mediaOf(ctx context.Context, a docs.Answer) string {
	if a.Media == "" {
		return text.RefNoBody.In(ctx)
	}
	return a.Media
}

// access is what the document says about who may call an operation and which errors are its own. The page has a place
// for each.
var access = regexp.MustCompile(`^Requires (?:the scope|any valid token).*?( Without it.*?\.)?(?: Specific errors: (.*)\.)?$`)

// about are the paragraphs about an operation without what is said elsewhere on its page.
func (v operationView) about() (all []string) {
	for _, p := range v.About {
		m := access.FindStringSubmatch(p)
		if m == nil {
			all = append(all, p)
		} else if m[1] != "" {
			all = append(all, strings.TrimSpace(m[1]))
		}
	}
	return all
}

// ownFailures are the errors of an operation that others do not have: "DRAFT_CHANGED (409)".
func (v operationView) ownFailures() string {
	for _, p := range v.About {
		if m := access.FindStringSubmatch(p); m != nil && m[2] != "" {
			return m[2]
		}
	}
	return ""
}

// typeOf is the type of a field with the name of its schema.
func typeOf(f docs.Field) string {
	if f.Ref != "" {
		return strings.TrimSpace(f.Type + " " + f.Ref)
	}
	return f.Type
}

// kindOfMethod colours methods by what they may do.
func kindOfMethod(name string) ui.Kind {
	switch name {
	case http.MethodGet:
		return ui.Info
	case http.MethodDelete:
		return ui.Bad
	}
	return ui.Warn
}

// rowsOf is how many lines a body gets.
func rowsOf(body string) int {
	const least, most = 3, 16
	return min(max(strings.Count(body, "\n")+1, least), most)
}
