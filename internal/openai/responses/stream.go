package responses

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/stockhand/stockhand/internal/sse"
)

// Stream builds the output of a response, and writes the events that tell of it. Without a writer it only builds.
type Stream struct {
	*Response

	w     http.ResponseWriter
	begun bool
	sent  int
	open  []int       // positions in the output of the items that are not finished
	calls map[int]int // positions in the output by the provider's numbers of calls
}

// NewStream returns a stream of a response without output.
func NewStream(w http.ResponseWriter, r *Response) *Stream {
	return &Stream{Response: r, w: w, calls: map[int]int{}}
}

// Begun reports whether the stream has begun: then an error is an event, and no status any more.
func (s *Stream) Begun() bool { return s.begun }

// Begin sends the headers and the first events, once.
func (s *Stream) Begin() {
	if s.begun || s.w == nil {
		return
	}
	s.begun = true
	sse.Start(s.w)
	s.send("response.created", fields{"response": s.Response})
	s.send("response.in_progress", fields{"response": s.Response})
}

// Comment keeps the connection alive.
func (s *Stream) Comment() {
	if s.begun {
		_ = sse.Comment(s.w, " working") // a client that left cancels the request
	}
}

type fields map[string]any

// send writes an event. A client that left cancels the request's context, so the error is not needed.
func (s *Stream) send(name string, f fields) {
	if !s.begun {
		return
	}
	f["type"], f["sequence_number"] = name, s.sent
	s.sent++
	b, err := json.Marshal(f)
	if err != nil {
		return // these types always encode
	}
	_ = sse.Write(s.w, sse.Event{Name: name, Data: b})
}

// Progress sends the progress of an agent's tool.
func (s *Stream) Progress(event json.RawMessage) { s.send("tool.progress", fields{"progress": event}) }

// Text adds a piece of text.
func (s *Stream) Text(delta string) { s.add("output_text", delta) }

// Refuse adds a piece of a refusal.
func (s *Stream) Refuse(delta string) { s.add("refusal", delta) }

// add adds a piece to the open part of the open message, or begins another.
func (s *Stream) add(kind, delta string) {
	if delta == "" {
		return
	}
	at := s.message()
	parts := s.Output[at].Content
	n := len(*parts) - 1
	if n < 0 || (*parts)[n].Type != kind {
		s.closePart(at)
		n++
		*parts = append(*parts, newPart(kind))
		s.send("response.content_part.added", s.place(at, fields{"content_index": n, "part": (*parts)[n]}))
	}
	to := (*parts)[n].written()
	*to += delta
	f := s.place(at, fields{"content_index": n, "delta": delta})
	if kind == "output_text" {
		f["logprobs"] = []string{}
	}
	s.send("response."+kind+".delta", f)
}

// message returns the position of the open message; it begins one if none is.
func (s *Stream) message() int {
	if n := len(s.open); n > 0 && s.Output[s.open[n-1]].Type == typeMessage {
		return s.open[n-1]
	}
	s.finishOpen(Completed)
	return s.begin(OutputItem{ID: s.itemID("msg"), Type: typeMessage, Status: InProgress, Role: "assistant",
		Content: &[]OutputPart{}})
}

// Call adds a piece of a call: the provider numbers calls, and names a call in its first piece.
func (s *Stream) Call(number int, id, name, delta string) {
	at, known := s.calls[number]
	if known && id != "" && id != s.Output[at].CallID { // some servers number every call 0
		known = false
	}
	if !known {
		if n := len(s.open); n > 0 && s.Output[s.open[n-1]].Type == typeMessage {
			s.finishOpen(Completed)
		}
		none := ""
		item := OutputItem{ID: s.itemID("fc"), Type: typeCall, Status: InProgress, CallID: id, Name: name,
			Arguments: &none}
		if id == "" {
			item.CallID = s.itemID("call")
		}
		at = s.begin(item)
		s.calls[number] = at
	}
	if delta == "" {
		return
	}
	*s.Output[at].Arguments += delta
	s.send("response.function_call_arguments.delta", s.place(at, fields{"delta": delta}))
}

func (s *Stream) begin(item OutputItem) int {
	at := len(s.Output)
	s.Output = append(s.Output, item)
	s.open = append(s.open, at)
	s.send("response.output_item.added", fields{"output_index": at, "item": item})
	return at
}

// place adds to an event's fields which item it is about.
func (s *Stream) place(at int, f fields) fields {
	f["output_index"], f["item_id"] = at, s.Output[at].ID
	return f
}

// finishOpen finishes all open items.
func (s *Stream) finishOpen(as Status) {
	for _, at := range s.open {
		item := &s.Output[at]
		if item.Type == typeMessage {
			s.closePart(at)
		} else {
			if *item.Arguments == "" {
				*item.Arguments = "{}"
			}
			s.send("response.function_call_arguments.done", s.place(at, fields{"name": item.Name,
				"arguments": *item.Arguments}))
		}
		item.Status = as
		s.send("response.output_item.done", fields{"output_index": at, "item": *item})
	}
	s.open = nil
}

// closePart ends the last part of a message.
func (s *Stream) closePart(at int) {
	parts := *s.Output[at].Content
	n := len(parts) - 1
	if n < 0 {
		return
	}
	f := s.place(at, fields{"content_index": n})
	if p := parts[n]; p.Refusal != nil {
		f["refusal"] = *p.Refusal
		s.send("response.refusal.done", f)
	} else {
		f["text"], f["logprobs"] = *p.Text, []string{}
		s.send("response.output_text.done", f)
	}
	s.send("response.content_part.done", s.place(at, fields{"content_index": n, "part": parts[n]}))
}

// Finish finishes the output; End, after it, tells that the response is over.
func (s *Stream) Finish(to Status, at time.Time) {
	as := to
	if to == Failed {
		as = Stopped
	}
	s.finishOpen(as)
	s.Status = to
	if to == Completed {
		second := at.Unix()
		s.Completed = &second
	}
}

// End sends the last event.
func (s *Stream) End() { s.send("response."+string(s.Status), fields{"response": s.Response}) }

// Fail ends the stream with an error.
func (s *Stream) Fail(f Failure, at time.Time) {
	s.Finish(Failed, at)
	s.Error = &f
	s.End()
}

func newPart(kind string) OutputPart {
	text, none, more := "", []string{}, []string{}
	if kind == "refusal" {
		return OutputPart{Type: kind, Refusal: &text}
	}
	return OutputPart{Type: kind, Text: &text, Annotations: &none, Logprobs: &more}
}

// written returns where the text of a part is.
func (p OutputPart) written() *string {
	if p.Refusal != nil {
		return p.Refusal
	}
	return p.Text
}
