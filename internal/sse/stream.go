package sse

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Heartbeat is the time between comments on an idle stream (rule R51).
const Heartbeat = 15 * time.Second

// Stream writes to one client. Events come from the handler and heartbeats from a timer; writes are serialized.
type Stream struct {
	w     http.ResponseWriter
	gone  context.CancelFunc // called when a write fails
	every time.Duration

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

// NewStream starts the heartbeats of a stream. Timers are cheaper than goroutines for ten thousand idle streams.
func NewStream(w http.ResponseWriter, every time.Duration, gone context.CancelFunc) *Stream {
	s := &Stream{w: w, gone: gone, every: every}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(every, func() { _ = s.write(func() error { return Comment(w, "") }) })
	return s
}

// Send writes an event.
func (s *Stream) Send(e Event) error {
	return s.write(func() error { return Write(s.w, e) })
}

// write performs one write and postpones the next heartbeat.
func (s *Stream) write(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return http.ErrHandlerTimeout
	}
	if err := f(); err != nil {
		s.gone()
		return err
	}
	s.timer.Reset(s.every)
	return nil
}

// End stops the heartbeats: nothing may be written after the handler returns.
func (s *Stream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.timer.Stop()
}
