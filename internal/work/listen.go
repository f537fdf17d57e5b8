package work

import (
	"encoding/json"
	"sync"

	"github.com/stockhand/stockhand"
)

// Listener receives the events of one run, from every replica. Use [Engine.Listen].
type Listener struct {
	hub   *hub
	topic *topic
	run   stockhand.RunID
	ready chan struct{}

	// guarded by topic.mu
	pending []stockhand.Event
	missed  bool
}

// Listen subscribes to a run. A caller that subscribes first and reads the database second misses nothing.
func (e *Engine) Listen(id stockhand.RunID) *Listener {
	h := &e.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[id]
	if t == nil {
		if h.topics == nil {
			h.topics = map[stockhand.RunID]*topic{}
		}
		t = &topic{listeners: map[*Listener]struct{}{}}
		h.topics[id] = t
	}
	l := &Listener{hub: h, topic: t, run: id, ready: make(chan struct{}, 1)}
	t.mu.Lock()
	t.listeners[l] = struct{}{}
	t.mu.Unlock()
	return l
}

// Ready receives a value when [Listener.Take] has something to return.
func (l *Listener) Ready() <-chan struct{} { return l.ready }

// Take returns the events since the last call, in order. An event with a number and no type is stored, and the caller
// has to read it from the database. If missed is true there were more events, which are to be read there as well.
func (l *Listener) Take() (events []stockhand.Event, missed bool) {
	l.topic.mu.Lock()
	defer l.topic.mu.Unlock()
	events, missed = l.pending, l.missed
	l.pending, l.missed = nil, false
	return events, missed
}

// Reached records how far the listener has read the log in the database.
func (l *Listener) Reached(seq int64) {
	l.topic.mu.Lock()
	defer l.topic.mu.Unlock()
	l.topic.reached = max(l.topic.reached, seq)
}

// Close unsubscribes.
func (l *Listener) Close() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	l.topic.mu.Lock()
	defer l.topic.mu.Unlock()
	delete(l.topic.listeners, l)
	if len(l.topic.listeners) == 0 && l.hub.topics[l.run] == l.topic {
		delete(l.hub.topics, l.run)
	}
}

// maxPending is how many events are buffered for a slow listener. Beyond it transient events are dropped, and stored
// ones have to be read from the database.
const maxPending = 256

func (l *Listener) receive(e stockhand.Event) {
	switch {
	case e.Type == "" && e.Seq == 0:
		l.missed = true
	case len(l.pending) < maxPending:
		l.pending = append(l.pending, e)
	case e.Seq > 0:
		l.missed = true
	}
	select {
	case l.ready <- struct{}{}:
	default:
	}
}

// hub dispatches events to the listeners of this process.
type hub struct {
	mu     sync.RWMutex
	topics map[stockhand.RunID]*topic
}

// topic is a run that has listeners.
type topic struct {
	mu        sync.Mutex
	listeners map[*Listener]struct{}
	reached   int64 // number of the last stored event that arrived here or that a listener read
}

// dispatch sends events to their listeners. An event without a type means that the database has it.
func (h *hub) dispatch(events []stockhand.Event) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, e := range events {
		t := h.topics[e.Run]
		if t == nil {
			continue
		}
		t.mu.Lock()
		t.reached = max(t.reached, e.Seq)
		for l := range t.listeners {
			l.receive(e)
		}
		t.mu.Unlock()
	}
}

// Notify sends events of runs to their listeners on all replicas. Stored events have a number; transient ones have
// number 0. An event without a type only says that the database has something new.
//
// Other replicas receive transient events whole, sealed, and of stored ones the run and the number: their listeners
// read the database.
func (e *Engine) Notify(events ...stockhand.Event) {
	if len(events) == 0 {
		return
	}
	e.hub.dispatch(events)
	if !e.shared() {
		return
	}
	announced := make([]stockhand.Event, len(events))
	for i, event := range events {
		announced[i] = event
		if event.Seq > 0 {
			announced[i] = stockhand.Event{Run: event.Run, Seq: event.Seq}
		}
	}
	data, err := json.Marshal(announced)
	if err != nil || len(data) > maxMessage {
		data, err = json.Marshal([]stockhand.Event{{Run: events[0].Run}})
	}
	if err != nil { // an ID alone always encodes
		panic("work: encode an event: " + err.Error())
	}
	e.nats.broadcast(e.nats.events, data)
}

// maxMessage is the size limit of a message, in bytes; a NATS server accepts up to 1 MiB.
const maxMessage = 512 << 10

// Followed returns how many runs have listeners in this process.
func (e *Engine) Followed() int {
	e.hub.mu.RLock()
	defer e.hub.mu.RUnlock()
	return len(e.hub.topics)
}

// Compare finds listeners that missed events, and sets their missed flag. It is given the length of each unfinished
// run's log: a listener has missed something if its run has more entries than arrived here, or is no longer unfinished.
func (e *Engine) Compare(unfinished map[stockhand.RunID]int64) {
	e.hub.mu.RLock()
	defer e.hub.mu.RUnlock()
	for id, t := range e.hub.topics {
		t.mu.Lock()
		if n, ok := unfinished[id]; !ok || n > t.reached {
			for l := range t.listeners {
				l.receive(stockhand.Event{})
			}
		}
		t.mu.Unlock()
	}
}
