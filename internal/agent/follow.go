package agent

import (
	"context"
	"encoding/json"
	"iter"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// Follow yields the run's stored log after the entry with that number, then what is added to it, until the entry that
// ends the run. Live, reconnect and replay are this one function. Progress is passed on as it happens, with number 0,
// and is not part of the log.
func (a *Agent) Follow(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, after int64) iter.Seq2[stockhand.Event, error] {
	return func(yield func(stockhand.Event, error) bool) {
		if _, err := a.store.Run(ctx, org, id); err != nil {
			yield(stockhand.Event{}, err)
			return
		}
		live, stop := a.hub.listen(id)
		defer stop()
		// A run may also be worked on by another process, of which the hub hears nothing.
		elsewhere := time.NewTicker(time.Second)
		defer elsewhere.Stop()
		for {
			events, err := a.store.Events(ctx, org, id, after, page)
			if err != nil {
				yield(stockhand.Event{}, err)
				return
			}
			for _, e := range events {
				if !yield(e, nil) || ends(e.Type) {
					return
				}
				after = e.Seq
			}
			if len(events) == page {
				continue
			}
			for again := true; again; {
				select {
				case <-ctx.Done():
					yield(stockhand.Event{}, context.Cause(ctx))
					return
				case <-elsewhere.C:
					again = false
				case e := <-live:
					if again = e.Seq == 0 && e.Type != ""; again && !yield(e, nil) {
						return
					}
				}
			}
		}
	}
}

// page is how many entries are read at once.
const page = 200

// log reads the whole log of a run.
func (a *Agent) log(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) ([]stockhand.Event, error) {
	var all []stockhand.Event
	for {
		after := int64(0)
		if len(all) > 0 {
			after = all[len(all)-1].Seq
		}
		events, err := a.store.Events(ctx, org, id, after, page)
		all = append(all, events...)
		if err != nil || len(events) < page {
			return all, err
		}
	}
}

// ends tells whether an entry of that type is a log's last.
func ends(t stockhand.EventType) bool {
	return t == stockhand.EventComplete || t == stockhand.EventError || t == stockhand.EventCancelled
}

// hub passes on what happens to runs worked on in this process.
type hub struct {
	mu        sync.Mutex
	listeners map[stockhand.RunID]map[chan stockhand.Event]struct{}
}

func (h *hub) listen(id stockhand.RunID) (<-chan stockhand.Event, func()) {
	c := make(chan stockhand.Event, 64)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[stockhand.RunID]map[chan stockhand.Event]struct{}{}
	}
	if h.listeners[id] == nil {
		h.listeners[id] = map[chan stockhand.Event]struct{}{}
	}
	h.listeners[id][c] = struct{}{}
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners[id], c)
		if len(h.listeners[id]) == 0 {
			delete(h.listeners, id)
		}
	}
}

// tell wakes the run's followers. One that is slow misses progress, never the log, which it reads from the store.
func (h *hub) tell(events ...stockhand.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range events {
		for c := range h.listeners[e.Run] {
			select {
			case c <- e:
			default:
			}
		}
	}
}

// progress tells followers how far the run is.
func (h *hub) progress(id stockhand.RunID, at time.Time, data json.RawMessage) {
	h.tell(stockhand.Event{Run: id, Type: stockhand.EventToolProgress, Data: data, At: at})
}
