package write

import (
	"context"
	"sync"
	"time"
)

// The vendor switches off an employee's API access for more than 100 changes of one entity within a minute (fact M9).
// It does not say whether an entity is one good or all goods, so changes are counted by the type of what they change,
// which satisfies both readings, and a few are left to other programs. Creating and deleting changes nothing that is
// there, and is not counted.
const (
	paceWindow = time.Minute
	paceLimit  = 90
)

// changeRate lets a limited number of changes through in any minute.
type changeRate struct {
	mu   sync.Mutex
	last []time.Time // of the latest changes, oldest first; at most paceLimit
}

var changeRates sync.Map // of "host account path" to *pace: shared by all writers of an account in this process

func changeRateOf(host, account, path string) *changeRate {
	p, _ := changeRates.LoadOrStore(host+" "+account+" "+path, &changeRate{})
	return p.(*changeRate) //nolint:forcetypeassert // nothing else is stored
}

// wait blocks until one more change may go, or until ctx ends.
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
