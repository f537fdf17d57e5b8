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
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// width is how many columns a terminal has; 0 when the stream is not one.
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

// prompt reads lines that a person types.
type prompt struct {
	in  *bufio.Reader
	out io.Writer
}

func (e *env) prompt() *prompt { return &prompt{in: bufio.NewReader(e.streams.In), out: e.streams.Err} }

// line asks for one line; io.EOF when the input ends without one. Nothing can take back a read from a terminal, so an
// interruption leaves it behind: the program ends then.
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

// interactive tells whether a person can be asked: both the input and the messages are a terminal.
func (e *env) interactive() bool {
	_, in := terminal(e.streams.In)
	_, out := terminal(e.streams.Err)
	return in && out
}
