package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// A person connects an account, asks, sorts and filters the table, opens its spreadsheet, confirms a part of a draft,
// sees the changed stock, and prepares the reverse.
func TestFromTheFirstAccountToTheChangedStock(t *testing.T) {
	t.Parallel()
	needChromium(t)
	for _, window := range []size{desk, phone} {
		t.Run(window.name, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
			b := open(t, s, s.Owner, stockhand.Russian, "light", window)
			org := "/o/" + string(s.OrgID)
			b.visit(org + "/ask")
			b.press("Подключить")
			b.fill("#token", s.Sandbox.Accounts()[0].Tokens.Owner)
			b.click(`form[aria-labelledby="connect"] .primary`)
			b.sees(s.Sandbox.Accounts()[0].AccountID)
			all, err := s.Store.Connections(t.Context(), s.OrgID)
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			s.Connections = all

			b.visit(org + "/ask")
			b.fill("#message", "остатки товаров")
			b.press("Спросить")
			b.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "the answer")
			spreadsheet(b)
			filtered(b)
			b.shot("table-filtered-" + window.name)
			moveStock(b, org)
		})
	}
}

// spreadsheet downloads the table of the first answer, and compares it with what the page shows.
func spreadsheet(b *tab) {
	b.t.Helper()
	shown := b.value(`document.querySelector(".turn tbody td").innerText.trim()`)
	var file string
	if err := b.await(`fetch(document.querySelector('.turn a[download][href*="xlsx"]').href)
		.then((r) => r.arrayBuffer())
		.then((a) => btoa(String.fromCharCode(...new Uint8Array(a))))`, &file); err != nil {
		b.t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(file)
	if err != nil {
		b.t.Fatal(err)
	}
	opened, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		b.t.Fatalf("the spreadsheet cannot be opened: %v", err)
	}
	found := false
	for _, f := range opened.File {
		in, err := f.Open()
		if err != nil {
			b.t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			b.t.Fatal(err)
		}
		found = found || strings.Contains(string(text), shown)
	}
	if !found {
		b.t.Errorf("the spreadsheet does not have %q", shown)
	}
}

// filtered opens the whole table, sorts it, and keeps the rows with a large figure.
func filtered(b *tab) {
	b.t.Helper()
	b.press("Вся таблица: " + strings.TrimPrefix(b.value(
		`[...document.querySelectorAll(".turn .result a.button")].find((a) => a.textContent.includes("Вся таблица"))
			.textContent.replace(/\s+/g, " ").trim()`), "Вся таблица: "))
	b.when(`!!document.querySelector(".turn .result nav")`, "all rows")
	column := `th.number:nth-of-type(2)`
	b.click(".turn .result " + column + " a")
	b.when(`!!document.querySelector(".turn .result th[aria-sort='descending']")`, "sorted")
	all := b.value(`document.querySelector(".turn .result nav p").innerText`)
	b.eval(`document.querySelector(".turn .narrow details.menu > summary").click()`)
	b.eval(`document.querySelector(".turn .narrow details[open] select").value =
		[...document.querySelectorAll(".turn .narrow details[open] option")][1].value; null`)
	b.eval(`document.querySelector(".turn .narrow details[open] [name=op]").value = "min"; null`)
	b.fill(".turn .narrow details[open] [name=value]", "50")
	b.eval(`document.querySelector(".turn .narrow details[open] form").requestSubmit(); null`)
	b.when(`!!document.querySelector(".turn .narrow .remove")`, "the filter holds")
	if got := b.value(`document.querySelector(".turn .result nav p")?.innerText ?? ""`); got == all {
		b.t.Errorf("the filter left %s", got)
	}
	b.when(`document.documentElement.scrollWidth <= innerWidth`, "the page fits into the window")
	b.click(".turn .narrow .remove")
	b.when(fmt.Sprintf(`document.querySelector(".turn .result nav p")?.innerText === %q`, all), "all rows again")
}

// moveStock confirms a part of a draft of transfers, finds its receipt and the changed stock, and undoes it.
func moveStock(b *tab, org string) {
	b.t.Helper()
	id := propose(b.t, b.s, "перемести излишки туда, где дефицит")
	var d struct {
		Documents []struct {
			Title string
			Lines []struct {
				Quantity string
				Product  struct{ ID, Name string }
			}
		}
	}
	b.s.Do("GET", "/drafts/"+id, b.s.AdminToken, nil).Decode(b.t, &d)
	good := org + "/goods/" + d.Documents[0].Lines[0].Product.ID
	stock := func() string {
		b.visit(good)
		b.when(`!!document.querySelector("#card h2")`, "the card")
		return b.value(`[...document.querySelectorAll("#card section")].find((x) =>
			x.querySelector("h2")?.textContent.startsWith("Остатки по складам"))?.innerText ?? ""`)
	}
	before := stock()
	if before == "" {
		b.t.Fatalf("no stock by warehouse on the card:\n%s", b.text())
	}
	b.visit("/drafts/" + id)
	if len(d.Documents) > 1 {
		b.eval(`document.querySelectorAll('input[form="confirm"]').forEach((c, i) => { if (i > 0) c.click(); })`)
	}
	wrote := writes(b.s)
	b.press("Проверить и подтвердить")
	b.sees("Что будет записано")
	b.click(`form[action$="/confirm"] .primary`)
	b.sees("Открыть в МойСклад")
	if n := writes(b.s) - wrote; n != 1 {
		b.t.Errorf("%d documents were written, want 1", n)
	}
	b.shot("receipt-" + b.window.name)
	if after := stock(); after == before {
		b.t.Errorf("the stock is as before:\n%s", after)
	}
	b.visit("/drafts/" + id)
	b.press("Отменить записанное")
	b.press("Подготовить отмену")
	b.sees("Отменяет")
	b.press("Проверить и подтвердить")
	b.click(`form[action$="/confirm"] .primary`)
	b.when(`location.pathname.includes("/drafts/drf_") && !document.querySelector("form[action$='/confirm'] .primary")`,
		"the reverse is confirmed")
	b.when(`!document.querySelector("#draft .spinner")`, "it is written")
	if again := stock(); again != before {
		b.t.Errorf("after the reverse:\n%s\nwant\n%s", again, before)
	}
}

// An invited person comes by the link, joins, reads, and is refused what a viewer may not do.
func TestAnInvitedViewerReadsAndIsRefused(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	org := "/o/" + string(s.OrgID)
	b.visit(org + "/people")
	b.fill("#email", "vera@example.com")
	b.eval(`(() => { const r = document.querySelector('form[aria-labelledby="invite"] [name=role]');
		if (r.tagName === "SELECT") r.value = "viewer"; })()`)
	b.click(`form[aria-labelledby="invite"] .primary`)
	b.when(`!!document.querySelector("#link")`, "the link of the invitation")
	link := b.value(`document.querySelector("#link").value`)

	vera, _ := s.Person("vera@example.com")
	guest := open(t, s, vera, stockhand.English, "dark", phone)
	guest.visit(link)
	guest.click("main button.primary")
	guest.when(`!!document.querySelector(".frame")`, "the console")
	guest.visit(org + "/ask")
	guest.sees("your role does not let you ask")
	id := propose(t, s, orders)
	guest.visit("/drafts/" + id)
	guest.when(`!!document.querySelector("#draft")`, "the draft")
	if guest.value(`String(!!document.querySelector('[form="confirm"]'))`) == "true" {
		t.Error("a viewer is offered to confirm")
	}
	guest.visit(org + "/settings")
	guest.sees("You may not do this")
}

// Conversations are pinned and shared, and a question is kept on the start page (rules R450 and R452).
func TestAQuestionIsKeptPinnedAndShared(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	org := "/o/" + string(s.OrgID)
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit(org + "/ask")
	b.fill("#message", "revenue by warehouse for the last 30 days")
	b.click(".composer .primary")
	b.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "the answer")
	b.press("Keep on the start page")
	b.fill(".save [name=title]", "Revenue of the shops")
	b.accessible(source)
	b.shot("ask-save")
	b.press("Save")
	b.sees("The report is on the start page.")
	b.click(".head .menu > summary")
	b.shot("ask-menu")
	b.press("Share with the organization")
	b.sees("Shared with the organization")
	b.click(".head .menu > summary")
	b.press("Pin")
	b.when(`[...document.querySelectorAll("#talks h3")].some((h) => h.textContent === "Pinned")`, "it is pinned")

	viewer, _ := s.Member(s.OrgID, stockhand.RoleMember)
	other := open(t, s, viewer, stockhand.English, "dark", phone)
	other.visit(org + "/ask")
	other.when(`[...document.querySelectorAll("#talks h3")].some((h) => h.textContent === "Shared")`, "it is shared")
	other.when(`[...document.querySelectorAll(".tile")].some((x) => x.textContent.includes("Revenue of the shops") &&
		x.textContent.includes("₽"))`, "the report has figures")
	other.accessible(source)
	other.shot("ask-reports")
	other.eval(`[...document.querySelectorAll(".tile")].find((x) => x.textContent.includes("Revenue of the shops"))
		.querySelector("form[action$='/open'] button").click()`)
	other.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "its table")
}

// A draft is edited without a mouse, and each change can be taken back before it is saved. Leaving without saving asks
// first (rule R582).
func TestADraftIsEditedWithTheKeyboard(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/drafts/" + propose(t, s, orders))
	b.when(`document.readyState === "complete"`, "the page")
	field := func(n int) string {
		return fmt.Sprintf(`[...document.querySelectorAll('input[name^="q-"]')][%d]`, n)
	}
	first, second := b.value(field(0)+".value"), b.value(field(1)+".value")
	b.eval(field(0) + `.focus(); ` + field(0) + `.select(); null`)
	b.keys("77")
	b.keys("\r") // to the next row
	b.when(`document.activeElement === `+field(1), "Enter goes to the next row")
	b.keys("88")
	press := func(key string) {
		b.eval(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {` + key +
			`, bubbles: true, cancelable: true}))`)
	}
	press(`key: "Escape"`)
	b.when(fmt.Sprintf("%s.value === %q", field(1), second), "Escape restores the field")
	press(`key: "ArrowUp"`)
	b.when(fmt.Sprintf("document.activeElement === %s && %s.value === '77'", field(0), field(0)), "the row before")
	b.mu.Lock()
	b.stays = true
	b.mu.Unlock()
	b.click("#draft a.behind") // the product's card
	b.when(fmt.Sprintf("location.pathname.includes('/drafts/') && %s.value === '77'", field(0)), "the person stays")
	b.mu.Lock()
	if len(b.asked) != 1 || !strings.Contains(b.asked[0], "The changes are not saved") {
		t.Errorf("leaving with unsaved changes asked %q", b.asked)
	}
	b.mu.Unlock()
	b.eval(field(0) + `.focus(); null`)
	press(`ctrlKey: true, code: "KeyZ", key: "z"`)
	b.when(fmt.Sprintf("%s.value === %q", field(0), first), "the change is taken back")
	b.when(`document.querySelector('[data-if-changed="edit"]').hidden`, "nothing is left to save")
}
