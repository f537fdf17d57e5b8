package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sse"
)

// Event is an event of a run.
type Event struct {
	Seq  int64 // 0 for an event that is not stored, such as progress
	Type stockhand.EventType
	Data json.RawMessage // the whole object, its type included
}

// How long to try to reconnect to a server, and the maximum delay between attempts.
const (
	reconnectTime = 2 * time.Minute
	longestPause  = 2 * time.Second
)

// Follow yields the events of a turn after a sequence number, up to the last one. It reconnects if the connection is
// lost, and yields an error and stops if the server refuses.
func (c *Client) Follow(ctx context.Context, t Turn, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		pause, heard := 100*time.Millisecond, time.Now()
		for {
			began := time.Now()
			ended, err := c.followOnce(ctx, t, &after, func(e Event) bool {
				pause = 100 * time.Millisecond
				return yield(e, nil)
			})
			if err == nil || time.Since(began) > reconnectTime { // it was reachable, perhaps without events
				heard = time.Now()
			}
			if ended {
				return
			}
			if err != nil && (!passing(err) || time.Since(heard) > reconnectTime) {
				yield(Event{}, err)
				return
			}
			select {
			case <-ctx.Done():
				yield(Event{}, context.Cause(ctx))
				return
			case <-time.After(pause):
			}
			pause = min(2*pause, longestPause)
		}
	}
}

// passing reports errors that a restart of the server explains.
func passing(err error) bool {
	code := stockhand.CodeOf(err)
	return errors.Is(err, errNoAnswer) || code == stockhand.CodeExternalUnavailable ||
		code == stockhand.CodeDatabaseUnavailable || code == stockhand.CodeRateLimited
}

// followOnce follows over one connection. ended is true after the last event, or when the caller stopped.
func (c *Client) followOnce(ctx context.Context, t Turn, after *int64, yield func(Event) bool) (ended bool, err error) {
	header := http.Header{"Accept": {sse.MediaType}}
	if *after > 0 {
		header.Set("Last-Event-ID", strconv.FormatInt(*after, 10))
	}
	answer, err := c.send(ctx, http.MethodGet, t.path()+"/stream", nil, header)
	if err != nil {
		return false, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode == http.StatusNoContent { // there are no more events
		return true, nil
	}
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), sse.MediaType) {
		return false, c.foreign(answer)
	}
	for frame, err := range sse.Read(answer.Body) {
		if err != nil { // an event that was cut off is sent again
			return false, c.unanswered(err)
		}
		e := Event{Data: frame.Data}
		var head struct{ Type stockhand.EventType }
		if err := json.Unmarshal(e.Data, &head); err != nil {
			return false, c.foreign(answer)
		}
		e.Type = head.Type
		if n, err := strconv.ParseInt(frame.ID, 10, 64); err == nil {
			e.Seq, *after = n, n
		}
		if !yield(e) || ends(e.Type) {
			return true, nil
		}
	}
	return false, nil
}

// ends reports whether an event of that type is the last.
func ends(t stockhand.EventType) bool {
	return t == stockhand.EventComplete || t == stockhand.EventError || t == stockhand.EventCancelled
}
