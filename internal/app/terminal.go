package app

import (
	"bufio"
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

// line asks for one line; io.EOF when the input ends without one.
func (p *prompt) line(ask string) (string, error) {
	fmt.Fprint(p.out, ask)
	s, err := p.in.ReadString('\n')
	if err != nil && (!errors.Is(err, io.EOF) || s == "") {
		return "", err
	}
	return strings.TrimSpace(s), nil
}

// interactive tells whether a person can be asked: both the input and the messages are a terminal.
func (e *env) interactive() bool {
	_, in := terminal(e.streams.In)
	_, out := terminal(e.streams.Err)
	return in && out
}
