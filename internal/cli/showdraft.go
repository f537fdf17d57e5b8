package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// showDraft prints a draft: what it is, a row for each document, their lines, and what to do next (rule R550). After
// the decision, the outcome replaces the proposal. Brief omits what the user has just seen, except for documents that
// were returned with changes.
func showDraft(w io.Writer, d tool.Draft, t table.Table, brief bool) {
	l := t.Language
	say := func(s string) { fmt.Fprintln(w, table.Wrap(table.OneLine(s), t.Width)) }
	say(headline(d, l))
	if !brief {
		fmt.Fprintln(w)
		t.Write(w, d.Table(l))
	}
	for i, doc := range d.Documents {
		switch total := doc.TotalText(l); {
		case brief && total != "":
			say(fmt.Sprintf("%d. %s — %s [%s]", i+1, doc.Title, total, tool.StateWords[doc.State].In(l)))
		case brief:
			say(fmt.Sprintf("%d. %s [%s]", i+1, doc.Title, tool.StateWords[doc.State].In(l)))
		case len(d.Documents) > 1:
			fmt.Fprintln(w)
			say(fmt.Sprintf("№ %d", i+1))
		default:
			fmt.Fprintln(w)
		}
		if doc.Outcome != nil && doc.Outcome.External != nil {
			say(fmt.Sprintf(l.Pick("   Записан: № %s %s", "   Written: no. %s %s"), doc.Outcome.External.Name,
				doc.Outcome.Link))
		}
		if said := cmp.Or(doc.Problem, doc.Approval(l)); said != "" {
			say("   ! " + said)
		} else if doc.Outcome != nil && doc.Outcome.Text != "" {
			say(l.Pick("   Ответ: ", "   The answer: ") + doc.Outcome.Text)
		}
		// A returned document must be read again.
		if brief && (doc.State != stockhand.DocumentPending || doc.Problem == "") {
			continue
		}
		lines := doc.Table(l)
		lines.Totals = nil // the document's row has them
		t.Write(w, lines)
		for _, c := range doc.Consequences {
			say("• " + c)
		}
	}
	if !brief {
		if len(d.Notices) > 0 {
			fmt.Fprintln(w)
		}
		for _, n := range d.Notices {
			say("• " + n.Message)
		}
	}
	fmt.Fprintln(w)
	if slices.ContainsFunc(d.Documents, func(doc tool.DraftDocument) bool { return unfinished(doc.State) }) {
		say(l.Pick("Есть документы, работа над которыми прервалась. Продолжить: stockhand drafts resume",
			"Work on some documents was interrupted. To go on: stockhand drafts resume"))
	}
	if d.Pending() {
		say(fmt.Sprintf(l.Pick("Черновик %s, версия %d: ждёт подтверждения до %s. Без него ничего не отправляется.",
			"Draft %s, version %d: waits for confirmation until %s. Nothing is sent without it."), d.ID, d.Version,
			tool.DayOf(d.Expires.In(d.Zone.Location())).Format(l)))
		switch {
		case t.Place.Prompt:
			say(l.Pick("Чтобы подтвердить, наберите «подтверждаю»; если спросить о другом, черновик подождёт.",
				"To confirm, type \"confirm\"; ask something else and the draft waits."))
		case t.Place.Commands:
			say(l.Pick("Подтвердить: ", "To confirm: ") +
				fmt.Sprintf("stockhand drafts confirm %s --version %d", d.ID, d.Version))
			say(l.Pick("Изменить, отклонить: stockhand drafts --help", "To change or reject: stockhand drafts --help"))
		}
		return
	}
	say(fmt.Sprintf(l.Pick("Черновик %s, версия %d.", "Draft %s, version %d."), d.ID, d.Version))
}

// showVerdicts prints for each document whether it would be sent now, why not, and the requests.
func showVerdicts(w io.Writer, d tool.Draft, verdicts []draft.Verdict) {
	l := d.Language
	for _, v := range verdicts {
		i := slices.IndexFunc(d.Documents, func(doc tool.DraftDocument) bool { return doc.ID == v.Document })
		title := ""
		if i >= 0 {
			title = table.OneLine(d.Documents[i].Title)
		}
		fmt.Fprintf(w, "%d. %s: %s\n", i+1, title, map[bool]string{
			true:  l.Pick("будет отправлен", "would be sent"),
			false: l.Pick("не будет отправлен", "would not be sent"),
		}[v.Passed])
		for _, g := range v.Gates {
			if !g.Passed {
				fmt.Fprintf(w, "   ! %s\n", table.OneLine(cmp.Or(g.Message, g.Name)))
			}
		}
		for _, b := range v.Bodies {
			fmt.Fprintf(w, "   %s %s\n", b.Method, table.OneLine(b.Path))
			var body bytes.Buffer
			if json.Indent(&body, b.Body, "   ", "  ") == nil {
				fmt.Fprintf(w, "   %s\n", paragraphs(body.String(), 0))
			}
		}
	}
	fmt.Fprintln(w, l.Pick("Это проверка: ничего не отправлено.", "This was a dry run: nothing was sent."))
}

// headline returns what the draft proposes while all documents are pending, and the outcome afterwards.
func headline(d tool.Draft, l stockhand.Language) string {
	decided := func(doc tool.DraftDocument) bool { return doc.State != stockhand.DocumentPending }
	if !slices.ContainsFunc(d.Documents, decided) {
		return d.Answer
	}
	return fmt.Sprintf(l.Pick("%s. Документов: %d; %s.", "%s. Documents: %d; %s."), d.Title, len(d.Documents),
		counted(d, endedFirst, l))
}

// endedFirst is the order in which states are listed.
var endedFirst = []stockhand.DocumentState{
	stockhand.DocumentApplied, stockhand.DocumentFailed, stockhand.DocumentUnknown, stockhand.DocumentApplying,
	stockhand.DocumentConfirmed, stockhand.DocumentPending, stockhand.DocumentRejected, stockhand.DocumentExpired,
}

// counted returns the number of documents in each state.
func counted(d tool.Draft, order []stockhand.DocumentState, l stockhand.Language) string {
	counts := map[stockhand.DocumentState]int{}
	for _, doc := range d.Documents {
		counts[doc.State]++
	}
	var parts []string
	for _, s := range order {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%s — %d", tool.StateWords[s].In(l), counts[s]))
		}
	}
	return strings.Join(parts, ", ")
}
