package results

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/spreadsheet"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Records are the store methods that the handlers need beside those of [Store].
type Records interface {
	Store
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	ToolCalls(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) ([]stockhand.ToolCall, error)
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	CreateSession(ctx context.Context, org stockhand.OrgID, s stockhand.Session) (stockhand.Session, error)
}

// Caller calls tools; package agent documents the method.
type Caller interface {
	Execute(ctx context.Context, org stockhand.OrgID, x agent.Execution) (agent.Turn, error)
}

// Handlers serve results.
type Handlers struct {
	Frames page.Frames
	Store  Records
	Agent  Caller
	Behind connector.Behind // nil: cells open nothing
	Browse *connector.Browse
}

// found reads the head of a result that the person may see, as everybody who may read the organization's data.
func (h Handlers) found(r *http.Request) (stockhand.StoredResult, error) {
	ctx := r.Context()
	return h.Store.Result(ctx, stockhand.ActorOf(ctx).Org, stockhand.ResultID(r.PathValue("result_id")))
}

// View reads what a person chose to see of a result.
func (h Handlers) View(ctx context.Context, kept stockhand.StoredResult, c Choice) (View, error) {
	v, err := Of(ctx, h.Store, kept, c)
	if err != nil || h.Behind == nil || !stockhand.ActorOf(ctx).May(stockhand.ScopeWriteTools) {
		return v, err
	}
	calls, err := h.Store.ToolCalls(ctx, kept.Org, kept.Run)
	for _, call := range calls {
		if call.Result == kept.ID {
			v.Opens, v.Behind, v.Asked = true, h.Behind, call.Arguments
		}
	}
	if err != nil || h.Browse == nil || !v.Opens {
		return v, err
	}
	run, err := h.Store.Run(ctx, kept.Org, kept.Run)
	if err != nil {
		return v, err
	}
	session, err := h.Store.Session(ctx, kept.Org, run.Session)
	v.Address = h.addresses(session)
	return v, err
}

// addresses returns where calls of a session's tables are shown. In a conversation, documents are its next turn, so
// that they can be asked about.
func (h Handlers) addresses(s stockhand.Session) func(connector.Call) string {
	return func(c connector.Call) string {
		p, ok := h.Browse.Page(c)
		if !ok || p.ID == "" && s.Kind == stockhand.SessionChat {
			return ""
		}
		q := url.Values{"connection": {string(s.Connection)}}
		maps.Copy(q, p.Conditions)
		parts := []string{string(p.Section)}
		if p.ID != "" {
			parts = append(parts, p.ID)
		}
		return page.Path(s.Org, parts...) + "?" + q.Encode()
	}
}

// opened is what a cell opens.
type opened struct {
	connector.Call
	path  string // of its page
	leads bool   // it is the next turn of the conversation
}

// opening returns what a cell opens.
func (v View) opening(row Row, column int) (o opened) {
	call, ok := v.behind(row, column)
	if !ok {
		return o
	}
	o.Call = call
	if v.Address != nil {
		o.path = v.Address(call)
	}
	o.leads = o.path == "" && v.Opens
	return o
}

// Rows reads the first rows of a part of a result, to draw them.
func (h Handlers) Rows(ctx context.Context, kept stockhand.StoredResult, part, most int) (*tool.Result, error) {
	table, err := tool.ReadTable(kept, h.Store.ResultRows(ctx, kept.Org, kept.ID, 0, kept.Rows))
	if err != nil {
		return nil, err
	}
	parts := table.Split()
	if part < 0 || part >= len(parts) {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "the result has no such part")
	}
	return parts[part].First(most)
}

// Show serves a table: alone for htmx, else on a page.
func (h Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	kept, err := h.found(r)
	if err != nil {
		return err
	}
	v, err := h.View(ctx, kept, ChoiceOf(r.URL.Query()))
	if err != nil {
		return err
	}
	if page.Part(r) {
		return page.Write(w, r, http.StatusOK, Table(v))
	}
	session := ""
	if run, err := h.Store.Run(ctx, kept.Org, kept.Run); err == nil {
		session = page.Path(kept.Org, "ask", string(run.Session))
	}
	return h.Frames.Show(w, r, page.Page{Title: v.title(ctx), Section: page.Ask, Content: resultPage(v, session)})
}

// File serves the whole result as a spreadsheet.
func (h Handlers) File(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	kept, err := h.found(r)
	if err != nil {
		return err
	}
	form := spreadsheet.Form(r.URL.Query().Get("format"))
	if form != spreadsheet.CSV && form != spreadsheet.XLSX {
		return stockhand.Errorf(stockhand.CodeValidation, "format must be csv or xlsx")
	}
	if kept.Expired {
		return stockhand.ErrResultExpired
	}
	table, err := tool.ReadTable(kept, h.Store.ResultRows(ctx, kept.Org, kept.ID, 0, kept.Rows))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	return spreadsheet.Write(w, form, text.Language(ctx), table.Title,
		kept.Created.In(table.Provenance.Zone.Location()), table)
}

// Open opens what is behind a cell: it calls a tool as the next turn of the conversation.
func (h Handlers) Open(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	kept, err := h.found(r)
	if err != nil {
		return err
	}
	at, column, _ := strings.Cut(form.Get("cell"), ":")
	row, err := strconv.Atoi(at)
	part, _ := strconv.Atoi(form.Get("part"))
	if err != nil || row < 0 || row >= kept.Rows {
		return stockhand.Errorf(stockhand.CodeNotFound, "the result has no such row")
	}
	v, err := h.View(ctx, kept, Choice{Part: part})
	if err != nil {
		return err
	}
	cells, err := v.read(ctx, h.Store, kept, []int{row})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(v.Table.Columns, func(c tool.Column) bool { return c.Name == column })
	call, ok := v.behind(cells[0], i)
	if !ok {
		return stockhand.Errorf(stockhand.CodeNotFound, "nothing is behind this cell")
	}
	run, err := h.Store.Run(ctx, kept.Org, kept.Run)
	if err != nil {
		return err
	}
	session, err := h.Store.Session(ctx, kept.Org, run.Session)
	if err != nil {
		return err
	}
	if session.Kind != stockhand.SessionChat { // of a list, a card or a tile
		session, err = h.Store.CreateSession(ctx, kept.Org, stockhand.Session{
			Title: call.Title.In(text.Language(ctx)), Connection: session.Connection, Kind: stockhand.SessionChat,
			By: a.Name, Created: time.Now().UTC()})
		if err != nil {
			return err
		}
	}
	turn, err := h.Agent.Execute(ctx, kept.Org, agent.Execution{Tool: call.Tool, Arguments: call.Arguments,
		Connection: session.Connection, Language: text.Language(ctx), Actor: a, Session: session.ID,
		Message: call.Title.In(text.Language(ctx))})
	if err != nil {
		return err
	}
	return page.Go(w, r, page.Path(kept.Org, "ask", string(turn.Session))+"#"+string(turn.Message))
}

// behind returns the call that opens what is behind a cell.
func (v View) behind(row Row, column int) (connector.Call, bool) {
	if v.Behind == nil || column < 0 || row.Cells[column].IsEmpty() {
		return connector.Call{}, false
	}
	return v.Behind(v.Table.Result, v.Asked, row.Cells, column)
}
