package e2e

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// A merchant asks in the browser, watches the answers, changes the query, sorts the table and opens what is behind a
// figure (rules R392 to R396).
func TestAMerchantAsks(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	for _, c := range []struct {
		name   string
		theme  string
		window size
	}{{"desk-light", "light", desk}, {"phone-dark", "dark", phone}} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, s, s.Owner, stockhand.Russian, c.theme, c.window)
			b.visit("/o/" + string(s.OrgID) + "/ask")
			b.when(`document.querySelectorAll(".tile").length === 5 && !document.querySelector(".tile .spinner")`, "tiles")
			b.accessible(source)
			b.shot("ask-home-" + c.name)
			ask := func(question string, turns string) {
				b.fill("#message", question)
				b.press("Спросить")
				b.when(`document.querySelectorAll(".turn").length === `+turns+` && !document.querySelector("[data-live]")`,
					"the answer to "+question)
			}
			ask("выручка по дням за последние 30 дней", "1")
			b.when(`!!document.querySelector(".chart svg")`, "a chart")
			ask("выручка и прибыль по складам", "2")
			b.when(`document.documentElement.scrollWidth <= innerWidth`, "the page fits into the window")
			b.accessible(source)
			b.shot("ask-answers-" + c.name)
			b.eval(`[...document.querySelectorAll(".turn:last-of-type .chip summary")].find((s) =>
				s.textContent.includes("Сравнение")).click()`)
			b.shot("ask-chip-" + c.name)
			b.press("с прошлым периодом")
			b.when(`document.querySelectorAll(".turn").length === 3 && !document.querySelector("[data-live]")`, "the comparison")
			b.sees("Выручка, было")
			b.accessible(source)
			b.shot("ask-compared-" + c.name)
			b.click(".turn:nth-of-type(2) .behind")
			b.when(`document.querySelectorAll(".turn").length === 4 && !document.querySelector("[data-live]")`, "the documents")
			b.sees("Розничные продажи")
			b.shot("ask-behind-" + c.name)
		})
	}
}
