package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/table"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// width returns a terminal's width, or 0 if the stream is not a terminal.
func width(stream any) int {
	f, ok := terminal(stream)
	if !ok {
		return 0
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return 80
}

// prompt reads lines typed by the user.
type prompt struct {
	in  *bufio.Reader
	out io.Writer
}

func (e *env) prompt() *prompt { return &prompt{in: bufio.NewReader(e.streams.In), out: e.streams.Err} }

// line asks for one line and returns io.EOF when the input ends. A read from a terminal cannot be cancelled, so after
// an interruption it is abandoned and the program exits.
func (p *prompt) line(ctx context.Context, ask string) (string, error) {
	fmt.Fprint(p.out, ask)
	type typed struct {
		text string
		err  error
	}
	read := make(chan typed, 1)
	go func() {
		s, err := p.in.ReadString('\n')
		read <- typed{s, err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(p.out)
		return "", ctx.Err()
	case t := <-read:
		if t.err != nil && (!errors.Is(t.err, io.EOF) || t.text == "") {
			return "", t.err
		}
		return strings.TrimSpace(t.text), nil
	}
}

// interactive reports whether the user can be asked: standard input and standard error are terminals.
func (e *env) interactive() bool {
	_, in := terminal(e.streams.In)
	_, out := terminal(e.streams.Err)
	return in && out
}

// style returns the style of a stream: none if it is not a terminal, or if NO_COLOR or TERM=dumb is set.
func (e *env) style(stream any) table.Style {
	_, ok := terminal(stream)
	return table.Style{On: ok && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"}
}

// language returns the language of the user's environment, for texts before a task is read.
func (e *env) language() stockhand.Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := e.getenv(name); v != "" {
			if strings.HasPrefix(v, "ru") {
				return stockhand.Russian
			}
			break
		}
	}
	return stockhand.English
}
