package e2e

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/store/kept"
)

// foreign returns the texts of the console that are only of the other language.
func foreign(t *testing.T, l stockhand.Language) (all []string) {
	t.Helper()
	names, err := filepath.Glob("../text/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no texts", err)
	}
	ours, theirs := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) != 2 {
				return true
			}
			var pair []string
			for _, e := range lit.Elts {
				if s, ok := e.(*ast.BasicLit); ok && s.Kind == token.STRING {
					words, err := strconv.Unquote(s.Value)
					if err != nil {
						t.Fatal(err)
					}
					pair = append(pair, words)
				}
			}
			if len(pair) == 2 {
				ours[l.Pick(pair[0], pair[1])], theirs[l.Pick(pair[1], pair[0])] = true, true
			}
			return true
		})
	}
	for words := range theirs {
		if !ours[words] {
			all = append(all, words)
		}
	}
	return all
}

// speaks fails the test for texts of the console that are in the other language.
func (b *tab) speaks(others []string) {
	b.t.Helper()
	list, err := json.Marshal(others)
	if err != nil {
		b.t.Fatal(err)
	}
	found := b.value(`(() => {
		const others = new Set(` + string(list) + `), found = [];
		const check = (s) => { s = s?.replace(/\s+/g, " ").trim(); if (s && others.has(s)) found.push(s); };
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walk.nextNode())
			if (!walk.currentNode.parentElement.closest("pre, code, [lang], script")) check(walk.currentNode.data);
		for (const e of document.querySelectorAll("[aria-label], [placeholder], [title], [data-label]"))
			for (const a of ["aria-label", "placeholder", "title", "data-label"]) check(e.getAttribute(a));
		return found.join("\n");
	})()`)
	if found != "" {
		b.t.Errorf("%s has words of the other language:\n%s", b.location(), found)
	}
}

// narrow is the narrowest window that the console is made for.
const narrow = 320

// fits fails the test if the page is wider than the window, or than the narrowest one on a phone.
func (b *tab) fits(name string) {
	b.t.Helper()
	b.asWide(name)
	if b.window != phone {
		return
	}
	usual := b.window
	b.window.width = narrow
	b.do("a narrow window", b.resize(b.window.height))
	b.asWide(name)
	b.window = usual
	b.do("the usual window", b.resize(b.window.height))
}

// asWide fails the test if the page is wider than the window, and names what sticks out. It does not ask the page for
// the window's width: a phone's grows with a page that is too wide.
func (b *tab) asWide(name string) {
	b.t.Helper()
	if found := b.value(fmt.Sprintf(`(() => {
		const width = %d;
		if (document.documentElement.scrollWidth <= width) return "";
		const all = [...document.querySelectorAll("body *")].filter((e) =>
			e.getBoundingClientRect().right > width + 1 &&
			!e.closest(".scroll, .side, dialog:not([open]), .tabs, pre"));
		return document.documentElement.scrollWidth + " px, for " +
			all.slice(0, 5).map((e) => e.outerHTML.slice(0, 160)).join("\n");
	})()`, b.window.width)); found != "" {
		b.t.Errorf("%s is wider than a window of %d px: %s", name, b.window.width, found)
	}
}

// states returns pages and states that [stops] does not visit.
func states(t *testing.T, s *apptest.Service) []stop {
	t.Helper()
	org := "/o/" + string(s.OrgID)
	open := func(what string) func(*tab) { return func(b *tab) { b.click(what) } }
	s.Connect(s.OrgID, s.Sandbox.Accounts()[0].Tokens.Storekeeper, "Склад")
	s.Do("POST", "/query?wait=60", s.AdminToken, map[string]any{"connection_id": s.Connections[0].ID,
		"measures": []string{"revenue"}, "by": []string{"day"}}) // something is kept of the account
	return []stop{
		{"health", org + "/health", nil},
		{"settings-organization", org + "/settings/organization", nil},
		{"settings-organization-wrong", org + "/settings/organization", func(b *tab) {
			b.eval(`document.querySelector("#name").value = "х".repeat(120)`)
			b.click(`form[aria-labelledby="organization"] .primary`)
			b.when(`document.querySelector("#name[aria-invalid]") !== null`, "the name is refused")
		}},
		{"connections-help", org + "/connections", func(b *tab) {
			b.eval(`for (const d of document.querySelectorAll("main details")) d.open = true`)
		}},
		{"connections-change", org + "/connections", open(`[data-open^="change-"]`)},
		{"connections-clear", org + "/connections", open(`[data-open^="clear-"]`)},
		{"connections-delete", org + "/connections", open(`[data-open^="delete-"]`)},
		{"connections-verified", org + "/connections", func(b *tab) {
			b.click(`form[action$="/verify"] button`)
			b.when(`document.querySelector("main [role=status]") !== null`, "it works")
		}},
		{"audit-none", org + "/audit?action=nothing.such", nil},
		{"palette-found", org + "/drafts", func(b *tab) {
			b.click("[data-palette]")
			b.fill("#palette input", "о")
			b.when(`document.querySelectorAll("#found [role=option]").length > 0`, "pages")
		}},
		{"organizations", org + "/drafts", open(".organizations > summary")},
	}
}

// Pages that change by themselves, dialogs and empty lists: as [TestEveryPageIsAccessible].
func TestEveryPageInOtherStatesIsAccessible(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Limits: true, Configure: func(c *app.Config) {
		c.Facts = kept.Limits{Age: time.Hour, Size: 8 << 20}
	}})
	walk(t, s, states(t, s))
}

// A new organization: nothing is there yet, and every page says what would be.
func TestEveryPageOfANewOrganizationIsAccessible(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	org := "/o/" + string(s.OrgID)
	var all []stop
	for _, name := range []string{"ask", "drafts", "goods", "connections", "runs", "usage", "health",
		"developers/tools", "developers/requests"} {
		all = append(all, stop{"new-" + filepath.Base(name), org + "/" + name, nil})
	}
	walk(t, s, all)
}
