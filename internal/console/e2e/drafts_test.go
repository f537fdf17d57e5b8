// Package e2e contains tests of the console in a browser: headless Chromium against the real service with the sandbox.
package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

const (
	orders = "подготовь заказы поставщикам на всё, что ниже минимума"
	prices = "подними розничные цены на 7 % на все товары"
)

// propose has the agent propose a draft in the first account, and returns its ID.
func propose(t *testing.T, s *apptest.Service, task string) string {
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
	return m.Drafts[0].ID
}

// writes counts the requests that could change the account.
func writes(s *apptest.Service) (n int) {
	for _, r := range s.Sandbox.Requests() {
		if r.Method != http.MethodGet {
			n++
		}
	}
	return n
}

// A person comes from the link in a message, signs in with a link of their own, and is back at the draft. They change a
// quantity, see the total follow, save, confirm a part, find the receipt, and prepare the reverse.
func TestADraftFromTheLinkToTheReceipt(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{})
	id := propose(t, s, orders)
	for _, window := range []size{desk, phone} {
		t.Run(window.name, func(t *testing.T) {
			b := open(t, s, stockhand.User{}, stockhand.English, "light", window)
			b.visit("/drafts/" + id)
			b.sees("Sign in")
			link, err := s.SignIn.CreateLink(t.Context(), stockhand.Actor{Name: "system"}, s.Owner.ID)
			if err != nil {
				t.Fatal(err)
			}
			b.visit(link.URL)
			b.click("main button")
			b.when(`document.querySelector("#draft") !== null`, "the draft after signing in")

			before := b.value(`document.querySelector("#total").textContent`)
			b.fill(`input[name^="q-"]`, "50")
			b.when(fmt.Sprintf(`document.querySelector("#total").textContent !== %q`, before), "the total follows")
			if !strings.Contains(b.value(`document.querySelector(".bar").innerText`), "unsaved") {
				t.Error("nothing says that there are unsaved changes")
			}
			b.press("Undo changes")
			b.when(fmt.Sprintf(`document.querySelector("#total").textContent === %q`, before), "the total is as before")
			b.fill(`input[name^="q-"]`, "50")
			b.press("Save changes")
			b.sees("Saved as version")

			wrote := writes(s)
			b.eval(`document.querySelectorAll('input[form="confirm"]').forEach((c, i) => { if (i > 0) c.click(); })`)
			b.press("Check and confirm")
			b.sees("What will be written")
			if n := writes(s); n != wrote {
				t.Fatalf("looking at the last step wrote %d documents", n-wrote)
			}
			b.click(`form[action$="/confirm"] .primary`)
			b.sees("Open in MoySklad")
			if n := writes(s); n != wrote+1 {
				t.Errorf("%d documents were written, want 1", n-wrote)
			}
			if window == phone {
				b.press("Undo what was written")
				b.press("Prepare the reverse")
				b.sees("Deletion")
			}
		})
	}
}

func TestAPersonWithTheKeyboardDecides(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	id := propose(t, s, orders)
	b := open(t, s, s.Owner, stockhand.Russian, "dark", desk)
	b.visit("/drafts/" + id)
	b.keys("\t")
	if got := b.value(`document.activeElement.textContent`); got != "К содержанию" {
		t.Errorf("the first stop is %q", got)
	}
	b.keys("\r")
	b.eval(`document.querySelector('[data-open="reject"]').focus()`)
	b.keys("\r")
	b.when(`document.querySelector("#reject").open`, "the question")
	b.keys("\x1b")
	b.when(`!document.querySelector("#reject").open`, "no question")
	b.keys("\r")
	b.when(`document.querySelector("#reject").open`, "the question again")
	b.eval(`document.querySelector('#reject .danger').focus()`)
	b.keys("\r")
	b.sees("отклонён")
}

// rules changes one rule of the organization.
func rules(t *testing.T, s *apptest.Service, name, value string) {
	t.Helper()
	path := "/organizations/" + string(s.OrgID) + "/settings"
	var now struct {
		Rules map[string]any `json:"draft_rules"`
	}
	s.Do("GET", path, s.AdminToken, nil).Decode(t, &now)
	now.Rules[name] = value
	if got := s.Do("PATCH", path, s.AdminToken, map[string]any{"draft_rules": now.Rules}); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
}

// Two people confirm where a rule requires it: the first is asked to send the link, the second confirms on a phone,
// watches the documents being written, and finds the receipts (rule R581).
func TestTwoPeopleConfirm(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	rules(t, s, "second_approver_above", "1000")
	id := propose(t, s, orders)
	first := open(t, s, s.Owner, stockhand.English, "light", desk)
	first.visit("/drafts/" + id)
	first.press("Check and confirm")
	first.sees("when another person has confirmed, too")
	first.press("Confirm as the first person")
	first.sees("You confirmed first.")
	first.accessible(source)
	if n := writes(s); n != 0 {
		t.Fatalf("the first of two wrote %d documents", n)
	}
	if first.value(`String([...document.querySelectorAll(".bar button")].some((b) => b.textContent === "Check and confirm"))`) ==
		"true" {
		t.Error("the first is offered to confirm again")
	}
	first.shot("draft-first-of-two")
	first.visit("/o/" + string(s.OrgID) + "/drafts")
	first.sees("A second confirmation is needed")

	colleague, _ := s.Member(s.OrgID, stockhand.RoleMember)
	second := open(t, s, colleague, stockhand.English, "dark", phone)
	second.visit("/drafts/" + id)
	second.sees("confirmed first. Check and confirm as the second person")
	second.press("Check and confirm")
	second.sees("as soon as you confirm")
	slow(t, s, 100, 3000)
	second.click(`form[action$="/confirm"] .primary`)
	second.when(`!!document.querySelector("#draft progress")`, "the documents are being written")
	second.accessible(source)
	second.shot("draft-writing")
	fast(t, s)
	second.when(`document.querySelectorAll("#draft .notice.good a[target=_blank]").length ===
		document.querySelectorAll("#draft article.document").length`, "a receipt for each document")
}
