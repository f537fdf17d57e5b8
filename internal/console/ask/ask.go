// Package ask is the console's section of questions: conversations with streaming answers, their history, and a start
// page whose tiles are queries.
package ask

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/calls"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/tool"
)

// Agent answers; package agent documents the methods.
type Agent interface {
	calls.Agent
	Typed(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, kind connector.NameKind, words string,
		most int) ([]connector.Name, int, error)
	Start(ctx context.Context, org stockhand.OrgID, t agent.Task) (agent.Turn, error)
	Cancel(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) error
	NamesOf(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, ids []string) map[string]string
	SomeNames(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, most int,
		kinds ...connector.NameKind) (map[connector.NameKind][]string, error)
}

// ByWord carries out what a message says about drafts; package byword documents it.
type ByWord interface {
	Do(ctx context.Context, t agent.Task) (turn agent.Turn, done bool, err error)
}

// Store reads and changes conversations; internal/store documents the methods.
type Store interface {
	results.Records
	Sessions(ctx context.Context, org stockhand.OrgID, kind stockhand.SessionKind, by string,
		before stockhand.SessionID, limit int) ([]stockhand.Session, error)
	RenameSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, title string) error
	DeleteSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, entry stockhand.AuditEntry) error
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
	Messages(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, after stockhand.MessageID,
		limit int) ([]stockhand.Message, error)
	Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames  page.Frames
	Agent   Agent
	ByWord  ByWord
	Store   Store
	Results results.Handlers
	Kinds   []connector.Kind
	Freed   func(stockhand.OrgID) // something was deleted
	Clock   func() time.Time
	Logger  *slog.Logger
	Calls   *calls.Reader
	Pins    Pins
	Reports Reports
}

// Pins keep conversations at the top of lists; internal/store/pins documents the methods.
type Pins interface {
	Pinned(ctx context.Context, org stockhand.OrgID, actor string, limit int) ([]stockhand.Session, error)
	Of(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string) (own, all bool, err error)
	Pin(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string, at time.Time,
		entries ...stockhand.AuditEntry) error
	Unpin(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string,
		entries ...stockhand.AuditEntry) error
}

// Reports keeps questions on the start page; package reports documents the methods.
type Reports interface {
	List(ctx context.Context, a stockhand.Actor) ([]reports.Report, error)
	Get(ctx context.Context, a stockhand.Actor, id stockhand.ReportID) (reports.Report, error)
	Save(ctx context.Context, a stockhand.Actor, d reports.Definition, moves bool) (reports.Report, error)
	Rename(ctx context.Context, a stockhand.Actor, id stockhand.ReportID, title string) (reports.Report, error)
	Delete(ctx context.Context, a stockhand.Actor, id stockhand.ReportID) error
}

// analyst returns the connector that answers queries.
func (h Handlers) analyst() (connector.Kind, *analysis.Catalogue) {
	for _, k := range h.Kinds {
		if k.Catalogue != nil {
			return k, k.Catalogue
		}
	}
	return connector.Kind{}, nil
}

func (h Handlers) answers() answer.Builder {
	k, catalogue := h.analyst()
	b := answer.Builder{Store: h.Store, Views: h.Results, Catalogue: catalogue, Analyze: k.Analyze, Tools: k.Tools}
	if h.Results.Browse != nil {
		b.Kinds = h.Results.Browse.Kinds
	}
	return b
}

// answersOf are those of a connection, whose names are known.
func (h Handlers) answersOf(ctx context.Context, id stockhand.ConnectionID) answer.Builder {
	b, org := h.answers(), stockhand.ActorOf(ctx).Org
	b.Names = func(ids []string) map[string]string { return h.Agent.NamesOf(ctx, org, id, ids) }
	return b
}

// accounts returns the connections that can be asked, one for each account and employee.
func (h Handlers) accounts(ctx context.Context) ([]stockhand.Connection, error) {
	all, err := h.Store.Connections(ctx, stockhand.ActorOf(ctx).Org)
	return slices.DeleteFunc(all, func(c stockhand.Connection) bool {
		return slices.ContainsFunc(h.Kinds, func(k connector.Kind) bool { return k.Name == c.Connector && k.ToolsOnly })
	}), err
}

// Turn is a question with its answer, which may still be in progress.
type Turn struct {
	Org     stockhand.OrgID
	Session stockhand.SessionID
	Message stockhand.Message
	Mine    bool
	Run     stockhand.Run
	Answer  *answer.Answer // nil: in progress, or shown when it comes into view
	Later   bool
	Cancel  bool // the person may stop it
}

func (t Turn) path(rest ...string) string {
	return page.Path(t.Org, append([]string{"ask", string(t.Session), string(t.Message.ID)}, rest...)...)
}

// mostAtOnce is how many answers of a conversation are shown at first; earlier ones follow when they come into view.
const mostAtOnce = 8

// turns reads the turns of a conversation, oldest first.
func (h Handlers) turns(ctx context.Context, s stockhand.Session) ([]Turn, error) {
	runs, err := h.Store.Runs(ctx, s.Org, s.ID)
	if err != nil {
		return nil, err
	}
	of := map[stockhand.RunID]stockhand.Run{}
	for _, r := range runs {
		of[r.ID] = r
	}
	const most = 200
	var all []Turn
	for after := stockhand.MessageID(""); ; {
		messages, err := h.Store.Messages(ctx, s.Org, s.ID, after, most)
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			if after = m.ID; m.Author == stockhand.FromPerson {
				all = append(all, h.turnOf(ctx, m, of[m.Run]))
			}
		}
		if len(messages) < most {
			break
		}
	}
	for i := range all {
		t := &all[i]
		if t.Later = i < len(all)-mostAtOnce; t.Later || !t.Run.State.Finished() {
			continue
		}
		if t.Answer, err = h.answerOf(ctx, t.Run); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (h Handlers) turnOf(ctx context.Context, m stockhand.Message, r stockhand.Run) Turn {
	a := stockhand.ActorOf(ctx)
	return Turn{Org: a.Org, Session: m.Session, Message: m, Mine: m.By == a.Name, Run: r,
		Cancel: a.May(stockhand.ScopeWriteTools)}
}

func (h Handlers) answerOf(ctx context.Context, r stockhand.Run) (*answer.Answer, error) {
	f, err := h.Agent.Finished(ctx, r.Org, r.ID)
	if err != nil {
		return nil, err
	}
	a, err := h.answersOf(ctx, r.Connection).Of(ctx, r.Org, f)
	a.Connection = r.Connection
	if a.May && (a.Applied != nil || a.Called != nil) {
		a.Save = h.savable(ctx, f)
	}
	return &a, err
}

// Talk serves a conversation.
func (h Handlers) Talk(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	s, err := h.session(r)
	if err != nil {
		return err
	}
	all, err := h.turns(ctx, s)
	if err != nil {
		return err
	}
	c, err := h.composer(ctx, s)
	if err != nil {
		return err
	}
	past, err := h.past(r)
	if err != nil {
		return err
	}
	kept := Kept{Session: s, Link: page.Path(s.Org, "ask", string(s.ID))}
	if kept.Pinned, kept.Shared, err = h.Pins.Of(ctx, s.Org, s.ID, stockhand.ActorOf(ctx).Name); err != nil {
		return err
	}
	return h.Frames.Show(w, r, page.Page{Title: s.Title, Section: page.Ask, Content: talkPage(kept, all, c, past)})
}

// Kept is a conversation, and whose list it is at the top of.
type Kept struct {
	stockhand.Session
	Link           string
	Pinned, Shared bool
}

func (h Handlers) session(r *http.Request) (stockhand.Session, error) {
	id := stockhand.SessionID(r.PathValue("session_id"))
	return h.Store.Session(r.Context(), stockhand.ActorOf(r.Context()).Org, id)
}

// turn reads the turn of a message of the person.
func (h Handlers) turn(r *http.Request) (Turn, error) {
	ctx := r.Context()
	s, err := h.session(r)
	if err != nil {
		return Turn{}, err
	}
	m, err := h.Store.Message(ctx, s.Org, stockhand.MessageID(r.PathValue("message_id")))
	if err == nil && (m.Session != s.ID || m.Author != stockhand.FromPerson) {
		err = stockhand.Errorf(stockhand.CodeNotFound, "no such message in this conversation")
	}
	if err != nil {
		return Turn{}, err
	}
	run, err := h.Store.Run(ctx, s.Org, m.Run)
	return h.turnOf(ctx, m, run), err
}

// Answer serves the answer of a turn, for one that came into view.
func (h Handlers) Answer(w http.ResponseWriter, r *http.Request) error {
	t, err := h.turn(r)
	if err != nil {
		return err
	}
	if !page.Part(r) {
		return page.Go(w, r, page.Path(t.Org, "ask", string(t.Session))+"#"+string(t.Message.ID))
	}
	if t.Run.State.Finished() {
		if t.Answer, err = h.answerOf(r.Context(), t.Run); err != nil {
			return err
		}
	}
	return page.Write(w, r, http.StatusOK, answered(t))
}

// Start starts a turn: as the first of a new conversation, or after the others of its own.
func (h Handlers) Start(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	task := agent.Task{Text: form.Get("message"), Session: stockhand.SessionID(form.Get("session")),
		Connection: stockhand.ConnectionID(form.Get("connection")), Actor: a}
	if task.Session != "" {
		if _, err := h.Store.Session(ctx, a.Org, task.Session); err != nil {
			return err
		}
	}
	turn, done, err := h.ByWord.Do(ctx, task)
	if err == nil && !done {
		turn, err = h.Agent.Start(ctx, a.Org, task)
	}
	return h.started(w, r, turn, task.Session != "", err)
}

// started shows a new turn: below the others of its conversation, or on the page of a new one.
func (h Handlers) started(w http.ResponseWriter, r *http.Request, turn agent.Turn, here bool, err error) error {
	ctx, org := r.Context(), stockhand.ActorOf(r.Context()).Org
	if err != nil {
		if said, ok := page.Said(ctx, err); ok && page.Part(r) {
			return page.Write(w, r, http.StatusOK, refused(said))
		}
		return err
	}
	if !page.Part(r) || !here {
		return page.Go(w, r, page.Path(org, "ask", string(turn.Session))+"#"+string(turn.Message))
	}
	m, err := h.Store.Message(ctx, org, turn.Message)
	if err != nil {
		return err
	}
	run, err := h.Store.Run(ctx, org, turn.Run)
	if err != nil {
		return err
	}
	t := h.turnOf(ctx, m, run)
	if run.State.Finished() {
		if t.Answer, err = h.answerOf(ctx, run); err != nil {
			return err
		}
	}
	return page.Write(w, r, http.StatusOK, turnOf(t))
}

// Query asks a changed query as the next turn of its conversation.
func (h Handlers) Query(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	t, err := h.turn(r)
	if err != nil {
		return err
	}
	s, err := h.session(r)
	if err != nil {
		return err
	}
	x := agent.Execution{Connection: s.Connection, Language: text.Language(ctx), Actor: a, Session: t.Session}
	k, _ := h.analyst()
	today := tool.DayOf(h.Clock().In(k.Zone.Location()))
	if form.Has("query") {
		q, failed := h.answersOf(ctx, s.Connection).Changed(x.Language, form, today)
		x.Tool, x.Arguments, x.Message, err = k.Analyze, json.RawMessage(q.JSON()), q.Words(), failed
	} else {
		err = h.again(ctx, t, form, today, &x)
	}
	var turn agent.Turn
	if err == nil {
		turn, err = h.Agent.Execute(ctx, a.Org, x)
	}
	return h.started(w, r, turn, true, err)
}

// again prepares the call of a turn with a change.
func (h Handlers) again(ctx context.Context, t Turn, form url.Values, today tool.Day, x *agent.Execution) error {
	f, err := h.Agent.Finished(ctx, t.Org, t.Run.ID)
	if err != nil {
		return err
	}
	if len(f.ToolCalls) != 1 {
		return stockhand.Errorf(stockhand.CodeConflict, "the answer has no single call")
	}
	next, err := h.answersOf(ctx, t.Run.Connection).Recalled(ctx, f.ToolCalls[0], form, today)
	x.Tool, x.Arguments, x.Message = next.Tool, next.Arguments, next.Words
	return err
}

// Cancel stops a turn.
func (h Handlers) Cancel(w http.ResponseWriter, r *http.Request) error {
	t, err := h.turn(r)
	if err != nil {
		return err
	}
	err = h.Agent.Cancel(r.Context(), t.Org, t.Run.ID)
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict { // it has ended
		return err
	}
	if page.Part(r) { // the stream shows the end
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return page.Go(w, r, page.Path(t.Org, "ask", string(t.Session)))
}

// Rename changes the title of a conversation.
func (h Handlers) Rename(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	s, err := h.session(r)
	if err != nil {
		return err
	}
	title := []rune(strings.Join(strings.Fields(form.Get("title")), " "))
	if len(title) == 0 || len(title) > 200 {
		return stockhand.Errorf(stockhand.CodeValidation, "title must have 1 to 200 characters")
	}
	if err := h.Store.RenameSession(r.Context(), s.Org, s.ID, string(title)); err != nil {
		return err
	}
	return page.Go(w, r, page.Path(s.Org, "ask", string(s.ID)))
}

// Delete deletes a conversation with its answers and tables.
func (h Handlers) Delete(w http.ResponseWriter, r *http.Request) error {
	s, err := h.session(r)
	if err != nil {
		return err
	}
	detail, err := json.Marshal(map[string]any{"session_id": s.ID, "created_by": s.By})
	if err != nil {
		return err
	}
	if err := h.Store.DeleteSession(r.Context(), s.Org, s.ID, stockhand.AuditEntry{At: h.Clock(),
		Actor: stockhand.ActorOf(r.Context()).Name, Action: "session.deleted", Detail: detail}); err != nil {
		return err
	}
	if h.Freed != nil {
		h.Freed(s.Org)
	}
	return page.Go(w, r, page.Path(s.Org, "ask"))
}
