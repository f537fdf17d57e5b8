package connection

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
)

// Gateways opens a connection's raw API for reading, or for reading and writing. Only internal/app implements it;
// nothing else in the program can open a gateway that writes (decision 14).
type Gateways interface {
	Gateway(c stockhand.Connection, writes bool) (connector.Gateway, error)
}

// Forwarder forwards raw requests to the external system of a connection, for callers with the gateway scope.
type Forwarder struct {
	Connections *Service
	Gateways    Gateways
	Audit       *audit.Log // makes the fingerprints of what is written
}

// Verdict is the gateway's decision about a request.
type Verdict struct {
	Connection stockhand.Connection
	Reads      bool  // the request changes nothing
	Address    error // why the path or form of the request is rejected; nil if it is accepted
	Refusal    error // why this connection may not send it, whatever its path; nil if it may

	gateway connector.Gateway
}

// Judge decides about a request without sending it. It returns an error when the connection does not exist or cannot be
// used.
func (f *Forwarder) Judge(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	r connector.GatewayRequest) (Verdict, error) {
	c, err := f.Connections.Store.Connection(ctx, org, id)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Connection: c, Reads: r.Method == http.MethodGet || r.Method == http.MethodHead}
	if v.gateway, err = f.Gateways.Gateway(c, !v.Reads); err != nil {
		return Verdict{}, err
	}
	v.Address = v.gateway.Check(r)
	if !v.Reads && !c.GatewayWrites {
		v.Refusal = stockhand.Errorf(stockhand.CodePermissionDenied,
			"the gateway of this connection only forwards requests that read").
			WithHint("propose the change as a draft, or ask an owner or admin of the organization to turn on "+
				"gateway_writes: PATCH /connections/%s", id)
	} else if !v.Reads {
		stop, err := f.Connections.Store.WriteStop(ctx, org)
		if err != nil {
			return Verdict{}, err
		}
		v.Refusal = stop.Refusal()
	}
	return v, nil
}

// Pass sends a request and returns the response unchanged. A read is retried after a temporary failure. A write needs
// the connection's gateway_writes and is sent once; the audit log records it before it is sent and again with the
// outcome.
func (f *Forwarder) Pass(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	r connector.GatewayRequest,
	a stockhand.Actor) (*connector.GatewayAnswer, error) {
	v, err := f.Judge(ctx, org, id, r)
	if err == nil {
		err = cmp.Or(v.Address, v.Refusal)
	}
	if err != nil {
		return nil, err
	}
	if !v.Reads {
		return f.write(ctx, v.Connection, v.gateway, r, a)
	}
	return f.send(ctx, v.Connection, v.gateway, r, a)
}

// write forwards a request that changes something.
func (f *Forwarder) write(ctx context.Context, c stockhand.Connection, gateway connector.Gateway,
	r connector.GatewayRequest, a stockhand.Actor) (*connector.GatewayAnswer, error) {
	s := f.Connections
	entry := func(action string, more map[string]any) stockhand.AuditEntry {
		detail := map[string]any{"connection_id": c.ID, "account_id": c.Account, "method": r.Method, "path": r.Path,
			"arguments": f.Audit.Fingerprint(c.Org, []byte(r.Query+"\n"+string(r.Body)))}
		for k, v := range more {
			detail[k] = v
		}
		b, _ := json.Marshal(detail) // marshalling strings and numbers cannot fail
		return stockhand.AuditEntry{At: time.Now().UTC(), Actor: a.Name, Action: action, External: c.Connector + " " +
			string(c.Account), Detail: b}
	}
	if err := s.Store.Audit(ctx, c.Org, entry("gateway.write", nil)); err != nil {
		return nil, err // never send what cannot be audited
	}
	answer, err := f.send(ctx, c, gateway, r, a)
	outcome := map[string]any{"code": codeOf(err)}
	if err == nil {
		outcome = map[string]any{"status": answer.Status}
	}
	if failed := s.Store.Audit(context.WithoutCancel(ctx), c.Org, entry("gateway.answered", outcome)); failed != nil {
		s.Logger.ErrorContext(ctx, "the outcome of a gateway write is not in the audit log", "connection", c.ID, "err",
			failed)
	}
	return answer, err
}

// send forwards a request, counts it and logs it without its query, which may contain people's names.
func (f *Forwarder) send(ctx context.Context, c stockhand.Connection, gateway connector.Gateway,
	r connector.GatewayRequest, a stockhand.Actor) (*connector.GatewayAnswer, error) {
	var sent limit.Counter
	began := time.Now()
	answer, err := gateway.Pass(limit.WithCounter(ctx, &sent), r)
	status := 0
	if err == nil {
		status = answer.Status
	}
	f.Connections.Logger.InfoContext(ctx, "gateway", "connection", c.ID, "method", r.Method, "path", r.Path, "status",
		status, "requests", sent.Requests(), "took", time.Since(began), "code", codeOf(err))
	f.Connections.count(ctx, c.Org, a, sent.Requests())
	return answer, err
}
