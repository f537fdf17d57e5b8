package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// slow has the account take so long for its next requests.
func slow(t *testing.T, s *apptest.Service, requests, milliseconds int) {
	t.Helper()
	if err := s.Sandbox.Fail(sandbox.Fault{Path: ".", Count: requests, DelayMS: milliseconds}); err != nil {
		t.Fatal(err)
	}
}

// fast ends what slow began.
func fast(t *testing.T, s *apptest.Service) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete,
		strings.TrimSuffix(s.SandboxURL, sandbox.APIPath)+"/_sandbox/faults", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Body.Close(); err != nil || a.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%d %v", a.StatusCode, err)
	}
}

const hour = 3_600_000 // in milliseconds

// A running answer is stopped, another one is watched again after a reload in its middle (rule R392).
func TestARunningAnswerIsStoppedAndResumed(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	for _, window := range []size{desk, phone} {
		t.Run(window.name, func(t *testing.T) {
			s := apptest.Start(t, apptest.Options{Accounts: 1})
			b := open(t, s, s.Owner, stockhand.Russian, "light", window)
			b.visit("/o/" + string(s.OrgID) + "/ask?message=" + "сколько+денег+на+счетах%3F")
			b.when(`!document.querySelector(".tile .spinner")`, "tiles")
			slow(t, s, 100, hour)
			b.press("Спросить")
			b.when(`!!document.querySelector("[data-live] .step")`, "progress")
			b.accessible(source)
			b.press("Остановить")
			b.when(`!document.querySelector("[data-live]")`, "the end")
			b.sees("Остановлено.")
			fast(t, s)

			slow(t, s, 1, 2000)
			b.fill("#message", "остатки товаров по складам")
			b.press("Спросить")
			b.when(`!!document.querySelector("[data-live]")`, "the second answer is in progress")
			b.visit(b.location())
			b.when(`!document.querySelector("[data-live]") && !!document.querySelector(".turn:nth-of-type(2) table")`,
				"the answer after the reload")
		})
	}
}

// An answer in progress survives a restart of the server: the page says that the connection is lost, follows again by
// itself, and shows the answer (rule R392).
func TestALostConnectionIsResumed(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true})
	b := open(t, s, s.Owner, stockhand.English, "light", phone)
	b.visit("/o/" + string(s.OrgID) + "/ask")
	b.when(`!document.querySelector(".tile .spinner")`, "tiles")
	slow(t, s, 100, hour)
	b.fill("#message", "revenue by warehouse for the last 30 days")
	b.click(".composer .primary")
	b.when(`!!document.querySelector("[data-live] .step")`, "progress")
	s.Close()
	b.when(`!document.querySelector("#trouble").hidden`, "the page says that the connection is lost")
	b.shot("connection-lost")
	fast(t, s)
	s.Restart()
	b.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "the answer")
	b.when(`document.querySelector("#trouble").hidden`, "the connection is back")
	b.mu.Lock()
	b.problems = nil // the browser says that the server was gone
	b.mu.Unlock()
}

// A table is sorted by its headings, and a search finds its way from any page by the keyboard (rules R393, R398).
func TestThePaletteLeadsToACardAndAListIsSorted(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "dark", desk)
	org := "/o/" + string(s.OrgID)
	b.visit(org + "/goods")
	read(b)
	stock := `[...document.querySelectorAll("#list tbody td:nth-child(2)")]
		.map((c) => parseFloat(c.textContent.replace("−", "-")))`
	b.press("Stock")
	b.when(`document.querySelector("#list th:nth-child(2)").getAttribute("aria-sort") === "descending"`, "sorted down")
	b.press("Stock ↓")
	b.when(`document.querySelector("#list th:nth-child(2)").getAttribute("aria-sort") === "ascending" && (() => {
		const all = `+stock+`.filter((n) => !isNaN(n));
		return all.length > 5 && all.every((n, i) => i === 0 || all[i - 1] <= n);
	})()`, "sorted up")

	b.when(`document.querySelectorAll("#list").length === 1`, "one list")
	press := func(key string) {
		b.eval(`(document.querySelector("#palette[open] input") ?? document.body).dispatchEvent(new KeyboardEvent("keydown",
			{` + key + `, bubbles: true, cancelable: true}))`)
	}
	press(`ctrlKey: true, code: "KeyK", key: "k"`)
	b.when(`document.querySelectorAll("#found [role=option]").length >= 7`, "the pages")
	b.accessible(source)
	b.fill("#palette input", "cjkm")
	b.when(`document.querySelector("#found [aria-selected=true]")?.textContent.includes("Соль")`, "salt")
	b.accessible(source)
	b.shot("palette")
	press(`key: "ArrowDown"`)
	press(`key: "ArrowUp"`)
	press(`key: "Enter"`)
	b.when(`location.pathname.includes("/goods/") && !!document.querySelector("#card h2")`, "the card")

	draft := propose(t, s, orders)
	search := func(words, option string) {
		t.Helper()
		press(`ctrlKey: true, code: "KeyK", key: "k"`)
		b.fill("#palette input", words)
		found := fmt.Sprintf(`[...document.querySelectorAll("#found [role=option]")].find((o) =>
			o.textContent.includes(%q))`, option)
		b.when("!!"+found, option)
		b.eval(found + ".click()")
	}
	search("заказ поставщику", "Заказы поставщикам")
	b.when(fmt.Sprintf(`location.pathname.endsWith(%q) && !!document.querySelector("#draft")`, draft), "the draft")
	search("theme light", "Light")
	b.when(`document.documentElement.dataset.theme === "light" && !!document.querySelector("#draft")`, "a light page")
}

// The installed app says that there is no network, and shows nothing else (rule R399).
func TestWithoutANetworkThereIsAPage(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := open(t, s, s.Owner, stockhand.English, "light", phone)
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	b.eval(`navigator.serviceWorker.ready.then(() => { document.title = "ready"; })`)
	b.when(`document.title === "ready"`, "the worker")
	b.visit("/offline")
	b.accessible(source)
	b.shot("offline")
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	s.Close()
	b.eval(`location.reload()`)
	b.sees("No network")
	b.mu.Lock()
	b.problems = nil // the browser says that the server is gone
	b.mu.Unlock()
}
