// Package sse reads and writes server-sent events (text/event-stream).
package sse

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"net/http"
	"strings"
)

// MediaType is the content type of a stream.
const MediaType = "text/event-stream"

// Event is one event. An empty ID or Name is not sent.
type Event struct {
	ID   string
	Name string
	Data []byte // one or more lines
}

// Start sends the headers of a stream. Proxies must neither store, change nor buffer it.
func Start(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", MediaType)
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// Write sends an event and flushes it.
func Write(w http.ResponseWriter, e Event) error {
	var b bytes.Buffer
	if e.ID != "" {
		b.WriteString("id: " + e.ID + "\n")
	}
	if e.Name != "" {
		b.WriteString("event: " + e.Name + "\n")
	}
	for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
		b.WriteString("data: ")
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return send(w, b.Bytes())
}

// Comment sends a comment, which keeps the connection alive, and flushes it.
func Comment(w http.ResponseWriter, text string) error { return send(w, []byte(":"+text+"\n\n")) }

// Retry tells the client how many milliseconds to wait before it reconnects.
func Retry(w http.ResponseWriter, milliseconds string) error {
	return send(w, []byte("retry: "+milliseconds+"\n\n"))
}

func send(w http.ResponseWriter, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// Read yields the events of a stream. An incomplete last event is dropped; the error is nil at the end of the stream.
func Read(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		lines := bufio.NewReader(r)
		var e Event
		started := false
		for {
			line, err := lines.ReadString('\n')
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			line = strings.TrimRight(line, "\r\n")
			field, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case line == "":
				if started && !yield(e, nil) {
					return
				}
				e, started = Event{}, false
			case field == "id":
				e.ID = value
			case field == "event":
				e.Name = value
			case field == "data":
				if started {
					e.Data = append(e.Data, '\n')
				}
				e.Data = append(e.Data, value...)
				started = true
			}
		}
	}
}
