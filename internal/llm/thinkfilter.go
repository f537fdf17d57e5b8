package llm

import "strings"

// The markers that some models put around their reasoning, if the server does not separate it.
const (
	thinkBegin = "<think>"
	thinkEnd   = "</think>"
)

// thinkFilter removes a block of reasoning at the start of a model's text. If the block is never closed, it is the
// whole text.
type thinkFilter struct {
	kept  string // undecided text
	state int
}

const (
	undecided = iota
	thinking
	thought // nothing said yet
	speaking
)

// add processes the next piece and returns the part that belongs to the answer.
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
			return "" // it may become a marker
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

// begin returns the start of the answer without leading space.
func (a *thinkFilter) begin(s string) string {
	if s = strings.TrimLeft(s, " \n\t\r"); s != "" {
		a.state = speaking
	}
	return s
}

// rest returns the text held back when the stream ends.
func (a *thinkFilter) rest() string {
	if a.state == undecided {
		return a.kept
	}
	return ""
}
