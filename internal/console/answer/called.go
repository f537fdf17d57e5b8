package answer

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Called is the call of a tool that answers one kind of question, as chips.
type Called struct {
	Title     tool.Text
	Period    *tool.Period // what it came to
	Moveable  bool         // the tool takes a period
	Arguments []Argument   // the names and texts that it was called with
}

// called returns how a call of a known tool is shown; nil for a tool that is not known.
func (b Builder) called(c agent.Call, r agent.ResultPreview) *Called {
	i := slices.IndexFunc(b.Tools, func(t tool.Tool) bool { return t.Name == c.Name })
	if i < 0 {
		return nil
	}
	fields := b.Tools[i].Input.Properties
	out := &Called{Title: b.Tools[i].Title, Period: r.Provenance.Period,
		Moveable: fields["from"] != nil && fields["to"] != nil}
	var arguments map[string]json.RawMessage
	if json.Unmarshal(c.Arguments, &arguments) != nil {
		return out
	}
	for _, a := range text.ToolArguments {
		if value := asWritten(arguments[a.Name]); value != "" {
			out.Arguments = append(out.Arguments, Argument{a.Title, value})
		}
	}
	return out
}

// Argument is an argument with its value.
type Argument struct {
	Title text.T
	Value string
}

var ids = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f-]{27}$`)

// asWritten returns an argument as people write it: a text, a number or a list of texts; empty for others, and for IDs.
func asWritten(raw json.RawMessage) string {
	var all []string
	var one string
	var number json.Number
	switch {
	case raw == nil:
	case json.Unmarshal(raw, &one) == nil:
		all = []string{one}
	case json.Unmarshal(raw, &number) == nil:
		return number.String()
	case json.Unmarshal(raw, &all) != nil:
		return ""
	}
	return strings.Join(slices.DeleteFunc(all, ids.MatchString), "; ")
}

// WithPeriod returns the arguments of a call with another period.
func WithPeriod(arguments json.RawMessage, from, to tool.Day) (json.RawMessage, error) {
	var all map[string]any
	if err := json.Unmarshal(arguments, &all); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the call cannot be read")
	}
	all["from"], all["to"] = from, to
	return json.Marshal(all)
}

// asked ends a question that was asked with another period before.
var asked = regexp.MustCompile(` \(\S+(?: \S+)*\)$`)

// Asked is the question of a turn that asks the same about another period.
func Asked(question string, p tool.Period, l stockhand.Language) string {
	return asked.ReplaceAllString(question, "") + " (" + Span(p, l) + ")"
}
