package e2e

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// me is the status of a call of the API with a key.
func me(s *apptest.Service, secret string) int { return s.Do("GET", "/me", secret, nil).Status }

// A developer creates a key with chosen scopes, uses it, replaces it and revokes it (rule R384).
func TestADeveloperCreatesAKeyAndUsesIt(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/o/" + string(s.OrgID) + "/developers")
	b.sees("There are no keys yet")
	b.fill("#name", "Warehouse scanner")
	b.click(`input[name="scope"][value="read:data"]`)
	b.press("Create a key")
	b.sees("was created")
	first := b.value(`document.querySelector("#secret").value`)
	if status := me(s, first); status != 200 {
		t.Fatalf("the key that was shown: %d", status)
	}
	if got := s.Do("GET", "/connections", first, nil).Status; got != 200 {
		t.Errorf("a scope that was chosen: %d", got)
	}
	if got := s.Do("GET", "/organizations/"+string(s.OrgID)+"/api-keys", first, nil).Status; got != 403 {
		t.Errorf("a scope that was not chosen: %d", got)
	}
	if example := b.value(`document.querySelector("#new-curl").textContent`); !strings.Contains(example, first) ||
		!strings.Contains(example, s.URL+"/api/v1/") {
		t.Errorf("the example lacks the secret or the address:\n%s", example)
	}
	b.visit("/o/" + string(s.OrgID) + "/developers/keys")
	b.sees("Warehouse scanner")
	if strings.Contains(b.value(`document.documentElement.outerHTML`), first) {
		t.Error("the secret is shown again")
	}

	b.click(`[data-open^="rotate-"]`)
	b.click(`dialog[open] .primary`)
	b.sees("was replaced")
	second := b.value(`document.querySelector("#secret").value`)
	if me(s, first) != 200 || me(s, second) != 200 || first == second {
		t.Errorf("after the rotation: %d and %d", me(s, first), me(s, second))
	}
	b.click(`tr:has([data-open^="rotate-"]:not([disabled])) [data-open^="revoke-"]`)
	b.click(`dialog[open] .danger`)
	b.sees("Expired and revoked")
	if me(s, second) != 401 {
		t.Errorf("after it was revoked: %d", me(s, second))
	}
}

// A viewer gets a sentence instead of the section (rule R380).
func TestAViewerIsRefusedWhatDevelopersDo(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	viewer, _ := s.Member(s.OrgID, stockhand.RoleViewer)
	b := open(t, s, viewer, stockhand.Russian, "dark", phone)
	b.visit("/o/" + string(s.OrgID) + "/people")
	if strings.Contains(b.value(`document.querySelector("nav").innerText`), "Разработчикам") {
		t.Error("the menu offers what the person may not do")
	}
	b.visit("/o/" + string(s.OrgID) + "/developers/keys")
	b.sees("Сюда нельзя")
	b.sees("попросите у владельца или администратора")
	b.accessible(axe(t))
}

// developing returns every page of the section, on a service where there is something to see.
func developing(t *testing.T, s *apptest.Service) []stop {
	t.Helper()
	org := "/o/" + string(s.OrgID) + "/developers/"
	key := s.Key(stockhand.ScopeReadTools, stockhand.ScopeReadData)
	for _, path := range []string{"/tools", "/tools/nothing", "/organizations/" + string(s.OrgID) + "/usage"} {
		s.Do("GET", path, key, nil)
	}
	s.Do("POST", "/sessions/stream", key, map[string]any{"message": "?"})
	create := func(b *tab, name string) {
		b.fill("#name", name)
		b.click(`form[aria-labelledby="create"] .primary`)
	}
	return []stop{
		{"developers-keys", org + "keys", nil},
		{"developers-key-created", org + "keys", func(b *tab) {
			create(b, "Скрипт отчётов")
			b.when(`!!document.querySelector("#secret")`, "the secret")
		}},
		{"developers-key-wrong", org + "keys", func(b *tab) {
			b.eval(`document.querySelectorAll("input[name=scope]").forEach((c) => { c.checked = false; })`)
			create(b, "Без прав")
			b.when(`!!document.querySelector(".notice.bad:not(#trouble)")`, "the mistake is named")
		}},
		{"developers-key-rotate", org + "keys", func(b *tab) { b.click(`[data-open^="rotate-"]`) }},
		{"developers-tools", org + "tools?tool=moysklad_stock", nil},
		{"developers-tools-called", org + "tools?tool=moysklad_stock", func(b *tab) {
			b.fill(`[name="a-limit"]`, "3")
			b.when(`document.querySelector("#request-http").textContent.includes('"limit": 3')`, "the request follows")
			b.click(".try .primary")
			b.when(`!!document.querySelector("#outcome table")`, "the result")
		}},
		{"developers-queries", org + "queries", nil},
		{"developers-reference", org + "reference", nil},
		{"developers-reference-none", org + "reference", func(b *tab) {
			b.fill("#find", "qwzx")
			b.when(`document.querySelectorAll("#operations li").length === 0`, "nothing is found")
		}},
		{"developers-operation", org + "reference/listDrafts", func(b *tab) {
			b.click(".try .primary")
			b.when(`!!document.querySelector("#response")`, "the response")
			b.eval(`for (const d of document.querySelectorAll(".folds details")) d.open = true`)
		}},
		{"developers-operation-sure", org + "reference/renameOrganization", func(b *tab) {
			b.click(".try .primary")
			b.when(`!!document.querySelector("#reply .danger")`, "the question")
		}},
		{"developers-operation-unsent", org + "reference/confirmDraft", nil},
		{"developers-requests", org + "requests", nil},
		{"developers-requests-none", org + "requests?key=key_none", nil},
	}
}

// Every page for developers: as [TestEveryPageIsAccessible].
func TestEveryPageForDevelopersIsAccessible(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{})
	walk(t, s, developing(t, s))
}
