package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/store/activity"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	mostListed = 50  // runs or entries on a page
	mostEvents = 200 // of a run's log
)

var (
	runStates = []stockhand.RunState{"", stockhand.RunRunning, stockhand.RunQueued, stockhand.RunFailed,
		stockhand.RunCancelled, stockhand.RunDone}
	runKinds = map[stockhand.RunState]ui.Kind{stockhand.RunQueued: ui.Plain, stockhand.RunRunning: ui.Info,
		stockhand.RunDone: ui.Good, stockhand.RunFailed: ui.Bad, stockhand.RunCancelled: ui.Plain}
)

// runList is a page of the list of runs.
type runList struct {
	Org   stockhand.OrgID
	Tabs  []ui.Tab
	State []ui.Tab
	Rows  []activity.Run
	Names page.Names

	Titles map[stockhand.RunID]string
	Next   string // the address of the next page; empty on the last
}

// Runs serves the list of runs, newest first.
func (h Handlers) Runs(w http.ResponseWriter, r *http.Request) error {
	ctx, org, query := r.Context(), stockhand.ActorOf(r.Context()).Org, r.URL.Query()
	state := stockhand.RunState(query.Get("state"))
	if !slices.Contains(runStates, state) {
		return stockhand.Errorf(stockhand.CodeValidation, "there is no such state of runs")
	}
	path := page.Path(org, page.Operations)
	v := runList{Org: org, Tabs: tabs(ctx, org, page.Operations)}
	for _, s := range runStates {
		v.State = append(v.State, ui.Tab{Title: text.RunStates[s].In(ctx), Path: path + "?state=" + string(s),
			Count: -1, Current: s == state})
	}
	var err error
	v.Rows, err = h.Activity.Runs(ctx, org, state, stockhand.RunID(query.Get("before")), mostListed+1)
	if err != nil {
		return err
	}
	if len(v.Rows) > mostListed {
		v.Rows = v.Rows[:mostListed]
		v.Next = path + "?state=" + string(state) + "&before=" + string(v.Rows[mostListed-1].ID)
	}
	actors := make([]string, 0, len(v.Rows))
	v.Titles = make(map[stockhand.RunID]string, len(v.Rows))
	for _, row := range v.Rows {
		actors = append(actors, row.By)
		v.Titles[row.ID] = h.named(ctx, row.Task, row.Kind == stockhand.SessionDirect)
	}
	if v.Names, err = h.names(ctx, actors...); err != nil {
		return err
	}
	return h.show(w, r, text.Runs, runsPage(v))
}

// runView is the page of a run.
type runView struct {
	stockhand.Run
	Title   string
	Task    string
	Direct  bool
	By      string
	Account string
	Steps   []step
	Replies []reply
	Spans   []span
	Log     string // an event a line
	Cut     bool   // the log is longer
	Failure stockhand.Words

	Currency string // of the cost
}

// step is a call of a tool.
type step struct {
	stockhand.ToolCall
	Title     string
	Arguments string
	Took      string
}

// reply is a step of the model.
type reply struct {
	stockhand.ModelStep
	Message string
}

// Run serves a run with its steps and its log.
func (h Handlers) Run(w http.ResponseWriter, r *http.Request) error {
	ctx, org := r.Context(), stockhand.ActorOf(r.Context()).Org
	run, err := h.Store.Run(ctx, org, stockhand.RunID(r.PathValue("run_id")))
	if err != nil {
		return err
	}
	v := runView{Run: run, Currency: h.Currency}
	if err := h.about(ctx, &v); err != nil {
		return err
	}
	calls, err := h.Store.ToolCalls(ctx, org, run.ID)
	if err != nil {
		return err
	}
	for _, c := range calls {
		v.Steps = append(v.Steps, step{c, h.title(ctx, c.Tool), pretty(c.Arguments), took(ctx, c.Started, c.Finished)})
	}
	steps, err := h.Store.ModelSteps(ctx, org, run.ID)
	if err != nil {
		return err
	}
	for _, s := range steps {
		v.Replies = append(v.Replies, reply{s, pretty(s.Message)})
	}
	events, err := h.Store.Events(ctx, org, run.ID, 0, mostEvents)
	if err != nil {
		return err
	}
	v.read(ctx, events)
	v.Spans = v.trace(ctx, events)
	return h.show(w, r, text.RunOne, runPage(v))
}

// about fills in what the run is about, and for whom.
func (h Handlers) about(ctx context.Context, v *runView) error {
	task, err := h.Store.Message(ctx, v.Org, v.Message)
	if err != nil {
		return err
	}
	session, err := h.Store.Session(ctx, v.Org, v.Session)
	if err != nil {
		return err
	}
	v.Task, v.Direct = task.Text, session.Kind == stockhand.SessionDirect
	v.Title = text.RunOne.In(ctx)
	if v.Direct {
		v.Title = h.named(ctx, v.Task, true)
	}
	names, err := h.names(ctx, v.Run.By)
	if err != nil {
		return err
	}
	v.By = names.Of(ctx, v.Run.By)
	accounts, err := h.Store.Connections(ctx, v.Org)
	for _, c := range accounts {
		if c.ID == v.Connection {
			v.Account = c.Label
		}
	}
	return err
}

// read takes the log, and from it why the run failed.
func (v *runView) read(ctx context.Context, events []stockhand.Event) {
	var b bytes.Buffer
	for _, e := range events {
		fmt.Fprintf(&b, "%d\t%s\t%s\n", e.Seq, e.At.In(ui.Zone(ctx)).Format("15:04:05.000"), e.JSON())
		if e.Type == stockhand.EventError {
			_ = json.Unmarshal(e.Data, &v.Failure) // what cannot be read is in the log
		}
	}
	v.Log, v.Cut = b.String(), len(events) == mostEvents
}

// named returns the title of a run: the tool that was called, or the beginning of the question.
func (h Handlers) named(ctx context.Context, task string, direct bool) string {
	if direct {
		name, _, _ := strings.Cut(task, " ")
		return h.title(ctx, name)
	}
	const most = 140
	if r := []rune(task); len(r) > most {
		return string(r[:most]) + "…"
	}
	return task
}

// title returns the title of a tool; of one that is not known, its name.
func (h Handlers) title(ctx context.Context, name string) string {
	for _, k := range h.Kinds {
		for _, t := range k.Tools {
			if t.Name == name {
				return t.Title.In(text.Language(ctx))
			}
		}
	}
	return name
}

// pretty returns JSON as people read it.
func pretty(body json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// took returns how long something lasted; empty if it has not ended.
func took(ctx context.Context, from, to time.Time) string {
	if from.IsZero() || to.Before(from) {
		return ""
	}
	l := text.Language(ctx)
	switch d := to.Sub(from); {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + l.Pick("\u00a0мс", "\u00a0ms")
	case d < time.Minute:
		tenths := strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
		return l.Pick(comma(tenths)+"\u00a0с", tenths+"\u00a0s")
	default:
		return fmt.Sprintf(l.Pick("%d мин %d с", "%d min %d s"), int(d.Minutes()), int(d.Seconds())%60)
	}
}

func comma(number string) string {
	return string(bytes.ReplaceAll([]byte(number), []byte("."), []byte(",")))
}

// ended returns how long a run has taken.
func ended(ctx context.Context, r stockhand.Run) string {
	if !r.State.Finished() {
		return text.InProgress.In(ctx)
	}
	return took(ctx, r.Created, r.Updated)
}

// count formats a whole number.
func count(ctx context.Context, n int64) string {
	return tool.Count(int(n)).Format(tool.UnitCount, text.Language(ctx))
}
