package openai

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// bookEvery is how long what was used may wait to be written down: hundreds of chats a second are one write.
const bookEvery = time.Second

// books gather what passed-through chats used, by actor and day, and write it down together. A process that dies loses
// the last second of it; what an organization may spend is settled with each chat and does not rest on this.
type books struct {
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

func (b *books) add(actor stockhand.Actor, u llm.Usage) {
	if u == (llm.Usage{}) {
		return
	}
	a := account{actor.Org, actor.Name, time.Now().UTC().Format(time.DateOnly)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == 0 {
		b.pending = map[account]stockhand.Used{}
		time.AfterFunc(bookEvery, func() { b.write(context.Background()) })
	}
	sum := b.pending[a]
	sum.InputTokens += u.Input
	sum.OutputTokens += u.Output
	b.pending[a] = sum
}

// write writes down what has gathered.
func (b *books) write(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	b.mu.Lock()
	all := b.pending
	b.pending = nil
	b.mu.Unlock()
	for a, used := range all {
		if err := b.store.AddUsage(ctx, a.org, stockhand.Usage{Day: a.day, By: a.by, Used: used}); err != nil {
			b.log.ErrorContext(ctx, "book what chats used", "org", a.org, "tokens", used.InputTokens+used.OutputTokens,
				"err", err)
		}
	}
}
