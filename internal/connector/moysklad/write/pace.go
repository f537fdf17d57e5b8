package write

import (
	"context"
	"sync"
	"time"
)

// The vendor disables an employee's API access after more than 100 changes of one entity within a minute (fact M9). It
// does not say whether an entity is one good or all goods. Counting changes by type of object satisfies both
// interpretations and leaves some room for other programs. Creations and deletions change nothing and are not counted.
const (
	paceWindow = time.Minute
	paceLimit  = 90
)

// changeRate limits the number of changes per minute.
type changeRate struct {
	mu   sync.Mutex
	last []time.Time // the latest changes, oldest first; at most paceLimit
}

var changeRates sync.Map // "host account path" → *changeRate, shared by all writers of an account in this process

func changeRateOf(host, account, path string) *changeRate {
	p, _ := changeRates.LoadOrStore(host+" "+account+" "+path, &changeRate{})
	return p.(*changeRate) //nolint:forcetypeassert // nothing else is stored
}

// wait blocks until another change is allowed, or until ctx ends.
func (p *changeRate) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		now := time.Now()
		due := time.Duration(0)
		if len(p.last) == paceLimit {
			due = paceWindow - now.Sub(p.last[0])
		}
		if due <= 0 {
			if len(p.last) == paceLimit {
				p.last = append(p.last[:0], p.last[1:]...)
			}
			p.last = append(p.last, now)
			p.mu.Unlock()
			return ctx.Err()
		}
		p.mu.Unlock()
		if err := wait(ctx, due); err != nil {
			return err
		}
	}
}
