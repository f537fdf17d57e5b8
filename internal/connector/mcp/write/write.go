// Package write calls tools of a remote MCP server that a person has confirmed. Only internal/app creates a [Writer],
// and only internal/draft holds one.
//
// A call is sent once. The protocol has no idempotency key to look up or repeat a call, so a call without a response
// stays unknown, and the message says where to check. A call that certainly never reached the server has failed and can
// be proposed again.
package write

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp/remote"
	"github.com/stockhand/stockhand/internal/tool"
)

// Writer calls confirmed tools of one server.
type Writer struct {
	saved  remote.SavedServer
	config remote.Config
	l      stockhand.Language
}

// maxText is the maximum length of the stored answer of a server in characters.
const maxText = 2000

// callTime is the time limit of one call with its response.
const callTime = 2 * time.Minute

// New returns a writer for the connection's server, with messages in the given language. It sends nothing.
func New(c connector.Config, _ stockhand.AccountID, l stockhand.Language) (*Writer, error) {
	saved, err := remote.ReadSavedServer(c.Saved)
	if err != nil {
		return nil, err
	}
	return &Writer{saved: saved, l: l, config: remote.Config{
		URL: saved.URL, Token: saved.Token, Private: c.Private, Limiter: c.Limiter, Logger: c.Logger, Apart: true,
		CallTime: callTime, Transport: c.Transport,
	}}, nil
}

// WithCallTime replaces the time limit of a call, two minutes by default.
func (w *Writer) WithCallTime(most time.Duration) *Writer {
	w.config.CallTime = most
	return w
}

// Bodies returns the parameters of the call, byte for byte.
func (w *Writer) Bodies(doc tool.Document) ([]tool.Body, error) {
	if doc.Kind != tool.RemoteCall || doc.Call == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation,
			"an MCP server only accepts tool calls")
	}
	params, err := remote.CallParams(doc.Call.Tool, doc.Call.Arguments)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "the arguments are not JSON")
	}
	return []tool.Body{{Method: "POST", Path: "tools/call", Body: params}}, nil
}

// Check asks the server whether the tools are unchanged since they were verified.
func (w *Writer) Check(ctx context.Context, l stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	s, err := remote.Open(ctx, w.config)
	if err != nil {
		return nil, remote.In(err, w.l)
	}
	defer s.Close(ctx)
	listed, _, err := s.Tools(ctx)
	if err != nil {
		return nil, remote.In(err, w.l)
	}
	checks := make([]tool.Check, len(docs))
	for i, doc := range docs {
		checks[i].Fresh = doc
		if !w.same(listed, doc) {
			checks[i].Moved = []tool.Moved{{
				What: fmt.Sprintf(l.Pick("описание инструмента «%s»", "the description of the tool %s"),
					remote.Words(doc.Call.Tool, 60)),
				Old: l.Pick("как при проверке подключения", "as it was verified"), New: l.Pick("другое", "another"),
			}}
		}
	}
	return checks, nil
}

// same reports whether the document's tool is unchanged since the document was created, here and on the server.
func (w *Writer) same(listed []remote.Definition, doc tool.Document) bool {
	pinned, ok := w.saved.Tool(doc.Call.Tool)
	return ok && pinned.Fingerprint == doc.Call.Definition && remote.Same(listed, pinned)
}

// Apply calls each document's tool once, in order.
func (w *Writer) Apply(ctx context.Context, docs []tool.Document) []tool.Outcome {
	outcomes := make([]tool.Outcome, len(docs))
	confirmed := map[string]bool{}
	for _, doc := range docs {
		if doc.Call != nil {
			confirmed[doc.Call.Tool] = true
		}
	}
	config := w.config
	config.May = func(name string) error {
		if !confirmed[name] {
			return stockhand.Errorf(stockhand.CodePermissionDenied, "%s was not confirmed", name)
		}
		return nil
	}
	s, err := remote.Open(ctx, config)
	var listed []remote.Definition
	if err == nil {
		defer s.Close(ctx)
		listed, _, err = s.Tools(ctx)
	}
	for i, doc := range docs {
		switch {
		case err != nil:
			outcomes[i] = w.unsent(err)
		case doc.Call == nil || !w.same(listed, doc):
			outcomes[i] = tool.Outcome{State: stockhand.DocumentFailed, Problem: w.l.Pick(
				"вызова не было: сервер описывает инструмент иначе, чем при проверке",
				"it was not called: the server describes the tool differently than when it was verified")}
		default:
			outcomes[i] = w.call(ctx, s, *doc.Call)
		}
	}
	return outcomes
}

func (w *Writer) call(ctx context.Context, s *remote.Session, c tool.Remote) tool.Outcome {
	answer, err := s.Call(ctx, c.Tool, c.Arguments)
	switch fail, known := remote.AsFailure(err); {
	case err != nil && known && fail.Fate != remote.Lost:
		return w.unsent(err)
	case err != nil:
		return w.lost()
	case answer.IsError:
		return tool.Outcome{
			State: stockhand.DocumentFailed, Text: answer.Text(maxText),
			Problem: fmt.Sprintf(w.l.Pick("сервер %s ответил ошибкой: «%s»",
				"the server %s answered with an error, in its own words: “%s”"), w.saved.Server.Name, answer.Text(500)),
		}
	}
	return tool.Outcome{State: stockhand.DocumentApplied, Text: answer.Text(maxText)}
}

// unsent returns the outcome of a call that the server did not start.
func (w *Writer) unsent(err error) tool.Outcome {
	return tool.Outcome{State: stockhand.DocumentFailed, Problem: fmt.Sprintf(
		w.l.Pick("вызова не было: %s", "it was not called: %s"), words(remote.In(err, w.l)))}
}

// lost returns the outcome of a call that may have been executed.
func (w *Writer) lost() tool.Outcome {
	return tool.Outcome{State: stockhand.DocumentUnknown, Settled: true, Problem: fmt.Sprintf(w.l.Pick(
		"вызов отправлен, но ответа не было, и узнать, выполнен ли он, отсюда нельзя. Повторно он не отправляется. Посмотрите на сервере %s, прежде чем предлагать его снова",
		"the call was sent but no answer came, and it is unknown whether it was executed. It is not sent again. "+
			"Check the server %s before proposing it again"), w.saved.Server.Name)}
}

// Find returns unknown outcomes: the protocol cannot look up a call.
func (w *Writer) Find(_ context.Context, docs []tool.Document) ([]tool.Outcome, error) {
	outcomes := make([]tool.Outcome, len(docs))
	for i := range docs {
		outcomes[i] = w.lost()
	}
	return outcomes, nil
}

// words returns an error's message for display.
func words(err error) string {
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		return e.Message
	}
	return "cancelled" // the only error of another type: the caller is gone
}
