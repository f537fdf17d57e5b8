package audit

import (
	"context"
	"log/slog"
	"time"

	"github.com/stockhand/stockhand"
)

// Sink receives entries in order, at least once. *Syslog and *Webhook implement it.
type Sink interface {
	Send(ctx context.Context, entries []stockhand.AuditEntry) error
	Close() error
}

// Positions is the part of *store.System that a Stream uses.
type Positions interface {
	AuditBacklogs(ctx context.Context, sink string) ([]stockhand.AuditBacklog, error)
	MoveAuditPosition(ctx context.Context, sink string, org stockhand.OrgID, seq int64) error
	Hold(ctx context.Context, name, holder string, until time.Time) (bool, error)
}

// Stream sends all audit logs to a sink. It begins with the oldest entry and continues where it ended, also after a
// restart and on another replica; one replica at a time sends.
type Stream struct {
	Name   string // of the sink, for its position, metric and log
	Sink   Sink
	Store  Store
	System Positions
	Logger *slog.Logger
	Lag    func(entries int64) // called with the number of entries that wait
}

const (
	// of the lease under which one replica sends to a sink
	leasePrefix = "audit."

	lookEvery  = 2 * time.Second
	sendTime   = 20 * time.Second
	holdTime   = 3 * sendTime // longer than a batch takes
	batchSize  = 200
	leastPause = time.Second
	mostPause  = 5 * time.Minute
)

// Run sends until ctx ends.
func (s *Stream) Run(ctx context.Context) {
	holder, failures := stockhand.NewID[string]("rep"), 0
	for {
		pause := lookEvery
		err := s.send(ctx, holder)
		switch {
		case ctx.Err() != nil:
			_ = s.Sink.Close()
			return
		case err != nil:
			pause = min(leastPause<<min(failures, 16), mostPause)
			failures++
			s.Logger.ErrorContext(ctx, "the audit log cannot be streamed", "to", s.Name, "next_try_in", pause,
				"err", err)
		case failures > 0:
			failures = 0
			s.Logger.InfoContext(ctx, "the audit log is streamed again", "to", s.Name)
		}
		select {
		case <-ctx.Done():
			_ = s.Sink.Close()
			return
		case <-time.After(pause):
		}
	}
}

// send sends what waits, if no other replica does.
func (s *Stream) send(ctx context.Context, holder string) error {
	for {
		waiting, err := s.System.AuditBacklogs(ctx, s.Name)
		if err != nil {
			return err
		}
		var lag int64
		for _, b := range waiting {
			lag += b.Head - b.Sent
		}
		s.Lag(lag)
		if lag == 0 {
			return nil
		}
		for _, b := range waiting { // in turn, so that no log holds up the others
			held, err := s.System.Hold(ctx, leasePrefix+s.Name, holder, time.Now().Add(holdTime))
			if err != nil || !held {
				return err
			}
			if err := s.batch(ctx, b); err != nil {
				return err
			}
		}
	}
}

// batch sends the next entries of one log and moves its position.
func (s *Stream) batch(ctx context.Context, b stockhand.AuditBacklog) error {
	ctx, stop := context.WithTimeout(ctx, sendTime)
	defer stop()
	entries, err := s.Store.AuditEntries(ctx, b.Org, b.Sent, batchSize)
	if err != nil {
		return err
	}
	last := b.Head
	if len(entries) > 0 { // or they were trimmed
		if err := s.Sink.Send(ctx, entries); err != nil {
			return err
		}
		last = entries[len(entries)-1].Seq
	}
	return s.System.MoveAuditPosition(ctx, s.Name, b.Org, last)
}
