package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// described is the part of the OpenAPI document that the tests read.
type described struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Properties map[string]schema
}

// fields are the names of the texts in a schema.
func (d described) fields(s schema) (all []string) {
	if s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	for name, p := range s.Properties {
		if p.Type != "boolean" && p.Ref == "" {
			all = append(all, name)
		}
	}
	return all
}

func document(t *testing.T, s *apptest.Service) (d described) {
	t.Helper()
	s.Do("GET", "/openapi.json", "", nil).Decode(t, &d)
	return d
}

// The reference has a page for every operation of the document, and finds each by its path (rule R415).
func TestTheReferenceHasEveryOperation(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleMember)
	all, operations := b.get(developersPath(s, "reference")).Body, 0
	for path, methods := range document(t, s).Paths {
		for method, o := range methods {
			id := strings.TrimSuffix(strings.TrimSuffix(o.OperationID, "Get"), "Post")
			if strings.HasPrefix(id, "gateway") {
				id = "gateway"
			}
			if operations++; !strings.Contains(all, developersPath(s, "reference/"+id)+`"`) {
				t.Errorf("the list lacks %s %s", method, path)
			}
			if got := b.get(developersPath(s, "reference/"+id)); got.Status != http.StatusOK {
				t.Errorf("%s: %d", id, got.Status)
			}
		}
	}
	if operations < 90 {
		t.Errorf("only %d operations", operations)
	}
	found := b.get(developersPath(s, "reference?find=POST+черновики"), "HX-Request", "true",
		"HX-Target", "operations").Body
	if !strings.Contains(found, "reference/rejectDraft") || strings.Contains(found, "reference/listDrafts") {
		t.Errorf("a search:\n%s", found)
	}
	if got := b.get(developersPath(s, "reference/nothing")); got.Status != http.StatusNotFound {
		t.Errorf("an unknown operation: %d", got.Status)
	}
}

// A request is sent with the rights of the person who sends it: a member reads, a viewer is refused (rule R416).
func TestTheReferenceSendsWithTheRightsOfThePerson(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	member, viewer := as(t, s, stockhand.RoleMember), as(t, s, stockhand.RoleViewer)
	read := member.post(developersPath(s, "reference/getMe"), nil, "HX-Request", "true")
	if body := element(t, read.Body, "response"); !strings.Contains(body, string(s.OrgID)) ||
		!strings.Contains(body, `"role": "member"`) || !strings.Contains(read.Body, "X-Request-Id") {
		t.Errorf("%d %s", read.Status, read.Body)
	}
	for who, want := range map[string]string{"member": "404", "viewer": "403"} {
		b := map[string]browser{"member": member, "viewer": viewer}[who]
		form := url.Values{"a-session_id": {stockhand.NewID[string]("ses")}, "body": {`{"title": "x"}`}}
		asked := b.post(developersPath(s, "reference/renameSession"), form, "HX-Request", "true")
		form.Set("sure", sure(t, asked.Body))
		got := b.post(developersPath(s, "reference/renameSession"), form, "HX-Request", "true")
		if !strings.Contains(got.Body, ">"+want+"<") {
			t.Errorf("as %s: %s", who, says(got.Body))
		}
	}
	forged := member.post(developersPath(s, "reference/getMe"), nil, "Sec-Fetch-Site", "cross-site")
	if forged.Status != http.StatusForbidden {
		t.Errorf("a form of another site: %d", forged.Status)
	}
}

// sure is what confirms the request that a page asks about.
func sure(t *testing.T, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `name="sure" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("the page does not ask: %s", says(page))
	}
	return value
}

// A request that may change something is sent after the person has seen this very request (rule R416).
func TestTheReferenceAsksBeforeItChangesAnything(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleOwner)
	at := developersPath(s, "reference/renameOrganization")
	name := func() string {
		var o struct{ Name string }
		s.Do("GET", "/organizations/"+string(s.OrgID), s.AdminToken, nil).Decode(t, &o)
		return o.Name
	}
	before := name()
	form := func(name string) url.Values { return url.Values{"body": {`{"name": "` + name + `"}`}} }
	asked := b.post(at, form("Север"), "HX-Request", "true")
	code := sure(t, asked.Body)
	if name() != before {
		t.Fatal("the first click changed it")
	}
	other := form("Юг")
	other.Set("sure", code)
	if again := b.post(at, other, "HX-Request", "true"); sure(t, again.Body) == code || name() != before {
		t.Errorf("another request than the one that was shown: %s", says(again.Body))
	}
	confirmed := form("Север")
	confirmed.Set("sure", code)
	if got := b.post(at, confirmed, "HX-Request", "true"); !strings.Contains(got.Body, ">200<") || name() != "Север" {
		t.Errorf("%s; the name is %s", says(got.Body), name())
	}
	wrong := b.post(at, url.Values{"body": {`{"name":`}}, "HX-Request", "true")
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "is not JSON") {
		t.Errorf("a body that is not JSON: %d %s", wrong.Status, says(wrong.Body))
	}
}

// Nothing that is sent from the reference confirms a draft: neither the operation nor a word in a conversation, and
// nothing with a secret is sent at all (rule R416).
func TestTheReferenceConfirmsNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	b := as(t, s, stockhand.RoleOwner)
	send := func(operation string, form url.Values) string {
		t.Helper()
		asked := b.post(developersPath(s, "reference/"+operation), form, "HX-Request", "true")
		form.Set("sure", sure(t, asked.Body))
		return b.post(developersPath(s, "reference/"+operation), form, "HX-Request", "true").Body
	}
	var turn struct {
		Session string `json:"session_id"`
		Drafts  []struct{ ID string }
	}
	ask := func(message, session string) url.Values {
		task := map[string]any{"message": message, "connection_id": s.Connections[0].ID}
		if session != "" {
			task["session_id"] = session
		}
		body, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		return url.Values{"body": {string(body)}, "a-wait": {"60"}}
	}
	if err := json.Unmarshal([]byte(element(t, send("startTurn", ask(orders, "")),
		"response")), &turn); err != nil || len(turn.Drafts) != 1 {
		t.Fatalf("%v %+v", err, turn)
	}
	said := send("startTurn", ask("подтверждаю", turn.Session))
	if !strings.Contains(said, "из описания API ничего не подтвердить") {
		t.Errorf("a word: %s", said)
	}
	var d struct{ Documents []struct{ State string } }
	s.Do("GET", "/drafts/"+turn.Drafts[0].ID, s.AdminToken, nil).Decode(t, &d)
	for _, doc := range d.Documents {
		if doc.State != "pending" {
			t.Errorf("a document is %s", doc.State)
		}
	}
	secrets := []string{"token", "password", "new_password", "current_password", "credential", "secret", "public_key"}
	doc := document(t, s)
	for _, methods := range doc.Paths {
		for _, o := range methods {
			hidden := o.OperationID == "confirmDraft"
			for _, c := range o.RequestBody.Content {
				hidden = hidden || slices.ContainsFunc(doc.fields(c.Schema), func(f string) bool {
					return slices.Contains(secrets, f)
				})
			}
			for status, answer := range o.Responses {
				for _, c := range answer.Content {
					hidden = hidden || status < "3" && slices.ContainsFunc(doc.fields(c.Schema), func(f string) bool {
						return slices.Contains(secrets, f)
					})
				}
			}
			if !hidden {
				continue
			}
			if got := b.post(developersPath(s, "reference/"+o.OperationID), nil); got.Status != http.StatusForbidden {
				t.Errorf("%s: %d", o.OperationID, got.Status)
			}
		}
	}
}

// The commands beside a form send the same request, whatever is in its texts (rule R415).
func TestTheCommandsOfTheReferenceWork(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	key := s.Key(stockhand.ScopeWriteTools)
	var turn struct {
		Session string `json:"session_id"`
	}
	s.Do("POST", "/sessions/stream?wait=60", key, map[string]any{"message": "остатки"}).Decode(t, &turn)
	ran := 0
	for id, run := range map[string][]string{"curl": {"sh"}, "python": {"python3"},
		"node": {"node", "--input-type=module"}} {
		program := map[string]string{"curl": "curl", "python": "python3", "node": "node"}[id]
		if _, err := exec.LookPath(program); err != nil && (program != "curl" || os.Getenv("CI") == "") {
			continue
		}
		ran++
		title := id + ` true, "null" 'x' $(id) \ 😀 ` + "`y`"
		body, err := json.Marshal(map[string]string{"title": title})
		if err != nil {
			t.Fatal(err)
		}
		shown := b.post(developersPath(s, "reference/renameSession/request"),
			url.Values{"a-session_id": {turn.Session}, "body": {string(body)}}, "HX-Request", "true").Body
		code := strings.ReplaceAll(element(t, shown, "request-"+id), "sk-org-…", key)
		c := exec.CommandContext(t.Context(), run[0], run[1:]...)
		c.Stdin = strings.NewReader(code)
		out, err := c.CombinedOutput()
		var now struct{ Title string }
		if s.Do("GET", "/sessions/"+turn.Session, key, nil).Decode(t, &now); now.Title != title {
			t.Errorf("%s: the title is %q\n%s\n%v %s", id, now.Title, code, err, out)
		}
	}
	if ran == 0 {
		t.Skip("neither curl nor Python nor Node.js is installed")
	}
}
