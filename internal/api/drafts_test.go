package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// draftShown is a draft as a client reads it.
type draftShown struct {
	ID        string `json:"id"`
	Version   int64  `json:"version"`
	Documents []struct {
		ID    string `json:"id"`
		Kind  string `json:"kind"`
		State string `json:"state"`
		Total *amount
		Lines []struct {
			ID       string  `json:"id"`
			Quantity *string `json:"quantity"`
			Price    *amount `json:"price"`
			Sum      *amount `json:"sum"`
		} `json:"lines"`
		Outcome *struct {
			External *struct{ ID, Name string }
			Link     string
		} `json:"outcome"`
		Problem          string `json:"problem"`
		ConfirmedBy      string `json:"confirmed_by"`
		ConfirmedVersion int64  `json:"confirmed_version"`
	} `json:"documents"`
	CreatedBy string `json:"created_by"`
	DryRun    bool   `json:"dry_run"`
	Verdicts  []struct {
		DocumentID string `json:"document_id"`
		Passed     bool
		Bodies     []struct{ Method, Path string }
		Gates      []struct {
			Name    string
			Passed  bool
			Message string
		}
	}
}

type amount struct{ Amount, Currency, Text string }

func (d draftShown) path() string { return "/drafts/" + d.ID }

func (d draftShown) states() (all []string) {
	for _, doc := range d.Documents {
		all = append(all, doc.State)
	}
	return all
}

const orders = "подготовь заказы поставщикам на всё, что ниже минимума"

// proposed has the agent propose supplier orders.
func proposed(t testing.TB, s *apptest.Service, token string) (turn, draftShown) {
	t.Helper()
	v, d := proposedBy(t, s, token, orders)
	if len(d.Documents) < 2 {
		t.Fatalf("proposed: %+v", d)
	}
	return v, d
}

func proposedBy(t testing.TB, s *apptest.Service, token, task string) (turn, draftShown) {
	t.Helper()
	v := ask(t, s, token, about(s, task))
	if len(v.Drafts) != 1 {
		t.Fatalf("proposed: %+v", v)
	}
	return v, v.Drafts[0]
}

// writes counts what was sent to the sandbox that could change something: documents where several are sent at once.
func writes(s *apptest.Service) (n int) {
	for _, r := range s.Sandbox.Requests() {
		if r.Method != http.MethodGet {
			n += max(1, len(r.SyncIDs))
		}
	}
	return n
}

func TestADraftFromCreationToUndoOverHTTP(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, person := s.Member(s.OrgID, stockhand.RoleMember)
	_, d := proposed(t, s, person)
	if writes(s) != 0 || slices.ContainsFunc(d.states(), func(state string) bool { return state != "pending" }) {
		t.Fatalf("%d writes before anybody confirmed; states %v", writes(s), d.states())
	}
	shown := read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200)
	first := shown.Documents[0]
	if first.Total == nil || first.Total.Currency != "RUB" || !strings.HasSuffix(first.Total.Text, "₽") ||
		first.Lines[0].Price == nil || first.Lines[0].Quantity == nil {
		t.Errorf("a document is shown as %+v", first)
	}

	// An edit makes a new version; what is not named stays. The one before it can no longer be confirmed.
	edit := map[string]any{"version": d.Version, "documents": []any{map[string]any{"id": first.ID, "lines": []any{
		map[string]any{"id": first.Lines[0].ID, "quantity": "40",
			"price": map[string]any{"amount": "12.50", "currency": "RUB", "text": "12,50 ₽"}},
	}}}}
	tried := read[draftShown](t, "try to edit", s.Do("PATCH", d.path(), person, edit, "X-Dry-Run", "1"), 200)
	if tried.Version != 2 || *tried.Documents[0].Lines[0].Quantity != "40" {
		t.Errorf("tried: %+v", tried)
	}
	if now := read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200); now.Version != 1 {
		t.Errorf("trying made version %d", now.Version)
	}
	edited := read[draftShown](t, "edit", s.Do("PATCH", d.path(), person, edit), 200)
	line := edited.Documents[0].Lines[0]
	if edited.Version != 2 || *line.Quantity != "40" || line.Price.Amount != "12.50" || line.Sum.Amount != "500.00" {
		t.Errorf("edited: version %d, %+v", edited.Version, line)
	}
	wantError(t, "confirm version 1", s.Do("POST", d.path()+"/confirm", person, map[string]any{"version": 1}), 409,
		stockhand.CodeDraftChanged)
	wantError(t, "edit version 1", s.Do("PATCH", d.path(), person, edit), 409, stockhand.CodeDraftChanged)
	wantError(t, "reject version 1", s.Do("POST", d.path()+"/reject", person, map[string]any{"version": 1}), 409,
		stockhand.CodeDraftChanged)

	// A part may be confirmed, and is written once.
	part := map[string]any{"version": 2, "document_ids": []string{first.ID}}
	confirmed := read[draftShown](t, "confirm a part", s.Do("POST", d.path()+"/confirm", person, part), 200)
	doc := confirmed.Documents[0]
	if doc.State != "applied" || doc.Outcome == nil || doc.Outcome.External == nil || doc.ConfirmedVersion != 2 ||
		!strings.HasPrefix(doc.ConfirmedBy, "user:") || confirmed.Documents[1].State != "pending" {
		t.Fatalf("confirmed in part: %+v", confirmed.Documents)
	}
	if n := writes(s); n != 1 {
		t.Errorf("%d writes for one document", n)
	}
	wantError(t, "confirm what is written", s.Do("POST", d.path()+"/confirm", person, part), 409,
		stockhand.CodeConflict)
	if n := writes(s); n != 1 {
		t.Errorf("%d writes after it was confirmed again", n)
	}

	// The rest is rejected; what was written is taken back by a new draft, confirmed like any other.
	rejected := read[draftShown](t, "reject", s.Do("POST", d.path()+"/reject", person, map[string]any{"version": 2}),
		200)
	if rejected.Documents[0].State != "applied" || slices.Contains(rejected.states()[1:], "pending") {
		t.Errorf("rejected: %v", rejected.states())
	}
	wantError(t, "reject again", s.Do("POST", d.path()+"/reject", person, map[string]any{"version": 2}), 409,
		stockhand.CodeConflict)
	if tried := read[draftShown](t, "try to undo", s.Do("POST", d.path()+"/undo", person, nil, "X-Dry-Run", "1"),
		200); len(tried.Documents) != 1 || tried.Documents[0].Kind != "deletion" {
		t.Errorf("tried to undo: %+v", tried)
	}
	a := s.Do("POST", d.path()+"/undo", person, nil)
	undo := read[draftShown](t, "undo", a, 201)
	if undo.Documents[0].Kind != "deletion" || undo.States() != "pending" || a.Header.Get("Location") != "/api/v1"+
		undo.path() {
		t.Errorf("undo: %+v %v", undo, a.Header)
	}
	if done := read[draftShown](t, "confirm the undo",
		s.Do("POST", undo.path()+"/confirm", person, map[string]any{"version": 1}), 200); done.States() != "applied" {
		t.Errorf("reversed: %+v", done)
	}
	if n := writes(s); n != 2 {
		t.Errorf("%d writes in all, want 2", n)
	}
	log := read[struct {
		Data []struct{ Action, Actor string }
	}](t, "audit log", s.Do("GET", "/organizations/"+string(s.OrgID)+"/audit-log?draft_id="+d.ID, s.AdminToken, nil),
		200)
	var actions []string
	for _, e := range log.Data {
		actions = append(actions, e.Action)
	}
	if want := []string{"draft.rejected", "document.applied", "document.applying", "draft.confirmed", "draft.edited",
		"draft.created"}; !slices.Equal(actions, want) {
		t.Errorf("the audit log of the draft is %v, want %v", actions, want)
	}
}

// States joins the documents' states.
func (d draftShown) States() string { return strings.Join(d.states(), " ") }

func TestNoKeyCanConfirmByDefault(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	settings := "/organizations/" + string(s.OrgID) + "/settings"
	for name, key := range map[string]string{"write:tools": s.Key(), "admin": s.Key(stockhand.ScopeAdmin)} {
		_, d := proposed(t, s, key)
		confirm := func(headers ...string) apptest.Answer {
			return s.Do("POST", d.path()+"/confirm", key, map[string]any{"version": 1}, headers...)
		}
		if e := wantError(t, name, confirm(), 403, stockhand.CodePermissionDenied); !strings.Contains(e.Detail.Message+
			e.Detail.Hint, "keys_may_confirm") {
			t.Errorf("%s: the refusal does not name the setting: %+v", name, e.Detail)
		}
		tried := read[draftShown](t, "try", confirm("X-Dry-Run", "1"), 200)
		if !tried.DryRun || len(tried.Verdicts) != len(d.Documents) || len(tried.Verdicts[0].Bodies) == 0 ||
			tried.Verdicts[0].Passed {
			t.Fatalf("tried by %s: %+v", name, tried)
		}
		for _, g := range tried.Verdicts[0].Gates {
			if g.Passed == (g.Name == "actor") {
				t.Errorf("tried by %s: the gate %s says %t %s", name, g.Name, g.Passed, g.Message)
			}
		}
	}
	wantError(t, "a key turns it on", s.Do("PATCH", settings, s.Key(stockhand.ScopeAdmin),
		map[string]any{"keys_may_confirm": true}), 403, stockhand.CodePermissionDenied)
	_, member := s.Member(s.OrgID, stockhand.RoleMember)
	wantError(t, "a member turns it on", s.Do("PATCH", settings, member, map[string]any{"keys_may_confirm": true}), 403,
		stockhand.CodePermissionDenied)
	if writes(s) != 0 {
		t.Fatalf("%d writes", writes(s))
	}

	if on := read[map[string]any](t, "turn it on",
		s.Do("PATCH", settings, s.AdminToken, map[string]any{"keys_may_confirm": true}),
		200); on["keys_may_confirm"] != true {
		t.Errorf("the settings are %v", on)
	}
	key := s.Key()
	_, d := proposed(t, s, key)
	one := map[string]any{"version": 1, "document_ids": []string{d.Documents[0].ID}}
	if done := read[draftShown](t, "a key confirms", s.Do("POST", d.path()+"/confirm", key, one),
		200); done.Documents[0].State != "applied" || !strings.HasPrefix(done.Documents[0].ConfirmedBy, "key:") {
		t.Errorf("confirmed by a key: %+v", done.Documents[0])
	}
	if off := read[map[string]any](t, "a key turns it off",
		s.Do("PATCH", settings, s.Key(stockhand.ScopeAdmin), map[string]any{"keys_may_confirm": false}),
		200); off["keys_may_confirm"] != false {
		t.Errorf("the settings are %v", off)
	}
	log := read[struct{ Data []struct{ Action string } }](t, "audit log",
		s.Do("GET", "/organizations/"+string(s.OrgID)+"/audit-log?action=setting.changed", s.AdminToken, nil), 200)
	if len(log.Data) != 2 {
		t.Errorf("the audit log has %d changes of settings, want 2", len(log.Data))
	}
}

func TestAViewerConfirmsNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, d := proposed(t, s, s.AdminToken)
	_, viewer := s.Member(s.OrgID, stockhand.RoleViewer)
	if a := s.Do("GET", d.path(), viewer, nil); a.Status != 200 {
		t.Errorf("a viewer reads the draft: %d %s", a.Status, a.Body)
	}
	for _, what := range []string{"/confirm", "/reject"} {
		wantError(t, what, s.Do("POST", d.path()+what, viewer, map[string]any{"version": 1}), 403,
			stockhand.CodePermissionDenied)
	}
}

func TestAPersonsOwnNextMessageMayConfirm(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, person := s.Member(s.OrgID, stockhand.RoleMember)
	say := func(token string, in turn, text string) turn {
		return ask(t, s, token, map[string]any{"message": text, "session_id": in.SessionID})
	}

	v, d := proposed(t, s, person)
	said := say(person, v, "подтверждаю")
	now := read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200)
	if slices.ContainsFunc(now.states(), func(state string) bool { return state != "applied" }) ||
		!strings.Contains(said.FinalResponse, "записан") {
		t.Fatalf("after «подтверждаю»: %v\n%s", now.states(), said.FinalResponse)
	}
	sent := writes(s)
	if sent != len(d.Documents) {
		t.Errorf("%d writes for %d documents", sent, len(d.Documents))
	}
	say(person, v, "подтверждаю") // nothing waits any more: a task like any
	if writes(s) != sent {
		t.Error("said again, it wrote again")
	}

	// The opposite, and a key's words confirm nothing.
	v, d = proposedBy(t, s, person, "raise all prices by 7%")
	say(person, v, "не подтверждаю") // rejects it
	say(person, v, "подтверждаю")
	key := s.Key()
	byKey, k := proposedBy(t, s, key, "raise all prices by 8%")
	if said := say(key, byKey, "confirm"); !strings.Contains(said.FinalResponse, k.ID) ||
		!strings.Contains(said.FinalResponse, "an API key cannot confirm") {
		t.Errorf("a key's answer does not say that it cannot confirm: %s", said.FinalResponse)
	}
	for _, draft := range []draftShown{d, k} {
		if now := read[draftShown](t, "read", s.Do("GET", draft.path(), s.AdminToken, nil), 200); slices.ContainsFunc(
			now.states(), func(state string) bool { return state != "pending" && state != "rejected" }) {
			t.Errorf("%s was confirmed: %v", draft.ID, now.states())
		}
	}
	if writes(s) != sent {
		t.Errorf("%d unconfirmed writes", writes(s)-sent)
	}
}

// What somebody else put into the conversation, a program or a colleague, is nothing that the person has asked for.
func TestAMessageOnlyConfirmsADraftThatItsAuthorsTurnShowed(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, person := s.Member(s.OrgID, stockhand.RoleMember)
	_, colleague := s.Member(s.OrgID, stockhand.RoleMember)
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData)
	for name, other := range map[string]string{"a key": key, "a colleague": colleague} {
		v, _ := proposedBy(t, s, person, "raise all prices by 7%")
		slipped := ask(t, s, other, map[string]any{"message": "raise all prices by 70%", "session_id": v.SessionID})
		if len(slipped.Drafts) != 1 {
			t.Fatalf("%s proposed: %+v", name, slipped)
		}
		ask(t, s, person, map[string]any{"message": "подтверждаю", "session_id": v.SessionID})
		if now := read[draftShown](t, "read", s.Do("GET", slipped.Drafts[0].path(), person, nil),
			200); slices.ContainsFunc(now.states(), func(state string) bool { return state != "pending" }) {
			t.Errorf("what %s slipped in was confirmed: %v", name, now.states())
		}
	}
	if n := writes(s); n != 0 {
		t.Errorf("%d writes", n)
	}
}

func TestRefusalsOfADraftSayWhyInTheLanguageOfTheCall(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, d := proposedBy(t, s, s.AdminToken, "подготовь заказы поставщикам на всё, что ниже минимума")
	confirm := func(version int64, id any, headers ...string) apptest.Answer {
		return s.Do("POST", d.path()+"/confirm", s.AdminToken,
			map[string]any{"version": version, "document_ids": []any{id}}, headers...)
	}
	one := d.Documents[0].ID
	read[draftShown](t, "confirm", confirm(1, one), 200)
	if e := wantError(t, "again", confirm(1, one), 409,
		stockhand.CodeConflict); e.Detail.Message != "there is nothing to confirm: the documents named are applied already" {
		t.Errorf("others of the draft still wait, and it says: %s", e.Detail.Message)
	}
	for name, c := range map[string]struct {
		answer func(headers ...string) apptest.Answer
		status int
		code   stockhand.Code
	}{
		"another version": {func(h ...string) apptest.Answer { return confirm(7, one, h...) }, 409,
			stockhand.CodeDraftChanged},
		"no document": {func(h ...string) apptest.Answer { return confirm(1, "doc_none", h...) }, 404,
			stockhand.CodeNotFound},
		"applied already": {func(h ...string) apptest.Answer { return confirm(1, one, h...) }, 409,
			stockhand.CodeConflict},
	} {
		cyrillic := func(s string) bool {
			return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
		}
		if e := wantError(t, name, c.answer(), c.status, c.code); cyrillic(e.Detail.Message) ||
			cyrillic(e.Detail.Hint) {
			t.Errorf("%s, in English: %+v", name, e.Detail)
		}
		if e := wantError(t, name, c.answer("Accept-Language", "ru"), c.status, c.code); !cyrillic(e.Detail.Message) ||
			!cyrillic(e.Detail.Hint) {
			t.Errorf("%s, in Russian: %+v", name, e.Detail)
		}
	}
}

func TestWhatWasOnlyTriedSaysSo(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	path := "/connections/" + string(s.Connections[0].ID)
	if a := s.Do("PATCH", path, s.AdminToken, map[string]any{"label": "tried"}, "X-Dry-Run", "1"); a.Status != 200 ||
		a.Header.Get("X-Dry-Run") != "1" {
		t.Errorf("tried: %d, X-Dry-Run %q", a.Status, a.Header.Get("X-Dry-Run"))
	}
	if a := s.Do("GET", path, s.AdminToken, nil); a.Header.Get("X-Dry-Run") != "" ||
		strings.Contains(string(a.Body), "tried") {
		t.Errorf("it was done: %s", a.Body)
	}
}

func TestSayingYesToADraftThatChangedShowsItAgain(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, person := s.Member(s.OrgID, stockhand.RoleMember)
	v, d := proposed(t, s, person)
	edit := map[string]any{"version": 1, "documents": []any{map[string]any{"id": d.Documents[0].ID, "drop": true}}}
	read[draftShown](t, "edit", s.Do("PATCH", d.path(), person, edit), 200)
	yes := map[string]any{"message": "подтверждаю", "session_id": v.SessionID}
	refused := ask(t, s, person, yes)
	if writes(s) != 0 || !strings.Contains(refused.FinalResponse, "изменился") {
		t.Fatalf("%d writes; %s", writes(s), refused.FinalResponse)
	}
	ask(t, s, person, yes) // now the version that was shown again
	if now := read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200); slices.ContainsFunc(now.states(),
		func(state string) bool { return state != "applied" }) {
		t.Errorf("confirmed again: %v", now.states())
	}
}

func TestADryRunSendsNothingAndReturnsWhatWouldBeSent(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, d := proposed(t, s, s.AdminToken)
	tried := read[draftShown](t, "try", s.Do("POST", d.path()+"/confirm", s.AdminToken, map[string]any{"version": 1},
		"X-Dry-Run", "1"), 200)
	for _, v := range tried.Verdicts {
		if !v.Passed || len(v.Bodies) != 1 || v.Bodies[0].Path != "entity/purchaseorder" || len(v.Gates) != 7 {
			t.Errorf("the verdict is %+v", v)
		}
	}
	stale := read[draftShown](t, "try another version",
		s.Do("POST", d.path()+"/confirm", s.AdminToken, map[string]any{"version": 7}, "X-Dry-Run", "1"), 200)
	if len(stale.Verdicts) == 0 || stale.Verdicts[0].Passed {
		t.Errorf("another version would pass: %+v", stale.Verdicts)
	}
	if rejected := read[draftShown](t, "try to reject",
		s.Do("POST", d.path()+"/reject", s.AdminToken, map[string]any{"version": 1}, "X-Dry-Run", "1"),
		200); slices.Contains(rejected.states(), "pending") {
		t.Errorf("tried to reject: %v", rejected.states())
	}
	if now := read[draftShown](t, "read", s.Do("GET", d.path(), s.AdminToken, nil), 200); writes(s) != 0 ||
		slices.ContainsFunc(now.states(), func(state string) bool { return state != "pending" }) {
		t.Errorf("%d writes; %v", writes(s), now.states())
	}
}

func TestAConfirmationContinuesAfterItsCallerStopsWaiting(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, d := proposed(t, s, s.AdminToken)
	slow(t, s, 2, 2500*time.Millisecond)
	read[draftShown](t, "confirm", s.Do("POST", d.path()+"/confirm?wait=1", s.AdminToken, map[string]any{"version": 1}),
		202)
	poll(t, "the documents to be written", func() bool {
		now := read[draftShown](t, "read", s.Do("GET", d.path(), s.AdminToken, nil), 200)
		return !slices.ContainsFunc(now.states(), func(state string) bool { return state != "applied" })
	})
	if n := writes(s); n != len(d.Documents) {
		t.Errorf("%d writes for %d documents", n, len(d.Documents))
	}
}

// poll asks again until it is so, at most a minute.
func poll(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}

func TestDraftsAreListedByStateAndOwner(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	mine, other := s.Key(), s.Key()
	_, d := proposed(t, s, mine)
	_, e := proposed(t, s, other)
	read[draftShown](t, "reject", s.Do("POST", e.path()+"/reject", other, map[string]any{"version": 1}), 200)
	list := func(token, query string) string {
		var ids []string
		for _, v := range read[struct{ Data []draftListed }](t, "list", s.Do("GET", "/drafts"+query, token, nil),
			200).Data {
			ids = append(ids, v.ID)
			if len(v.Documents) == 0 || v.Documents[0].Lines == 0 || v.Documents[0].Total == nil {
				t.Errorf("listed as %+v", v)
			}
		}
		return strings.Join(ids, " ")
	}
	for _, c := range []struct{ token, query, want string }{
		{mine, "", d.ID}, {other, "", e.ID}, {s.AdminToken, "", e.ID + " " + d.ID},
		{s.AdminToken, "?state=pending", d.ID}, {s.AdminToken, "?state=rejected", e.ID},
		{mine, "?state=rejected", ""}, {other, "?state=rejected", e.ID}, {s.AdminToken, "?limit=1", e.ID},
	} {
		if got := list(c.token, c.query); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
	wantError(t, "no such state", s.Do("GET", "/drafts?state=lost", mine, nil), 422, stockhand.CodeValidation)
	for _, r := range [][2]string{{"GET", ""},
		{"PATCH", `{"version":1,"documents":[{"id":"` + d.Documents[0].ID + `","drop":true}]}`},
		{"POST /confirm", `{"version":1}`}, {"POST /reject", `{"version":1}`}, {"POST /undo", ""}} {
		method, sub, _ := strings.Cut(r[0], " ")
		var body any
		if r[1] != "" {
			body = r[1]
		}
		wantError(t, "another key: "+r[0], s.Do(method, d.path()+sub, other, body), 403, stockhand.CodePermissionDenied)
		_, stranger := s.Organization("Other")
		wantError(t, "another organization: "+r[0], s.Do(method, d.path()+sub, stranger, body), 404,
			stockhand.CodeNotFound)
	}
	if now := read[draftShown](t, "read", s.Do("GET", d.path(), mine, nil), 200); now.Version != 1 ||
		slices.Contains(now.states(), "rejected") {
		t.Errorf("somebody changed it: %+v", now)
	}
}

type draftListed struct {
	ID        string
	Documents []struct {
		ID, State string
		Lines     int `json:"line_count"`
		Total     *amount
	}
}

func TestInvalidEditsNameTheField(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, d := proposed(t, s, s.AdminToken)
	doc, line := d.Documents[0].ID, d.Documents[0].Lines[0].ID
	for edit, field := range map[string]string{
		`{"id":"doc_x","drop":true}`:                                          "documents[0].id",
		`{"id":"` + doc + `"}`:                                                "documents[0]",
		`{"id":"` + doc + `","lines":[{"id":"999","drop":true}]}`:             "documents[0].lines[0].id",
		`{"id":"` + doc + `","lines":[{"id":"` + line + `","quantity":"0"}]}`: "documents[0].lines[0].quantity",
		`{"id":"` + doc + `","lines":[{"id":"` + line + `","quantity":"x"}]}`: "documents[0].lines[0].quantity",
		`{"id":"` + doc + `","lines":[{"id":"` + line + `","price":"-1"}]}`:   "documents[0].lines[0].price",
		`{"id":"` + doc + `","lines":[{"id":"` + line + `","price":{}}]}`:     "documents[0].lines[0].price",
		`{"id":"` + doc + `","lines":[{"id":"` + line + `","cost":"1"}]}`:     "documents[0].lines[0].cost",
	} {
		e := wantError(t, edit, s.Do("PATCH", d.path(), s.AdminToken, `{"version":1,"documents":[`+edit+`]}`), 422,
			stockhand.CodeValidation)
		if !slices.ContainsFunc(e.Detail.Errors,
			func(f stockhand.FieldError) bool { return strings.HasPrefix(f.Field, field) }) {
			t.Errorf("%s: %+v, want %s", edit, e.Detail.Errors, field)
		}
	}
	wantError(t, "no document named", s.Do("POST", d.path()+"/confirm", s.AdminToken,
		`{"version":1,"document_ids":[]}`), 422, stockhand.CodeValidation)
	wantError(t, "without a version", s.Do("POST", d.path()+"/confirm", s.AdminToken, `{}`), 422,
		stockhand.CodeValidation)
	wantError(t, "no such document", s.Do("POST", d.path()+"/confirm", s.AdminToken,
		`{"version":1,"document_ids":["doc_x"]}`), 404, stockhand.CodeNotFound)
}
