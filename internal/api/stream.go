package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/sse"
)

// reconnectMS is how many milliseconds a disconnected client waits until it reconnects.
const reconnectMS = "2000"

// maxStreams is how many streams may be open, with chats and MCP calls.
var maxStreams = ratelimit.Share{OfActor: 50, OfOrg: 200}

var errTooManyStreams = &stockhand.Error{Code: stockhand.CodeRateLimited, RetryAfter: 5 * time.Second,
	Message: "you or your organization have too many streams open",
	Hint:    "Close streams that you no longer read, then try again.",
	RU: stockhand.Words{Message: "у вас или в вашей организации открыто слишком много потоков",
		Hint: "Закройте потоки, которые больше не читаете, и повторите."}}

// streamEvents streams a run's stored events from the start, or after the last one that the client has, and then new
// events until the last (rule R51). Any number of clients may follow a run, each at its own speed.
//
// A client that stops reading is disconnected when a write times out. Slow and disconnected clients do not delay the
// run.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) error {
	after, resumed, err := resumeAfter(r)
	if err != nil {
		return err
	}
	run, err := s.seenRun(r.Context(), TurnPath{SessionPath{stockhand.SessionID(r.PathValue("session_id"))},
		stockhand.MessageID(r.PathValue("message_id"))})
	if err != nil {
		return err
	}
	if run.State.Finished() && after > 0 {
		left, err := s.Store.Events(r.Context(), run.Org, run.ID, after, 1)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			if resumed { // stops a browser from reconnecting
				w.WriteHeader(http.StatusNoContent)
			} else {
				sse.Start(w)
			}
			return nil
		}
	}
	ctx, gone := context.WithCancel(r.Context())
	defer gone()
	sse.Start(w)
	if sse.Retry(w, reconnectMS) != nil {
		return nil
	}
	out := sse.NewStream(w, sse.Heartbeat, gone)
	defer out.End()
	for e, err := range s.Agent.Follow(ctx, run.Org, run.ID, after) {
		if err != nil {
			// the stream ends here; the client reconnects and resumes
			if ctx.Err() == nil && !errors.Is(err, agent.ErrLeaving) {
				s.Logger.WarnContext(ctx, "event stream failed", "request_id", requestID(ctx), "run", run.ID,
					"err", err)
			}
			return nil
		}
		written := sse.Event{Data: e.JSON()}
		if e.Seq > 0 { // events that are not stored have no ID, so that a client never resumes after one
			written.ID = strconv.FormatInt(e.Seq, 10)
		}
		if out.Send(written) != nil {
			return nil
		}
	}
	return nil
}

// resumeAfter returns the last event that the client has. Last-Event-ID, which browsers send when they reconnect, takes
// precedence over ?after=.
func resumeAfter(r *http.Request) (after int64, resumed bool, err error) {
	name, given := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	resumed = given != ""
	if !resumed {
		name, given = "after", r.URL.Query().Get("after")
	}
	if given == "" {
		return 0, false, nil
	}
	after, err = strconv.ParseInt(given, 10, 64)
	if err != nil || after < 0 {
		return 0, false, invalid(name, "must be the id of an event of this stream")
	}
	return after, resumed, nil
}
