package llm

import "strings"

// What some models put around what they think before they answer, where their server does not keep it apart.
const (
	thinkBegin = "<think>"
	thinkEnd   = "</think>"
)

// aloud lets pass what a model says and not what it thinks: a block at the very beginning of its text. A block that is
// never closed is all there was.
type aloud struct {
	held  string // not decided yet
	state int
}

const (
	undecided = iota
	thinking
	thought // and has said nothing yet
	speaking
)

// add takes the next piece and returns what of the text is said.
func (a *aloud) add(piece string) string {
	switch a.state {
	case speaking:
		return piece
	case thought:
		return a.begin(piece)
	}
	a.held += piece
	if a.state == undecided {
		begun := strings.TrimLeft(a.held, " \n\t\r")
		switch {
		case strings.HasPrefix(begun, thinkBegin):
			a.state = thinking
		case strings.HasPrefix(thinkBegin, begun):
			return "" // it may become one
		default:
			a.state = speaking
			return a.held
		}
	}
	_, said, over := strings.Cut(a.held, thinkEnd)
	if !over {
		return ""
	}
	a.state = thought
	return a.begin(said)
}

// begin is the start of what is said, without the space before it.
func (a *aloud) begin(s string) string {
	if s = strings.TrimLeft(s, " \n\t\r"); s != "" {
		a.state = speaking
	}
	return s
}

// rest is what was held back of a text that ends here.
func (a *aloud) rest() string {
	if a.state == undecided {
		return a.held
	}
	return ""
}
