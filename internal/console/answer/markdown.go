package answer

import (
	"context"
	"html"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// Markdown shows the Markdown that answers are written in: paragraphs, headings, lists, tables, code, emphasis and
// links. Everything else, HTML too, is shown as it is written.
func Markdown(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var m markdown
		m.blocks(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))
		_, err := io.WriteString(w, m.String())
		return err
	})
}

type markdown struct{ strings.Builder }

var (
	heading  = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	bullet   = regexp.MustCompile(`^\s*[-*+]\s+(.*)$`)
	numbered = regexp.MustCompile(`^\s*\d{1,3}[.)]\s+(.*)$`)
	ruler    = regexp.MustCompile(`^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$`)
)

func (m *markdown) blocks(lines []string) {
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case strings.HasPrefix(line, "```"):
			end := i + 1
			for end < len(lines) && !strings.HasPrefix(lines[end], "```") {
				end++
			}
			m.WriteString("<pre><code>" + html.EscapeString(strings.Join(lines[i+1:min(end, len(lines))], "\n")) + "</code></pre>")
			i = end + 1
		case heading.MatchString(line):
			m.WriteString("<h3>" + inline(heading.FindStringSubmatch(line)[1]) + "</h3>")
			i++
		case strings.HasPrefix(strings.TrimSpace(line), "|") && i+1 < len(lines) && ruler.MatchString(lines[i+1]):
			i = m.table(lines, i)
		case bullet.MatchString(line):
			i = m.list("ul", bullet, lines, i)
		case numbered.MatchString(line):
			i = m.list("ol", numbered, lines, i)
		default:
			i = m.paragraph(lines, i)
		}
	}
}

// starts reports whether a line begins something other than a paragraph.
func starts(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "```") || heading.MatchString(line) ||
		strings.HasPrefix(strings.TrimSpace(line), "|") || bullet.MatchString(line) || numbered.MatchString(line)
}

func (m *markdown) paragraph(lines []string, i int) int {
	m.WriteString("<p>")
	for first := i; i < len(lines) && (i == first || !starts(lines[i])); i++ {
		if i > first {
			m.WriteString("<br>")
		}
		m.WriteString(inline(strings.TrimSpace(lines[i])))
	}
	m.WriteString("</p>")
	return i
}

func (m *markdown) list(tag string, item *regexp.Regexp, lines []string, i int) int {
	m.WriteString("<" + tag + ` class="` + map[string]string{"ul": "bullets", "ol": "numbered"}[tag] + `">`)
	for ; i < len(lines) && item.MatchString(lines[i]); i++ {
		m.WriteString("<li>" + inline(item.FindStringSubmatch(lines[i])[1]) + "</li>")
	}
	m.WriteString("</" + tag + ">")
	return i
}

func (m *markdown) table(lines []string, i int) int {
	m.WriteString(`<div class="scroll" tabindex="0"><table><thead><tr>`)
	for _, c := range cells(lines[i]) {
		m.WriteString(`<th scope="col">` + inline(c) + "</th>")
	}
	m.WriteString("</tr></thead><tbody>")
	for i += 2; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), "|"); i++ {
		m.WriteString("<tr>")
		for _, c := range cells(lines[i]) {
			m.WriteString("<td>" + inline(c) + "</td>")
		}
		m.WriteString("</tr>")
	}
	m.WriteString("</tbody></table></div>")
	return i
}

// cells divides a line of a table. A bar after a backslash is text.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			cell.WriteString(line[i : i+2])
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// inline shows emphasis, code and links within a line.
func inline(s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] == '\\' && len(s) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|<>~&\"'$:/@=", s[1]) >= 0 {
			b.WriteString(html.EscapeString(s[1:2]))
			s = s[2:]
			continue
		}
		if n := span(&b, s); n > 0 {
			s = s[n:]
			continue
		}
		next := strings.IndexAny(s[1:], "\\`*[") + 1
		if next == 0 {
			next = len(s)
		}
		b.WriteString(html.EscapeString(html.UnescapeString(s[:next])))
		s = s[next:]
	}
	return b.String()
}

var link = regexp.MustCompile(`^\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)`)

// span writes what s begins with and returns its length; 0 if it begins with plain text.
func span(b *strings.Builder, s string) int {
	wrapped := func(mark, tag string) int {
		end := strings.Index(s[len(mark):], mark)
		if end <= 0 || s[len(mark)] == ' ' {
			return 0
		}
		inner := s[len(mark) : len(mark)+end]
		if tag == "code" {
			inner = html.EscapeString(inner)
		} else {
			inner = inline(inner)
		}
		b.WriteString("<" + tag + ">" + inner + "</" + tag + ">")
		return end + 2*len(mark)
	}
	switch {
	case strings.HasPrefix(s, "**"):
		return wrapped("**", "strong")
	case s[0] == '*':
		return wrapped("*", "em")
	case s[0] == '`':
		return wrapped("`", "code")
	case s[0] == '[':
		found := link.FindStringSubmatch(s)
		if found == nil {
			return 0
		}
		address, err := url.Parse(found[2])
		if err != nil || address.Scheme != "https" && address.Scheme != "http" && !strings.HasPrefix(found[2], "/") ||
			strings.HasPrefix(found[2], "//") {
			return 0
		}
		away := ""
		if address.Host != "" {
			away = ` rel="noopener noreferrer" target="_blank"`
		}
		b.WriteString(`<a href="` + html.EscapeString(found[2]) + `"` + away + ">" + inline(found[1]) + "</a>")
		return len(found[0])
	}
	return 0
}
