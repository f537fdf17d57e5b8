package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Draft writes a draft as the answer to the task that asked for it, in Markdown: what is proposed, each document
// with its first lines, the remarks, those of the run first, and that nothing is sent yet.
func Draft(d tool.Draft, l stockhand.Language, more ...tool.Notice) string {
	parts := []string{d.Answer}
	for i, doc := range d.Documents {
		head := fmt.Sprintf("**%d. %s**", i+1, escapeMarkdown(doc.Title))
		if total := doc.TotalText(l); total != "" {
			head += " — " + total
		}
		parts = append(parts, head, markdown(doc.Table(l), l))
		if len(doc.Consequences) > 0 {
			parts = append(parts, "- "+strings.Join(doc.Consequences, "\n- "))
		}
	}
	text := WithNotices(strings.Join(parts, "\n\n"), slices.Concat(more, d.Notices))
	return text + "\n\n" + fmt.Sprintf(l.Pick(
		"Это черновик %s, версия %d: ничего не отправлено. Его можно подтвердить до %s.",
		"This is draft %s, version %d: nothing has been sent. It can be confirmed until %s."),
		d.ID, d.Version, tool.DayOf(d.Expires.In(d.Zone.Location())).Format(l))
}

// WithNotices adds the messages of notices to a text, as a list.
func WithNotices(text string, notices []tool.Notice) string {
	for i, n := range notices {
		if i == 0 {
			text += "\n"
		}
		text += "\n- " + n.Message
	}
	return text
}

// Outcome writes what came of a confirmation as the answer to the words that confirmed, in Markdown: how each
// document ended, where it is in the external system, and what moved of one that came back.
func Outcome(d tool.Draft, l stockhand.Language) string {
	lines := []string{escapeMarkdown(d.Title)}
	for i, doc := range d.Documents {
		line := fmt.Sprintf("%d. %s: **%s**", i+1, escapeMarkdown(doc.Title), tool.StateWords[doc.State].In(l))
		if o := doc.Outcome; o != nil && o.External != nil && o.External.Name != "" {
			number := "№ " + escapeMarkdown(o.External.Name)
			if strings.HasPrefix(o.Link, "https://") {
				number = "[" + number + "](" + o.Link + ")"
			}
			line += ", " + number
		}
		if doc.Problem != "" {
			line += ". " + escapeMarkdown(doc.Problem)
		} else if o := doc.Outcome; o != nil && o.Text != "" {
			line += l.Pick(". Ответ: «", ". The answer: “") + escapeMarkdown(o.Text) + l.Pick("»", "”")
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "\n")
	if d.Pending() {
		text += "\n\n" + fmt.Sprintf(l.Pick(
			"То, что не отправлено, ждёт подтверждения: черновик %s, версия %d.",
			"What has not been sent waits for confirmation: draft %s, version %d."), d.ID,
			d.Version)
	}
	return text
}
