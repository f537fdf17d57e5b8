package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/openai/responses"
)

// respondThrough answers with a provider's model, which is asked in the chat format (decision 65). An earlier
// conversation is sent to it again.
func (s *Service) respondThrough(w http.ResponseWriter, r *http.Request, q responses.Request, p *llm.Provider,
	model string) error {
	ctx := r.Context()
	asked, err := responses.Messages(q.Input)
	if err != nil {
		return err
	}
	messages := asked
	if q.Previous != "" {
		before, err := s.earlier(ctx, q.Previous)
		if err != nil {
			return err
		}
		messages = append(before, asked...)
	}
	body, err := q.Chat(messages, limitOf(p))
	if err != nil {
		return err
	}
	if q.Store && s.Admit != nil {
		if err := s.Admit(ctx, stockhand.ActorOf(ctx).Org); err != nil {
			return err
		}
	}
	answer, err := s.ask(ctx, p, chatPath, model, body)
	if err != nil {
		return err
	}
	defer answer.close()
	if answer.StatusCode != http.StatusOK { // as it is
		answer.copyHeader(w)
		w.WriteHeader(answer.StatusCode)
		answer.copyWhole(w, answer.Body)
		return nil
	}
	answer.copyID(w)
	out := responses.NewStream(nil, q.New(stockhand.NewID[stockhand.ResponseID]("resp"), time.Now()))
	if q.Stream {
		out = responses.NewStream(w, out.Response)
		out.Begin()
	}
	if err := s.translate(ctx, answer, &responses.Provider{Stream: out}); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.Logger.WarnContext(ctx, "translate a response", "provider", p.Name, "err", err)
		return failed(out, unavailable(p.Name))
	}
	if err := s.keepAnswer(ctx, q, out.Response, asked); err != nil {
		s.Logger.ErrorContext(ctx, "store a response", "err", err)
		return failed(out, err)
	}
	return written(w, out)
}

// written writes an answer or the last event of a stream.
func written(w http.ResponseWriter, out *responses.Stream) error {
	if !out.Begun() {
		return writeJSON(w, out.Response)
	}
	out.End()
	return nil
}

func failed(out *responses.Stream, err error) error { return (&responding{Stream: out}).fail(err) }

// keepAnswer stores a provider's answer with what was asked.
func (s *Service) keepAnswer(ctx context.Context, q responses.Request, answer *responses.Response,
	asked []responses.Message) error {
	said, err := answer.Said()
	if err != nil {
		return err
	}
	return s.keep(ctx, q, kept{Response: answer, Messages: append(asked, said...)})
}

// limitOf is the field that limits an answer. OpenAI's newer models reject max_tokens, which is all that most servers
// support.
func limitOf(p *llm.Provider) string {
	if strings.HasPrefix(p.BaseURL, "https://api.openai.com/") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

var errCutOff = errors.New("the answer broke off")

// translate reads a provider's answer into the output.
func (s *Service) translate(ctx context.Context, answer *answering, out *responses.Provider) error {
	if !answer.streamed() {
		var b bytes.Buffer
		if _, err := b.ReadFrom(io.LimitReader(answer.Body, maxAnswer)); err != nil {
			return err
		}
		answer.read(b.Bytes())
		if err := out.Read(b.Bytes()); err != nil {
			return err
		}
	} else if err := translateStream(answer, out); err != nil {
		return err
	}
	if !out.Done(time.Now()) {
		return errCutOff
	}
	return ctx.Err()
}

func translateStream(answer *answering, out *responses.Provider) error {
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), dataPrefix)
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			continue
		}
		answer.events++
		if bytes.Contains(data, usageKey) {
			answer.read(data)
		}
		if err := out.Read(data); err != nil {
			return err
		}
	}
	return lines.Err()
}
