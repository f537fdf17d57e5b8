package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"html/template"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/openapi"
)

var update = flag.Bool("update", false, "write testdata/openapi.json")

const golden = "testdata/openapi.json"

func TestTheOpenAPIDocumentIsTheGoldenOne(t *testing.T) {
	var pretty bytes.Buffer
	document := New(Config{Version: "test"}).document.JSON()
	if err := json.Indent(&pretty, document, "", "  "); err != nil {
		t.Fatal(err)
	}
	pretty.WriteByte('\n')
	if *update {
		if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(want, pretty.Bytes()) {
		t.Errorf("the API has changed (%v): look at the difference of go test ./internal/api -run OpenAPI -update", err)
	}
}

func TestTheOpenAPIDocumentIsValid(t *testing.T) {
	t.Parallel()
	s := New(Config{Version: "test"})
	for _, document := range [][]byte{s.document.JSON(), s.document.YAML()} {
		doc, err := openapi3.NewLoader().LoadFromData(document)
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()); err != nil {
			t.Error(err)
		}
	}
}

// Generated Go names a request constructor New<Operation>Request, which must not be the name of a schema as well; and
// an operation whose name is only a noun is one schema away from that.
func TestOperationsAreNamedByVerbAndNoun(t *testing.T) {
	name := regexp.MustCompile(`^(get|list|create|update|delete|rename|add|remove|revoke|rotate|start|cancel|stream|` +
		`edit|confirm|reject|undo|execute|export|verify|gateway|accept|decline|leave|define)[A-Z]`)
	s := New(Config{})
	schemas := s.document.Components.Schemas.Map()
	for _, item := range s.document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			generated := strings.ToUpper(op.OperationID[:1]) + op.OperationID[1:]
			if !name.MatchString(op.OperationID) || schemas["New"+generated+"Request"] != nil ||
				schemas[generated+"Response"] != nil || schemas[generated+"Params"] != nil {
				t.Errorf("the operation %s", op.OperationID)
			}
		}
	}
}

func TestNoComponentIsUnused(t *testing.T) {
	document := New(Config{}).document.JSON()
	d := New(Config{}).document
	for kind, names := range map[string][]string{"schemas": keys(d.Components.Schemas.Map()),
		"responses": keys(d.Components.Responses), "parameters": keys(d.Components.Parameters)} {
		for _, name := range names {
			if !bytes.Contains(document, []byte(`"#/components/`+kind+`/`+name+`"`)) {
				t.Errorf("nothing refers to %s/%s", kind, name)
			}
		}
	}
}

// A route has a scope of rule R30, or is one of the few that need only a valid token, and the document says what
// it takes and what it answers.
func TestEveryRouteNamesItsScopeAndIsDocumented(t *testing.T) {
	signedInOnly := []string{"getMe", "listTokens", "createToken", "revokeToken", "listOrganizations",
		"createOrganization", "updateMe", "leaveOrganization", "listOwnInvitations", "acceptOwnInvitation",
		"declineOwnInvitation", "acceptInvitation", "declineInvitation", "listSignIns",
		"revokeSignIns", "revokeSignIn", "updatePassword", "getSignInMethods",
		"confirmIdentity", "startSecondFactor", "confirmSecondFactor", "createRecoveryCodes", "removeSecondFactor",
		"deleteMe", "listPasskeys", "createPasskey", "startPasskey", "removePasskey", "startPasskeyProof",
		"listIdentities", "removeIdentity"}
	s := New(Config{})
	seen := map[string]bool{}
	for _, r := range s.table {
		if seen[r.name] || r.name == "" || r.summary == "" {
			t.Errorf("%s %s has no name and summary of its own", r.method(), r.path())
		}
		seen[r.name] = true
		if r.access.scope == "" && !slices.Contains(signedInOnly, r.name) {
			t.Errorf("%s has no scope", r.name)
		}
		if r.access.scope != "" && !slices.Contains(stockhand.Scopes(), r.access.scope) {
			t.Errorf("%s has the scope %q", r.name, r.access.scope)
		}
		item := s.document.Paths[strings.ReplaceAll(r.path(), "...}", "}")]
		if item == nil {
			t.Errorf("%s is not in the document", r.name)
			continue
		}
		op := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch,
			"DELETE":          item.Delete,
			openapi.AnyMethod: item.Get}[r.method()]
		if op == nil || strings.TrimSuffix(op.OperationID, "Get") != r.name ||
			op.Extensions["x-required-scope"] != r.documented().ScopeName() ||
			!strings.Contains(op.Description, "scope") || len(op.Tags) != 1 || op.Tags[0] == "Other" {
			t.Errorf("%s: %+v", r.name, op)
			continue
		}
		for _, name := range wildcards(r.path()) {
			if !slices.ContainsFunc(op.Parameters,
				func(p *huma.Param) bool { return p.In == "path" && p.Name == name && p.Required }) {
				t.Errorf("%s does not say what {%s} is: it does not read it (huma does not look into embedded structs with a small name)", r.name, name)
			}
		}
		answered := 0
		for status, response := range op.Responses {
			if status < "300" {
				answered++
				for media, content := range response.Content {
					if content.Schema == nil {
						t.Errorf("%s: %s has no schema", r.name, media)
					}
				}
			} else if status != "304" && status != "4XX" && status != "default" && response.Ref == "" {
				t.Errorf("%s: %s is not one of the errors", r.name, status)
			}
		}
		if answered == 0 {
			t.Errorf("%s does not say what it answers", r.name)
		}
		if r.handler.register != nil && r.method() != http.MethodGet && r.method() != http.MethodDelete &&
			op.RequestBody == nil && !slices.Contains([]string{"cancelTurn", "undoDraft", "verifyConnection",
			"acceptOwnInvitation", "declineOwnInvitation", "startSecondFactor", "createRecoveryCodes",
			"startPasskey", "startPasskeyProof"}, r.name) {
			t.Errorf("%s takes no body", r.name)
		}
	}
	for _, name := range openapi.Described() {
		if !seen[name] {
			t.Errorf("%s is described and is no route", name)
		}
	}
}

func keys[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

func TestDocsAreReadableWithoutAnythingFromElsewhere(t *testing.T) {
	k := newCore(t, Config{})
	s := New(Config{})
	html, policy := s.described().Page()
	page := string(html)
	for _, r := range s.table {
		if !strings.Contains(page, `id="`+r.name+`"`) || !strings.Contains(page, template.HTMLEscapeString(r.summary)) {
			t.Errorf("%s is not on the page", r.name)
		}
	}
	for _, foreign := range []string{"<script", "src=", "@import", "url(", "<link", "javascript:"} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page has %s", foreign)
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %s", policy)
	}
	r := k.do("GET", "/docs", nil, "Authorization", "")
	if r.status != 200 || !strings.Contains(r.header.Get("Content-Security-Policy"), "style-src 'sha256-") {
		t.Errorf("%d %v", r.status, r.header)
	}
	if again := k.do("GET", "/docs", nil, "If-None-Match", r.header.Get("ETag")); again.status != 304 ||
		again.body != "" {
		t.Errorf("again: %d", again.status)
	}
	if doc := k.do("GET", "/api/v1/openapi.json", nil, "Authorization", ""); doc.status != 200 ||
		!strings.Contains(doc.body, `"openapi":"3.1.0"`) {
		t.Errorf("%d %.100s", doc.status, doc.body)
	}
}
