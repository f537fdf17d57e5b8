package ask

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/sse"
)

// reconnect is how many milliseconds a browser waits until it follows again.
const reconnect = "500"

// Stream sends a turn's progress as pieces of the page, then the answer. Each piece shows the state as a whole, so a
// browser that comes back, with Last-Event-ID or without, is only sent the latest.
func (h *Handlers) Stream(w http.ResponseWriter, r *http.Request) error {
	now, err := h.progress(r)
	if err != nil {
		return err
	}
	return h.follow(w, r, now)
}

// progress is that of a turn nothing of which has been shown. It is not inlined, because its copies of the turn would
// stay on the stack of [Handlers.Stream].
//
//go:noinline
func (h *Handlers) progress(r *http.Request) (*progress, error) {
	t, err := h.turn(r)
	return &progress{turn: t, now: h.Clock}, err
}

// follow is the long part of a stream. The turn is not on its stack, because there are many of them.
func (h *Handlers) follow(w http.ResponseWriter, r *http.Request, now *progress) error {
	seen, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	if err != nil {
		seen = 0 // the browser has nothing
	}
	ctx, gone := context.WithCancel(r.Context())
	defer gone()
	sse.Start(w)
	if sse.Retry(w, reconnect) != nil {
		return nil
	}
	out := sse.NewStream(w, sse.Heartbeat, gone)
	defer out.End()
	t := &now.turn
	for e, err := range h.Agent.Follow(ctx, t.Org, t.Run.ID, 0) {
		if err != nil {
			// the stream ends here; the browser reconnects and resumes
			if ctx.Err() == nil && !errors.Is(err, agent.ErrLeaving) {
				h.Logger.WarnContext(ctx, "the console's stream failed", "run", t.Run.ID, "err", err)
			}
			return nil
		}
		name, content := "state", templ.Component(nil)
		if now.take(e); now.ended {
			if t.Answer, err = h.answerOf(ctx, t.Run); err != nil {
				h.Logger.WarnContext(ctx, "the answer cannot be shown", "run", t.Run.ID, "err", err)
				return nil
			}
			name, content = "done", answered(*t)
		} else if e.Seq == 0 || e.Seq > seen {
			content = state(*now)
		}
		if content == nil {
			continue
		}
		piece := sse.Event{Name: name}
		if e.Seq > 0 {
			piece.ID = strconv.FormatInt(e.Seq, 10)
		}
		var b bytes.Buffer
		if err := content.Render(ctx, &b); err != nil {
			return nil
		}
		if piece.Data = b.Bytes(); out.Send(piece) != nil {
			return nil
		}
	}
	return nil
}

// progress is what is known of a turn that is being answered.
type progress struct {
	turn    Turn
	now     func() time.Time
	steps   []string // done
	label   string   // what is being done
	thought string   // what a model is doing
	done    int      // of total requests, if total is known
	total   int
	began   time.Time // when the first of them was done
	text    string    // what a model has written so far
	notices []string
	plan    []string // what the run is going to do
	ended   bool
}

// take adds an event. Events whose data cannot be read say nothing.
func (p *progress) take(e stockhand.Event) {
	var data struct {
		Label   string `json:"label"`
		Done    int    `json:"done"`
		Total   int    `json:"total"`
		Content string `json:"content"`
		Offset  int    `json:"offset"`
		Message string `json:"message"`

		Steps []string `json:"steps"`
	}
	if json.Unmarshal(e.Data, &data) != nil {
		return
	}
	switch e.Type {
	case stockhand.EventToolStarted:
		p.label, p.done, p.total, p.began, p.thought = data.Label, 0, 0, time.Time{}, ""
	case stockhand.EventToolProgress:
		if p.began.IsZero() {
			p.began = p.now()
		}
		p.done, p.total = data.Done, data.Total
		if data.Label != "" {
			p.label = data.Label
		}
	case stockhand.EventToolCompleted:
		if p.label != "" {
			p.steps = append(p.steps, p.label)
		}
		p.label, p.done, p.total = "", 0, 0
	case stockhand.EventThinking:
		p.thought = data.Label
	case stockhand.EventDelta:
		written := []rune(p.text)
		p.text = string(written[:min(max(data.Offset, 0), len(written))]) + data.Content
	case stockhand.EventPlan:
		p.plan, p.text = data.Steps, "" // a model's plan was its text so far
	case stockhand.EventNotice:
		p.notices = append(p.notices, data.Message)
	case stockhand.EventComplete, stockhand.EventError, stockhand.EventCancelled:
		p.ended = true
	case stockhand.EventStart, stockhand.EventDraftCreated, stockhand.EventQuestion:
	}
}

// doing is what is being done: by a tool, or by the model.
func (p progress) doing() string { return cmp.Or(p.label, p.thought) }

// left estimates the seconds that the requests still take, from those that were done.
func (p progress) left() int {
	if p.done < 2 || p.total <= p.done || p.began.IsZero() {
		return 0
	}
	each := p.now().Sub(p.began) / time.Duration(p.done)
	return int((each * time.Duration(p.total-p.done)).Round(time.Second) / time.Second)
}
