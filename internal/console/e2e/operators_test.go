package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

// An owner stops all writing deliberately: a confirmed draft is refused, every page says so, and after the writing
// is allowed again the same draft is written (rule R260).
func TestAnOwnerStopsAllWriting(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	id := propose(t, s, orders)
	owner := open(t, s, s.Owner, stockhand.English, "light", phone)
	member, _ := s.Member(s.OrgID, stockhand.RoleMember)
	colleague := open(t, s, member, stockhand.English, "light", desk)
	colleague.visit("/drafts/" + id)
	colleague.press("Check and confirm")
	colleague.sees("What will be written")

	owner.visit("/o/" + string(s.OrgID) + "/settings")
	owner.press("Stop all writing")
	owner.click(`dialog[open] .danger`) // without the tick the browser asks for it
	owner.when(`document.querySelector("dialog[open] [name=sure]").matches(":invalid")`, "the tick is needed")
	owner.click(`dialog[open] [name=sure]`)
	owner.click(`dialog[open] .danger`)
	owner.sees("Writing to external systems is stopped")

	colleague.click(`form[action$="/confirm"] .primary`)
	colleague.sees("Writing to external systems is stopped")
	if n := writes(s); n != 0 {
		t.Fatalf("%d documents were written while writing is stopped", n)
	}

	owner.press("Allow again")
	owner.click(`dialog[open] [name=sure]`)
	owner.click(`dialog[open] .primary`)
	owner.when(`!document.body.innerText.includes("Writing to external systems is stopped")`, "writing is allowed")
	colleague.visit("/drafts/" + id)
	colleague.press("Check and confirm")
	colleague.click(`form[action$="/confirm"] .primary`)
	colleague.sees("Open in MoySklad")
}

// An owner exports the audit log and opens the file: it has what happened, a JSON object a line.
func TestTheAuditLogIsDownloaded(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	id := propose(t, s, orders)
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/o/" + string(s.OrgID) + "/audit")
	var file string
	if err := b.await(`fetch(document.querySelector("a[download$='.jsonl']").href)
		.then((r) => r.text())`, &file); err != nil {
		t.Fatal(err)
	}
	proposed := 0
	for line := range strings.Lines(file) {
		var entry struct {
			Action string
			Draft  string `json:"draft_id"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Action == "" {
			t.Fatalf("%q: %v", line, err)
		}
		if entry.Draft == id {
			proposed++
		}
	}
	if proposed == 0 {
		t.Errorf("the file has nothing of the draft %s: %.500s", id, file)
	}
	b.press("Verify the chain")
	b.when(`!!document.querySelector(".notice.good")`, "the log is complete")
}

// A draft whose rule asks for a recent proof is confirmed with a passkey on the page that confirms (rules R118 and
// R590).
func TestAPasskeyProvesWhoConfirms(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: onLocalhost(t)})
	rules(t, s, "step_up_above", "1000")
	id := propose(t, s, orders)
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.device()
	b.visit("/account")
	b.fill("#passkey-name", "Laptop")
	b.press("Add a passkey")
	b.sees("The passkey was added")
	forgetProofs(t, s, s.Owner.ID)

	b.visit("/drafts/" + id)
	b.press("Check and confirm")
	b.sees("Prove that it is you")
	if n := writes(s); n != 0 {
		t.Fatalf("%d documents were written without a proof", n)
	}
	b.press("With a passkey")
	b.when(`!document.querySelector("#prove") &&
		!!document.querySelector('form[action$="/confirm"] .primary')`, "the proof counts")
	b.click(`form[action$="/confirm"] .primary`)
	b.sees("Open in MoySklad")
}

// forgetProofs makes the proofs of a person's sign-ins an hour old.
func forgetProofs(t *testing.T, s *apptest.Service, of stockhand.UserID) {
	t.Helper()
	all, err := s.Store.System().SignIns(t.Context(), of, "", time.Now(), 100)
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, i := range all {
		if err := s.Store.System().ProveSignIn(t.Context(), of, i.ID, time.Now().Add(-time.Hour),
			stockhand.AuditEntry{At: time.Now(), Actor: "test", Action: "sign_in.proven"}); err != nil {
			t.Fatal(err)
		}
	}
}

// A person of two organizations goes from one to the other with the menu, and sees what belongs to each.
func TestOrganizationsAreSwitched(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	propose(t, s, prices)
	other, err := s.Auth.CreateOrganizationFor(t.Context(), auth.Operator("", "test"), s.Owner.ID, "Другой магазин")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, s, s.Owner, stockhand.Russian, "dark", phone)
	to := func(org stockhand.OrgID) {
		b.click(".organizations > summary")
		b.click(`.organizations a[href="/o/` + string(org) + `/"]`)
		b.when(`location.pathname.startsWith("/o/`+string(org)+`")`, "the other organization")
	}
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	b.when(`document.querySelectorAll(".list a[href*='/drafts/drf_']").length === 1`, "the draft")
	to(other.ID)
	b.sees("Нет подключённых аккаунтов")
	if got := b.value(`document.querySelector(".organizations summary").innerText`); !strings.Contains(got,
		"Другой") {
		t.Errorf("the menu says %q", got)
	}
	b.visit("/o/" + string(other.ID) + "/drafts")
	b.when(`document.querySelectorAll(".list a[href*='/drafts/drf_']").length === 0`, "no draft of the first one")
	to(s.OrgID)
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	b.when(`document.querySelectorAll(".list a[href*='/drafts/drf_']").length === 1`, "the draft again")
}
