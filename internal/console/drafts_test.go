package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// proposed has the agent propose a draft in the first account, and returns the address of its page.
func proposed(t *testing.T, s *apptest.Service, task string) string {
	t.Helper()
	var m struct {
		Drafts []struct{ ID string }
		Answer string `json:"final_response"`
	}
	s.Do("POST", "/sessions/stream?wait=60", s.AdminToken, map[string]any{"message": task,
		"connection_id": s.Connections[0].ID}).Decode(t, &m)
	if len(m.Drafts) != 1 {
		t.Fatalf("%s: %+v", task, m)
	}
	return "/o/" + string(s.OrgID) + "/drafts/" + m.Drafts[0].ID
}

const orders = "подготовь заказы поставщикам на всё, что ниже минимума"

// field finds an input of a page by a pattern of its name, and returns its name and value.
func field(t *testing.T, page, name string) (string, string) {
	t.Helper()
	m := regexp.MustCompile(`<input[^>]*? name="(` + name + `)"[^>]*? value="([^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no field %s in %s", name, page)
	}
	return m[1], html.UnescapeString(m[2])
}

// documentsOf returns the IDs of the documents that can be confirmed.
func documentsOf(page string) (all []string) {
	boxes := regexp.MustCompile(`form="confirm" name="document" value="([^"]+)"`)
	for _, m := range boxes.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

// says returns the words of a page.
func says(page string) string {
	words := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	return strings.Join(strings.Fields(strings.ReplaceAll(html.UnescapeString(words), "\u00a0", " ")), " ")
}

// R550
func TestAnAnswerHasARowForEachDocumentOfItsDraft(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	at := proposed(t, s, orders)
	sessions, err := s.Store.Sessions(t.Context(), s.OrgID, "", "", "", 1)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	body := b.get("/o/" + string(s.OrgID) + "/ask/" + string(sessions[0].ID)).Body
	links := regexp.MustCompile(`<a href="`+at+`#doc_[0-9a-z]+">Supplier order</a>`).FindAllString(body, -1)
	if rows := documentsOf(b.get(at).Body); len(links) != len(rows) || len(rows) < 2 {
		t.Errorf("%d rows with links of %d documents in %s", len(links), len(rows), says(body))
	}
}

func TestADraftIsEditedAndConfirmedInParts(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	b := as(t, s, stockhand.RoleMember)
	at := proposed(t, s, orders)
	first := b.get(at).Body
	quantity, was := field(t, first, "q-doc_[a-z0-9]+-1")
	n, err := strconv.Atoi(was)
	if err != nil {
		t.Fatal(err)
	}
	more := strconv.Itoa(n * 2)

	tried := b.post(at+"/try", url.Values{"version": {"1"}, quantity: {more}}, "HX-Request", "true")
	if tried.Status != 200 || !strings.Contains(tried.Body, `hx-swap-oob="true"`) {
		t.Fatalf("try: %d %s", tried.Status, tried.Body)
	}
	if _, value := field(t, b.get(at).Body, quantity); value != was {
		t.Errorf("trying stored %s", value)
	}
	if wrong := b.post(at+"/edit", url.Values{"version": {"1"}, quantity: {"ten"}}); wrong.Status != 422 ||
		!strings.Contains(wrong.Body, "A number is needed") || !strings.Contains(wrong.Body, `value="ten"`) {
		t.Errorf("a quantity in words: %d", wrong.Status)
	}
	saved := b.post(at+"/edit", url.Values{"version": {"1"}, quantity: {more}})
	if saved.Location != at+"?since=1&saved" {
		t.Fatalf("save: %d %s", saved.Status, saved.Location)
	}
	page := b.get(saved.Location).Body
	if _, value := field(t, page, quantity); value != more {
		t.Errorf("the quantity is %s, want %s", value, more)
	}
	if words := says(page); !strings.Contains(words, "Saved as version 2") ||
		!strings.Contains(words, "Quantity "+was+" "+more) {
		t.Errorf("the page does not say what changed: %s", words)
	}

	docs := documentsOf(page)
	if len(docs) < 2 {
		t.Fatalf("documents: %v", docs)
	}
	check := b.get(at + "/confirm?version=2&document=" + docs[0])
	if words := says(check.Body); check.Status != 200 || !strings.Contains(words, "A supplier order will be created") ||
		!strings.Contains(words, "Write 1 document for ") || !strings.Contains(words, "POST entity/purchaseorder") ||
		!strings.Contains(words, s.Connections[0].Label) {
		t.Fatalf("last step: %d %s", check.Status, words)
	}
	if got := s.Sandbox.Requests(); wrote(got) != 0 {
		t.Fatalf("the last step wrote")
	}
	confirmed := b.post(at+"/confirm", url.Values{"version": {"2"}, "document": {docs[0]}})
	if confirmed.Location != at {
		t.Fatalf("confirm: %d %s %s", confirmed.Status, confirmed.Location, says(confirmed.Body))
	}
	page = b.get(at).Body
	if words := says(page); !strings.Contains(words, "written: 1") ||
		!strings.Contains(page, `target="_blank"`) || !strings.Contains(words, "Open in MoySklad") {
		t.Errorf("no receipt: %s", words)
	}
	if n := wrote(s.Sandbox.Requests()); n != 1 {
		t.Errorf("%d documents were written, want 1", n)
	}
	if got := b.post(at+"/undo", url.Values{}); got.Status != http.StatusSeeOther || got.Location == at {
		t.Fatalf("undo: %d %s", got.Status, got.Location)
	} else if words := says(b.get(got.Location).Body); !strings.Contains(words, "Deletion") {
		t.Errorf("the reverse: %s", words)
	}
}

// A form with an outdated version changes nothing, and shows what has changed since (rule R383).
func TestAnOutdatedPageShowsWhatChanged(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	anna, boris := as(t, s, stockhand.RoleMember), as(t, s, stockhand.RoleAdmin)
	at := proposed(t, s, orders)
	page := anna.get(at).Body
	quantity, was := field(t, page, "q-doc_[a-z0-9]+-1")
	if got := boris.post(at+"/edit", url.Values{"version": {"1"}, quantity: {"77"}}); got.Status != 303 {
		t.Fatalf("save: %d", got.Status)
	}
	late := anna.post(at+"/edit", url.Values{"version": {"1"}, quantity: {"55"}})
	words := says(late.Body)
	if late.Status != 409 || !strings.Contains(words, "Nothing was done") ||
		!strings.Contains(words, "Quantity "+was+" 77 55") {
		t.Errorf("an outdated edit: %d %s", late.Status, words)
	}
	for _, path := range []string{"/confirm", "/reject"} {
		got := anna.post(at+path, url.Values{"version": {"1"}, "document": documentsOf(page)[:1]})
		if got.Status != 409 || !strings.Contains(says(got.Body), "Quantity "+was+" 77") {
			t.Errorf("an outdated %s: %d", path, got.Status)
		}
	}
	if got := anna.get(at + "/confirm?version=1"); got.Status != 409 {
		t.Errorf("an outdated last step: %d", got.Status)
	}
	if n := wrote(s.Sandbox.Requests()); n != 0 {
		t.Errorf("%d documents were written", n)
	}
	if got := anna.post(at+"/reject", url.Values{"version": {"2"}}); got.Location != at {
		t.Errorf("reject: %d", got.Status)
	}
	if words := says(anna.get(at).Body); !strings.Contains(words, "rejected") ||
		strings.Contains(words, "Check and confirm") {
		t.Errorf("after the rejection: %s", words)
	}
}

func TestAViewerSeesDraftsAndDecidesNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	b := as(t, s, stockhand.RoleViewer)
	at := proposed(t, s, orders)
	page := b.get(at)
	if page.Status != 200 || strings.Contains(page.Body, "Check and confirm") ||
		strings.Contains(page.Body, `name="q-`) {
		t.Errorf("a viewer's page: %d", page.Status)
	}
	for _, path := range []string{"/try", "/edit", "/confirm", "/prove", "/reject", "/undo"} {
		if got := b.post(at+path, url.Values{"version": {"1"}}); got.Status != 403 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	inbox := b.get("/o/" + string(s.OrgID) + "/drafts").Body
	if !strings.Contains(inbox, at[strings.LastIndex(at, "/"):]) || !strings.Contains(says(inbox), "Waiting 1") {
		t.Errorf("the inbox: %s", says(inbox))
	}
}

// wrote counts the requests that could change the account.
func wrote(all []sandbox.Request) (n int) {
	for _, r := range all {
		if r.Method != http.MethodGet {
			n++
		}
	}
	return n
}
