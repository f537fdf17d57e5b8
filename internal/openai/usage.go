package openai

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// writeEvery is how often usage is written: hundreds of chats a second become one write.
const writeEvery = time.Second

// usageBatcher collects the usage of passed-through chats by actor and day. A process that crashes loses the last
// second of it; an organization's budget is settled with each chat and does not depend on this.
type usageBatcher struct {
	store interface {
		AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error
	}
	log *slog.Logger

	mu      sync.Mutex
	pending map[account]stockhand.Used
}

type account struct {
	org stockhand.OrgID
	by  string
	day string
}

func (b *usageBatcher) add(actor stockhand.Actor, u llm.Usage, cost int64) {
	if u == (llm.Usage{}) {
		return
	}
	a := account{actor.Org, actor.Name, time.Now().UTC().Format(time.DateOnly)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == 0 {
		b.pending = map[account]stockhand.Used{}
		time.AfterFunc(writeEvery, func() { b.write(context.Background()) })
	}
	sum := b.pending[a]
	sum.InputTokens += u.Input
	sum.OutputTokens += u.Output
	sum.CachedTokens += u.Cached
	sum.Cost += cost
	b.pending[a] = sum
}

// write stores the collected usage.
func (b *usageBatcher) write(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	b.mu.Lock()
	all := b.pending
	b.pending = nil
	b.mu.Unlock()
	for a, used := range all {
		if err := b.store.AddUsage(ctx, a.org, stockhand.Usage{Day: a.day, By: a.by, Used: used}); err != nil {
			b.log.ErrorContext(ctx, "store usage of chats", "org", a.org, "tokens", used.InputTokens+used.OutputTokens,
				"err", err)
		}
	}
}
