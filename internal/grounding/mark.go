package grounding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
)

// Remark explains the marks. It must not contain a figure.
func Remark(l stockhand.Language) string {
	return l.Pick(
		Mark+" — этого числа нет в прочитанных данных; не полагайтесь на него.",
		Mark+" — this number is not in the data that was read; do not rely on it.")
}

// stripped is a text whose marks were removed.
type stripped struct {
	text    string
	removed []int // offsets in text where a mark was removed
}

func strip(text string, l stockhand.Language) stripped {
	text = strings.TrimSuffix(text, "\n\n"+Remark(l))
	var s stripped
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, Mark)
		b.WriteString(before)
		if !found {
			break
		}
		s.removed = append(s.removed, b.Len())
		text = after
	}
	s.text = b.String()
	return s
}

// original converts an offset in the stripped text to one in the original text, before any mark at that position.
func (s stripped) original(offset int) int {
	marks, _ := slices.BinarySearch(s.removed, offset)
	return offset + marks*len(Mark)
}

// marked inserts marks, then the coverage, then the remark.
func marked(text string, l stockhand.Language, c Checked) string {
	if len(c.Unmatched) == 0 && c.Coverage == "" {
		return text
	}
	explained := strings.HasSuffix(text, "\n\n"+Remark(l))
	body := strings.TrimSuffix(text, "\n\n"+Remark(l))
	var b strings.Builder
	at := 0
	for _, f := range c.Unmatched {
		b.WriteString(body[at:f.End])
		if !strings.HasPrefix(body[f.End:], Mark) {
			b.WriteString(Mark)
		}
		at = f.End
	}
	b.WriteString(body[at:])
	if c.Coverage != "" {
		b.WriteString("\n\n" + c.Coverage)
	}
	if explained || len(c.Unmatched) > 0 {
		b.WriteString("\n\n" + Remark(l))
	}
	return b.String()
}

// listedFigures is the maximum number of figures in a notice.
const listedFigures = 10

func listed(figures []Figure, l stockhand.Language) string {
	var names []string
	for _, f := range figures {
		if !slices.Contains(names, f.Text) {
			names = append(names, f.Text)
		}
	}
	more := ""
	if n := len(names) - listedFigures; n > 0 {
		names, more = names[:listedFigures], fmt.Sprintf(l.Pick(" и ещё %d", " and %d more"), n)
	}
	return strings.Join(names, "; ") + more
}
