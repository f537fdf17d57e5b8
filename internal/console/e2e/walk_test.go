package e2e

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// stop is a page or a state of one that every walk visits.
type stop struct {
	name string
	path string
	then func(b *tab) // brings the page into the state; nil for none
}

// stops returns every page of the console, on a service where there is something to see.
func stops(t *testing.T, s *apptest.Service) []stop {
	t.Helper()
	org := "/o/" + string(s.OrgID)
	order, price := org+"/drafts/"+propose(t, s, orders), org+"/drafts/"+propose(t, s, prices)
	written := propose(t, s, orders)
	var d struct{ Documents []struct{ ID string } }
	s.Do("GET", "/drafts/"+written, s.AdminToken, nil).Decode(t, &d)
	s.Do("POST", "/drafts/"+written+"/confirm?wait=60", s.AdminToken,
		map[string]any{"version": 1, "document_ids": []string{d.Documents[0].ID}})
	return []stop{
		{"signin", "/sign-in", nil},
		{"drafts", org + "/drafts", nil},
		{"drafts-none", org + "/drafts?state=expired", nil},
		{"draft-order", order, nil},
		{"draft-prices", price, nil},
		{"draft-edited", order, func(b *tab) {
			b.fill(`input[name^="q-"]`, "3,5x")
			b.when(`document.querySelector('[id^="eq-"]').textContent !== ""`, "the mistake is named")
		}},
		{"draft-reject", order, func(b *tab) { b.click(`[data-open="reject"]`) }},
		{"draft-confirm", order + "/confirm?version=1", nil},
		{"draft-written", org + "/drafts/" + written, nil},
		{"connections", org + "/connections", nil},
		{"connections-wrong", org + "/connections", func(b *tab) {
			b.fill("#token", "wrong")
			b.click(`form[aria-labelledby="connect"] .primary`)
			b.when(`document.querySelector(".notice.bad[role=alert]:not(#trouble)") !== null`, "the token is refused")
		}},
		{"people", org + "/people", nil},
		{"people-invited", org + "/people", func(b *tab) {
			b.fill("#email", fmt.Sprintf("boris%d@example.com", invited.Add(1)))
			b.click(`form[aria-labelledby="invite"] .primary`)
			b.when(`document.querySelector("#link") !== null`, "the link of the invitation")
		}},
		{"goods", org + "/goods", read},
		{"goods-found", org + "/goods", func(b *tab) {
			read(b)
			b.fill("#find", "cjkm")
			b.when(`document.querySelector("#list tbody tr")?.innerText.includes("Соль")`, "salt typed in the other layout")
		}},
		{"goods-none", org + "/goods?find=qwzx", read},
		{"good", org + "/goods", func(b *tab) {
			read(b)
			b.eval(`[...document.querySelectorAll("#list a.behind")].find((a) => a.textContent.includes("Соль")).click()`)
			b.when(`!!document.querySelector("#card h2")`, "the card")
			read(b)
		}},
		{"customers", org + "/customers", read},
		{"customer", org + "/customers", func(b *tab) {
			read(b)
			b.eval(`[...document.querySelectorAll("#list a.behind")].find((a) => a.textContent.includes("Бета")).click()`)
			b.when(`!!document.querySelector("#card h2")`, "the card")
			read(b)
		}},
		{"documents", org + "/documents?kinds=customerorder&unpaid=1", read},
		{"document", org + "/documents?kinds=customerorder", func(b *tab) {
			read(b)
			b.click("#list a.behind")
			b.when(`!!document.querySelector("#card h2")`, "the document")
		}},
		{"runs", org + "/runs", nil},
		{"runs-none", org + "/runs?state=queued", nil},
		{"run", org + "/runs", func(b *tab) {
			b.click(`.list a[href*="/runs/run_"]`)
			b.when(`document.querySelector("pre") !== null`, "the steps of a run")
			b.eval(`for (const d of document.querySelectorAll("main details")) d.open = true`)
		}},
		{"usage", org + "/usage", nil},
		{"audit", org + "/audit", nil},
		{"audit-verified", org + "/audit?action=draft.confirmed", func(b *tab) {
			b.click(`form[action$="/audit/verify"] button`)
			b.when(`document.querySelector("[role=status] .good") !== null`, "the chain is intact")
		}},
		{"settings", org + "/settings", nil},
		{"settings-wrong", org + "/settings", func(b *tab) {
			b.fill("#max_order_total", "much")
			b.click(`form[aria-labelledby="rules"] .primary`)
			b.when(`document.querySelector("#max_order_total[aria-invalid]") !== null`, "the number is refused")
		}},
		{"settings-stop", org + "/settings", func(b *tab) { b.click(`[data-open="stop"]`) }},
		{"settings-access", org + "/settings/access", nil},
		{"settings-retention", org + "/settings/retention?saved=1", nil},
		{"settings-models", org + "/settings/models", nil},
		{"settings-notes", org + "/settings/notes?saved=1", nil},
		{"more", org + "/drafts", func(b *tab) {
			if b.window == phone {
				b.click(".more summary")
			}
		}},
		{"account", org + "/drafts", func(b *tab) { b.click(".account > summary") }},
		{"missing", org + "/nothing", nil},
	}
}

// invited counts the people that tests invite. Each is invited once.
var invited atomic.Int64

// read waits until everything on the page is read from the account.
func read(b *tab) {
	b.t.Helper()
	b.when(`!document.querySelector(".reading, .spinner")`, "everything is read")
}

// Every page: axe finds nothing, the browser complains about
// nothing, and nothing is wider than the window. With a folder for
// pictures, it takes them in both languages and themes, on a desk and on a phone.
func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{})
	walk(t, s, stops(t, s))
}

// walk checks pages in different languages, themes and windows.
func walk(t *testing.T, s *apptest.Service, all []stop) {
	t.Helper()
	source := axe(t)
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		for _, theme := range []string{"light", "dark"} {
			for _, window := range []size{desk, phone} {
				first := l == stockhand.Russian && theme == "light" && window == desk
				last := l == stockhand.English && theme == "dark" && window == phone
				if os.Getenv(pictures) == "" && !first && !last {
					continue // the two have both languages, all colours and both sizes
				}
				name := fmt.Sprintf("%s-%s-%s", l, theme, window.name)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					b, others := open(t, s, s.Owner, l, theme, window), foreign(t, l)
					for _, at := range all {
						b.visit(at.path)
						if at.then != nil {
							at.then(b)
						}
						b.fits(at.name)
						b.speaks(others)
						b.accessible(source)
						b.shot(at.name + "-" + name)
					}
				})
			}
		}
	}
}

// The first page is small, and comes with nothing that a browser has to fetch from elsewhere.
func TestTheFirstPageIsSmall(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/")
	sizes := b.value(`performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
		.map((e) => e.encodedBodySize + " " + e.name).join("\n")`)
	total := 0
	for line := range strings.SplitSeq(sizes, "\n") {
		var bytes int
		var address string
		if _, err := fmt.Sscan(line, &bytes, &address); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if u, err := url.Parse(address); err != nil || !strings.HasPrefix(address, s.URL) {
			t.Errorf("the page loads %s: %v", u, err)
		}
		total += bytes
	}
	const most = 150 << 10
	if t.Logf("%d bytes:\n%s", total, sizes); total > most {
		t.Errorf("the first page has %d bytes, more than %d", total, most)
	}
}
