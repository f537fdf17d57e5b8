package render

import (
	"cmp"
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

// rowPerDocument is the number of documents from which each is a row instead of a table of its lines.
const rowPerDocument = 4

// Draft formats a draft as the answer to its task in Markdown: what is proposed, its documents, the notices, those of
// the run first, and that nothing has been sent yet. Few documents are shown with their first lines, more with a row
// each and the lines that a person must have seen (rule R97).
func Draft(d tool.Draft, l stockhand.Language, more ...tool.Notice) Markdown {
	parts := []Markdown{Plain(d.Answer)}
	if len(d.Documents) >= rowPerDocument {
		parts = append(parts, documentRows(d, l))
	}
	for i, doc := range d.Documents {
		if i == shownDocuments {
			parts = append(parts, format(pick(l, "… и ещё документов: %s", "… and %s more documents"),
				number(int64(len(d.Documents)-i))))
			break
		}
		table := doc.Table(l)
		count := len(table.Rows)
		if len(d.Documents) >= rowPerDocument {
			if table.MustShow == 0 {
				continue
			}
			count = table.MustShow
			table.Rows = table.Rows[:min(count, shownAttention)]
			table.Totals = nil
		}
		head := format("**%s. %s**", number(int64(i+1)), Plain(doc.Title))
		if len(d.Documents) < rowPerDocument {
			head = format("**%s. %s**", number(int64(i+1)), linked(doc.Title, page(d, doc)))
			if total := doc.TotalText(l); total != "" {
				head += " — " + Plain(total)
			}
		}
		parts = append(parts, head, markdown(table, count, l))
		if len(doc.Consequences) > 0 {
			parts = append(parts, "- "+join(plain(doc.Consequences), "\n- "))
		}
	}
	text := WithNotices(join(parts, "\n\n"), slices.Concat(more, d.Notices))
	return text + "\n\n" + format(pick(l,
		"Это черновик %s, версия %s: ничего не отправлено. Его можно подтвердить до %s.",
		"This is draft %s, version %s: nothing has been sent. It can be confirmed until %s."),
		Markdown(d.ID), number(d.Version), Plain(tool.DayOf(d.Expires.In(d.Zone.Location())).Format(l)))
}

// documentRows formats the documents of a draft as a table with a row for each.
func documentRows(d tool.Draft, l stockhand.Language) Markdown {
	rows := []Markdown{pick(l, "| № | Документ | Строк | Сумма |", "| No. | Document | Lines | Sum |"),
		"| --: | --- | --: | --: |"}
	for i, doc := range d.Documents[:min(len(d.Documents), shownDocuments)] {
		rows = append(rows, format("| %s | %s | %s | %s |", number(int64(i+1)), linked(doc.Title, page(d, doc)),
			number(int64(len(doc.Lines))), Plain(doc.TotalText(l))))
	}
	return join(rows, "\n")
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
