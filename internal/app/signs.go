package app

import (
	"context"
	"crypto/rand"
	"os"
	"runtime"
	"time"

	"github.com/stockhand/stockhand"
)

// How often a replica gives a sign of life, how long one without is shown as silent, and how long a write of one may
// take.
const (
	signEvery  = 10 * time.Second
	forgotten  = time.Hour
	signWithin = 5 * time.Second
)

// giveSigns tells the other replicas that this one works, until the context ends (rule R447).
func (i *Instance) giveSigns(ctx context.Context) {
	all, me := i.Store.System().Replicas(), stockhand.Replica{ID: rand.Text(), Version: Version(), Started: i.began}
	if name, err := os.Hostname(); err == nil {
		me.Name = name
	}
	ticker := time.NewTicker(signEvery)
	defer ticker.Stop()
	for {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		_, _, working := i.engine.Load()
		me.Seen, me.Memory, me.Working = time.Now(), int64(memory.Sys-memory.HeapReleased), working
		me.Queue = i.engine.Ready()
		write, cancel := context.WithTimeout(ctx, signWithin)
		if err := all.Seen(write, me, me.Seen.Add(-forgotten)); err != nil && ctx.Err() == nil {
			i.log.WarnContext(ctx, "cannot store a sign of life", "err", err)
		}
		cancel()
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), signWithin)
			defer cancel()
			_ = all.Gone(last, me.ID) // it is forgotten an hour later otherwise
			return
		case <-ticker.C:
		}
	}
}

// replicas returns the processes that serve, and those that fell silent within the last hour.
func (i *Instance) replicas(ctx context.Context) ([]stockhand.Replica, error) {
	return i.Store.System().Replicas().All(ctx, time.Now().Add(-forgotten))
}
