package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// thisMorning is a shop whose history ends before the day's documents: their figures depend on the time of day.
func thisMorning() company.Options {
	return company.Options{Now: time.Now().UTC().Truncate(24 * time.Hour), Clock: time.Now}
}

// readPage reads a page of the account as a browser without scripts does, and returns it.
func readPage(t *testing.T, b browser, path string) string {
	t.Helper()
	if got := b.post(path, nil); got.Status != http.StatusSeeOther {
		t.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
	return strings.ReplaceAll(b.get(path, "Accept-Language", "en").Body, "\u00a0", " ")
}

// cells returns the texts of the first cells of a row that a page shows.
func cells(page, name string) []string {
	row := regexp.MustCompile(`(?s)<tr>((?:<td.*?)+?)</tr>`)
	tags := regexp.MustCompile(`<[^>]+>`)
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(m[1], name) {
			continue
		}
		var all []string
		for _, td := range strings.Split(m[1], "</td>") {
			all = append(all, strings.TrimSpace(tags.ReplaceAllString(td, "")))
		}
		return all
	}
	return nil
}

// Lists and cards have the figures of answers, and a search is forgiving (rule R397).
func TestGoodsHaveTheFiguresOfAnswers(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Company: thisMorning()})
	b := as(t, s, stockhand.RoleMember)
	goods := "/o/" + string(s.OrgID) + "/goods"
	first := b.get(goods).Body
	if !strings.Contains(first, `hx-post="`+goods+`"`) || strings.Contains(first, "<tbody") {
		t.Error("a GET reads from the account")
	}
	sent := len(s.Sandbox.Requests())
	list := readPage(t, b, goods)
	if len(s.Sandbox.Requests()) == sent {
		t.Error("nothing was read")
	}
	row := cells(list, "Соль отборные")
	if len(row) < 6 || row[1] == "" || row[3] != "270.00 ₽" {
		t.Fatalf("the row is %q", row)
	}
	sent = len(s.Sandbox.Requests())
	for typed, want := range map[string]string{"cjkm отборн": "Соль отборные", "отборная соль": "Соль отборные",
		"solj otborn": "Соль отборные", "A-1009": "Соль отборные", "солл отборные": "Соль отборные"} {
		found := b.get(goods + "?find=" + url.QueryEscape(typed)).Body
		if got := cells(found, want); len(got) == 0 || got[1] != row[1] {
			t.Errorf("%q: found %q", typed, got)
		}
	}
	none := b.get(goods+"?find=qwzxqwzx", "Accept-Language", "en").Body
	if !strings.Contains(none, "There is nothing like it") {
		t.Error("nothing says that nothing was found")
	}
	if n := len(s.Sandbox.Requests()) - sent; n > 3 { // the names
		t.Errorf("searching sent %d requests", n)
	}
	at := regexp.MustCompile(`href="([^"]+)"[^>]*>Соль отборные`).FindStringSubmatch(list)
	if at == nil {
		t.Fatal("the name leads nowhere")
	}
	card := readPage(t, b, strings.ReplaceAll(at[1], "&amp;", "&")+"&part=card")
	asked := s.Do("POST", "/tools/moysklad_product/execute?wait=60", s.AdminToken,
		map[string]any{"arguments": map[string]any{"product": "Соль отборные 800 г"}})
	answer := strings.ReplaceAll(string(asked.Body), "\u00a0", " ")
	for _, figure := range []string{row[5], row[3]} {
		if !strings.Contains(card, figure) || !strings.Contains(answer, figure) {
			t.Errorf("%s is not on the card and in the answer", figure)
		}
	}
	if !strings.Contains(card, "Ask about this") || !strings.Contains(card, "Stock by warehouse") {
		t.Error("the card lacks something")
	}
	viewer := as(t, s, stockhand.RoleViewer)
	if got := viewer.get(goods); got.Status != http.StatusForbidden {
		t.Errorf("a viewer: %d", got.Status)
	}
}

func TestCustomersAndDocumentsAreBrowsed(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 2, Company: thisMorning()})
	b := as(t, s, stockhand.RoleMember)
	org := "/o/" + string(s.OrgID)
	list := readPage(t, b, org+"/customers")
	row := cells(list, "ООО «Бета»") // its sales go on while the day does
	if len(row) < 4 || !strings.HasSuffix(row[3], " ₽") {
		t.Fatalf("the row is %q", row)
	}
	at := regexp.MustCompile(`href="([^"]+)"[^>]*>ООО «Бета»<`).FindStringSubmatch(list)
	card := readPage(t, b, strings.ReplaceAll(at[1], "&amp;", "&")+"&part=card")
	if !strings.Contains(card, row[3]) || !strings.Contains(card, "/documents?connection=") {
		t.Error("the card lacks the debt or the way to the documents")
	}
	documents := readPage(t, b, org+"/documents?kinds=customerorder&unpaid=1")
	if !strings.Contains(documents, "Customer orders") || cells(documents, "00038") == nil {
		t.Error("the unpaid orders are not shown")
	}
	one := regexp.MustCompile(`href="([^"]+)"[^>]*>00038<`).FindStringSubmatch(documents)
	if one == nil {
		t.Fatal("a number leads nowhere")
	}
	page := readPage(t, b, strings.ReplaceAll(one[1], "&amp;", "&")+"&part=card")
	if !strings.Contains(page, "17,708.00 ₽") {
		t.Error("the document is not shown")
	}
	if got := b.get(org + "/goods?connection=con_none"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown connection: %d", got.Status)
	}
	other := b.post(org+"/goods?connection="+string(s.Connections[1].ID), nil)
	if !strings.Contains(other.Location, string(s.Connections[1].ID)) {
		t.Errorf("the other account leads to %s", other.Location)
	}
}

// A document that a list names is opened with a request for each thing that its page shows: its type is known, and is
// not looked for among all (rule R542).
func TestADocumentOfAListIsOpenedWithFewRequests(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	list := readPage(t, b, "/o/"+string(s.OrgID)+"/documents?kinds=customerorder")
	at := regexp.MustCompile(`href="([^"]+/documents/[^"?]+\?[^"]+)"`).FindStringSubmatch(list)
	if at == nil {
		t.Fatalf("no document:\n%s", says(list))
	}
	sent := len(s.Sandbox.Requests())
	path := html.UnescapeString(at[1])
	if got := b.post(path+"&part=card", nil); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	opened := b.get(path, "Accept-Language", "en").Body
	if !strings.Contains(opened, "Customer order") {
		t.Errorf("the page:\n%s", says(opened))
	}
	const most = 7 // the document, its lines, its history, linked ones, names of partners, units and employees
	if n := len(s.Sandbox.Requests()) - sent; n == 0 || n > most {
		t.Errorf("%d requests, at most %d are needed", n, most)
	}
}
