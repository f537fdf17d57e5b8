package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/redact"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language"
)

// MaxTask is the maximum size of a task in bytes.
const MaxTask = 8 << 10

// Task is a user's turn.
type Task struct {
	Text       string
	Session    stockhand.SessionID    // empty starts a new session
	Connection stockhand.ConnectionID // empty means the session's, or the one named in the task
	Language   stockhand.Language     // empty means the language of the task
	Actor      stockhand.Actor        // who asks; the zero Actor is the local command line
	// the profile that answers; empty means the session's, which defaults to the built-in one
	Agent stockhand.AgentID
	// the conversation so far, if the caller keeps it instead of a session
	History []HistoryMessage
}

// Turn is where a task's answer will be.
type Turn struct {
	Session stockhand.SessionID
	Message stockhand.MessageID
	Run     stockhand.RunID
}

// Start stores a task to be worked on, here or on another replica. The answer is in the run's log (see [Agent.Follow]).
// The task waits until earlier turns of its session are finished.
func (a *Agent) Start(ctx context.Context, org stockhand.OrgID, t Task) (Turn, error) {
	if err := a.Admit(ctx, org, t.Actor.Name); err != nil {
		return Turn{}, err
	}
	m, first, err := a.accept(ctx, org, t)
	if err != nil {
		return Turn{}, err
	}
	m, r, err := a.store.CreateRun(ctx, org, m, first)
	if err != nil {
		return Turn{}, err
	}
	a.engine.Publish(ctx, r)
	return Turn{Session: r.Session, Message: m.ID, Run: r.ID}, nil
}

// Answer stores a user's message with an answer that needs no work, for example when the message confirms a draft,
// which code decides from that message alone (rule R61). The run is finished when Answer returns; its log contains the
// events between the first and the last entry.
func (a *Agent) Answer(ctx context.Context, org stockhand.OrgID, t Task, text render.Markdown,
	events ...stockhand.Event) (Turn,
	error) {
	m, first, err := a.accept(ctx, org, t)
	if err != nil {
		return Turn{}, err
	}
	log := append([]stockhand.Event{first}, events...)
	log = append(log, entry(stockhand.EventComplete,
		completeData{FinalResponse: string(text), Blocks: blocks.Of(string(text)), ResultIDs: []stockhand.ResultID{},
			DraftIDs: []stockhand.DraftID{}}))
	m, r, err := a.store.AnswerTask(ctx, org, m, stockhand.Message{Text: string(text), Created: a.clock().UTC()},
		log...)
	if err != nil {
		return Turn{}, err
	}
	return Turn{Session: r.Session, Message: m.ID, Run: r.ID}, nil
}

// accept validates a task and creates a session if necessary. It returns the message and the first entry of the run's
// log without storing them.
func (a *Agent) accept(ctx context.Context, org stockhand.OrgID, t Task) (m stockhand.Message, first stockhand.Event,
	err error) {
	text := redact.Text(strings.TrimSpace(t.Text))
	switch {
	case text == "":
		return m, first, invalidTask("the task is empty")
	case len(text) > MaxTask:
		return m, first, invalidTask("the task is longer than 8 KiB")
	case !utf8.ValidString(text):
		return m, first, invalidTask("the task is not UTF-8 text")
	}
	bound := t.Actor.Binding
	if err := cmp.Or(bound.Connection(t.Connection), a.mayGive(ctx, org, t)); err != nil {
		return m, first, err
	}
	if t.Connection != "" {
		c, err := a.store.Connection(ctx, org, t.Connection)
		if err != nil {
			return m, first, err
		}
		if a.kind(c).ToolsOnly {
			return m, first, invalid("connection_id", "connection_id is an MCP server",
				"choose an account connection instead, or call the server's tools by POST /tools/{name}/execute")
		}
	}
	now := a.clock().UTC()
	if t.Session == "" {
		s, err := a.store.CreateSession(ctx, org,
			stockhand.Session{Title: title(text), Connection: t.Connection, Agent: t.Agent, By: t.Actor.Name,
				Created: now})
		if err != nil {
			return m, first, err
		}
		t.Session = s.ID
	}
	m = stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: t.Session, Text: text,
		By: t.Actor.Name, Created: now}
	first = entry(stockhand.EventStart, startData{MessageID: m.ID, Connection: t.Connection, Language: t.Language,
		Trace: traceParent(ctx),
		Agent: t.Agent, Binding: bound, History: withoutSecrets(recent(t.History))})
	return m, first, nil
}

// mayGive checks the agent and the session of a task against what keys are bound to.
func (a *Agent) mayGive(ctx context.Context, org stockhand.OrgID, t Task) error {
	if t.Agent != "" || t.Session == "" { // the turn checks the session's agent
		p, err := a.profileOf(ctx, org, t.Agent)
		if err == nil {
			_, err = t.Actor.Binding.Narrow(p)
		}
		if err != nil || t.Session == "" {
			return err
		}
	}
	s, err := a.store.Session(ctx, org, t.Session)
	if err != nil || s.By == t.Actor.Name {
		return err
	}
	id, isKey := strings.CutPrefix(s.By, "key:")
	if !isKey {
		return nil
	}
	if k, err := a.store.Key(ctx, org, stockhand.KeyID(id)); err != nil || !k.Binding.Some() {
		return err
	}
	return errBoundSession
}

// errBoundSession refuses a task in a session that a bound key began: the key would see the answer (rule R180).
var errBoundSession = &stockhand.Error{Code: stockhand.CodePermissionDenied,
	Message: "a bound key began this session, and only that key may continue it",
	Hint:    "Start a session of your own.",
	RU: stockhand.Words{Message: "этот диалог начал ограниченный ключ, и продолжает его только он",
		Hint: "Начните свой диалог."}}

// Resume continues a run that a process left unfinished. The caller knows that its worker is gone, so Resume does not
// wait for missing heartbeats.
func (a *Agent) Resume(ctx context.Context, r stockhand.Run) {
	if r.State == stockhand.RunRunning {
		if err := a.store.ReleaseRun(ctx, r.Org, r.ID, r.Generation); err != nil {
			a.logger.Warn("resume", "run", r.ID, "err", err) // another worker has it, or it is finished
		}
	}
	a.engine.Publish(ctx, r)
}

// Cancel cancels an unfinished run, whichever replica works on it. The log keeps what was read so far. It returns
// CONFLICT when the run is finished or cancelled.
func (a *Agent) Cancel(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) error {
	events, err := a.store.CancelRun(ctx, org, id, entry(stockhand.EventCancelled, struct{}{}))
	if err != nil {
		return err
	}
	a.engine.Notify(events...)
	a.engine.Cancel(id)
	r, err := a.store.Run(ctx, org, id)
	if err != nil {
		return nil //nolint:nilerr // it is cancelled, even if its session has been deleted
	}
	a.next(ctx, r)
	return nil
}

// GiveUp handles a caller that stops waiting for a turn because of err, and returns the error for the response. It
// cancels the run, unless this replica is stopping and another one will finish it.
func (a *Agent) GiveUp(ctx context.Context, org stockhand.OrgID, t Turn, err error) error {
	if errors.Is(err, ErrLeaving) {
		path := fmt.Sprintf("GET /api/v1/sessions/%s/messages/%s", t.Session, t.Message)
		return &stockhand.Error{
			Code: stockhand.CodeServerStopping, Err: err,
			Message: "this server is stopping; another one finishes the work",
			Hint:    "read the answer in a few seconds: " + path,
			RU: stockhand.Words{Message: "этот сервер останавливается; работу закончит другой",
				Hint: "прочитайте ответ через несколько секунд: " + path},
		}
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer stop()
	if failed := a.Cancel(ctx, org, t.Run); failed != nil && stockhand.CodeOf(failed) != stockhand.CodeConflict {
		a.logger.Warn("cancel a run that has no caller any more", "run", t.Run, "err", failed)
	}
	return err
}

func invalid(field, message, hint string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("%s", hint)
}

func invalidTask(message string) error {
	return invalid("message", message, "ask a question about the account, for example: "+
		language.Examples(stockhand.English)[0].Task)
}

// title returns a session's title: its first task, shortened.
func title(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 80
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}

// withoutSecrets removes secrets from a conversation that the caller keeps.
func withoutSecrets(history []HistoryMessage) []HistoryMessage {
	history = slices.Clone(history)
	for i := range history {
		history[i].Text = redact.Text(history[i].Text)
	}
	return history
}
