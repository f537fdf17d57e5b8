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

// Event is an entry of a run's log. Those that are only passed on, like progress, have no number.
type Event struct {
	Seq  int64 // 0 for one that is only passed on
	Type stockhand.EventType
	Data json.RawMessage // the whole object, its type included
}

// How long a server that went away is waited for since the last sign of it, and how long between the tries at the most.
const (
	patience  = 2 * time.Minute
	longestBy = 2 * time.Second
)

// Follow yields the events of a turn after the one with that number, until the one that ends it. A lost connection is
// made again; what the server refuses ends it with the error.
func (c *Client) Follow(ctx context.Context, t Turn, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		pause, heard := 100*time.Millisecond, time.Now()
		for {
			began := time.Now()
			ended, err := c.followOnce(ctx, t, &after, func(e Event) bool {
				pause = 100 * time.Millisecond
				return yield(e, nil)
			})
			if err == nil || time.Since(began) > patience { // it was there, perhaps with nothing to say
				heard = time.Now()
			}
			if ended {
				return
			}
			if err != nil && (!passing(err) || time.Since(heard) > patience) {
				yield(Event{}, err)
				return
			}
			select {
			case <-ctx.Done():
				yield(Event{}, context.Cause(ctx))
				return
			case <-time.After(pause):
			}
			pause = min(2*pause, longestBy)
		}
	}
}

// passing tells of failures that a server's restart explains: it does not answer, or it answers that it cannot now.
func passing(err error) bool {
	code := stockhand.CodeOf(err)
	return errors.Is(err, errNoAnswer) || code == stockhand.CodeExternalUnavailable ||
		code == stockhand.CodeDatabaseUnavailable || code == stockhand.CodeRateLimited
}

// followOnce follows over one connection. It tells whether there is nothing more to come, or that nobody wants it.
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
	if answer.StatusCode == http.StatusNoContent { // all of it was seen before
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

// ends tells whether an event of that type is the last.
func ends(t stockhand.EventType) bool {
	return t == stockhand.EventComplete || t == stockhand.EventError || t == stockhand.EventCancelled
}
