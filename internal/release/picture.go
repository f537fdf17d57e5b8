package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
)

// The picture is a terminal of this many columns; a character is 8.4 by 19 units.
const columns = 100

// picture draws what it reads from the standard input as a terminal in SVG. Lines that start with "$ " are commands.
func picture(w io.Writer, _ []module) error {
	var lines []string
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		lines = append(lines, fold(in.Text())...)
	}
	if err := in.Err(); err != nil {
		return err
	}
	width, height := columns*8.4+40, float64(len(lines)*19+64)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" `+
		`aria-label="A terminal: two questions and their answers" font-family="ui-monospace, Menlo, Consolas, `+
		`'DejaVu Sans Mono', monospace" font-size="14">`+"\n", width, height)
	fmt.Fprintf(w, `<rect width="%.0f" height="%.0f" rx="8" fill="#1e2227"/>`+"\n", width, height)
	for i, colour := range []string{"#ff5f56", "#ffbd2e", "#27c93f"} {
		fmt.Fprintf(w, `<circle cx="%d" cy="20" r="6" fill="%s"/>`+"\n", 22+i*20, colour)
	}
	for i, line := range lines {
		if line == "" {
			continue
		}
		colour := "#d7dae0"
		switch {
		case strings.HasPrefix(line, "$ "):
			colour = "#98c379"
		case strings.HasPrefix(line, "• "):
			colour = "#e5c07b"
		}
		// textLength keeps the columns aligned whatever font is found
		fmt.Fprintf(w, `<text x="20" y="%d" fill="%s" xml:space="preserve" textLength="%.1f">%s</text>`+"\n",
			56+i*19, colour, float64(len([]rune(line)))*8.4, html.EscapeString(line))
	}
	_, err := fmt.Fprintln(w, "</svg>")
	return err
}

// fold breaks a long line between words.
func fold(line string) (lines []string) {
	for r := []rune(line); ; {
		if len(r) <= columns {
			return append(lines, string(r))
		}
		at := columns
		for at > columns/2 && r[at] != ' ' {
			at--
		}
		lines = append(lines, string(r[:at]))
		r = []rune(strings.TrimLeft(string(r[at:]), " "))
	}
}
