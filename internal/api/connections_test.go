package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// failed is the body of an error.
type failed struct {
	Detail struct {
		Code, Message, Hint string
		Errors              []struct{ Field, Message string }
	}
}

// wantFailure checks an answer's status and code, and returns the error.
func wantFailure(t *testing.T, what string, a apptest.Answer, status int, code stockhand.Code) failed {
	t.Helper()
	var f failed
	_ = json.Unmarshal(a.Body, &f)
	if a.Status != status || f.Detail.Code != string(code) || f.Detail.Message == "" || f.Detail.Hint == "" {
		t.Errorf("%s: %d %s, want %d %s with a hint", what, a.Status, a.Body, status, code)
	}
	return f
}

// want checks an answer's status and reads its body.
func want[T any](t *testing.T, what string, a apptest.Answer, status int) (out T) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%s: %d %s, want %d", what, a.Status, a.Body, status)
	}
	a.Decode(t, &out)
	return out
}

// key makes an API key with those scopes.
func key(t *testing.T, s *apptest.Service, scopes ...string) string {
	t.Helper()
	out := want[struct{ Secret string }](t, "create a key",
		s.Do(http.MethodPost, "/organizations/"+string(s.OrgID)+"/api-keys", s.AdminToken,
			map[string]any{"name": "test", "scopes": scopes}), http.StatusCreated)
	return out.Secret
}

// connected is a connection as the API shows it.
type connected struct {
	ID            string
	AccountID     string `json:"account_id"`
	Label         string
	Organization  string
	Employee      string
	GatewayWrites bool `json:"gateway_writes"`
	Problem       *string
	VerifiedAt    *string `json:"verified_at"`
	Rights        struct {
		Visible, Missing []struct {
			Name    string
			Extent  string
			Section struct{ RU, EN string }
		}
	}
}

func connect(t *testing.T, s *apptest.Service, token string) connected {
	t.Helper()
	return want[connected](t, "connect",
		s.Do(http.MethodPost, "/connections", s.AdminToken, map[string]any{"connector": "moysklad", "token": token}),
		http.StatusCreated)
}

func connections(t *testing.T, s *apptest.Service) []connected {
	t.Helper()
	return want[struct{ Data []connected }](t, "list", s.Do(http.MethodGet, "/connections", s.AdminToken, nil),
		http.StatusOK).Data
}

// lockedLog is a log that is read while it is written.
type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Rule R1.
func TestLoginAndPasswordAreNeverAccepted(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	token := s.Sandbox.Accounts()[0].Tokens.Owner
	for what, c := range map[string]struct {
		body  map[string]any
		field string
	}{
		"login and password": {map[string]any{"connector": "moysklad", "login": "admin@shop",
			"password": "s3cret-word"}, "password"},
		"password beside a token": {map[string]any{"connector": "moysklad", "token": token, "password": "s3cret-word"},
			"password"},
		"username": {map[string]any{"connector": "moysklad", "token": token, "username": "s3cret-word"},
			"username"},
		"email": {map[string]any{"connector": "moysklad", "token": token,
			"email": "s3cret-word@shop"}, "email"},
		"Basic header as token": {map[string]any{"connector": "moysklad", "token": "Basic czNjcmV0LXdvcmQ6eA=="},
			"token"},
		"login:password as token": {map[string]any{"connector": "moysklad", "token": "admin@shop:s3cret-word"},
			"token"},
		"a token with the scheme":  {map[string]any{"connector": "moysklad", "token": "Bearer " + token}, "token"},
		"a token with a line feed": {map[string]any{"connector": "moysklad", "token": "s3cret-word\nX: y"}, "token"},
		"no token":                 {map[string]any{"connector": "moysklad"}, "token"},
		"an empty token":           {map[string]any{"connector": "moysklad", "token": ""}, "token"},
		"a number":                 {map[string]any{"connector": "moysklad", "token": 5}, "token"},
		"another connector":        {map[string]any{"connector": "nothing", "token": token}, "connector"},
		"an unknown field": {map[string]any{"connector": "moysklad", "token": token, "account_id": "x"},
			"account_id"},
	} {
		a := s.Do(http.MethodPost, "/connections", s.AdminToken, c.body)
		f := wantFailure(t, what, a, http.StatusUnprocessableEntity, stockhand.CodeValidation)
		named := false
		for _, e := range f.Detail.Errors {
			named = named || e.Field == c.field
			if c.field == "password" && e.Field == c.field && !strings.Contains(e.Message, "token") {
				t.Errorf("%s does not say why: %s", what, e.Message)
			}
		}
		if !named {
			t.Errorf("%s: %s is not named: %s", what, c.field, a.Body)
		}
		if strings.Contains(string(a.Body), "s3cret-word") || strings.Contains(string(a.Body), token) {
			t.Errorf("%s: the answer repeats what was sent: %s", what, a.Body)
		}
	}
	if n := len(s.Sandbox.Requests()); n != 0 {
		t.Errorf("%d requests went out", n)
	}
	if all := connections(t, s); len(all) != 0 {
		t.Errorf("stored: %+v", all)
	}
}

// Rule R2.
func TestATokenIsVerifiedByTheListOfOrganizationsBeforeAnythingIsStored(t *testing.T) {
	var log lockedLog
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true, Log: &log})
	tokens := s.Sandbox.Accounts()[0].Tokens
	for what, token := range map[string]string{"revoked": tokens.Revoked, "wrong": strings.Repeat("0", 40)} {
		before := len(s.Sandbox.Requests())
		a := s.Do(http.MethodPost, "/connections", s.AdminToken,
			map[string]any{"connector": "moysklad", "token": token})
		wantFailure(t, what, a, http.StatusUnprocessableEntity, stockhand.CodeTokenRejected)
		sent := s.Sandbox.Requests()[before:]
		if len(sent) != 1 || !strings.HasSuffix(sent[0].Path, "/entity/organization") {
			t.Errorf("%s: sent %+v", what, sent)
		}
		if strings.Contains(string(a.Body), token) || strings.Contains(log.String(), token) {
			t.Errorf("%s: the token is repeated", what)
		}
	}
	if all := connections(t, s); len(all) != 0 {
		t.Errorf("stored: %+v", all)
	}
	before := len(s.Sandbox.Requests())
	c := connect(t, s, tokens.Owner)
	sent := s.Sandbox.Requests()[before:]
	if !strings.HasSuffix(sent[0].Path, "/entity/organization") {
		t.Errorf("the first request is %+v", sent[0])
	}
	if c.AccountID != s.Sandbox.Accounts()[0].AccountID || c.Employee == "" || c.Organization == "" ||
		c.Label != c.Organization || c.VerifiedAt == nil {
		t.Errorf("connected %+v", c)
	}
	for _, path := range []string{"/connections", "/connections/" + c.ID, "/organizations/" + string(s.OrgID) +
		"/audit-log"} {
		if a := s.Do(http.MethodGet, path, s.AdminToken, nil); strings.Contains(string(a.Body), tokens.Owner) {
			t.Errorf("%s gives the token back", path)
		}
	}
	if strings.Contains(log.String(), tokens.Owner) {
		t.Error("the log has the token")
	}
	stored, err := s.Store.Connections(t.Context(), s.OrgID)
	if err != nil || len(stored) != 1 || bytes.Contains(stored[0].Sealed, []byte(tokens.Owner)) {
		t.Errorf("at rest: %v, %v", stored, err)
	}
}

// Nothing is stored while the external system does not say who it is.
func TestNoConnectionIsCreatedWhileTheExternalSystemDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	for _, status := range []int{http.StatusForbidden, http.StatusInternalServerError} {
		s.Sandbox.Reset()
		if err := s.Sandbox.Fail(sandbox.Fault{Path: "/context/employee", Count: 100, Status: status}); err != nil {
			t.Fatal(err)
		}
		a := s.Do(http.MethodPost, "/connections", s.AdminToken,
			map[string]any{"connector": "moysklad", "token": s.Sandbox.Accounts()[0].Tokens.Owner})
		if a.Status < 400 {
			t.Errorf("%d: %d %s", status, a.Status, a.Body)
		}
	}
	if all := connections(t, s); len(all) != 0 {
		t.Errorf("stored: %+v", all)
	}
}

// Rules R3 and R15: the employee's rights are named as in the role's settings.
func TestAConnectionSaysWhatItsEmployeeSeesAndWhatIsMissing(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	tokens := s.Sandbox.Accounts()[0].Tokens
	owner, keeper, sales := connect(t, s, tokens.Owner), connect(t, s, tokens.Storekeeper), connect(t, s, tokens.Sales)
	if len(owner.Rights.Missing) != 0 || len(owner.Rights.Visible) < 10 {
		t.Errorf("owner: %+v", owner.Rights)
	}
	missing := func(c connected, name string) string {
		for _, r := range c.Rights.Missing {
			if r.Name == name {
				return r.Section.RU
			}
		}
		return ""
	}
	if got := missing(keeper, "viewproductcostandprofit"); !strings.Contains(got, "себестоимость") {
		t.Errorf("the storekeeper lacks %q", got)
	}
	if got := missing(keeper, "dashboardmoney"); got != "Видеть остатки денег" {
		t.Errorf("the storekeeper lacks %q", got)
	}
	extent := ""
	for _, r := range sales.Rights.Visible {
		if r.Name == "customerorder" {
			extent = r.Extent
		}
	}
	if extent != "own" {
		t.Errorf("the sales manager sees orders to the extent %q", extent)
	}
	// Two employees of one account are two connections (rule R6).
	if owner.AccountID != keeper.AccountID || owner.ID == keeper.ID {
		t.Errorf("%+v %+v", owner, keeper)
	}
}

func TestTheSameEmployeeIsConnectedOnce(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	token := s.Sandbox.Accounts()[0].Tokens.Owner
	const n = 4
	answers := make([]apptest.Answer, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			answers[i] = s.Do(http.MethodPost, "/connections", s.AdminToken,
				map[string]any{"connector": "moysklad", "token": token})
		})
	}
	wg.Wait()
	made := 0
	for _, a := range answers {
		if a.Status == http.StatusCreated {
			made++
			continue
		}
		f := wantFailure(t, "again", a, http.StatusConflict, stockhand.CodeConflict)
		if !strings.Contains(f.Detail.Hint, "PATCH /connections/con_") &&
			!strings.Contains(f.Detail.Hint, "list the connections") {
			t.Errorf("hint: %s", f.Detail.Hint)
		}
	}
	if all := connections(t, s); made != 1 || len(all) != 1 {
		t.Errorf("%d made, %d stored", made, len(all))
	}
}

// Rule R4: accounts are identified by their id, not by a name.
func TestTwoAccountsWithTheSameNameAreTwoConnections(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	named := func(i int) connected {
		return want[connected](t, "connect",
			s.Do(http.MethodPost, "/connections", s.AdminToken,
				map[string]any{"connector": "moysklad", "token": s.Sandbox.Accounts()[i].Tokens.Owner,
					"label": "ООО «Ромашка»"}), http.StatusCreated)
	}
	a, b := named(0), named(1)
	if a.Label != b.Label || a.AccountID == b.AccountID || a.ID == b.ID {
		t.Errorf("%+v\n%+v", a, b)
	}
	found := want[struct{ Data []connected }](t, "by account",
		s.Do(http.MethodGet, "/connections?account_id="+b.AccountID, s.AdminToken, nil), http.StatusOK)
	if len(found.Data) != 1 || found.Data[0].ID != b.ID {
		t.Errorf("found %+v", found)
	}
}

func TestATokenCanOnlyBeReplacedByOneOfTheSameEmployee(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	first := s.Sandbox.Accounts()[0].Tokens
	c := connect(t, s, first.Owner)
	patch := func(body map[string]any) apptest.Answer {
		return s.Do(http.MethodPatch, "/connections/"+c.ID, s.AdminToken, body)
	}
	before, err := s.Store.Connection(t.Context(), s.OrgID, stockhand.ConnectionID(c.ID))
	if err != nil {
		t.Fatal(err)
	}
	for what, token := range map[string]string{"another employee": first.Storekeeper,
		"another account": s.Sandbox.Accounts()[1].Tokens.Owner, "a password": "admin@shop:x"} {
		wantFailure(t, what, patch(map[string]any{"token": token}), http.StatusUnprocessableEntity,
			stockhand.CodeValidation)
	}
	wantFailure(t, "a revoked one", patch(map[string]any{"token": first.Revoked}), http.StatusUnprocessableEntity,
		stockhand.CodeTokenRejected)
	wantFailure(t, "a password's name", patch(map[string]any{"password": "x"}), http.StatusUnprocessableEntity,
		stockhand.CodeValidation)
	wantFailure(t, "an empty label", patch(map[string]any{"label": " "}), http.StatusUnprocessableEntity,
		stockhand.CodeValidation)
	after, err := s.Store.Connection(t.Context(), s.OrgID, before.ID)
	if err != nil || !bytes.Equal(before.Sealed, after.Sealed) {
		t.Errorf("the credential was changed: %v", err)
	}
	tried := want[connected](t, "tried",
		s.Do(http.MethodPatch, "/connections/"+c.ID, s.AdminToken, map[string]any{"label": "Tried"}, "X-Dry-Run", "1"),
		http.StatusOK)
	if tried.Label != "Tried" || connections(t, s)[0].Label != c.Label {
		t.Errorf("a trial answered %q and left %q", tried.Label, connections(t, s)[0].Label)
	}
	changed := want[connected](t, "the same employee", patch(map[string]any{"token": first.Owner, "label": "Main"}),
		http.StatusOK)
	if changed.Label != "Main" || changed.ID != c.ID {
		t.Errorf("changed %+v", changed)
	}
	log := audit(t, s)
	if n := count(log, "connection.changed"); n != 1 {
		t.Errorf("%d entries of changes: %v", n, log)
	}
	wantFailure(t, "another organization's id",
		s.Do(http.MethodPatch, "/connections/con_00000000000000000000000000", s.AdminToken,
			map[string]any{"label": "x"}), http.StatusNotFound, stockhand.CodeNotFound)
}

func TestGatewayWritesAreTurnedOnByAPersonAndAudited(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	id := string(s.Connections[0].ID)
	if connections(t, s)[0].GatewayWrites {
		t.Error("on by default")
	}
	wantFailure(t, "by a key", s.Do(http.MethodPatch, "/connections/"+id, key(t, s, "admin"),
		map[string]any{"gateway_writes": true}), http.StatusForbidden, stockhand.CodePermissionDenied)
	if connections(t, s)[0].GatewayWrites {
		t.Error("a key turned them on")
	}
	if c := want[connected](t, "by the owner",
		s.Do(http.MethodPatch, "/connections/"+id, s.AdminToken, map[string]any{"gateway_writes": true}),
		http.StatusOK); !c.GatewayWrites {
		t.Errorf("changed %+v", c)
	}
	log := audit(t, s)
	if len(log) == 0 || log[len(log)-1].Action != "connection.changed" ||
		!strings.Contains(string(log[len(log)-1].Detail), `"gateway_writes":true`) ||
		!strings.HasPrefix(log[len(log)-1].Actor, "user:") {
		t.Errorf("audit log: %+v", log)
	}
}

func TestReverifyingReadsRightsAndMarksARefusedToken(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	c := connect(t, s, s.Sandbox.Accounts()[0].Tokens.Owner)
	verify := func() apptest.Answer {
		return s.Do(http.MethodPost, "/connections/"+c.ID+"/verify", s.AdminToken, nil)
	}
	if again := want[connected](t, "verify", verify(), http.StatusOK); again.Problem != nil ||
		len(again.Rights.Visible) != len(c.Rights.Visible) {
		t.Errorf("verified %+v", again)
	}
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "entity/organization", Count: 1,
		Status: http.StatusUnauthorized}); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, "a revoked token", verify(), http.StatusUnprocessableEntity, stockhand.CodeTokenRejected)
	if now := connections(t, s)[0]; now.Problem == nil || *now.Problem == "" {
		t.Errorf("not marked: %+v", now)
	}
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "entity/organization", Count: 100,
		Status: http.StatusBadGateway}); err != nil {
		t.Fatal(err)
	}
	a := verify()
	wantFailure(t, "no answer", a, http.StatusBadGateway, stockhand.CodeExternalUnavailable)
	s.Sandbox.Reset()
	if again := want[connected](t, "accepted again", verify(), http.StatusOK); again.Problem != nil {
		t.Errorf("still marked: %v", *again.Problem)
	}
	if n := count(audit(t, s), "connection.verified"); n != 3 {
		t.Errorf("%d entries of verifications", n)
	}
}

func TestADeletedConnectionIsClosedOnEveryReplica(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	r := s.Replica()
	id := string(s.Connections[0].ID)
	for _, x := range []*apptest.Service{s, r} {
		want[struct{}](t, "in use", x.Do(http.MethodPost, "/connectors/moysklad/execute", s.AdminToken,
			map[string]any{"connection_id": id, "operation": "employee"}), http.StatusOK)
	}
	want[connected](t, "delete", s.Do(http.MethodDelete, "/connections/"+id, s.AdminToken, nil), http.StatusOK)
	before := len(s.Sandbox.Requests())
	for _, x := range []*apptest.Service{s, r} {
		for what, a := range map[string]apptest.Answer{
			"operation": x.Do(http.MethodPost, "/connectors/moysklad/execute", s.AdminToken,
				map[string]any{"connection_id": id, "operation": "employee"}),
			"tool": x.Do(http.MethodPost, "/tools/moysklad_stock/execute", s.AdminToken,
				map[string]any{"connection_id": id}),
			"gateway": x.Do(http.MethodGet, "/connections/"+id+"/gateway/entity/store", s.AdminToken, nil),
			"read":    x.Do(http.MethodGet, "/connections/"+id, s.AdminToken, nil),
			"verify":  x.Do(http.MethodPost, "/connections/"+id+"/verify", s.AdminToken, nil),
			"delete":  x.Do(http.MethodDelete, "/connections/"+id, s.AdminToken, nil),
		} {
			wantFailure(t, what, a, http.StatusNotFound, stockhand.CodeNotFound)
		}
	}
	if n := len(s.Sandbox.Requests()) - before; n != 0 {
		t.Errorf("%d requests with a deleted credential", n)
	}
	if n := count(audit(t, s), "connection.deleted"); n != 1 {
		t.Errorf("%d entries of deletions", n)
	}
}

// A token replaced elsewhere is used here at once: an account is remembered by its sealed credential.
func TestAReplacedTokenIsNoticedOnAnotherReplica(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	r := s.Replica()
	id := s.Connections[0].ID
	c, err := s.Store.Connection(t.Context(), s.OrgID, id)
	if err != nil {
		t.Fatal(err)
	}
	before, err := r.Instance.Connections.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.Instance.Connections.Open(t.Context(), c); err != nil || again != before {
		t.Errorf("the same connection opened another account: %v", err)
	}
	want[connected](t, "replace", s.Do(http.MethodPatch, "/connections/"+string(id), s.AdminToken,
		map[string]any{"token": s.Sandbox.Accounts()[0].Tokens.Owner}), http.StatusOK)
	if c, err = r.Store.Connection(t.Context(), s.OrgID, id); err != nil {
		t.Fatal(err)
	}
	if after, err := r.Instance.Connections.Open(t.Context(), c); err != nil || after == before {
		t.Errorf("the account opened with the old credential is still in use: %v", err)
	}
}

// audit is the organization's whole audit log.
func audit(t *testing.T, s *apptest.Service) []stockhand.AuditEntry {
	t.Helper()
	var all []stockhand.AuditEntry
	for {
		after := int64(0)
		if len(all) > 0 {
			after = all[len(all)-1].Seq
		}
		page, err := s.Store.AuditEntries(t.Context(), s.OrgID, after, 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

func count(log []stockhand.AuditEntry, action string) (n int) {
	for _, e := range log {
		if e.Action == action {
			n++
		}
	}
	return n
}
