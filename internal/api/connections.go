package api

import (
	"context"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
)

func (s *Server) connectionOf(c stockhand.Connection) wire.Connection {
	out := wire.Connection{
		ID: c.ID, Connector: c.Connector, AccountID: c.Account, Label: c.Label, Organization: c.Organization,
		Employee:      c.Employee,
		Rights:        wire.ConnectionRights{Visible: []connector.Right{}, Missing: []connector.Right{}},
		GatewayWrites: c.GatewayWrites, CreatedAt: c.Created.UTC(), CreatedBy: wire.OrNull(c.By),
		Problem: wire.OrNull(c.Problem), VerifiedAt: wire.TimeOrNull(c.Verified.UTC()),
	}
	if k, err := s.Connections.Kind(c.Connector); err == nil && k.Rights != nil {
		out.Rights.Visible, out.Rights.Missing = k.Rights(c.Rights)
	}
	return out
}

// ConnectionPath is the path of a connection.
type ConnectionPath struct {
	Connection stockhand.ConnectionID `path:"connection_id"`
}

func (s *Server) listConnections(ctx context.Context, in *struct {
	Page
	Connector string              `query:"connector" maxLength:"50" doc:"Only connections of this connector"`
	Account   stockhand.AccountID `query:"account_id" maxLength:"100" doc:"Only connections to this account"`
}) (*List[wire.Connection], error) {
	return pageOf(in.Page, func(c stockhand.Connection) stockhand.ConnectionID { return c.ID }, s.connectionOf,
		func(after stockhand.ConnectionID, _ int) ([]stockhand.Connection, error) {
			all, err := s.Connections.Store.Connections(ctx, stockhand.ActorOf(ctx).Org)
			return slices.DeleteFunc(all, func(c stockhand.Connection) bool {
				return c.ID <= after || in.Connector != "" && c.Connector != in.Connector ||
					in.Account != "" && c.Account != in.Account
			}), err
		})
}

func (s *Server) getConnection(ctx context.Context, in *ConnectionPath) (*Answer[wire.Connection], error) {
	return answerAs(s.connectionOf)(s.Connections.Store.Connection(ctx, stockhand.ActorOf(ctx).Org, in.Connection))
}

// NoPassword is embedded in bodies with a token and rejects fields named like a login or password (rule R1).
type NoPassword struct {
	Login    any `json:"login,omitempty" hidden:"true"`
	Username any `json:"username,omitempty" hidden:"true"`
	User     any `json:"user,omitempty" hidden:"true"`
	Email    any `json:"email,omitempty" hidden:"true"`
	Password any `json:"password,omitempty" hidden:"true"`
	Basic    any `json:"basic,omitempty" hidden:"true"`
}

// Resolve implements huma.Resolver.
func (n *NoPassword) Resolve(huma.Context) []error {
	var errs []error
	for _, f := range []struct {
		name  string
		value any
	}{{"login", n.Login}, {"username", n.Username}, {"user", n.User}, {"email", n.Email}, {"password", n.Password},
		{"basic", n.Basic}} {
		if f.value != nil {
			errs = append(errs, &huma.ErrorDetail{Location: "body." + f.name,
				Message: "logins and passwords are never accepted; send only an employee token, created in the external system's settings"})
		}
	}
	return errs
}

func (s *Server) createConnection(ctx context.Context, in *struct {
	Body struct {
		NoPassword
		Connector string `json:"connector" minLength:"1" maxLength:"50" doc:"One of GET /connectors" example:"moysklad"`
		Token     string `json:"token,omitempty" maxLength:"1000" doc:"An employee token of the external system; encrypted, and never returned. For an MCP server its bearer token, if it needs one"`
		URL       string `json:"url,omitempty" maxLength:"1000" doc:"For an MCP server: its address, such as https://mcp.example.com/mcp"`
		Label     string `json:"label,omitempty" maxLength:"100" doc:"A label for people; by default the name of the first legal entity"`
	}
}) (*Answer[wire.Connection], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(s.connectionOf)(s.Connections.Create(ctx, a.Org, connection.Creation{
		Connector: in.Body.Connector, Credential: connection.Credential{URL: in.Body.URL, Token: in.Body.Token},
		Label: in.Body.Label, By: a.Name, DryRun: dryRun(ctx)}))
}

func (s *Server) updateConnection(ctx context.Context, in *struct {
	ConnectionPath
	Body struct {
		NoPassword
		Label         *string `json:"label,omitempty" minLength:"1" maxLength:"100"`
		Token         *string `json:"token,omitempty" minLength:"1" maxLength:"1000" doc:"A new token of the same employee of the same account"`
		GatewayWrites *bool   `json:"gateway_writes,omitempty" doc:"Whether the gateway allows writes. Only a person who is owner or admin can change this"`
	}
}) (*Answer[wire.Connection], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(s.connectionOf)(s.Connections.Change(ctx, a.Org, in.Connection,
		connection.Change{Label: in.Body.Label, Token: in.Body.Token, GatewayWrites: in.Body.GatewayWrites}, a,
		dryRun(ctx)))
}

func (s *Server) deleteConnection(ctx context.Context, in *ConnectionPath) (*Answer[wire.Connection], error) {
	a := stockhand.ActorOf(ctx)
	if dryRun(ctx) {
		return s.getConnection(ctx, in)
	}
	return answerAs(s.connectionOf)(s.Connections.Delete(ctx, a.Org, in.Connection, a))
}

func (s *Server) verifyConnection(ctx context.Context, in *ConnectionPath) (*Answer[wire.Connection], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(s.connectionOf)(s.Connections.Verify(ctx, a.Org, in.Connection, a))
}
