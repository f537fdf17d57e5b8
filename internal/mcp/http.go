package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
)

const (
	maxRequest    = 1 << 20 // bytes
	sessionHeader = "Mcp-Session-Id"
)

// Handler serves the protocol over Streamable HTTP to the actor of the request's context. It keeps no state between
// requests, so any replica serves any of them, except for the calls that are running: a session id tells them apart, so
// that a client can cancel them at the replica that runs them. A client that disconnects cancels its call everywhere.
func (s *Service) Handler() http.Handler {
	protocol := sdk.NewStreamableHTTPHandler(
		func(r *http.Request) *sdk.Server {
			gone, _ := r.Context().Value(goneKey{}).(<-chan struct{})
			return s.server(caller{Service: s, actor: stockhand.ActorOf(r.Context()), gone: gone,
				language: stockhand.PreferredLanguage(r.Header.Get("Accept-Language"))})
		},
		&sdk.StreamableHTTPOptions{
			Stateless:                    true,
			PropagateRequestCancellation: true,
			MaxRequestBodyBytes:          maxRequest,
			// A page that reached this address by DNS rebinding has no key to send, and behind a proxy on the same
			// machine every request would look like one.
			DisableLocalhostProtection: true,
		})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get(sessionHeader)
		if r.Method == http.MethodDelete && session != "" { // there is nothing to delete
			w.WriteHeader(http.StatusNoContent)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			http.Error(w, "the request body is too large or was cut off", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var message struct {
			Method string          `json:"method"`
			ID     json.RawMessage `json:"id"`
			Params struct {
				RequestID json.RawMessage `json:"requestId"`
			} `json:"params"`
		}
		_ = json.Unmarshal(body, &message) // the SDK answers what is malformed
		actor := stockhand.ActorOf(r.Context())
		call := callID{org: actor.Org, actor: actor.Name, session: session}
		switch message.Method {
		case "initialize":
			w.Header().Set(sessionHeader, stockhand.NewID[string]("mcp"))
		case "notifications/cancelled":
			call.request = string(message.Params.RequestID)
			s.running.cancel(call)
		case "tools/call":
			call.request = string(message.ID)
			ctx, end := s.running.start(r.Context(), call)
			defer end()
			r = r.WithContext(context.WithValue(r.Context(), goneKey{}, ctx.Done()))
		}
		protocol.ServeHTTP(w, r)
	})
}

// goneKey is the context key of the channel that is closed when a call's client cancels or disconnects.
type goneKey struct{}

// callID identifies a running call: request ids are unique within a session only.
type callID struct {
	org                     stockhand.OrgID
	actor, session, request string
}

// runningCalls are the calls over HTTP that this process is running.
type runningCalls struct {
	mu   sync.Mutex
	stop map[callID]context.CancelFunc
}

// start returns a context that ends when the call is cancelled. end must be called when it is over.
func (c *runningCalls) start(ctx context.Context, id callID) (_ context.Context, end func()) {
	ctx, stop := context.WithCancel(ctx)
	if id.session == "" {
		return ctx, stop
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop == nil {
		c.stop = map[callID]context.CancelFunc{}
	}
	c.stop[id] = stop
	return ctx, func() {
		stop()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.stop, id)
	}
}

func (c *runningCalls) cancel(id callID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stop := c.stop[id]; stop != nil {
		stop()
	}
}
