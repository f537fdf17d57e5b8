package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/openai/responses"
)

// respond answers with an agent: the same run as of a chat. A response that continues an agent's continues its session.
func (s *Service) respond(w http.ResponseWriter, r *http.Request, q responses.Request,
	profile stockhand.AgentID) error {
	task, asked, err := s.taskOf(r, q, profile)
	if err != nil {
		return err
	}
	ctx, org := r.Context(), task.Actor.Org
	turn, err := s.start(ctx, task)
	if err != nil {
		return err
	}
	id := stockhand.ResponseID("resp_" + strings.TrimPrefix(string(turn.Message), "msg_"))
	answer := q.New(id, time.Now())
	answer.Session = turn.Session
	k := kept{Response: answer, Messages: asked, Run: turn.Run, session: turn.Session}
	if err := s.keep(ctx, q, k); err != nil {
		return s.Agent.GiveUp(ctx, org, turn, err)
	}
	out := &responding{Stream: responses.NewStream(nil, answer), w: w}
	if !q.Stream {
		f, err := s.await(ctx, org, turn)
		if err != nil {
			return err
		}
		w.Header().Set("X-Session-Id", string(turn.Session))
		s.fill(out.Stream, f, time.Now())
		return writeJSON(w, answer)
	}
	out.Stream = responses.NewStream(w, answer)
	if err := s.watch(r, turn, out, q.Progress); err != nil { //nolint:contextcheck // it is in r
		return out.fail(s.Agent.GiveUp(ctx, org, turn, err))
	}
	f, err := s.finished(ctx, org, turn)
	if err != nil {
		return out.fail(err)
	}
	out.begin()
	s.fill(out.Stream, f, time.Now())
	out.End()
	return nil
}

// taskOf converts a request to a task, and returns what was asked as messages of the chat format.
func (s *Service) taskOf(r *http.Request, q responses.Request, profile stockhand.AgentID) (t agent.Task,
	asked []responses.Message, err error) {
	if q.Requires() {
		return t, nil, responses.Invalid("tool_choice",
			"the agent only calls its own tools; omit this, or use a provider's model (provider/model)")
	}
	if !q.WantsText() {
		return t, nil, responses.Invalid("text.format",
			"the agent answers in text; for data, see the results in the response's stockhand object")
	}
	session := q.Session
	var history []responses.Message
	if q.Previous != "" {
		before, err := s.kept(r.Context(), q.Previous)
		switch {
		case err != nil:
			return t, nil, about("previous_response_id", err)
		case before.session == "": // of a provider's model
			if history, err = s.earlier(r.Context(), q.Previous); err != nil {
				return t, nil, err
			}
		case session != "" && session != before.session:
			return t, nil, responses.Invalid("session_id", "is another session than that of previous_response_id")
		default:
			session = before.session // which has the history
		}
	}
	if t, err = s.task(r, chatOf(q, session, history), profile); err != nil {
		return t, nil, err
	}
	for _, m := range responses.SpokenOf(q.Input) { // what an agent reads of it
		if m.Text != "" {
			asked = append(asked, responses.Say(m.Role, m.Text))
		}
	}
	return t, asked, nil
}

// chatOf returns what a request is in the chat format, for an agent.
func chatOf(q responses.Request, session stockhand.SessionID, history []responses.Message) request {
	out := request{Model: q.Model, Session: session, Connection: q.Connection, Language: q.Language,
		list: func(message string) *stockhand.Error { return responses.Invalid("input", message) }}
	for _, m := range history {
		var text string
		if json.Unmarshal(m.Content, &text) == nil && !bytes.Equal(m.Content, []byte("null")) {
			out.Messages = append(out.Messages, message{Role: m.Role, Content: content{text: text}})
		}
	}
	asked := false
	for _, m := range responses.SpokenOf(q.Input) {
		asked = asked || m.Role == "user"
		out.Messages = append(out.Messages, message{Role: m.Role, Content: content{text: m.Text, other: m.Other}})
	}
	if !asked { // an earlier message of the user is not asked again
		out.Messages = append(out.Messages[:0], message{Role: "system"})
	}
	return out
}

// fill adds an agent's answer to the output and finishes it.
func (s *Service) fill(out *responses.Stream, f *agent.Finished, at time.Time) {
	for _, text := range pieces(s.text(f)) {
		out.Text(text)
	}
	u := used(f)
	out.Usage = responses.NewUsage(u.Prompt, u.Completion)
	out.Usage.InputDetails.Cached = u.Details.Cached
	out.More = s.extension(f)
	out.Finish(responses.Completed, at)
}

// responding is a stream of an agent's answer.
type responding struct {
	*responses.Stream
	w http.ResponseWriter
}

func (o *responding) begin() {
	if !o.Begun() {
		o.w.Header().Set("X-Session-Id", string(o.Session))
		o.Begin()
	}
}

func (o *responding) comment()                   { o.Comment() }
func (o *responding) progress(e stockhand.Event) { o.Progress(e.JSON()) }

// fail returns the error while it can still be the whole answer, and otherwise sends it as the stream's last event.
func (o *responding) fail(err error) error {
	if !o.Begun() {
		return err
	}
	e := publicError(err)
	o.Fail(responses.Failure{Code: string(e.Code), Message: e.Message}, time.Now())
	return nil
}
