package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Answer is what a tool returned. IsError means that the tool itself failed.
type Answer struct {
	Structured json.RawMessage // as received, with the server's digits; nil if none
	Content    []Content
	IsError    bool
}

// Content is a block of an answer. For blocks without text, only the type is known.
type Content struct {
	Type string // "text", "resource", "resource_link", "image", "audio"
	Text string
}

// Text returns all text of an answer, shortened.
func (a Answer) Text(most int) string {
	var parts []string
	for _, c := range a.Content {
		if c.Text != "" {
			parts = append(parts, c.Text)
		}
	}
	return Words(strings.Join(parts, " "), most)
}

func readAnswer(raw json.RawMessage) (Answer, error) {
	var in struct {
		Content []struct {
			Type, Text, URI string
			Resource        *struct{ Text, URI string }
		}
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Answer{}, err
	}
	if in.Content == nil && in.StructuredContent == nil {
		return Answer{}, errors.New("the result of the call is empty")
	}
	out := Answer{IsError: in.IsError}
	if s := bytes.TrimSpace(in.StructuredContent); len(s) > 0 && string(s) != "null" {
		out.Structured = s
	}
	for _, c := range in.Content {
		block := Content{Type: c.Type, Text: c.Text}
		switch {
		case c.Type == "resource" && c.Resource != nil:
			block.Text = c.Resource.Text
		case c.Type == "resource_link":
			block.Text = c.URI
		}
		out.Content = append(out.Content, block)
	}
	return out, nil
}

// read reads the response to a request: a single message or a stream of events.
func read(answer *http.Response, id json.RawMessage) (message, *Failure) {
	body := &bounded{r: answer.Body, left: maxAnswer}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	var m message
	var err error
	switch kind {
	case "application/json":
		err = json.NewDecoder(body).Decode(&m)
		if err == nil && !answers(m, id) {
			err = errOther
		}
	case "text/event-stream":
		m, err = readStream(body, id)
	default:
		return m, &Failure{Fate: Lost, Status: answer.StatusCode, kind: noServer}
	}
	if err == nil {
		return m, nil
	}
	f := &Failure{Fate: Lost, Status: answer.StatusCode, kind: cut, cause: err}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case errors.Is(err, errLarge):
		f.kind = tooLarge
	case errors.Is(err, errOther), errors.As(err, &syntax), errors.As(err, &shape):
		f.kind = garbled
	}
	return m, f
}

var (
	errLarge = errors.New("the answer is too large")
	errOther = errors.New("the answer is to something else")
)

func answers(m message, id json.RawMessage) bool {
	return m.Method == "" && bytes.Equal(bytes.TrimSpace(m.ID), id) && (m.Result != nil || m.Error != nil)
}

// readStream reads events until the one that answers the request. It ignores others: we offer the server nothing that
// it could request from us.
func readStream(r io.Reader, id json.RawMessage) (message, error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	var data []byte
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return message{}, err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch value, isData := bytes.CutPrefix(line, []byte("data:")); {
		case isData:
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		case len(line) == 0 && len(data) > 0:
			var m message
			if err := json.Unmarshal(data, &m); err != nil {
				return m, err
			}
			if answers(m, id) {
				return m, nil
			}
			data = nil
		}
	}
}

// bounded is a reader that returns an error, not EOF, when the limit is exceeded.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLarge
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
