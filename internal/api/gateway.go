package api

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
)

// Gateway forwards raw requests to an external system; *connection.Forwarder implements it. internal/app creates
// everything that can write (decision 14).
type Gateway interface {
	Judge(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, r connector.GatewayRequest) (
		connection.Verdict, error)
	Pass(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, r connector.GatewayRequest,
		a stockhand.Actor) (*connector.GatewayAnswer, error)
}

// gateway forwards a request and streams the response back with its status and content type (rule R65). Of the caller's
// headers, only the language and the content type are forwarded.
func (s *Server) gateway(w http.ResponseWriter, r *http.Request) error {
	id := stockhand.ConnectionID(r.PathValue("connection_id"))
	actor := stockhand.ActorOf(r.Context())
	if err := cmp.Or(actor.Binding.Raw(), actor.Binding.Connection(id)); err != nil {
		return err
	}
	out, err := gatewayRequest(r, id)
	if err != nil {
		return err
	}
	v, err := s.Gateway.Judge(r.Context(), actor.Org, id, out)
	if err != nil {
		return err
	}
	if dryRun(r.Context()) {
		return writeVerdict(r.Context(), w, out, v)
	}
	if err := cmp.Or(v.Address, v.Refusal); err != nil {
		if stockhand.CodeOf(err) == stockhand.CodeMethodNotAllowed {
			w.Header().Set("Allow", "GET, HEAD, POST, PUT, DELETE")
		}
		return err
	}
	if !v.Reads {
		if out.Body, err = io.ReadAll(r.Body); err != nil { // the guard limited its size
			return err
		}
	}
	answer, err := s.Gateway.Pass(r.Context(), actor.Org, id, out, actor)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	h := w.Header()
	for name, values := range answer.Header {
		h[name] = values
	}
	if answer.Header.Get("Content-Type") == "" {
		h["Content-Type"] = nil // net/http would guess one
	}
	// content from elsewhere must not run as one of our pages
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(answer.Status)
	if _, err := io.Copy(w, answer.Body); err != nil {
		panic(http.ErrAbortHandler) // a truncated response must not look complete
	}
	return nil
}

// gatewayRequest returns the part of a request to forward. Except for escaped slashes, the path is unchanged, so that
// the gateway can reject other escapes.
func gatewayRequest(r *http.Request, id stockhand.ConnectionID) (connector.GatewayRequest, error) {
	sent := r.URL.EscapedPath()
	if r.URL.IsAbs() || r.URL.Host != "" || r.URL.User != nil || r.URL.Fragment != "" {
		return connector.GatewayRequest{},
			invalid("path", "must be a path below the gateway, not a URL")
	}
	prefix := Base + "/connections/" + url.PathEscape(string(id)) + "/gateway/"
	path, ok := strings.CutPrefix(sent, prefix)
	// generated clients escape the slashes of a path parameter; the gateway rejects every other escape
	path = strings.NewReplacer("%2F", "/", "%2f", "/").Replace(path)
	if !ok {
		return connector.GatewayRequest{},
			invalid("path", "must not have escapes before the gateway part")
	}
	out := connector.GatewayRequest{Method: r.Method, Path: path, Query: r.URL.RawQuery,
		Language: r.Header.Get("Accept-Language"), Type: r.Header.Get("Content-Type")}
	if reading := r.Method == http.MethodGet || r.Method == http.MethodHead; reading && r.ContentLength != 0 {
		return out, invalid("body", "must be empty in a GET or HEAD request")
	}
	return out, nil
}

func writeVerdict(ctx context.Context, w http.ResponseWriter, r connector.GatewayRequest, v connection.Verdict) error {
	gate := func(name string, refusal error) wire.Gate {
		g := wire.Gate{Name: name, Passed: refusal == nil}
		if refusal != nil {
			said := errorBody(ctx, refusal).Detail
			g.Code, g.Message = said.Code, said.Message
		}
		return g
	}
	w.Header().Set("Content-Type", "application/json")
	return formats["application/json"].Marshal(w, wire.GatewayTrial{
		DryRun: true, Method: r.Method, Path: r.Path, Query: r.Query,
		Gates: []wire.Gate{gate("address", v.Address), gate("gateway_writes", v.Refusal)},
	})
}
