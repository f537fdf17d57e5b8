package e2e

import (
	"fmt"
	"net/url"
	"strings"
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
			b.click(".turn:nth-of-type(2) .number .behind")
			b.when(`document.querySelectorAll(".turn").length === 4 && !document.querySelector("[data-live]")`, "the documents")
			b.sees("Розничные продажи")
			b.shot("ask-behind-" + c.name)
		})
	}
}

// Each chip of an applied query is changed in place, and the answer follows: what, by what, when, of what, compared
// with what, how many (rule R394). How it was computed is one click away.
func TestEachChipChangesTheAnswer(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.visit("/o/" + string(s.OrgID) + "/ask?message=revenue+by+warehouse+for+the+last+30+days")
	b.click(".composer .primary")
	turns := 1
	done := func(what string) {
		t.Helper()
		b.when(fmt.Sprintf(`document.querySelectorAll(".turn").length === %d && !document.querySelector("[data-live]") &&
			!!document.querySelector(".turn:last-of-type table")`, turns), what)
	}
	done("the answer")
	chips := func() string { return b.value(`document.querySelector(".turn:last-of-type .chips").innerText`) }
	heads := func() string { return b.value(`document.querySelector(".turn:last-of-type thead").innerText`) }
	change := func(chip, script, applied, column string) {
		t.Helper()
		b.eval(fmt.Sprintf(`(() => {
			const chip = [...document.querySelectorAll(".turn:last-of-type .chip")].find((c) =>
				c.querySelector("summary").textContent.trim().startsWith(%q));
			chip.open = true;
			const form = chip.querySelector("form"), set = (name, value) => { form.elements[name].value = value; };
			%s
		})()`, chip, script))
		turns++
		done(chip)
		if got := chips(); !strings.Contains(got, applied) {
			t.Errorf("%s: the query is %q, without %q", chip, got, applied)
		}
		if got := heads(); !strings.Contains(got, column) {
			t.Errorf("%s: the columns are %q, without %q", chip, got, column)
		}
	}
	tick := func(name, value string) string {
		return fmt.Sprintf(`form.querySelector('input[name=%s][value=%s]').checked = true;`, name, value)
	}
	const send = `form.requestSubmit();`
	change("Measures", tick("measure", "profit")+send, "Profit", "Profit")
	change("By", tick("by", "month")+send, "Month", "Month")
	change("Period", `set("from", "2026-10-01"); set("to", "2026-10-31");`+send, "1 Oct 2026 – 31 Oct 2026", "Profit")
	change("Period", `form.querySelector("[name=preset][value=days]").click();`, "Period", "Profit")
	store := b.value(`document.querySelector(".turn:last-of-type tbody td").innerText.trim()`)
	change("Condition", fmt.Sprintf(`set("field", "store"); set("values", %q);`, store)+send, store, "Profit")
	if got := b.value(`String([...document.querySelectorAll(".turn:last-of-type tbody tr")]
		.every((r) => r.innerText.includes(` + fmt.Sprintf("%q", store) + `)))`); got != "true" {
		t.Errorf("rows of other warehouses than %s", store)
	}
	change("Warehouse", `form.querySelector("[name=remove]").click();`, "Condition", "Profit")
	change("Comparison", `form.querySelector("[name=compare][value=previous]").click();`, "previous period", "before")
	change("Rows", `set("limit", "1");`+send, "1", "before")
	if got := b.value(`String(document.querySelectorAll(".turn:last-of-type tbody tr").length)`); got != "1" {
		t.Errorf("%s rows, want 1", got)
	}
	b.press("How this was computed")
	b.when(`document.querySelector(".turn .fold[open]")?.innerText.includes("minus returns")`, "the method")
}

// The chips of a report change its arguments, too, and are as accessible as the rest (rule R692). Cells of its table
// open what its rows are about, and those of groups the query of the group (rule R693).
func TestAReportIsChangedByItsChips(t *testing.T) {
	t.Parallel()
	needChromium(t)
	source := axe(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := open(t, s, s.Owner, stockhand.Russian, "dark", phone)
	b.visit("/o/" + string(s.OrgID) + "/ask?message=" + url.QueryEscape("остатки товаров"))
	b.click(".composer .primary")
	turns := 1
	done := func(what string) {
		t.Helper()
		b.when(fmt.Sprintf(`document.querySelectorAll(".turn").length === %d && !document.querySelector("[data-live]") &&
			!!document.querySelector(".turn:last-of-type table")`, turns), what)
	}
	chip := func(name, script string) {
		t.Helper()
		b.eval(fmt.Sprintf(`(() => {
			const chip = [...document.querySelectorAll(".turn:last-of-type .chip")].find((c) =>
				c.querySelector("summary")?.textContent.trim().startsWith(%q));
			chip.open = true;
			const form = chip.querySelector("form");
			%s
		})()`, name, script))
	}
	done("the answer")
	chip("Условие", "")
	b.accessible(source)
	b.shot("ask-report-chips")
	chip("Условие", `form.elements["a-groups"].value = "Бакалея"; form.requestSubmit();`)
	turns++
	done("the goods of a group")
	b.when(`document.querySelector(".turn:last-of-type .chips").innerText.replace(/\s+/g, " ")
		.includes("Группы товаров Бакалея")`, "the chip of the group")
	chip("Группы товаров", `form.querySelector("[name=drop]").click();`)
	turns++
	done("all goods again")
	if got := b.value(`document.querySelector(".turn:last-of-type .chips").innerText`); strings.Contains(got, "Бакалея") {
		t.Errorf("the group is still in %q", got)
	}
	b.fill("#message", "выручка по группам товаров")
	b.press("Спросить")
	turns++
	done("revenue by group")
	b.eval(`document.querySelector(".turn:last-of-type tbody .behind").click()`)
	turns++
	done("the goods of the first group")
	if got := b.value(`document.querySelector(".turn:last-of-type thead").innerText`); !strings.Contains(got, "Товар") {
		t.Errorf("a group opens %q", got)
	}
}
