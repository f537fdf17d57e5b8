// Package toolbox shows a model the tools that it may call: those of the account, those of other servers that the
// agent's profile names, and the loop's own over results (see [Query] and [Compute]).
package toolbox

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// Box is the tools of a run.
type Box struct {
	tools []tool.Tool
	own   []tool.Tool
	shown []llm.Tool
}

// New returns the tools of the account and of other servers, which are foreign, and the loop's own. Their order is
// kept: the list is the same for every request of a conversation, so that a provider can keep what it has read.
func New(tools, own []tool.Tool, foreign func(tool.Tool) bool) *Box {
	b, before := &Box{tools: tools, own: own}, newSaid()
	for _, fn := range own {
		b.shown = append(b.shown, described(fn, fn.Name, before))
	}
	for _, fn := range tools {
		shown := described(fn, Called(fn), before)
		if foreign(fn) { // another server wrote it
			shown.Description = render.Escape(shown.Description)
		}
		b.shown = append(b.shown, shown)
	}
	return b
}

// Shown returns the tools as a model sees them.
func (b *Box) Shown() []llm.Tool { return b.shown }

// Find returns the tool with the model's name.
func (b *Box) Find(name string) (tool.Tool, bool) {
	for _, fn := range b.own {
		if fn.Name == name {
			return fn, true
		}
	}
	for _, fn := range b.tools {
		if fn.Name == name || Called(fn) == name {
			return fn, true
		}
	}
	return tool.Tool{}, false
}

// Names returns the names of all tools that the model may call.
func (b *Box) Names() []string {
	var names []string
	for _, t := range b.shown {
		names = append(names, t.Name)
	}
	return names
}

// Bare returns a tool's name without the connector prefix, which is the name that the model uses.
func Bare(name string) string {
	_, rest, ok := strings.Cut(name, "_")
	if !ok {
		return name
	}
	return rest
}

// Called returns the model's name for a tool: without prefix, in characters that servers accept, and different from the
// loop's own tools. Tools of other servers may have any name.
func Called(fn tool.Tool) string {
	name := render.Clip(strings.Map(func(r rune) rune {
		if ValidName(string(r)) {
			return r
		}
		return '_'
	}, Bare(fn.Name)), 60)
	name = strings.ReplaceAll(name, "…", "_")
	if name == "" || slices.Contains(ownNames, name) {
		return "their_" + name
	}
	return name
}

// ValidName reports whether servers accept a name of a tool.
func ValidName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Limits on other servers' tool descriptions, because they are sent with every request.
const (
	maxAbout     = 1200    // characters
	maxArguments = 6 << 10 // bytes
)

// anyObject is the schema that a server gets: what the arguments are is in the description, which costs less.
var anyObject = json.RawMessage(`{"type":"object","properties":{}}`)

// described returns a tool as shown to the model.
func described(fn tool.Tool, name string, before *said) llm.Tool {
	arguments := before.arguments(name, fn.Input)
	if len(arguments) > maxArguments {
		arguments = "{}"
	}
	about := render.Clip(fn.About.EN, maxAbout) + "\n" + arguments
	if len(fn.Example) > 0 {
		about += "\nE.g. " + string(fn.Example)
	}
	return llm.Tool{Name: name, Parameters: anyObject, Description: about}
}
