package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/tool"
)

// maxOwn bounds the names of own measures that a model is shown, in characters. The error for an unknown measure lists
// all of them.
const maxOwn = 1500

// ownMeasures returns what the instructions say about the organization's own measures, because the schema of the tool
// that answers queries is the same for everyone.
func (t *turn) ownMeasures(ctx context.Context, c stockhand.Connection, tools []tool.Tool) (string, error) {
	analyze := t.kind(c).Analyze
	if t.measures == nil || !slices.ContainsFunc(tools, func(fn tool.Tool) bool { return fn.Name == analyze }) {
		return "", nil
	}
	all, err := t.measures(ctx, t.org)
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range all.Measures {
		if m.Own {
			names = append(names, m.Name+" ("+m.Title.In(t.language)+")")
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	return "\n\n" + instruction("measures") + " " + render.Escape(render.Clip(strings.Join(names, ", "), maxOwn)), nil
}
