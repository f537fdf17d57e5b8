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

	// Under the topic's lock.
	heard  []stockhand.Event
	missed bool
}

// Listen begins to listen. A caller that listens first and reads the record second misses nothing.
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

// Ready receives when there is something to take.
func (l *Listener) Ready() <-chan struct{} { return l.ready }

// Take returns what was heard since the last time, in its order, and whether there was more: then the record knows
// what.
func (l *Listener) Take() (heard []stockhand.Event, missed bool) {
	l.topic.mu.Lock()
	defer l.topic.mu.Unlock()
	heard, missed = l.heard, l.missed
	l.heard, l.missed = nil, false
	return heard, missed
}

// Reached notes how far the listener has read the log in the record.
func (l *Listener) Reached(seq int64) {
	l.topic.mu.Lock()
	defer l.topic.mu.Unlock()
	l.topic.reached = max(l.topic.reached, seq)
}

// Close ends the listening.
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

// maxPending is how many events wait for a listener that is slow. Beyond it what is only passed on is dropped, and for
// what is stored the listener is sent to the record.
const maxPending = 256

func (l *Listener) hear(e stockhand.Event) {
	switch {
	case e.Type == "":
		l.missed = true
	case len(l.heard) < maxPending:
		l.heard = append(l.heard, e)
	case e.Seq > 0:
		l.missed = true
	}
	select {
	case l.ready <- struct{}{}:
	default:
	}
}

// hub passes on to the listeners of this process.
type hub struct {
	mu     sync.RWMutex
	topics map[stockhand.RunID]*topic
}

// topic is one run that is listened to.
type topic struct {
	mu        sync.Mutex
	listeners map[*Listener]struct{}
	reached   int64 // the number of the last stored event that arrived here, or that a listener read
}

// tell passes events on. One without a type says that the record has more.
func (h *hub) tell(events []stockhand.Event) {
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
			l.hear(e)
		}
		t.mu.Unlock()
	}
}

// Tell passes events of runs on to their listeners on all replicas: stored ones by their numbers, and transient ones
// with number 0. An event without a type only says that the record has something new.
func (e *Engine) Tell(events ...stockhand.Event) {
	if len(events) == 0 {
		return
	}
	e.hub.tell(events)
	if e.nats == nil {
		return
	}
	data, err := json.Marshal(events)
	if err != nil || len(data) > maxMessage {
		data, err = json.Marshal([]stockhand.Event{{Run: events[0].Run}})
	}
	if err != nil { // a run's name and nothing else can be written
		panic("wake-up: " + err.Error())
	}
	e.nats.broadcast(e.nats.events, data)
}

// maxMessage is how large a message may be, in bytes; a NATS server takes up to 1 MiB.
const maxMessage = 512 << 10

// Followed is how many runs are listened to here.
func (e *Engine) Followed() int {
	e.hub.mu.RLock()
	defer e.hub.mu.RUnlock()
	return len(e.hub.topics)
}

// Compare sends to the record the listeners who have missed something: those of runs whose logs have more entries than
// were heard, and of runs that are not there, because they are finished or gone.
func (e *Engine) Compare(unfinished map[stockhand.RunID]int64) {
	e.hub.mu.RLock()
	defer e.hub.mu.RUnlock()
	for id, t := range e.hub.topics {
		t.mu.Lock()
		if n, there := unfinished[id]; !there || n > t.reached {
			for l := range t.listeners {
				l.hear(stockhand.Event{})
			}
		}
		t.mu.Unlock()
	}
}
