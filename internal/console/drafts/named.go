package drafts

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/tool"
)

// segment is a part of a text, which may lead to a document.
type segment struct{ text, path string }

// signs stand before the numbers of documents in texts.
var signs = []string{"№ ", "No. "}

// segments divides a text at the numbers of documents that it names (rule R694).
func (v view) segments(said string, named []tool.Ref) (all []segment) {
	for said != "" {
		at, end, path := len(said), len(said), ""
		for _, ref := range named {
			for _, sign := range signs {
				i := strings.Index(said, sign+ref.Name)
				if i < 0 || i >= at || !v.May || ref.ID == "" {
					continue
				}
				to := i + len(sign+ref.Name)
				if next, _ := utf8.DecodeRuneInString(said[to:]); unicode.IsLetter(next) || unicode.IsDigit(next) {
					continue // it begins another number
				}
				at, end = i, to
				q := url.Values{"connection": {string(v.Connection)}, "kind": {ref.Type}}
				path = page.Path(v.Org, page.Documents, ref.ID) + "?" + q.Encode()
			}
		}
		if at > 0 {
			all = append(all, segment{text: said[:at]})
		}
		if at < end {
			all = append(all, segment{said[at:end], path})
		}
		said = said[cmp.Or(end, len(said)):]
	}
	return all
}

// named are the documents that the lines name.
func (d documentView) named() (all []tool.Ref) {
	for _, l := range d.Lines {
		all = append(all, l.Named...)
	}
	return all
}
