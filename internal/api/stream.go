package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
)

const (
	heartbeat   = 15 * time.Second // between signs of life (product.md, section 4)
	reconnectMS = 2000             // after which a client whose connection was lost comes back
)

// streamEvents shows a run's log as server-sent events: what is stored, from the beginning or after the entry that the
// client saw last, then what is added to it, until its last entry. The log is the record and a stream a view of it: any
// number of readers may follow, each at its own pace, and one that is cut off resumes with Last-Event-ID and misses
// nothing.
//
// A reader that stops reading is let go when a write makes no progress, one that is gone as soon as its connection is;
// neither holds up the run or the others.
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
			if resumed { // tells a browser, which would come back for ever, that this was all
				w.WriteHeader(http.StatusNoContent)
			} else {
				beginStream(w)
			}
			return nil
		}
	}
	ctx, gone := context.WithCancel(r.Context())
	defer gone()
	beginStream(w)
	f := &frames{w: w, control: http.NewResponseController(w), gone: gone}
	if f.write([]byte("retry: "+strconv.Itoa(reconnectMS)+"\n\n")) != nil {
		return nil
	}
	f.beat()
	defer f.end()
	for e, err := range s.Agent.Follow(ctx, run.Org, run.ID, after) {
		if err != nil {
			// the stream ends; its reader comes back and goes on where it was
			if ctx.Err() == nil && !errors.Is(err, agent.ErrLeaving) {
				s.Logger.WarnContext(ctx, "a stream of events broke", "request_id", requestID(ctx), "run", run.ID,
					"err", err)
			}
			return nil
		}
		if f.write(frame(e)) != nil {
			return nil
		}
	}
	return nil
}

// resumeAfter reads from where on the client wants the log: Last-Event-ID, which browsers send when they come back,
// goes before ?after=.
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
		return 0, false, invalid(name, "is the id of an event of this stream: a whole number, not below 0")
	}
	return after, resumed, nil
}

// beginStream sends the header of a stream. The last two are for what stands between: nothing may be kept, changed or
// held back.
func beginStream(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// frames writes to one reader. Events come from the handler and heartbeats from a timer, one at a time.
type frames struct {
	w       http.ResponseWriter
	control *http.ResponseController
	gone    context.CancelFunc // called when the reader is found to be gone

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

// write sends a frame and puts the next heartbeat off.
func (f *frames) write(b []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.send(b)
}

func (f *frames) send(b []byte) error {
	if f.ended {
		return http.ErrHandlerTimeout
	}
	_, err := f.w.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	if err != nil {
		f.gone()
		return err
	}
	if f.timer != nil {
		f.timer.Reset(heartbeat)
	}
	return nil
}

// beat begins the heartbeats. A timer and not a goroutine: ten thousand quiet streams cost ten thousand timers.
func (f *frames) beat() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timer = time.AfterFunc(heartbeat, func() { _ = f.write([]byte(":\n\n")) })
}

// end stops the heartbeats; after it nothing is written any more, which the handler's return demands.
func (f *frames) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.timer.Stop()
}

// frame is an event as it is sent. What is passed on and not stored has no id, so that a client never resumes after it.
func frame(e stockhand.Event) []byte {
	var b bytes.Buffer
	if e.Seq > 0 {
		b.WriteString("id: " + strconv.FormatInt(e.Seq, 10) + "\n")
	}
	b.WriteString("data: ")
	b.Write(wireEvent(e))
	b.WriteString("\n\n")
	return b.Bytes()
}

// wireEvent is an event's data with its type, as product.md, section 4, lists the fields of each.
func wireEvent(e stockhand.Event) []byte {
	data := bytes.TrimSpace(e.Data)
	switch e.Type {
	case stockhand.EventStart: // what else it holds is the run's own business
		var start struct {
			MessageID  stockhand.MessageID    `json:"message_id"`
			Connection stockhand.ConnectionID `json:"connection_id,omitempty"`
			Language   stockhand.Language     `json:"language,omitempty"`
		}
		if json.Unmarshal(data, &start) == nil {
			data, _ = json.Marshal(start) // it holds nothing that cannot be written
		}
	case stockhand.EventToolCompleted:
		if !bytes.Contains(data, []byte(`"result_id"`)) {
			data = append(bytes.TrimSuffix(bytes.Clone(data), []byte("}")), `,"result_id":null}`...)
		}
	default: // the others are stored as they are shown
	}
	var b bytes.Buffer
	b.WriteString(`{"type":"` + string(e.Type) + `"`)
	if rest := bytes.TrimPrefix(data, []byte("{")); len(rest) > 1 {
		b.WriteByte(',')
		b.Write(rest)
	} else {
		b.WriteByte('}')
	}
	if !bytes.ContainsAny(b.Bytes(), "\r\n") {
		return b.Bytes()
	}
	var one bytes.Buffer // a frame's data is one line
	if json.Compact(&one, b.Bytes()) != nil {
		return b.Bytes()
	}
	return one.Bytes()
}
