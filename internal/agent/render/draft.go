package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// What of a draft a conversation shows. A draft of which more should be seen is confirmed elsewhere.
const (
	shownDocuments = 20
	shownAttention = 50 // lines of a document that need a person's attention
)

// ShowsEnough reports whether [Draft] shows all of a draft that a person must have seen to confirm it by a word in the
// conversation (rule R97): every document, and every line that needs attention.
func ShowsEnough(d tool.Draft) bool {
	for _, doc := range d.Documents {
		if doc.Table(d.Language).MustShow > shownAttention {
			return false
		}
	}
	return len(d.Documents) <= shownDocuments
}

// fewDocuments is how many documents are shown with their first lines. Of more only the lines that need attention are.
const fewDocuments = 3

// Draft formats a draft as the answer to its task in Markdown: what is proposed, a row for each document with a link,
// the lines, the notices, those of the run first, and that nothing has been sent yet (rule R550). Of few documents the
// first lines are shown, of more those that a person must have seen (rule R97).
func Draft(d tool.Draft, l stockhand.Language, more ...tool.Notice) Markdown {
	parts := []Markdown{Plain(d.Answer), documentRows(d, l)}
	parts = append(parts, draftLines(d, l)...)
	text := WithNotices(join(parts, "\n\n"), slices.Concat(more, d.Notices))
	return text + "\n\n" + format(pick(l,
		"Это черновик %s, версия %s: ничего не отправлено. Его можно подтвердить до %s.",
		"This is draft %s, version %s: nothing has been sent. It can be confirmed until %s."),
		Markdown(d.ID), number(d.Version), Plain(tool.DayOf(d.Expires.In(d.Zone.Location())).Format(l)))
}

// BeforeDraft returns what an answer says before it shows a draft with [Draft], and whether it does.
func BeforeDraft(answer string, d tool.Draft) (lead string, shown bool) {
	for _, l := range []stockhand.Language{d.Language, stockhand.Russian, stockhand.English} {
		if lead, shown = strings.CutSuffix(answer, string(Draft(d, l))); shown {
			break
		}
	}
	return strings.TrimSpace(lead), shown
}

// documentRows formats the documents of a draft as a table with a row for each, whose names are links to their places
// in the draft's page.
func documentRows(d tool.Draft, l stockhand.Language) Markdown {
	r := d.Table(l)
	rest := max(0, len(r.Rows)-shownDocuments)
	text := rowsTable(r, r.Rows[:len(r.Rows)-rest], func(row, column int) Markdown {
		text := r.Rows[row][column].Format(r.Columns[column].Unit, l)
		if r.Columns[column].Name == "title" {
			return linked(text, page(d, d.Documents[row]))
		}
		return Plain(text)
	}, 0, l)
	if rest > 0 {
		text += "\n\n" + format(pick(l, "… и ещё документов: %s", "… and %s more documents"), number(int64(rest)))
	}
	return text
}

// draftLines formats lines of the documents: one table for neighbours with the same columns, with what follows from the
// documents below. Of several documents a line's number has the document's before it.
func draftLines(d tool.Draft, l stockhand.Language) (parts []Markdown) {
	var open *tool.Result
	var below, left []Markdown
	kind := tool.DocumentKind("")
	end := func() {
		if open != nil {
			parts = append(parts, markdownRows(open, open.Rows, 0, l))
		}
		if len(left) > 0 {
			parts = append(parts, pick(l, "… и ещё строк: ", "… and more lines: ")+join(left, "; "))
		}
		if len(below) > 0 {
			parts = append(parts, "- "+join(below, "\n- "))
		}
		open, below, left = nil, nil, nil
	}
	for i, doc := range d.Documents[:min(len(d.Documents), shownDocuments)] {
		table := doc.Table(l)
		count := min(table.MustShow, shownAttention)
		if len(d.Documents) <= fewDocuments {
			count = max(shownRows, count)
		}
		rest := max(0, len(table.Rows)-count)
		table.Rows, table.Totals = table.Rows[:len(table.Rows)-rest], nil
		if len(table.Rows) == 0 {
			continue
		}
		of := number(int64(i + 1))
		if doc.Kind != kind || doc.Call != nil {
			end()
		}
		kind = doc.Kind
		if len(d.Documents) > 1 {
			if doc.Call != nil {
				parts = append(parts, "№ "+of)
			} else {
				table = numbered(table, i+1)
			}
		}
		open = joined(open, table)
		if rest > 0 && len(d.Documents) <= fewDocuments {
			said := number(int64(rest))
			if len(d.Documents) > 1 {
				said = format(pick(l, "№ %s — %s", "no. %s: %s"), of, said)
			}
			left = append(left, said)
		}
		for _, c := range doc.Consequences {
			if repeats(doc, c, d.Language) {
				continue
			}
			said := Plain(c)
			if len(d.Documents) > 1 {
				said = format("№ %s: %s", of, said)
			}
			below = append(below, said)
		}
	}
	end()
	return parts
}

// repeats reports whether what follows from a document says again what its row or a line that is always shown says: its
// sum, or what is unusual about a good.
func repeats(doc tool.DraftDocument, said string, l stockhand.Language) bool {
	if total := doc.TotalText(l); total != "" && doc.Kind == tool.SupplierOrder && strings.Contains(said, total) {
		return true
	}
	for _, line := range doc.Lines {
		for _, f := range line.Flags {
			if f.Message != "" && strings.Contains(said, line.Product.Name) && strings.Contains(said, f.Message) {
				return true
			}
		}
	}
	return false
}

// numbered puts the number of a document before those of its lines, as the command line writes it: 2:13.
func numbered(r *tool.Result, document int) *tool.Result {
	for i, row := range r.Rows {
		r.Rows[i] = slices.Clone(row)
		r.Rows[i][0] = tool.TextValue(fmt.Sprintf("%d:%s", document, row[0].Text()))
	}
	return r
}

// joined appends the rows of a table to those of another, nil for none. Each has the columns of both.
func joined(to, more *tool.Result) *tool.Result {
	if to == nil {
		return more
	}
	var columns []tool.Column
	at := func(all []tool.Column, name string) int {
		return slices.IndexFunc(all, func(c tool.Column) bool { return c.Name == name })
	}
	i := 0
	for _, c := range to.Columns { // those of more that are before a shared one come before it
		if shared := at(more.Columns, c.Name); shared >= i {
			columns, i = append(columns, more.Columns[i:shared]...), shared+1
		}
		columns = append(columns, c)
	}
	columns = append(columns, more.Columns[i:]...)
	out := *to
	out.Columns, out.Rows = columns, nil
	for _, r := range []*tool.Result{to, more} {
		for _, row := range r.Rows {
			wide := make(tool.Row, len(columns))
			for j, c := range columns {
				if k := at(r.Columns, c.Name); k >= 0 {
					wide[j] = row[k]
				}
			}
			out.Rows = append(out.Rows, wide)
		}
	}
	return &out
}

// linked formats a title as a link to a page, if there is one.
func linked(title, address string) Markdown {
	if address == "" || strings.ContainsAny(address, " ()<>[]\\\n") || !strings.HasPrefix(address, "http") {
		return Plain(title)
	}
	return "[" + Plain(title) + "](" + Markdown(address) + ")"
}

// WithNotices appends the messages of notices to a text as a list.
func WithNotices(text Markdown, notices []tool.Notice) Markdown {
	for i, n := range notices {
		if i == 0 {
			text += "\n"
		}
		text += "\n- " + Plain(n.Message)
	}
	return text
}

// Outcome formats the result of a confirmation in Markdown: how each document ended, where it is in the external
// system, and what has changed for one that was returned to pending.
func Outcome(d tool.Draft, l stockhand.Language) Markdown {
	lines := []Markdown{Plain(d.Title)}
	for i, doc := range d.Documents {
		line := format("%s. %s: **%s**", number(int64(i+1)), Plain(doc.Title), Plain(tool.StateWords[doc.State].In(l)))
		if o := doc.Outcome; o != nil && o.External != nil && o.External.Name != "" {
			name := "№ " + Plain(o.External.Name)
			if link, ok := linkTarget(o.Link); ok {
				name = "[" + name + "](" + link + ")"
			}
			line += ", " + name
		}
		if said := cmp.Or(doc.Problem, doc.Approval(l)); said != "" {
			line += ". " + Plain(said)
		} else if o := doc.Outcome; o != nil && o.Text != "" {
			line += pick(l, ". Ответ: «", ". The answer: “") + Plain(o.Text) + pick(l, "»", "”")
		}
		lines = append(lines, line)
	}
	text := join(lines, "\n")
	if d.Pending() {
		text += "\n\n" + format(pick(l,
			"То, что не отправлено, ждёт подтверждения: черновик %s, версия %s.",
			"What has not been sent waits for confirmation: draft %s, version %s."), Markdown(d.ID),
			number(d.Version))
	}
	return text
}

// linkTarget is an address as the target of a link; it is not ok when it could end the link or holds a space.
func linkTarget(address string) (Markdown, bool) {
	return Markdown(address), strings.HasPrefix(address, "https://") && !strings.ContainsAny(address, " ()<>[]\\\n")
}

// page returns the address of a document in the page of its draft; empty if there is none.
func page(d tool.Draft, doc tool.DraftDocument) string {
	if d.URL == "" {
		return ""
	}
	return d.URL + "#" + string(doc.ID)
}
