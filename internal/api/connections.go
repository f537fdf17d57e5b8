package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
)

// Connection is an organization's connection to one external account. Its credential is not in it and is never given
// back.
type Connection struct {
	ID            stockhand.ConnectionID `json:"id" example:"con_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Connector     string                 `json:"connector" example:"moysklad"`
	AccountID     stockhand.AccountID    `json:"account_id" doc:"The external account: accounts are told apart by it and never by a name"`
	Label         string                 `json:"label"`
	Organization  string                 `json:"organization" doc:"The first legal entity's name; two accounts may share it"`
	Employee      string                 `json:"employee" doc:"Whose token it is: that employee's rights are the agent's"`
	Rights        ConnectionRights       `json:"rights"`
	GatewayWrites bool                   `json:"gateway_writes" doc:"The gateway passes more than reads"`
	CreatedAt     time.Time              `json:"created_at"`
	CreatedBy     *string                `json:"created_by"`
	VerifiedAt    *time.Time             `json:"verified_at" doc:"When the external system last accepted the token"`
	Problem       *string                `json:"problem" doc:"Why it did not, the last time it was asked"`
}

// ConnectionRights are the employee's rights in the words of the external system's role settings.
type ConnectionRights struct {
	Visible []connector.Right `json:"visible"`
	Missing []connector.Right `json:"missing" doc:"What is not seen; an answer that would need it says so"`
}

func (s *Server) shownConnection(c stockhand.Connection) Connection {
	out := Connection{
		ID: c.ID, Connector: c.Connector, AccountID: c.Account, Label: c.Label, Organization: c.Organization,
		Employee:      c.Employee,
		Rights:        ConnectionRights{Visible: []connector.Right{}, Missing: []connector.Right{}},
		GatewayWrites: c.GatewayWrites, CreatedAt: c.Created.UTC(), CreatedBy: orNull(c.By), Problem: orNull(c.Problem),
	}
	if !c.Verified.IsZero() {
		at := c.Verified.UTC()
		out.VerifiedAt = &at
	}
	if k, err := s.Connections.Kind(c.Connector); err == nil && k.Rights != nil {
		out.Rights.Visible, out.Rights.Missing = k.Rights(c.Rights)
	}
	return out
}

// ConnectionPath names a connection.
type ConnectionPath struct {
	Connection stockhand.ConnectionID `path:"connection_id"`
}

func (s *Server) listConnections(ctx context.Context, in *struct {
	Page
	Connector string              `query:"connector" maxLength:"50" doc:"Only that connector's"`
	Account   stockhand.AccountID `query:"account_id" maxLength:"100" doc:"Only those to that account"`
}) (*List[Connection], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	all, err := s.Connections.Store.Connections(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return nil, err
	}
	var found []stockhand.Connection
	for _, c := range all {
		if string(c.ID) > after && (in.Connector == "" || c.Connector == in.Connector) &&
			(in.Account == "" || c.Account == in.Account) {
			found = append(found, c)
		}
	}
	return listOf(found, in.Limit, func(c stockhand.Connection) string { return string(c.ID) }, s.shownConnection), nil
}

func (s *Server) getConnection(ctx context.Context, in *ConnectionPath) (*Answer[Connection], error) {
	c, err := s.Connections.Store.Connection(ctx, stockhand.ActorOf(ctx).Org, in.Connection)
	if err != nil {
		return nil, err
	}
	return answerOf(s.shownConnection(c))
}

// NoPassword is embedded in bodies that carry a token: what a login and a password would be called is refused by name,
// because neither is ever given to the service (specification, section 1, rule 1).
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
		Token     string `json:"token,omitempty" maxLength:"1000" doc:"An employee token of the external system; sealed, and never given back. Of an MCP server its bearer token, where it wants one"`
		URL       string `json:"url,omitempty" maxLength:"1000" doc:"Of an MCP server: its address, as in https://mcp.example.com/mcp"`
		Label     string `json:"label,omitempty" maxLength:"100" doc:"For people; the first legal entity's name when left out"`
	}
}) (*Answer[Connection], error) {
	a := stockhand.ActorOf(ctx)
	c, err := s.Connections.Create(ctx, a.Org, in.Body.Connector,
		connection.Credential{URL: in.Body.URL, Token: in.Body.Token}, in.Body.Label, a.Name, dryRun(ctx))
	if err != nil {
		return nil, err
	}
	return answerOf(s.shownConnection(c))
}

func (s *Server) updateConnection(ctx context.Context, in *struct {
	ConnectionPath
	Body struct {
		NoPassword
		Label         *string `json:"label,omitempty" minLength:"1" maxLength:"100"`
		Token         *string `json:"token,omitempty" minLength:"1" maxLength:"1000" doc:"Another token of the same employee of the same account"`
		GatewayWrites *bool   `json:"gateway_writes,omitempty" doc:"Whether the gateway passes more than reads; decided by a person who is owner or admin"`
	}
}) (*Answer[Connection], error) {
	a := stockhand.ActorOf(ctx)
	c, err := s.Connections.Change(ctx, a.Org, in.Connection,
		connection.Change{Label: in.Body.Label, Token: in.Body.Token, GatewayWrites: in.Body.GatewayWrites}, a,
		dryRun(ctx))
	if err != nil {
		return nil, err
	}
	return answerOf(s.shownConnection(c))
}

func (s *Server) deleteConnection(ctx context.Context, in *ConnectionPath) (*Answer[Connection], error) {
	a := stockhand.ActorOf(ctx)
	if dryRun(ctx) {
		return s.getConnection(ctx, in)
	}
	c, err := s.Connections.Delete(ctx, a.Org, in.Connection, a)
	if err != nil {
		return nil, err
	}
	return answerOf(s.shownConnection(c))
}

func (s *Server) verifyConnection(ctx context.Context, in *ConnectionPath) (*Answer[Connection], error) {
	a := stockhand.ActorOf(ctx)
	c, err := s.Connections.Verify(ctx, a.Org, in.Connection, a)
	if err != nil {
		return nil, err
	}
	return answerOf(s.shownConnection(c))
}
