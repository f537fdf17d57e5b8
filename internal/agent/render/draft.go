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

// Draft formats a draft as the answer to its task in Markdown: what is proposed, each document with its first lines,
// the notices, those of the run first, and that nothing has been sent yet.
func Draft(d tool.Draft, l stockhand.Language, more ...tool.Notice) Markdown {
	parts := []Markdown{Plain(d.Answer)}
	for i, doc := range d.Documents {
		if i == shownDocuments {
			parts = append(parts, format(pick(l, "… и ещё документов: %s", "… and %s more documents"),
				number(int64(len(d.Documents)-i))))
			break
		}
		head := format("**%s. %s**", number(int64(i+1)), Plain(doc.Title))
		if total := doc.TotalText(l); total != "" {
			head += " — " + Plain(total)
		}
		table := doc.Table(l)
		parts = append(parts, head, markdown(table, len(table.Rows), l))
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
