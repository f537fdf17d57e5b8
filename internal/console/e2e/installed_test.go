package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// shownOn shows the tab as on a medium: "print" or "screen".
func (b *tab) shownOn(medium string) {
	b.t.Helper()
	b.do("on "+medium, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium})
		return err
	}))
}

// Drafts, reports and cards are printed black on white, with all that they say, and without what only a screen needs.
func TestPaperHasTheFiguresAndNothingToPress(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	draft := propose(t, s, orders)
	b := open(t, s, s.Owner, stockhand.English, "dark", desk)
	org := "/o/" + string(s.OrgID)
	for _, c := range []struct {
		name string
		show func()
		says string // a script for a text that must be on the paper
	}{
		{"draft", func() { b.visit(org + "/drafts/" + draft) },
			`document.querySelector("#draft .lead").innerText.split("\n")[0]`},
		{"report", func() {
			b.visit(org + "/ask?message=revenue+by+day+for+the+last+30+days")
			b.click(".composer .primary")
			b.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "the answer")
		}, `document.querySelector(".turn tfoot").innerText.trim().split(/\s{2,}|\t/).at(-1)`},
		{"card", func() {
			b.visit(org + "/goods")
			read(b)
			b.click("#list a.behind")
			b.when(`!!document.querySelector("#card h2")`, "the card")
			read(b)
		}, `document.querySelector("#card .figures dd").innerText`},
	} {
		c.show()
		said := strings.ReplaceAll(b.value(c.says), "\u00a0", " ")
		b.shownOn("print")
		b.shot("paper-" + c.name)
		if got := b.value(`[...document.querySelectorAll("button:not(.behind), a.button, summary.button, nav, .side, .composer, .bar, .tabs, " +
			"input[type=checkbox], input[type=search], dialog, .history")].filter((e) => e.checkVisibility())
			.map((e) => e.outerHTML.slice(0, 120)).join("\n")`); got != "" {
			t.Errorf("%s: on paper there is\n%s", c.name, got)
		}
		if got := b.value(`["body", "main", "table", "td"].map((x) => getComputedStyle(document.querySelector(x)))
			.filter((s) => s.color !== "rgb(0, 0, 0)" ||
				!["rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"].includes(s.backgroundColor))
			.map((s) => s.color + " on " + s.backgroundColor).join("; ")`); got != "" {
			t.Errorf("%s: on paper there is %s", c.name, got)
		}
		if got := b.value(`getComputedStyle(document.querySelector("thead")).display`); got != "table-header-group" {
			t.Errorf("%s: headings are not repeated: %s", c.name, got)
		}
		if got := b.value(`[...document.querySelectorAll("details:is(.fold, .item) > :not(summary)")]
			.filter((e) => !e.closest(".history") && !e.checkVisibility()).map((e) => e.innerText).join("; ")`); got != "" {
			t.Errorf("%s: what is folded is not on paper: %s", c.name, got)
		}
		if said == "" {
			t.Errorf("%s: nothing to look for", c.name)
		}
		b.sees(said)
		b.shownOn("screen")
	}
}

// A table is printed with all its rows, though an answer shows the first; afterwards it is as before (rule R695).
func TestAllRowsOfATableArePrinted(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/o/" + string(s.OrgID) + "/ask?message=revenue+by+product+for+the+last+90+days")
	b.click(".composer .primary")
	b.when(`!!document.querySelector(".turn table") && !document.querySelector("[data-live]")`, "the answer")
	b.eval(`window.print = () => {
		window.printed = [...document.querySelectorAll(".result.paper tbody tr")].length;
		window.shows = String(getComputedStyle(document.querySelector(".result.paper")).display);
	}`)
	shown := b.value(`String(document.querySelectorAll(".turn tbody tr").length)`)
	b.shownOn("print")
	b.eval(`document.querySelector("[data-print]").click()`)
	b.when(`window.printed > 30 && window.shows === "block" &&
		getComputedStyle(document.querySelector(".result.screen")).display === "none"`, "all rows are on the paper")
	b.shot("paper-rows")
	b.shownOn("screen")
	b.eval(`dispatchEvent(new Event("afterprint"))`)
	if got := b.value(`String(document.querySelectorAll(".turn tbody tr").length)`); got != shown {
		t.Errorf("after printing the page shows %s rows, before %s", got, shown)
	}
}

// The badge of the installed app is the number of drafts that wait, and goes when they are decided (rule R399).
func TestTheBadgeIsTheNumberOfWaitingDrafts(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	propose(t, s, orders)
	id := propose(t, s, prices)
	b := open(t, s, s.Owner, stockhand.English, "light", phone)
	b.do("watch the badge", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `window.shown = "nothing";
				navigator.setAppBadge = (n) => { window.shown = String(n); return Promise.resolve(); };
				navigator.clearAppBadge = () => { window.shown = ""; return Promise.resolve(); };`})
		return err
	}))
	b.visit("/o/" + string(s.OrgID) + "/goods")
	b.when(`window.shown === "2"`, "two drafts wait")
	b.visit("/drafts/" + id)
	b.click(`[data-open="reject"]`)
	b.click("#reject .danger")
	b.sees("rejected")
	b.when(`window.shown === "1"`, "one draft waits")
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	b.click(`.list a[href*="/drafts/drf_"]`)
	b.click(`[data-open="reject"]`)
	b.click("#reject .danger")
	b.when(`window.shown === ""`, "none waits")
}
