package loop

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/tool"
)

// reuseFor is how long after a read the same call of a later turn is answered with it (rule R441).
const reuseFor = 3 * time.Minute

// refreshing are words with which a person asks for what is true now, by their beginnings.
var refreshing = []string{"обнови", "перечита", "заново", "снова", "ещё раз", "еще раз", "свеж", "актуальн",
	"прямо сейчас", "refresh", "re-read", "reread", "reload", "again", "once more", "right now", "up to date"}

// AsksFresh reports whether a message asks for what is true now.
func AsksFresh(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(refreshing, func(w string) bool { return strings.Contains(text, w) })
}

// readBefore returns what the same call of an earlier turn read minutes ago; nil if the tool must be called.
func (l *Loop) readBefore(ctx context.Context, c Call) (*results.Stored, error) {
	_, external := l.Externals[c.Fn.Name]
	own := !slices.ContainsFunc(l.Tools, func(fn tool.Tool) bool { return fn.Name == c.Fn.Name })
	if l.Fresh || c.Done || external || own || c.Fn.Proposes() ||
		strings.Contains(string(c.Arguments), `"fresh":true`) {
		return nil, nil
	}
	now := l.Now()
	for _, id := range slices.Backward(l.Numbered) {
		kept, err := l.store.Result(ctx, l.Run.Org, id)
		if err != nil {
			if stockhand.CodeOf(err) == stockhand.CodeNotFound {
				continue
			}
			return nil, err
		}
		if now.Sub(kept.Created) > reuseFor {
			return nil, nil // and the others are older
		}
		if kept.Expired || kept.Tool != c.Tool {
			continue
		}
		found, err := l.sameCall(ctx, kept, c)
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// sameCall returns a stored result if it is of the same call and may be used again.
func (l *Loop) sameCall(ctx context.Context, kept stockhand.StoredResult, c Call) (*results.Stored, error) {
	calls, err := l.store.ToolCalls(ctx, l.Run.Org, kept.Run)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(calls, func(x stockhand.ToolCall) bool { return x.Result == kept.ID })
	if i < 0 || canonical(calls[i].Arguments) != canonical(c.Arguments) {
		return nil, nil
	}
	found, err := results.Read(ctx, l.store, l.Run.Org, kept.ID)
	if err != nil {
		return nil, err
	}
	p, now := found.Provenance, l.Now()
	age := now.Sub(p.Read)
	partial := slices.ContainsFunc(found.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticePartial })
	if age < 0 || age > reuseFor || partial || !l.Reader.May(p) ||
		tool.DayOf(p.Read.In(p.Zone.Location())) != tool.DayOf(now.In(p.Zone.Location())) {
		return nil, nil
	}
	written, err := l.store.WrittenSince(ctx, l.Run.Org, p.Account, p.Read)
	if err != nil || written {
		return nil, err
	}
	return found, nil
}
