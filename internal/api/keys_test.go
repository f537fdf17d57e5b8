package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// keyRecord is a key as a client written from the contract reads it.
type keyRecord struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"`
	Scopes     []string   `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	CreatedBy  string     `json:"created_by"`
	ExpiresAt  time.Time  `json:"expires_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
	AllowedIPs []string   `json:"allowed_ips"`
	Replaces   string     `json:"replaces"`
	Secret     string     `json:"secret"`
}

type errorBody struct {
	Detail struct {
		Code    stockhand.Code         `json:"code"`
		Message string                 `json:"message"`
		Hint    string                 `json:"hint"`
		Request string                 `json:"request_id"`
		Errors  []stockhand.FieldError `json:"errors"`
	} `json:"detail"`
}

// wantError checks an error's status, code and shape.
func wantError(t testing.TB, doing string, a apptest.Answer, status int, code stockhand.Code) errorBody {
	t.Helper()
	var b errorBody
	if err := json.Unmarshal(a.Body, &b); err != nil || a.Status != status || b.Detail.Code != code ||
		b.Detail.Message == "" || b.Detail.Hint == "" || b.Detail.Request == "" {
		t.Errorf("%s: %d %s, want %d %s (%v)", doing, a.Status, a.Body, status, code, err)
	}
	return b
}

// read decodes an answer of the wanted status.
func read[T any](t testing.TB, doing string, a apptest.Answer, status int) (v T) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%s: %d %s, want %d", doing, a.Status, a.Body, status)
	}
	a.Decode(t, &v)
	return v
}

func send(t testing.TB, r *http.Request) apptest.Answer {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Answer{Status: answer.StatusCode, Header: answer.Header, Body: body}
}

func keysOf(s *apptest.Service) string { return "/organizations/" + string(s.OrgID) + "/api-keys" }

func newKey(t testing.TB, s *apptest.Service, scopes ...string) keyRecord {
	t.Helper()
	body := map[string]any{"name": "Integration"}
	if len(scopes) > 0 {
		body["scopes"] = scopes
	}
	return read[keyRecord](t, "create a key", s.Do(http.MethodPost, keysOf(s), s.AdminToken, body), http.StatusCreated)
}

// Rules R27 and R28: the secret is in the response to the creation and nowhere else.
func TestKeysAreCreatedListedAndRevoked(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	created := s.Do(http.MethodPost, keysOf(s), s.AdminToken,
		map[string]any{"name": "Сканер", "scopes": []string{"read:data", "chat"}, "expires_in_days": 30})
	k := read[keyRecord](t, "create", created, http.StatusCreated)
	if !strings.HasPrefix(k.Secret, "sk-org-") || k.Prefix != k.Secret[:17] || !stockhand.ValidID(k.ID, "key") ||
		k.Name != "Сканер" ||
		!slices.Equal(k.Scopes, []string{"read:data", "chat"}) ||
		!k.ExpiresAt.Equal(k.CreatedAt.Add(30*24*time.Hour)) || !strings.HasPrefix(k.CreatedBy, "user:usr_") {
		t.Errorf("created: %s", created.Body)
	}
	var fields map[string]json.RawMessage
	created.Decode(t, &fields)
	want := []string{"created_at", "created_by", "expires_at", "id", "last_used_at", "name", "prefix", "revoked_at",
		"scopes", "secret"}
	got := make([]string, 0, len(fields))
	for name := range fields {
		got = append(got, name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the fields are %v, want %v", got, want)
	}
	if !bytes.Contains(created.Body, []byte(`Z"`)) || string(fields["last_used_at"]) != "null" ||
		string(fields["revoked_at"]) != "null" {
		t.Errorf("times are %s", created.Body)
	}

	for _, path := range []string{keysOf(s), keysOf(s) + "/" + k.ID, keysOf(s) + "/report"} {
		if a := s.Do(http.MethodGet, path, s.AdminToken, nil); a.Status != http.StatusOK ||
			bytes.Contains(a.Body, []byte(k.Secret[17:])) || !bytes.Contains(a.Body, []byte(k.Prefix)) {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	if a := s.Do(http.MethodGet, "/me", k.Secret, nil); a.Status != http.StatusOK {
		t.Errorf("the new key does not work: %d %s", a.Status, a.Body)
	}
	for range 2 { // idempotent
		a := s.Do(http.MethodDelete, keysOf(s)+"/"+k.ID, s.AdminToken, nil)
		revoked := read[keyRecord](t, "revoke", a, http.StatusOK)
		if revoked.ID != k.ID || revoked.Prefix != k.Prefix || revoked.RevokedAt == nil || revoked.Secret != "" ||
			bytes.Contains(a.Body, []byte(k.Secret[17:])) {
			t.Errorf("revoked: %s", a.Body)
		}
		wantError(t, "the very next request of the revoked key", s.Do(http.MethodGet, "/me", k.Secret, nil),
			http.StatusUnauthorized, stockhand.CodeTokenExpired)
	}
	wantError(t, "a key that is not there", s.Do(http.MethodDelete, keysOf(s)+"/key_none", s.AdminToken, nil),
		http.StatusNotFound, stockhand.CodeNotFound)
}

// Rule R29: defaults, ranges, and errors that name the field.
func TestFieldsOfANewKey(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	for field, bodies := range map[string][]string{
		"name": {`{}`, `{"name":""}`, `{"name":null}`, `{"name":7}`, `{"name":"   "}`, `{"name":"` +
			strings.Repeat("я", 101) + `"}`},
		"expires_in_days": {`{"name":"x","expires_in_days":0}`, `{"name":"x","expires_in_days":366}`,
			`{"name":"x","expires_in_days":-1}`,
			`{"name":"x","expires_in_days":1.5}`, `{"name":"x","expires_in_days":"90"}`,
			`{"name":"x","expires_in_days":null}`,
			`{"name":"x","expires_in_days":1e30}`, `{"name":"x","expires_in_days":true}`,
			`{"name":"x","expires_in_days":[90]}`},
		"scopes": {`{"name":"x","scopes":[]}`, `{"name":"x","scopes":["write:everything"]}`,
			`{"name":"x","scopes":"chat"}`, `{"name":"x","scopes":null}`,
			`{"name":"x","scopes":["Chat"]}`, `{"name":"x","scopes":[1]}`, `{"name":"x","scopes":[null]}`},
		"allowed_ips": {`{"name":"x","allowed_ips":["10.0.0.0/40"]}`, `{"name":"x","allowed_ips":"10.0.0.1"}`},
		"secret":      {`{"name":"x","secret":"sk-org-x"}`},
		"org_id":      {`{"name":"x","org_id":"org_2"}`},
	} {
		for _, body := range bodies {
			b := wantError(t, body, s.Do(http.MethodPost, keysOf(s), s.AdminToken, body),
				http.StatusUnprocessableEntity, stockhand.CodeValidation)
			if len(b.Detail.Errors) == 0 || !strings.HasPrefix(b.Detail.Errors[0].Field, field) {
				t.Errorf("%s: the field at fault is %v, want %s", body, b.Detail.Errors, field)
			}
		}
	}
	if keys := read[struct{ Data []keyRecord }](t, "list", s.Do(http.MethodGet, keysOf(s), s.AdminToken, nil),
		http.StatusOK); len(keys.Data) != 0 {
		t.Errorf("%d keys were made", len(keys.Data))
	}
	for body, check := range map[string]func(k keyRecord) bool{
		`{"name":"x"}`: func(k keyRecord) bool {
			return slices.Equal(k.Scopes, []string{"write:tools"}) && k.ExpiresAt.Equal(k.CreatedAt.AddDate(0, 0, 90))
		},
		`{"name":"x","expires_in_days":1}`: func(
			k keyRecord) bool {
			return k.ExpiresAt.Equal(k.CreatedAt.AddDate(0, 0, 1))
		},
		`{"name":"x","expires_in_days":365}`: func(
			k keyRecord) bool {
			return k.ExpiresAt.Equal(k.CreatedAt.AddDate(0, 0, 365))
		},
		`{"name":"x","scopes":["admin"]}`: func(
			k keyRecord) bool {
			return slices.Equal(k.Scopes, []string{"admin"})
		},
		`{"name":"x","allowed_ips":["127.0.0.1","10.0.0.9/8"]}`: func(
			k keyRecord) bool {
			return slices.Equal(k.AllowedIPs, []string{"127.0.0.1", "10.0.0.0/8"})
		},
		`{"name":"` + strings.Repeat("я", 100) + `"}`: func(k keyRecord) bool { return k.Secret != "" },
	} {
		if k := read[keyRecord](t, body, s.Do(http.MethodPost, keysOf(s), s.AdminToken, body),
			http.StatusCreated); !check(k) {
			t.Errorf("%s: %+v", body, k)
		}
	}
}

// Rule R31: key management needs the scope admin, or a user who is owner or admin of the organization.
func TestANumberWithAPointOrAnExponentIsRefusedWithAHint(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	for _, days := range []string{"1.0", "9e1"} {
		a := s.Do(http.MethodPost, keysOf(s), s.AdminToken, `{"name":"x","expires_in_days":`+days+`}`)
		if e := wantError(t, days, a, 422, stockhand.CodeValidation); !strings.Contains(e.Detail.Message,
			"without a point or an exponent") {
			t.Errorf("%s: %s", days, e.Detail.Message)
		}
	}
}

func TestWhoManagesKeys(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	for _, scope := range stockhand.Scopes() {
		k := newKey(t, s, string(scope))
		for _, call := range []struct{ method, path string }{
			{http.MethodGet, keysOf(s)}, {http.MethodPost, keysOf(s)}, {http.MethodGet, keysOf(s) + "/" + k.ID},
			{http.MethodGet, keysOf(s) + "/report"},
			{http.MethodPost, keysOf(s) + "/" + k.ID + "/rotate"}, {http.MethodDelete, keysOf(s) + "/" + k.ID},
		} {
			var body any
			if call.method == http.MethodPost && strings.HasSuffix(call.path, "/api-keys") {
				body = map[string]any{"name": "another"}
			}
			a := s.Do(call.method, call.path, k.Secret, body)
			if scope == stockhand.ScopeAdmin {
				if a.Status >= http.StatusBadRequest {
					t.Errorf("%s %s with admin: %d %s", call.method, call.path, a.Status, a.Body)
				}
				continue
			}
			b := wantError(t, call.method+" "+call.path+" with "+string(scope), a, http.StatusForbidden,
				stockhand.CodePermissionDenied)
			if !strings.Contains(b.Detail.Hint, "admin") {
				t.Errorf("the hint does not name the scope: %s", b.Detail.Hint)
			}
		}
	}
}

// Rule R32: a key acts only in its own organization, whether the path or the header names another.
func TestAKeyStaysInItsOrganization(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true,
		Configure: func(c *app.Config) { c.AnyoneCreates = true }})
	k := newKey(t, s, "admin")
	other := read[struct{ ID string }](t, "another organization",
		s.Do(http.MethodPost, "/organizations", s.AdminToken, map[string]string{"name": "Second"}), http.StatusCreated)
	own := "/organizations/" + string(s.OrgID)
	for _, c := range []struct {
		path, header string
		status       int
	}{
		{own, "", 200}, {own, string(s.OrgID), 200}, {own, other.ID, 403}, {own, "org_none", 403},
		{"/organizations/" + other.ID, "", 403},
		{"/organizations/" + other.ID, string(s.OrgID), 403}, {"/organizations/" + other.ID, other.ID, 403},
		{"/me", other.ID, 403}, {"/me", string(s.OrgID), 200}, {"/me", "\xff", 403},
		{"/organizations/" + other.ID + "/api-keys", "", 403}, {"/organizations/" + other.ID + "/members", "", 403},
	} {
		a := s.Do(http.MethodGet, c.path, k.Secret, nil, "X-Org-Id", c.header)
		if a.Status != c.status {
			t.Errorf("%s with X-Org-Id %q: %d %s", c.path, c.header, a.Status, a.Body)
		}
		if c.status == http.StatusForbidden {
			wantError(t, c.path, a, http.StatusForbidden, stockhand.CodePermissionDenied)
		}
	}
	wantError(t, "a key founds an organization",
		s.Do(http.MethodPost, "/organizations", k.Secret, map[string]string{"name": "Third"}), http.StatusForbidden,
		stockhand.CodePermissionDenied)
	wantError(t, "a key makes a user token",
		s.Do(http.MethodPost, "/me/tokens", k.Secret, map[string]string{"name": "x"}), http.StatusForbidden,
		stockhand.CodePermissionDenied)
	// The person now belongs to two, and their requests still go to the first.
	me := read[struct{ Organization struct{ ID string } }](t, "me", s.Do(http.MethodGet, "/me", s.AdminToken, nil),
		http.StatusOK)
	if me.Organization.ID != string(s.OrgID) {
		t.Errorf("without a header they act in %q", me.Organization.ID)
	}
	me = read[struct{ Organization struct{ ID string } }](t, "choose a home", s.Do(http.MethodPatch, "/me",
		s.AdminToken, map[string]string{"home_organization_id": other.ID}, "X-Org-Id", other.ID), http.StatusOK)
	if me.Organization.ID != other.ID {
		t.Errorf("with another home they act in %q", me.Organization.ID)
	}
	if a := s.Do(http.MethodGet, own+"/api-keys", s.AdminToken, nil); a.Status != http.StatusOK {
		t.Errorf("the path names the organization: %d %s", a.Status, a.Body)
	}
	list := read[struct {
		Data []struct{ ID, Role string }
	}](t, "own organizations", s.Do(http.MethodGet, "/organizations", s.AdminToken, nil), http.StatusOK)
	if len(list.Data) != 2 || list.Data[1].ID != other.ID || list.Data[1].Role != "owner" {
		t.Errorf("own organizations: %+v", list)
	}
}

func TestRotatedKeysOverlap(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	old := newKey(t, s, "read:data")
	rotate := keysOf(s) + "/" + old.ID + "/rotate"
	for _, body := range []string{`{"overlap_hours":0}`, `{"overlap_hours":721}`, `{"overlap_hours":1.5}`,
		`{"overlap":1}`} {
		wantError(t, body, s.Do(http.MethodPost, rotate, s.AdminToken, body), http.StatusUnprocessableEntity,
			stockhand.CodeValidation)
	}
	next := read[keyRecord](t, "rotate", s.Do(http.MethodPost, rotate, s.AdminToken, nil), http.StatusCreated)
	if next.Replaces != old.ID || next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) ||
		next.Secret == "" || next.Secret == old.Secret {
		t.Errorf("the new key: %+v", next)
	}
	for _, secret := range []string{old.Secret, next.Secret} {
		if a := s.Do(http.MethodGet, "/me", secret, nil); a.Status != http.StatusOK {
			t.Errorf("during the overlap: %d %s", a.Status, a.Body)
		}
	}
	ends := read[keyRecord](t, "the old key", s.Do(http.MethodGet, keysOf(s)+"/"+old.ID, s.AdminToken, nil),
		http.StatusOK)
	if d := ends.ExpiresAt.Sub(next.CreatedAt); d != 24*time.Hour {
		t.Errorf("the old key ends after %s", d)
	}
	wantError(t, "rotating it again", s.Do(http.MethodPost, rotate, s.AdminToken, nil), http.StatusConflict,
		stockhand.CodeConflict)
	third := read[keyRecord](t, "rotate with an overlap",
		s.Do(http.MethodPost, keysOf(s)+"/"+next.ID+"/rotate", s.AdminToken, `{"overlap_hours":720}`),
		http.StatusCreated)
	if third.Replaces != next.ID {
		t.Errorf("the third key: %+v", third)
	}
}

func TestKeysAreListedPageByPage(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	var made []string
	for range 7 {
		made = append(made, newKey(t, s).ID)
	}
	slices.Sort(made) // by time; keys of the same millisecond are in no particular order
	slices.Reverse(made)
	var seen []string
	for cursor, pages := "", 0; ; pages++ {
		page := read[struct {
			Data []keyRecord `json:"data"`
			Next *string     `json:"next_cursor"`
		}](t, "page", s.Do(http.MethodGet, keysOf(s)+"?limit=3&cursor="+cursor, s.AdminToken, nil), http.StatusOK)
		for _, k := range page.Data {
			seen = append(seen, k.ID)
		}
		if page.Next == nil {
			if pages != 2 {
				t.Errorf("%d pages before the last", pages)
			}
			break
		}
		cursor = *page.Next
	}
	if !slices.Equal(seen, made) {
		t.Errorf("listed %v, made %v", seen, made)
	}
	for _, query := range []string{"limit=0", "limit=201", "limit=x", "cursor=%00", "cursor=!", "order=name"} {
		wantError(t, query, s.Do(http.MethodGet, keysOf(s)+"?"+query, s.AdminToken, nil),
			http.StatusUnprocessableEntity, stockhand.CodeValidation)
	}
}

// Rule R26: anything but exactly one valid bearer token is 401 with a hint to generate
// one.
func TestOneValidBearerTokenOr401(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	k := newKey(t, s, "read:data")
	for _, c := range []struct {
		name   string
		values []string
		status int
	}{
		{"the usual form", []string{"Bearer " + k.Secret}, 200},
		{"scheme in lower case", []string{"bearer " + k.Secret}, 200},
		{"scheme in capitals", []string{"BEARER  " + k.Secret + " "}, 200},
		{"no header", nil, 401},
		{"empty", []string{""}, 401},
		{"scheme alone", []string{"Bearer"}, 401},
		{"no token", []string{"Bearer "}, 401},
		{"token alone", []string{k.Secret}, 401},
		{"another scheme", []string{"Basic " + k.Secret}, 401},
		{"two headers", []string{"Bearer " + k.Secret, "Bearer " + k.Secret}, 401},
		{"two headers, the second empty", []string{"Bearer " + k.Secret, ""}, 401},
		{"two tokens", []string{"Bearer " + k.Secret + ", Bearer " + k.Secret}, 401},
		{"its prefix", []string{"Bearer " + k.Prefix}, 401},
		{"its id", []string{"Bearer " + k.ID}, 401},
		{"one character wrong", []string{"Bearer " + k.Secret[:30] + "-" + k.Secret[31:]}, 401},
		{"very long", []string{"Bearer " + strings.Repeat("sk-org-", 5000)}, 401},
		{"not UTF-8", []string{"Bearer sk-org-\xff\xfe"}, 401},
	} {
		r := s.Request(http.MethodGet, "/me", "", nil)
		r.Header.Del("Authorization")
		for _, v := range c.values {
			r.Header.Add("Authorization", v)
		}
		a := send(t, r)
		if a.Status != c.status {
			t.Errorf("%s: %d %s", c.name, a.Status, a.Body)
		}
		if c.status == http.StatusUnauthorized {
			b := wantError(t, c.name, a, http.StatusUnauthorized, stockhand.CodeTokenExpired)
			if !strings.Contains(strings.ToLower(b.Detail.Hint), "generate a new token") {
				t.Errorf("%s: the hint is %q", c.name, b.Detail.Hint)
			}
			if bytes.Contains(a.Body, []byte(k.Secret[17:30])) {
				t.Errorf("%s: the answer quotes the token: %s", c.name, a.Body)
			}
		}
	}
	for _, header := range []string{"X-Api-Key", "Api-Key", "Proxy-Authorization"} {
		r := s.Request(http.MethodGet, "/me", "", nil)
		r.Header.Del("Authorization")
		r.Header.Set(header, "Bearer "+k.Secret)
		wantError(t, header, send(t, r), http.StatusUnauthorized, stockhand.CodeTokenExpired)
	}
	wantError(t, "in the query", s.Do(http.MethodGet, "/me?access_token="+k.Secret, "", nil), http.StatusUnauthorized,
		stockhand.CodeTokenExpired)
}

func TestMembersAndTokens(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	members := "/organizations/" + string(s.OrgID) + "/members"
	invitations := "/organizations/" + string(s.OrgID) + "/invitations"
	for field, body := range map[string]string{
		"email": `{"email":"anna","role":"viewer"}`, "role": `{"email":"anna@example.com","role":"root"}`,
		"name": `{"email":"anna@example.com","role":"viewer","name":"x"}`,
	} {
		b := wantError(t, body, s.Do(http.MethodPost, invitations, s.AdminToken, body), http.StatusUnprocessableEntity,
			stockhand.CodeValidation)
		if len(b.Detail.Errors) == 0 || b.Detail.Errors[0].Field != field {
			t.Errorf("%s: the field at fault is %v", body, b.Detail.Errors)
		}
	}
	user, _ := s.Member(s.OrgID, stockhand.RoleViewer)
	anna := struct{ ID string }{string(user.ID)}
	if a := s.Do(http.MethodPatch, members+"/"+anna.ID, s.AdminToken, `{"role":"admin"}`); a.Status != http.StatusOK ||
		!bytes.Contains(a.Body, []byte(`"admin"`)) {
		t.Errorf("change: %d %s", a.Status, a.Body)
	}
	me := read[struct {
		Actor struct{ Type, ID, Email string }
		Role  string
	}](t, "me", s.Do(http.MethodGet, "/me", s.AdminToken, nil), http.StatusOK)
	if me.Actor.Type != "user" || me.Role != "owner" {
		t.Errorf("me: %+v", me)
	}
	wantError(t, "the last owner leaves", s.Do(http.MethodDelete, members+"/"+me.Actor.ID, s.AdminToken, nil),
		http.StatusConflict, stockhand.CodeConflict)
	list := read[struct{ Data []json.RawMessage }](t, "list", s.Do(http.MethodGet, members, s.AdminToken, nil),
		http.StatusOK)
	if len(list.Data) != 2 {
		t.Errorf("members: %s", list.Data)
	}
	if a := s.Do(http.MethodDelete, members+"/"+anna.ID, s.AdminToken, nil); a.Status != http.StatusOK {
		t.Errorf("remove: %d %s", a.Status, a.Body)
	}

	token := read[struct{ ID, Secret, Prefix string }](t, "token",
		s.Do(http.MethodPost, "/me/tokens", s.AdminToken, `{"name":"Laptop","expires_in_days":7}`), http.StatusCreated)
	if !strings.HasPrefix(token.Secret, "sk-usr-") || token.Prefix != token.Secret[:17] {
		t.Errorf("the token: %+v", token)
	}
	if a := s.Do(http.MethodGet, "/me", token.Secret, nil); a.Status != http.StatusOK {
		t.Errorf("with the new token: %d %s", a.Status, a.Body)
	}
	if a := s.Do(http.MethodGet, "/me/tokens", s.AdminToken, nil); a.Status != http.StatusOK ||
		bytes.Contains(a.Body, []byte(token.Secret[17:])) || !bytes.Contains(a.Body, []byte(token.ID)) {
		t.Errorf("list: %d %s", a.Status, a.Body)
	}
	if a := s.Do(http.MethodDelete, "/me/tokens/"+token.ID, s.AdminToken, nil); a.Status != http.StatusOK {
		t.Errorf("revoke: %d %s", a.Status, a.Body)
	}
	wantError(t, "the revoked token", s.Do(http.MethodGet, "/me", token.Secret, nil), http.StatusUnauthorized,
		stockhand.CodeTokenExpired)
	for _, body := range []string{`{}`, `{"name":"x","expires_in_days":0}`, `{"name":"x","expires_in_days":366}`,
		`{"name":"x","user_id":"` + anna.ID + `"}`} {
		wantError(t, body, s.Do(http.MethodPost, "/me/tokens", s.AdminToken, body), http.StatusUnprocessableEntity,
			stockhand.CodeValidation)
	}
	if a := s.Do(http.MethodPatch, "/organizations/"+string(s.OrgID), s.AdminToken,
		`{"name":"Лавка"}`); a.Status != http.StatusOK || !bytes.Contains(a.Body, []byte("Лавка")) {
		t.Errorf("rename: %d %s", a.Status, a.Body)
	}
}

// Another person's and another organization's ids look like nothing.
func TestOthersKeysMembersAndTokensAreNotFound(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true,
		Configure: func(c *app.Config) { c.AnyoneCreates = true }})
	k := newKey(t, s, "admin")
	other := read[struct{ ID string }](t, "another organization",
		s.Do(http.MethodPost, "/organizations", s.AdminToken, map[string]string{"name": "Second"}), http.StatusCreated)
	theirs := "/organizations/" + other.ID
	for _, c := range []struct{ method, path string }{
		{http.MethodGet, theirs + "/api-keys/" + k.ID}, {http.MethodDelete, theirs + "/api-keys/" + k.ID},
		{http.MethodPost, theirs + "/api-keys/" + k.ID + "/rotate"},
		{http.MethodDelete, theirs + "/members/usr_none"}, {http.MethodDelete, "/me/tokens/tok_none"},
	} {
		wantError(t, c.method+" "+c.path, s.Do(c.method, c.path, s.AdminToken, nil), http.StatusNotFound,
			stockhand.CodeNotFound)
	}
	if a := s.Do(http.MethodGet, "/me", k.Secret, nil); a.Status != http.StatusOK {
		t.Errorf("the key is not as it was: %d %s", a.Status, a.Body)
	}
}

// Rule R33: a revoked key fails at once where it was revoked, and on other replicas a moment later.
func TestARevokedKeyIsDeadOnAllReplicas(t *testing.T) {
	here := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	there := here.Replica()
	k := newKey(t, here, "read:data")
	for range 3 {
		for _, s := range []*apptest.Service{here, there} {
			if a := s.Do(http.MethodGet, "/sessions", k.Secret, nil); a.Status != http.StatusOK {
				t.Fatalf("a good key: %d %s", a.Status, a.Body)
			}
		}
	}
	if a := here.Do(http.MethodDelete, keysOf(here)+"/"+k.ID, here.AdminToken, nil); a.Status != http.StatusOK {
		t.Fatalf("revoke: %d %s", a.Status, a.Body)
	}
	wantError(t, "where it was revoked", here.Do(http.MethodGet, "/sessions", k.Secret, nil), http.StatusUnauthorized,
		stockhand.CodeTokenExpired)
	// for the slowest of machines; that it is a second is tested in internal/auth
	deadline := time.Now().Add(time.Minute)
	for {
		a := there.Do(http.MethodGet, "/sessions", k.Secret, nil)
		if a.Status == http.StatusUnauthorized {
			wantError(t, "elsewhere", a, http.StatusUnauthorized, stockhand.CodeTokenExpired)
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("elsewhere: %d %s", a.Status, a.Body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Rule R34.
func TestLastUse(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	k := newKey(t, s, "read:data")
	before := time.Now().Add(-time.Second)
	if a := s.Do(http.MethodGet, "/sessions", k.Secret, nil); a.Status != http.StatusOK {
		t.Fatalf("use it: %d %s", a.Status, a.Body)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		list := read[struct{ Data []keyRecord }](t, "list", s.Do(http.MethodGet, keysOf(s), s.AdminToken, nil),
			http.StatusOK)
		if at := list.Data[0].LastUsedAt; at != nil {
			if at.Before(before) || at.After(time.Now().Add(time.Second)) {
				t.Errorf("used last %s", at)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the key was used and the list does not say so")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestSecretIsReturnedOnceAndNeverAgainEvenToTheSameRequest(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	path := "/organizations/" + string(s.OrgID) + "/api-keys"
	body := map[string]any{"name": "once"}
	first := s.Do(http.MethodPost, path, s.AdminToken, body, "Idempotency-Key", "make-once")
	again := s.Do(http.MethodPost, path, s.AdminToken, body, "Idempotency-Key", "make-once")
	var made, repeated map[string]any
	first.Decode(t, &made)
	again.Decode(t, &repeated)
	if first.Status != http.StatusCreated || again.Status != http.StatusCreated || made["secret"] == nil ||
		repeated["id"] != made["id"] {
		t.Errorf("%d %s, then %d %s", first.Status, first.Body, again.Status, again.Body)
	}
	if strings.Contains(string(again.Body), "sk-org-") && repeated["secret"] != nil {
		t.Error("the secret was returned again")
	}
}

// Organizations are not deleted; their data is. Their keys then start nothing.
func TestKeysOfAnErasedOrganizationStartNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: func(c *app.Config) { c.EncryptData = true }})
	org, _ := s.Organization("Closed")
	key := s.KeyIn(org, stockhand.ScopeAdmin)
	if err := s.Store.EraseContents(t.Context(), org, stockhand.AuditEntry{Action: "organization.erased"}); err != nil {
		t.Fatal(err)
	}
	wantError(t, "a task", s.Do("POST", "/sessions/stream", key, map[string]any{"message": "остатки"}), 409,
		stockhand.CodeConflict)
	read[any](t, "another organization", s.Do("GET", "/sessions", s.AdminToken, nil), 200)
}
