package llm

import "strings"

// What some models put around what they think before they answer, where their server does not keep it apart.
const (
	thinkBegin = "<think>"
	thinkEnd   = "</think>"
)

// thinkFilter removes a block of thoughts at the very beginning of a model's text. A block that is never closed is the
// whole text.
type thinkFilter struct {
	kept  string // not decided yet
	state int
}

const (
	undecided = iota
	thinking
	thought // and has said nothing yet
	speaking
)

// add takes the next piece and returns what of it is the answer.
func (a *thinkFilter) add(piece string) string {
	switch a.state {
	case speaking:
		return piece
	case thought:
		return a.begin(piece)
	}
	a.kept += piece
	if a.state == undecided {
		begun := strings.TrimLeft(a.kept, " \n\t\r")
		switch {
		case strings.HasPrefix(begun, thinkBegin):
			a.state = thinking
		case strings.HasPrefix(thinkBegin, begun):
			return "" // it may become one
		default:
			a.state = speaking
			return a.kept
		}
	}
	_, said, over := strings.Cut(a.kept, thinkEnd)
	if !over {
		return ""
	}
	a.state = thought
	return a.begin(said)
}

// begin is the start of the answer, without the space before it.
func (a *thinkFilter) begin(s string) string {
	if s = strings.TrimLeft(s, " \n\t\r"); s != "" {
		a.state = speaking
	}
	return s
}

// rest is what was kept back of a text that ends here.
func (a *thinkFilter) rest() string {
	if a.state == undecided {
		return a.kept
	}
	return ""
}
