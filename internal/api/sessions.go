package api

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// records are the store methods that the handlers of sessions, drafts, results and organization data call directly.
type records interface {
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	Sessions(ctx context.Context, org stockhand.OrgID, kind stockhand.SessionKind, by string,
		before stockhand.SessionID, limit int) ([]stockhand.Session, error)
	RenameSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, title string) error
	DeleteSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, entry stockhand.AuditEntry) error
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
	Messages(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, after stockhand.MessageID,
		limit int) ([]stockhand.Message, error)
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error)
	Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64, limit int) ([]stockhand.Event,
		error)
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
		stockhand.RowPage, error]
	Usage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.Usage, error)
	AuditEntries(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry, error)
	AuditBefore(ctx context.Context, org stockhand.OrgID, action string, draft stockhand.DraftID, before int64,
		limit int) ([]stockhand.AuditEntry, error)
}

// SessionPath is the path of a session.
type SessionPath struct {
	Session stockhand.SessionID `path:"session_id"`
}

// TurnPath is the path of a turn's message.
type TurnPath struct {
	SessionPath
	Message stockhand.MessageID `path:"message_id"`
}

// seenSession reads a session that the caller may see.
func (s *Server) seenSession(ctx context.Context, id stockhand.SessionID) (stockhand.Session, error) {
	v, err := s.Store.Session(ctx, stockhand.ActorOf(ctx).Org, id)
	if err != nil {
		return v, err
	}
	return v, s.maySee(ctx, v.By)
}

// seenRun returns the run that a message of a session started, or that wrote it.
func (s *Server) seenRun(ctx context.Context, in TurnPath) (stockhand.Run, error) {
	if _, err := s.seenSession(ctx, in.Session); err != nil {
		return stockhand.Run{}, err
	}
	org := stockhand.ActorOf(ctx).Org
	m, err := s.Store.Message(ctx, org, in.Message)
	if err == nil && m.Session != in.Session {
		err = stockhand.Errorf(stockhand.CodeNotFound, "no such message in this session")
	}
	if err != nil {
		return stockhand.Run{}, err
	}
	return s.Store.Run(ctx, org, m.Run)
}

func (s *Server) listSessions(ctx context.Context, in *struct {
	Page
	Kind stockhand.SessionKind `query:"kind" enum:"chat,direct" default:"chat" doc:"direct: single tool calls"`
}) (*List[wire.Session], error) {
	return pageOf(in.Page, func(v stockhand.Session) stockhand.SessionID { return v.ID }, wire.SessionOf,
		func(before stockhand.SessionID, most int) ([]stockhand.Session, error) {
			return s.Store.Sessions(ctx, stockhand.ActorOf(ctx).Org, in.Kind, ownOnly(ctx), before, most)
		})
}

func (s *Server) getSession(ctx context.Context, in *SessionPath) (*Answer[wire.Session], error) {
	return answerAs(wire.SessionOf)(s.seenSession(ctx, in.Session))
}

func (s *Server) renameSession(ctx context.Context, in *struct {
	SessionPath
	Body struct {
		Title string `json:"title" minLength:"1" maxLength:"200"`
	}
}) (*Answer[wire.Session], error) {
	title := strings.Join(strings.Fields(in.Body.Title), " ")
	if title == "" {
		return nil, invalid("title", "must not be blank")
	}
	v, err := s.seenSession(ctx, in.Session)
	if err != nil {
		return nil, err
	}
	if v.Title = title; dryRun(ctx) {
		return answerOf(wire.SessionOf(v))
	}
	if err := s.Store.RenameSession(ctx, v.Org, v.ID, title); err != nil {
		return nil, err
	}
	return s.getSession(ctx, &in.SessionPath)
}

func (s *Server) deleteSession(ctx context.Context, in *SessionPath) (*struct{}, error) {
	v, err := s.seenSession(ctx, in.Session)
	if err != nil {
		return nil, err
	}
	actor := stockhand.ActorOf(ctx)
	if !actor.Person && v.By != actor.Name {
		return nil, errOthersSession
	}
	if dryRun(ctx) {
		return nil, nil
	}
	detail, err := json.Marshal(map[string]any{"session_id": v.ID, "created_by": v.By})
	if err != nil {
		return nil, err
	}
	defer s.Retention.Freed(v.Org)
	return nil, s.Store.DeleteSession(ctx, v.Org, v.ID, stockhand.AuditEntry{At: time.Now(), Actor: actor.Name,
		Action: "session.deleted", Detail: detail})
}

var errOthersSession = &stockhand.Error{Code: stockhand.CodePermissionDenied,
	Message: "an API key may delete only the sessions that it began",
	Hint:    "A person may delete this session, with a user token.",
	RU: stockhand.Words{Message: "ключ может удалить только те диалоги, которые начал сам",
		Hint: "Этот диалог может удалить человек, со своим токеном."}}

func (s *Server) listMessages(ctx context.Context, in *struct {
	SessionPath
	Page
}) (*List[wire.Message], error) {
	v, err := s.seenSession(ctx, in.Session)
	if err != nil {
		return nil, err
	}
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	if after != "" {
		if m, err := s.Store.Message(ctx, v.Org, stockhand.MessageID(after)); err != nil || m.Session != v.ID {
			return nil, invalid("cursor", "is not a cursor of this list")
		}
	}
	all, err := s.Store.Messages(ctx, v.Org, v.ID, stockhand.MessageID(after), in.Limit+1)
	if err != nil {
		return nil, err
	}
	runs, err := s.Store.Runs(ctx, v.Org, v.ID)
	if err != nil {
		return nil, err
	}
	of := map[stockhand.RunID]stockhand.Run{}
	for _, r := range runs {
		of[r.ID] = r
	}
	return listOf(all, in.Limit, func(m stockhand.Message) string { return string(m.ID) },
		func(m stockhand.Message) wire.Message {
			r := of[m.Run]
			shown := wire.Message{ID: m.ID, SessionID: m.Session, Role: m.Author, Content: m.Text, State: r.State,
				CreatedBy: wire.OrNull(m.By), CreatedAt: m.Created.UTC()}
			if m.Author == stockhand.FromAgent {
				shown.Answers = r.Message
			}
			return shown
		}), nil
}

type turnAnswer struct {
	Status     int
	Location   string `header:"Location"`
	RetryAfter string `header:"Retry-After"`
	Body       wire.Turn
}

// shownTurn returns 200 with the finished message of a run, or 202 with its URLs.
func (s *Server) shownTurn(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (*turnAnswer, error) {
	r, err := s.Store.Run(ctx, org, id)
	if err != nil {
		return nil, err
	}
	if !r.State.Finished() {
		return accepted(r.Session, r.Message, r.State), nil
	}
	f, err := s.Agent.Finished(ctx, org, id)
	return &turnAnswer{Status: http.StatusOK,
		Body: wire.Turn{SessionID: r.Session, MessageID: r.Message, State: r.State, Finished: f}}, err
}

// accepted returns the response for an unfinished turn.
func accepted(in stockhand.SessionID, m stockhand.MessageID, state stockhand.RunState) *turnAnswer {
	at := Base + "/sessions/" + string(in) + "/messages/" + string(m)
	return &turnAnswer{
		Status: http.StatusAccepted, Location: at, RetryAfter: "2",
		Body: wire.Turn{SessionID: in, MessageID: m, State: state, MessageURL: at, StreamURL: at + "/stream"},
	}
}

// awaitEnd waits until a run is finished, at most for limit. It returns an error if the caller loses access meanwhile,
// for example because the key was revoked.
func (s *Server) awaitEnd(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, limit time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, err := range s.Agent.Follow(waiting, org, id, 0) {
		if err != nil {
			break // the run's state says the rest
		}
	}
	return callOf(ctx).mayGoOn(time.Now())
}

func (s *Server) getMessage(ctx context.Context, in *struct {
	TurnPath
	Wait int `query:"wait" minimum:"0" maximum:"60" doc:"Wait up to this many seconds for the end"`
}) (*turnAnswer, error) {
	r, err := s.seenRun(ctx, in.TurnPath)
	if err != nil {
		return nil, err
	}
	if in.Wait > 0 && !r.State.Finished() {
		if err := s.awaitEnd(ctx, r.Org, r.ID, time.Duration(in.Wait)*time.Second); err != nil {
			return nil, err
		}
	}
	return s.shownTurn(ctx, r.Org, r.ID)
}

// cancelTime is how long a cancellation waits for the run to stop, so that most callers get its final state
// immediately.
const cancelTime = 5 * time.Second

func (s *Server) cancelTurn(ctx context.Context, in *TurnPath) (*turnAnswer, error) {
	r, err := s.seenRun(ctx, *in)
	if err != nil {
		return nil, err
	}
	switch {
	case r.State == stockhand.RunCancelled || dryRun(ctx) && !r.State.Finished():
		return s.shownTurn(ctx, r.Org, r.ID)
	case r.State.Finished():
		return nil, stockhand.Errorf(stockhand.CodeConflict, "this turn has already ended: it is %s",
			r.State).WithHint("Get the message to see its outcome.")
	}
	if err := s.Agent.Cancel(ctx, r.Org, r.ID); err != nil {
		return nil, err
	}
	if err := s.awaitEnd(ctx, r.Org, r.ID, cancelTime); err != nil {
		return nil, err
	}
	return s.shownTurn(ctx, r.Org, r.ID)
}

// taskText is the text of a task.
type taskText string

// Schema implements huma.SchemaProvider. The agent counts bytes, of which a character has one or more.
func (taskText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, MinLength: new(1), MaxLength: new(agent.MaxTask)}
}

// startTurn starts a turn, unless the message decides on a draft of the conversation.
func (s *Server) startTurn(ctx context.Context, in *struct {
	Wait int `query:"wait" minimum:"0" maximum:"60" doc:"Wait up to this many seconds for the finished message"`
	Body struct {
		Message      taskText               `json:"message" doc:"The task, in plain Russian or English; at most 8 KiB" example:"что заканчивается на складах и что заказать?"`
		SessionID    stockhand.SessionID    `json:"session_id,omitempty" doc:"The session to continue; omit it to start a new one"`
		ConnectionID stockhand.ConnectionID `json:"connection_id,omitempty" doc:"The account, if several are connected"`
		AgentID      stockhand.AgentID      `json:"agent_id,omitempty" doc:"One of GET /agents; by default the session's"`
		Language     stockhand.Language     `json:"language,omitempty" enum:"ru,en" doc:"The answer's language; by default the task's"`
	}
}) (*turnAnswer, error) {
	actor := stockhand.ActorOf(ctx)
	text := string(in.Body.Message)
	if !utf8.ValidString(text) {
		return nil, invalid("message", "is not valid UTF-8")
	}
	if in.Body.SessionID != "" {
		if _, err := s.seenSession(ctx, in.Body.SessionID); err != nil {
			return nil, err
		}
	}
	if id := in.Body.AgentID; id != "" && id != stockhand.SystemAgent {
		if _, err := s.Store.Agent(ctx, actor.Org, id); err != nil {
			return nil, err
		}
	}
	task := agent.Task{
		Text: text, Session: in.Body.SessionID, Connection: in.Body.ConnectionID, Language: in.Body.Language,
		Actor: actor, Agent: in.Body.AgentID,
	}
	turn, done, err := s.ByWord.Do(ctx, task)
	if err == nil && !done {
		turn, err = s.Agent.Start(ctx, actor.Org, task)
	}
	if err != nil {
		return nil, err
	}
	// The turn has started: a caller who lost access while waiting only gets its URLs.
	if in.Wait > 0 && s.awaitEnd(ctx, actor.Org, turn.Run, time.Duration(in.Wait)*time.Second) == nil {
		out, err := s.shownTurn(ctx, actor.Org, turn.Run)
		if err != nil || out.Status == http.StatusOK {
			return out, err
		}
	}
	out := accepted(turn.Session, turn.Message, stockhand.RunQueued)
	out.Body.Kind = "new_turn"
	return out, nil
}
