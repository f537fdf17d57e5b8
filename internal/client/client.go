// Package client calls another Stockhand over its HTTP API: start a task, follow its events, read the outcome.
//
// Following a run survives lost connections and restarts of the server: the client reconnects with the number of the
// last event it received, so it sees each event once and in order. Errors of the server are returned as
// *stockhand.Error with their code and hint; a server that does not answer is EXTERNAL_UNAVAILABLE.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// base is the prefix of the native API (rule R38).
const base = "/api/v1"

// Client calls one server with one key or token. Its methods are safe for concurrent use.
type Client struct {
	address string // with the prefix
	token   string
	org     stockhand.OrgID
	http    *http.Client
}

// New returns a client for a server such as "https://stockhand.example.org", with or without /api/v1. The organization
// is only needed for users who belong to several.
func New(address, token string, org stockhand.OrgID) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "this is not the address of a server").WithHint(
			"Use an address such as https://stockhand.example.org or http://127.0.0.1:8080.")
	}
	if !strings.HasSuffix(u.Path, base) {
		u.Path += base
	}
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		transport = &http.Transport{}
	}
	return &Client{address: u.String(), token: token, org: org, http: &http.Client{
		Transport: transport.Clone(), CheckRedirect: NoRedirects}}, nil
}

// NoRedirects is a CheckRedirect function that returns redirects instead of following them, because requests are only
// meant for one server.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Task is a task for the agent.
type Task struct {
	Message    string                 `json:"message"`
	Session    stockhand.SessionID    `json:"session_id,omitempty"`
	Connection stockhand.ConnectionID `json:"connection_id,omitempty"`
	Language   stockhand.Language     `json:"language,omitempty"`
}

// Turn identifies a started task: its session and its message with the answer.
type Turn struct {
	Session stockhand.SessionID `json:"session_id"`
	Message stockhand.MessageID `json:"message_id"`
}

func (t Turn) path() string {
	return "/sessions/" + url.PathEscape(string(t.Session)) + "/messages/" + url.PathEscape(string(t.Message))
}

// Start starts a task. If the response is lost, the request is repeated, and the task still runs only once.
func (c *Client) Start(ctx context.Context, t Task) (Turn, error) {
	var turn Turn
	err := c.write(ctx, http.MethodPost, "/sessions/stream", t, &turn)
	return turn, err
}

// Cancel cancels a turn.
func (c *Client) Cancel(ctx context.Context, t Turn) error {
	return c.write(ctx, http.MethodPost, t.path()+"/cancel", nil, nil)
}

// Finished returns the message of a turn whose events have ended, as sent by the server.
func (c *Client) Finished(ctx context.Context, t Turn) (json.RawMessage, error) {
	var message json.RawMessage
	err := c.do(ctx, http.MethodGet, t.path()+"?wait=10", nil, &message, nil)
	return message, err
}

// Result returns a result with all its rows.
func (c *Client) Result(ctx context.Context, id stockhand.ResultID) (json.RawMessage, error) {
	var result json.RawMessage
	err := c.do(ctx, http.MethodGet, "/results/"+url.PathEscape(string(id))+"?format=json", nil, &result, nil)
	return result, err
}

// Connection is a connected account.
type Connection struct {
	ID      stockhand.ConnectionID `json:"id"`
	Account stockhand.AccountID    `json:"account_id"`
	Label   string                 `json:"label"`
}

// Me checks that the server answers and accepts the key.
func (c *Client) Me(ctx context.Context) error {
	return c.do(ctx, http.MethodGet, "/me", nil, nil, nil)
}

// Connections lists the connected accounts.
func (c *Client) Connections(ctx context.Context) ([]Connection, error) {
	var all []Connection
	for cursor := ""; ; {
		var page struct {
			Data []Connection `json:"data"`
			Next string       `json:"next_cursor"`
		}
		if err := c.do(ctx, http.MethodGet, "/connections?limit=200&cursor="+url.QueryEscape(cursor), nil, &page,
			nil); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// The timeout of a call, and the maximum attempts for a write whose response was lost.
const (
	callTime = 90 * time.Second
	tries    = 3
)

// write sends a write with an idempotency key, so that it can be repeated if the response is lost.
func (c *Client) write(ctx context.Context, method, path string, in, out any) error {
	own := http.Header{"Idempotency-Key": {stockhand.NewID[string]("cli")}}
	for try := 1; ; try++ {
		err := c.do(ctx, method, path, in, out, own)
		if try == tries || ctx.Err() != nil || !errors.Is(err, errNoAnswer) || errors.Is(err, errRefused) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try) * 300 * time.Millisecond):
		}
	}
}

// do sends a request and decodes its response.
func (c *Client) do(ctx context.Context, method, path string, in, out any, header http.Header) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	answer, err := c.send(ctx, method, path, in, header)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(answer.Body, 256<<20))
	if err != nil {
		return c.unanswered(err)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(b, out); err != nil {
		return c.foreign(answer)
	}
	return nil
}

// send sends a request; an error response is returned as an error.
func (c *Client) send(ctx context.Context, method, path string, in any, header http.Header) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.address+path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.org != "" {
		r.Header.Set("X-Org-Id", string(c.org))
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.unanswered(err)
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer func() { _ = answer.Body.Close() }()
	return nil, c.refusal(answer)
}
