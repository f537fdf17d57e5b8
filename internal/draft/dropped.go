package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// withoutDropped leaves out of a proposal that replaces a draft what a person took out of that draft, unless the new
// one lists its goods or would have no other (rule R813).
func (v *revising) withoutDropped() {
	dropped := v.h.proposal.Dropped
	if v.wants.Listed || len(dropped) == 0 {
		return
	}
	var docs []tool.Document
	var out []string
	for _, doc := range v.p.Documents {
		lines := slices.DeleteFunc(slices.Clone(doc.Lines), func(l tool.Line) bool {
			is := slices.ContainsFunc(dropped, func(r tool.Ref) bool { return r.ID == l.Product.ID })
			if is && !slices.Contains(out, l.Product.Name) {
				out = append(out, l.Product.Name)
			}
			return is
		})
		if len(lines) < len(doc.Lines) {
			doc.Title = counted(v.h.Language, doc.Title, len(lines))
		}
		if doc.Lines = lines; len(lines) > 0 {
			docs = append(docs, doc)
		}
	}
	if len(docs) == 0 { // they are wanted now
		v.h.proposal.Dropped = nil
		return
	}
	proposed := *v.p
	proposed.Documents = docs
	v.p, v.out = &proposed, out
}

// stillOut says what [revising.withoutDropped] left out, and how many lines are left.
func (v *revising) stillOut() string {
	if len(v.out) == 0 {
		return ""
	}
	const most = 8
	names, more, lines := v.out, "", 0
	for _, doc := range v.h.proposal.Documents {
		lines += len(doc.Lines)
	}
	if rest := len(names) - most; rest > 0 {
		names, more = names[:most], fmt.Sprintf(v.h.Language.Pick(" и ещё %d", " and %d more"), rest)
	}
	return fmt.Sprintf(v.h.Language.Pick(" Убранное раньше не вернулось: «%s»%s; строк в черновике: %d.",
		" What was taken out before is still out: “%s”%s; lines in the draft: %d."),
		strings.Join(names, v.h.Language.Pick("», «", "”, “")), more, lines)
}

// titleCount matches the number of lines at the end of a title: "Цены «Цена продажи»: 24 товара".
var titleCount = regexp.MustCompile(`: \d+ \p{L}+$`)

// counted returns a title with the number of lines that are left.
func counted(l stockhand.Language, title string, lines int) string {
	return titleCount.ReplaceAllString(title, fmt.Sprintf(l.Pick(": строк — %d", ": lines: %d"), lines))
}
