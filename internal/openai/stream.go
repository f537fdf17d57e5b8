package openai

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/sse"
)

// chunk is one piece of a streamed completion.
type chunk struct {
	ID      string              `json:"id"`
	Object  string              `json:"object"` // "chat.completion.chunk"
	Created int64               `json:"created"`
	Model   string              `json:"model"`
	Choices []pieceChoice       `json:"choices"`
	Usage   json.RawMessage     `json:"usage,omitempty"` // if requested: null in all chunks but the last
	Session stockhand.SessionID `json:"session_id,omitempty"`
	Ours    *extension          `json:"stockhand,omitempty"`
}

type pieceChoice struct {
	Index        int      `json:"index"`
	Delta        piece    `json:"delta"`
	Logprobs     *float64 `json:"logprobs"` // always null
	FinishReason *string  `json:"finish_reason"`
}

type piece struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

const (
	startAfter = 2 * time.Second  // until the stream starts: a run that fails before has a status of its own
	heartbeat  = 10 * time.Second // between comments that keep the connection alive
	pieceSize  = 48               // characters
)

// streaming is a stream that is being written.
type streaming struct {
	w       http.ResponseWriter
	q       request
	turn    agent.Turn
	created int64
	begun   bool
}

// stream sends the answer in chunks: the role, the text in pieces, the finish reason, the usage if requested, and
// [DONE]. An early failure keeps its HTTP status; a later one is an event.
func (s *Service) stream(w http.ResponseWriter, r *http.Request, q request, t agent.Task) error {
	org := t.Actor.Org
	turn, err := s.start(r.Context(), t)
	if err != nil {
		return err
	}
	out := &streaming{w: w, q: q, turn: turn, created: time.Now().Unix()}
	progress := q.Options.Progress || r.Header.Get("X-Hermes-Tool-Progress") == "1"
	if err := s.watch(r, turn, out, progress); err != nil { //nolint:contextcheck // it is in r
		return out.fail(s.Agent.GiveUp(r.Context(), org, turn, err))
	}
	f, err := s.finished(r.Context(), org, turn)
	if err != nil {
		return out.fail(err)
	}
	out.begin()
	for _, text := range pieces(s.text(f)) {
		out.send(chunk{Choices: []pieceChoice{{Delta: piece{Content: &text}}}})
	}
	stop := "stop"
	out.send(chunk{Choices: []pieceChoice{{FinishReason: &stop}}, Session: turn.Session, Ours: s.extension(f)})
	if q.Options.Usage {
		b, err := json.Marshal(used(f))
		if err != nil {
			return err
		}
		out.send(chunk{Choices: []pieceChoice{}, Usage: b})
	}
	out.write(sse.Event{Data: []byte("[DONE]")})
	return nil
}

// watcher is a stream whose run is watched.
type watcher interface {
	begin()
	comment() // keeps a connection alive that has begun
	progress(e stockhand.Event)
}

// watch follows the run to its end, and keeps the stream alive meanwhile.
func (s *Service) watch(r *http.Request, turn agent.Turn, out watcher, progress bool) error {
	type update struct {
		event stockhand.Event
		err   error
	}
	events, stop := make(chan update), make(chan struct{})
	defer close(stop)
	go func() {
		defer close(events)
		for e, err := range s.Agent.Follow(r.Context(), stockhand.ActorOf(r.Context()).Org, turn.Run, 0) {
			select {
			case events <- update{e, err}:
			case <-stop:
				return
			}
		}
	}()
	first, beat := time.NewTimer(startAfter), time.NewTicker(heartbeat)
	defer first.Stop()
	defer beat.Stop()
	for {
		select {
		case t, more := <-events:
			if !more || t.err != nil {
				return t.err
			}
			if progress && isProgress(t.event.Type) {
				out.begin()
				out.progress(t.event)
			}
		case <-first.C:
			out.begin()
		case <-beat.C:
			out.comment()
		}
	}
}

// isProgress reports whether an event is sent as tool.progress.
func isProgress(t stockhand.EventType) bool {
	return t == stockhand.EventToolStarted || t == stockhand.EventToolProgress || t == stockhand.EventToolCompleted
}

// begin sends the headers and the first chunk, once.
func (o *streaming) begin() {
	if o.begun {
		return
	}
	o.begun = true
	o.w.Header().Set("X-Session-Id", string(o.turn.Session))
	sse.Start(o.w)
	empty := ""
	o.send(chunk{Choices: []pieceChoice{{Delta: piece{Role: "assistant", Content: &empty}}}})
}

func (o *streaming) comment() {
	if o.begun {
		_ = sse.Comment(o.w, " working")
	}
}

// send writes a chunk.
func (o *streaming) send(c chunk) {
	c.ID, c.Object, c.Created, c.Model = completionID(o.turn), "chat.completion.chunk", o.created, o.q.Model
	if o.q.Options.Usage && c.Usage == nil {
		c.Usage = json.RawMessage("null")
	}
	b, err := json.Marshal(c)
	if err != nil {
		return // these types always encode
	}
	o.write(sse.Event{Data: b})
}

// progress sends the progress of a tool as a named event.
func (o *streaming) progress(e stockhand.Event) {
	o.write(sse.Event{Name: "tool.progress", Data: e.JSON()})
}

// write sends an event. A client that left cancels the request's context, so the error is not needed.
func (o *streaming) write(e sse.Event) { _ = sse.Write(o.w, e) }

// fail returns the error while it can still be the whole answer, and otherwise sends it as the stream's last event.
func (o *streaming) fail(err error) error {
	if !o.begun {
		return err
	}
	o.write(sse.Event{Data: errorEvent(err)})
	return nil
}

// pieces splits a text after words; joined, the pieces are the text.
func pieces(text string) []string {
	var all []string
	begin, size := 0, 0
	for i, c := range text {
		if size++; size >= pieceSize && (c == ' ' || c == '\n') {
			all = append(all, text[begin:i+1])
			begin, size = i+1, 0
		}
	}
	if begin < len(text) {
		all = append(all, text[begin:])
	}
	return all
}
