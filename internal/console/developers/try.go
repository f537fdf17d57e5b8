package developers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/fields"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Agent calls tools; package agent documents the methods.
type Agent interface {
	Execute(ctx context.Context, org stockhand.OrgID, x agent.Execution) (agent.Turn, error)
	Follow(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, after int64) iter.Seq2[stockhand.Event, error]
	Finished(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (*agent.Finished, error)
}

// Connections is the part of internal/connection that says what connections can do.
type Connections interface {
	Kind(name string) (connector.Kind, error)
	Open(ctx context.Context, c stockhand.Connection) (connector.Account, error)
	Catalogue(ctx context.Context, k connector.Kind, c stockhand.Connection, a stockhand.Actor) (
		*connector.Catalogue, error)
}

// tryTime is how long the page waits for a call. The call goes on without it.
const tryTime = time.Minute

// tryView is a form that calls a tool, or a query.
type tryView struct {
	Org      stockhand.OrgID
	MayAdd   bool   // the person may connect an account
	Part     string // tools or queries
	Address  string
	Accounts []stockhand.Connection
	Account  stockhand.ConnectionID
	Tools    []tool.Tool
	Tool     tool.Tool
	Fields   []fields.Field
	Request  request

	Problem *stockhand.Words
	Outcome *outcome
}

// outcome is what a call came to.
type outcome struct {
	Answer  answer.Answer
	Body    string // of the API's response
	Cut     bool   // the body is longer
	Took    time.Duration
	Running string // the address of the conversation, if the call still runs
}

// request is the request of a program that makes the same call.
type request struct{ Method, Path, Body string }

func (v tryView) path(rest ...string) string {
	return path(v.Org, append([]string{v.Part}, rest...)...)
}

func (v tryView) about(ctx context.Context) string { return v.Tool.About.In(text.Language(ctx)) }

func (v tryView) accounts() (all []ui.Option) {
	for _, c := range v.Accounts {
		all = append(all, ui.Option{Value: string(c.ID), Title: c.Label})
	}
	return all
}

func (v tryView) tools(ctx context.Context) (all []ui.Option) {
	for _, t := range v.Tools {
		all = append(all, ui.Option{Value: t.Name, Title: t.Title.In(text.Language(ctx)) + " · " + t.Name})
	}
	return all
}

// http is the request as it is sent.
func (v tryView) http() string {
	_, host, _ := strings.Cut(v.Address, "://")
	return v.Request.Method + " " + v.Request.Path + " HTTP/1.1\nHost: " + host + "\nAuthorization: Bearer " +
		placeholder + "\nContent-Type: application/json\n\n" + v.Request.Body
}

// curl is the request as a command.
func (v tryView) curl() string {
	return `curl "` + v.Address + v.Request.Path + `" \` + "\n  -H \"Authorization: Bearer " + placeholder +
		"\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '" +
		strings.ReplaceAll(v.Request.Body, "'", `'\''`) + "'"
}

// Tools serves the form of a tool.
func (h Handlers) Tools(w http.ResponseWriter, r *http.Request) error { return h.form(w, r, tools) }

// Queries serves the form of a query.
func (h Handlers) Queries(w http.ResponseWriter, r *http.Request) error { return h.form(w, r, queries) }

func (h Handlers) form(w http.ResponseWriter, r *http.Request, part string) error {
	given := r.URL.Query()
	if part == queries && len(given) == 0 { // something to begin with
		given = url.Values{"a-measures": {"revenue", "profit"}, "a-by": {"store"}}
	}
	v, _, err := h.view(r.Context(), part, given)
	if err != nil {
		return err
	}
	for i := range v.Fields {
		v.Fields[i].Error = ""
	}
	return h.show(w, r, http.StatusOK, part, tryPage(v))
}

// view is a form with what is filled in, and whether all of it can be sent.
func (h Handlers) view(ctx context.Context, part string, given url.Values) (v tryView, ok bool, err error) {
	a := stockhand.ActorOf(ctx)
	v = tryView{Org: a.Org, MayAdd: a.May(stockhand.ScopeAdmin), Part: part, Address: h.Address}
	all, err := h.Store.Connections(ctx, a.Org)
	if err != nil {
		return v, false, err
	}
	for _, c := range all {
		k, err := h.Connections.Kind(c.Connector)
		if err == nil && (part == tools || k.Catalogue != nil) {
			v.Accounts = append(v.Accounts, c)
		}
	}
	if len(v.Accounts) == 0 {
		return v, false, nil
	}
	c := v.Accounts[0]
	if i := slices.IndexFunc(v.Accounts, func(c stockhand.Connection) bool {
		return string(c.ID) == given.Get("account")
	}); i >= 0 {
		c = v.Accounts[i]
	}
	v.Account = c.ID
	k, err := h.Connections.Kind(c.Connector)
	if err != nil {
		return v, false, err
	}
	if v.Tools = k.Tools; len(v.Tools) == 0 { // they depend on the connection
		account, err := h.Connections.Open(ctx, c)
		if err != nil {
			return v, false, err
		}
		v.Tools = account.Tools()
	}
	name := given.Get("tool")
	if part == queries {
		name = k.Analyze
	}
	i := slices.IndexFunc(v.Tools, func(t tool.Tool) bool { return t.Name == name })
	if len(v.Tools) == 0 {
		return v, false, nil
	}
	v.Tool = v.Tools[max(i, 0)]
	v.Fields = fields.Of(ctx, v.Tool.Input.Schema, given)
	if part == queries {
		if err := h.fromCatalogue(ctx, k, v.Fields); err != nil {
			return v, false, err
		}
	}
	raw, ok := fields.Arguments(ctx, v.Fields)
	v.Request = requestOf(part, v.Tool.Name, c.ID, raw)
	return v, ok, nil
}

// fromCatalogue lets measures and dimensions be chosen by their titles.
func (h Handlers) fromCatalogue(ctx context.Context, k connector.Kind, all []fields.Field) error {
	catalogue, err := h.Connections.Catalogue(ctx, k, stockhand.Connection{}, stockhand.ActorOf(ctx))
	if err != nil {
		return err
	}
	for i := range all {
		f := &all[i]
		switch f.Name {
		case "measures":
			f.Kind, f.Required, f.About = fields.Ticks, true, ""
			for _, m := range catalogue.Measures {
				f.Options = append(f.Options, ui.Option{Value: m.Name, Title: m.Title.In(text.Language(ctx))})
			}
		case "by":
			f.Kind, f.About = fields.Ticks, ""
			for _, d := range catalogue.Dimensions {
				f.Options = append(f.Options, ui.Option{Value: d.Name, Title: d.Title.In(text.Language(ctx))})
			}
		}
	}
	return nil
}

// requestOf returns the request that makes a call (rule R385).
func requestOf(part, name string, c stockhand.ConnectionID, raw json.RawMessage) request {
	out := request{Method: http.MethodPost, Path: "/api/v1/query"}
	body := `{"connection_id":` + string(fields.Encode(string(c)))
	switch inner := string(raw[1:]); { // the fields of a query are those of the body itself
	case part == tools:
		out.Path = "/api/v1/tools/" + url.PathEscape(name) + "/execute"
		body += `,"arguments":` + string(raw) + `}`
	case inner == "}":
		body += inner
	default:
		body += "," + inner
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(body), "", "  ") == nil {
		out.Body = b.String()
	}
	return out
}

// ShowRequest serves the request of a form as it is filled in now.
func (h Handlers) ShowRequest(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	v, _, err := h.view(r.Context(), partOf(r), form)
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, requestShown(v))
}

// partOf is the part that a form belongs to.
func partOf(r *http.Request) string {
	if strings.Contains(r.URL.Path, "/"+queries) {
		return queries
	}
	return tools
}

// Call calls a tool or a query and shows the result.
func (h Handlers) Call(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	v, ok, err := h.view(ctx, partOf(r), form)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if ok {
		if err := h.call(ctx, &v); err != nil {
			said, ours := page.Said(ctx, err)
			if !ours {
				return err
			}
			status, v.Problem = page.Status(err), &said
			if e, is := errors.AsType[*stockhand.Error](err); is {
				for _, rest := range fields.Blame(v.Fields, e) {
					said.Message += "; " + rest.Field + ": " + rest.Message
				}
			}
		}
	} else {
		status, v.Problem = http.StatusUnprocessableEntity, &stockhand.Words{Message: text.FieldsWrong.In(ctx)}
	}
	if page.Part(r) {
		return page.Write(w, r, status, called(v))
	}
	return h.show(w, r, status, v.Part, tryPage(v))
}

// call makes the call as the API does, and waits for its end.
func (h Handlers) call(ctx context.Context, v *tryView) error {
	raw, _ := fields.Arguments(ctx, v.Fields)
	begin := h.Clock()
	turn, err := h.Agent.Execute(ctx, v.Org, agent.Execution{Tool: v.Tool.Name, Arguments: raw, Connection: v.Account,
		Language: text.Language(ctx), Actor: stockhand.ActorOf(ctx)})
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	for _, err := range h.Agent.Follow(waiting, v.Org, turn.Run, 0) {
		if err != nil {
			break // the run says the rest
		}
	}
	if waiting.Err() != nil {
		v.Outcome = &outcome{Running: page.Path(v.Org, page.Ask, string(turn.Session))}
		return nil
	}
	f, err := h.Agent.Finished(ctx, v.Org, turn.Run)
	if err != nil {
		return err
	}
	if f.Failure != nil {
		return &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}
	}
	v.Outcome = &outcome{Took: h.Clock().Sub(begin)}
	body, err := json.MarshalIndent(wire.Turn{SessionID: turn.Session, MessageID: turn.Message,
		State: stockhand.RunDone, Finished: f}, "", "  ")
	if err != nil {
		return err
	}
	v.Outcome.Body, v.Outcome.Cut = shortened(string(body))
	v.Outcome.Answer, err = h.Answers.Of(ctx, v.Org, f)
	return err
}

// mostShown is how many characters of a response the page shows.
const mostShown = 20_000

func shortened(s string) (string, bool) {
	if all := []rune(s); len(all) > mostShown {
		return string(all[:mostShown]) + "\n…", true
	}
	return s, false
}
