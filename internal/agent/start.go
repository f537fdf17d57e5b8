package agent

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

// maxTask bounds a task, in bytes; longer ones are not tasks.
const maxTask = 8 << 10

// Task is a person's turn.
type Task struct {
	Text       string
	Session    stockhand.SessionID    // empty begins a new session
	Connection stockhand.ConnectionID // empty leaves the account to the session and to the task's own words
	Language   stockhand.Language     // empty answers in the language of the task
	Actor      stockhand.Actor        // whose task it is; the zero Actor is the command line's own
	Agent      stockhand.AgentID      // the profile that answers; empty leaves it to the session, whose default is the system's own
	History    []Past                 // what was said before, where the caller and not a session remembers it; see [Past]
}

// Turn is where a task's answer will be.
type Turn struct {
	Session stockhand.SessionID
	Message stockhand.MessageID
	Run     stockhand.RunID
}

// Start stores a task and begins to work on it. The answer is in the run's log (see [Agent.Follow]).
func (a *Agent) Start(ctx context.Context, org stockhand.OrgID, t Task) (Turn, error) {
	text := strings.TrimSpace(t.Text)
	switch {
	case text == "":
		return Turn{}, invalid("message", "the task is empty")
	case len(text) > maxTask:
		return Turn{}, invalid("message", "the task is longer than 8 KiB")
	case !utf8.ValidString(text):
		return Turn{}, invalid("message", "the task is not UTF-8 text")
	}
	if t.Connection != "" {
		if _, err := a.store.Connection(ctx, org, t.Connection); err != nil {
			return Turn{}, err
		}
	}
	now := a.clock().UTC()
	if t.Session == "" {
		s, err := a.store.CreateSession(ctx, org, stockhand.Session{Title: title(text), Connection: t.Connection, Agent: t.Agent, By: t.Actor.Name, Created: now})
		if err != nil {
			return Turn{}, err
		}
		t.Session = s.ID
	}
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: t.Session, Text: text, By: t.Actor.Name, Created: now}
	first := entry(stockhand.EventStart, startData{MessageID: m.ID, Connection: t.Connection, Language: t.Language, Agent: t.Agent, History: recent(t.History)})
	m, r, err := a.store.CreateRun(ctx, org, m, first)
	if err != nil {
		return Turn{}, err
	}
	a.work(ctx, org, r)
	return Turn{Session: t.Session, Message: m.ID, Run: r.ID}, nil
}

// Resume takes up a run that a process left unfinished: queued, or running and not finished.
func (a *Agent) Resume(ctx context.Context, r stockhand.Run) { a.work(ctx, r.Org, r) }

// errCancelled is the cause of a run's end when a person cancels it.
var errCancelled = errors.New("cancelled by a person")

// Cancel ends a run that is not finished. What it has read so far stays in its log.
func (a *Agent) Cancel(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) error {
	a.mu.Lock()
	cancel, here := a.cancels[id]
	a.mu.Unlock()
	if here {
		if _, err := a.store.Run(ctx, org, id); err != nil { // another organization's run looks like none
			return err
		}
		cancel(errCancelled)
		return nil
	}
	events, err := a.store.CancelRun(ctx, org, id, entry(stockhand.EventCancelled, struct{}{}))
	a.hub.tell(events...)
	return err
}

func invalid(field, message string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("ask a question about the account, for example: %s", language.Examples(stockhand.English)[0].Task)
}

// title is a session's first task, short.
func title(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 80
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}
