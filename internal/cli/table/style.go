package table

import "strings"

// Style adds terminal formatting to text; its zero value adds none.
type Style struct{ On bool }

// Bold returns a text in bold.
func (s Style) Bold(text string) string { return s.mark("1", text) }

// Dim returns a text in a fainter colour.
func (s Style) Dim(text string) string { return s.mark("2", text) }

// Red returns a text in red.
func (s Style) Red(text string) string { return s.mark("31", text) }

// mark formats each line separately, so that a pager can cut the text anywhere.
func (s Style) mark(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "\x1b[" + code + "m" + line + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}
