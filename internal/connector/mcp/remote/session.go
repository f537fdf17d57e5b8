package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/outbound"
)

// protocol is the requested version of the protocol. Servers answer with this one or an older supported one.
const protocol = "2025-11-25"

var spoken = map[string]bool{"2025-11-25": true, "2025-06-18": true, "2025-03-26": true}

// Session is a conversation with a server. It is not for concurrent use.
type Session struct {
	config  Config
	url     *url.URL
	account stockhand.AccountID
	client  *http.Client
	log     *slog.Logger

	id      string // assigned by the server; empty if it is stateless
	version string // negotiated
	server  Server
	last    int64 // id of the last request
	sent    int   // requests
}

// Open starts a session. Its errors are EXTERNAL_TOKEN_REJECTED for a rejected token, VALIDATION_FAILED for an address
// that may not be reached or is not an MCP server, and EXTERNAL_UNAVAILABLE for a server that does not answer.
func Open(ctx context.Context, c Config) (*Session, error) {
	u, account, err := ParseAddress(c.URL, c.Private)
	if err != nil {
		return nil, err
	}
	c.CallTime = cmp.Or(c.CallTime, time.Minute)
	s := &Session{config: c, url: u, account: account, client: c.client(u), log: c.Logger}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.initialize(ctx); err != nil {
		s.Close(ctx)
		return nil, err
	}
	return s, nil
}

// Server returns the server's description of itself.
func (s *Session) Server() Server { return s.server }

// Requests returns how many requests were sent so far.
func (s *Session) Requests() int { return s.sent }

func (s *Session) initialize(ctx context.Context) error {
	params := json.RawMessage(`{"protocolVersion":"` + protocol +
		`","capabilities":{},"clientInfo":{"name":"stockhand","version":"1"}}`)
	raw, err := s.request(ctx, "initialize", params, setUpTime)
	if err != nil {
		return err
	}
	var answer struct {
		ProtocolVersion string `json:"protocolVersion"`
		ServerInfo      struct{ Name, Title, Version string }
	}
	if json.Unmarshal(raw, &answer) != nil || !spoken[answer.ProtocolVersion] {
		return s.failure(&Failure{Fate: Declined, kind: noServer}, nil)
	}
	s.version = answer.ProtocolVersion
	s.server = Server{Name: Words(cmp.Or(answer.ServerInfo.Title, answer.ServerInfo.Name, s.url.Host), 100),
		Version: Words(answer.ServerInfo.Version, 50)}
	return s.notify(ctx, "notifications/initialized")
}

// Tools lists the server's tools in its order, and separately those whose descriptions are invalid.
func (s *Session) Tools(ctx context.Context) ([]Definition, []Refused, error) {
	var all []Definition
	var refused []Refused
	cursor := ""
	for range maxPages {
		params := json.RawMessage("{}")
		if cursor != "" {
			params, _ = json.Marshal(map[string]string{"cursor": cursor}) // marshalling a map of strings cannot fail
		}
		raw, err := s.request(ctx, "tools/list", params, setUpTime)
		if err != nil {
			return nil, nil, err
		}
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		if json.Unmarshal(raw, &page) != nil {
			return nil, nil, s.failure(&Failure{Fate: Lost, kind: garbled}, nil)
		}
		for _, t := range page.Tools {
			d, err := readDefinition(t)
			switch {
			case err != nil:
				refused = append(refused, Refused{Words(d.Name, 60), err.Error()})
			case len(all) == maxTools:
				refused = append(refused,
					Refused{Words(d.Name, 60), "only the first " + strconv.Itoa(maxTools) +
						" tools of a server are used"})
			default:
				all = append(all, d)
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			return all, refused[:min(len(refused), maxTools)], nil
		}
	}
	return nil, nil, s.failure(&Failure{Fate: Lost, kind: tooLarge}, nil)
}

// CallParams returns the parameters of a call as they are sent, deterministically.
func CallParams(tool string, arguments json.RawMessage) (json.RawMessage, error) {
	return json.Marshal(struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}{tool, arguments})
}

// Call calls a tool once, if the configuration allows it.
func (s *Session) Call(ctx context.Context, tool string, arguments json.RawMessage) (Answer, error) {
	if s.config.May == nil {
		return Answer{}, stockhand.Errorf(stockhand.CodeInternal, "the session allows no tool calls")
	}
	if err := s.config.May(tool); err != nil {
		return Answer{}, err
	}
	params, err := CallParams(tool, arguments)
	if err != nil {
		return Answer{}, stockhand.Errorf(stockhand.CodeValidation, "the arguments are not JSON")
	}
	raw, err := s.request(ctx, "tools/call", params, s.config.CallTime)
	if err != nil {
		return Answer{}, err
	}
	answer, err := readAnswer(raw)
	if err != nil {
		return Answer{}, s.failure(&Failure{Fate: Lost, kind: garbled}, nil)
	}
	return answer, nil
}

// Close ends the session. If the server does not receive it, the session expires there.
func (s *Session) Close(ctx context.Context) {
	defer s.client.CloseIdleConnections()
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	answer, _, err := s.send(ctx, http.MethodDelete, nil)
	if err != nil {
		s.log.DebugContext(ctx, "end an MCP session", "server", s.account, "err", err)
		return
	}
	_ = answer.Body.Close()
}

// message is a JSON-RPC message in either direction.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *RPCError       `json:"error,omitempty"`
}

// RPCError is a JSON-RPC error.
type RPCError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// request sends a request and returns its result.
func (s *Session) request(ctx context.Context, method string, params json.RawMessage,
	most time.Duration) (json.RawMessage, error) {
	s.last++
	id := json.RawMessage(strconv.FormatInt(s.last, 10))
	m, fail := s.exchange(ctx, message{Version: "2.0", ID: id, Method: method, Params: params}, most)
	if fail != nil {
		return nil, s.failure(fail, fail.cause)
	}
	if m.Error != nil {
		fate := Lost // the server failed; how far it got is unknown
		switch m.Error.Code {
		case -32700, -32600, -32601, -32602: // it was not started
			fate = Declined
		}
		return nil, s.failure(&Failure{Fate: fate, kind: saidNo, Words: Words(m.Error.Message, maxWords)}, nil)
	}
	return m.Result, nil
}

// notify sends a message without a response.
func (s *Session) notify(ctx context.Context, method string) error {
	_, fail := s.exchange(ctx, message{Version: "2.0", Method: method}, setUpTime)
	if fail != nil {
		return s.failure(fail, fail.cause)
	}
	return nil
}

func (s *Session) exchange(ctx context.Context, m message, most time.Duration) (message, *Failure) {
	body, err := json.Marshal(m)
	if err != nil {
		return message{}, &Failure{Fate: Unsent, kind: garbled, cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	answer, left, err := s.send(ctx, http.MethodPost, body)
	if err != nil {
		f := &Failure{Fate: Unsent, kind: silent, cause: err}
		if left {
			f.Fate = Lost
		}
		if forbidden, ok := errors.AsType[*outbound.ForbiddenError](err); ok {
			f.kind = private
			if forbidden.Unencrypted {
				f.kind = open
			}
		}
		return message{}, f
	}
	defer func() { _ = answer.Body.Close() }()
	if f := refusal(answer.StatusCode); f != nil {
		return message{}, f
	}
	if s.id == "" && m.Method == "initialize" {
		s.id = answer.Header.Get("Mcp-Session-Id")
	}
	if m.ID == nil {
		return message{}, nil
	}
	return read(answer, m.ID)
}

// send sends an HTTP request; left reports whether any of it may have reached the server.
func (s *Session) send(ctx context.Context, method string, body []byte) (_ *http.Response, left bool, _ error) {
	done, err := s.config.acquire(ctx, s.account)
	if err != nil {
		return nil, false, err
	}
	defer done(limit.Feedback{})
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx,
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.url.String(), reader)
	if err != nil {
		return nil, false, err
	}
	r.GetBody = nil // the transport must not send it again
	r.Header.Set("User-Agent", "stockhand")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.config.Token != "" {
		r.Header.Set("Authorization", "Bearer "+s.config.Token)
	}
	if s.version != "" {
		r.Header.Set("Mcp-Protocol-Version", s.version)
	}
	if s.id != "" {
		r.Header.Set("Mcp-Session-Id", s.id)
	}
	s.sent++
	answer, err := s.client.Do(r)
	return answer, connected.Load(), err
}
