package agent

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
)

// maxOwn bounds the names of own measures that a model is shown, in characters. The error for an unknown measure lists
// all of them.
const maxOwn = 1500

// ownMeasures adds the organization's own measures to the instructions, because the schema of the tool that answers
// queries is the same for everyone.
func (l *loop) ownMeasures(ctx context.Context, c stockhand.Connection) error {
	if _, may := l.find(l.kind(c).Analyze); !may || l.measures == nil {
		return nil
	}
	all, err := l.measures(ctx, l.org)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range all.Measures {
		if m.Own {
			names = append(names, m.Name+" ("+m.Title.In(l.language)+")")
		}
	}
	if len(names) > 0 {
		l.system += "\n\n" + instruction("measures") + " " +
			render.Escape(render.Clip(strings.Join(names, ", "), maxOwn))
	}
	return nil
}
