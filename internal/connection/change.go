package connection

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// maxLabel is the maximum length of a label in characters.
const maxLabel = 100

// Credential authenticates a connection to an external account.
type Credential struct {
	URL   string // of the server; only for connectors whose connections name one
	Token string
}

// Connect verifies a token and stores the connection; the command line uses it. If the employee is already connected,
// the new token replaces the old one, because an employee has one token at a time.
func (s *Service) Connect(ctx context.Context, org stockhand.OrgID, kind, token, label,
	by string) (stockhand.Connection, error) {
	c, secret, err := s.verified(ctx, org, kind, s.config(kind, token), label, by)
	if err != nil {
		return stockhand.Connection{}, err
	}
	known, exists, err := s.known(ctx, org, c)
	if err != nil {
		return stockhand.Connection{}, err
	}
	if !exists {
		return s.store(ctx, org, c, secret)
	}
	sealed, err := s.Ring.Seal(org, known.ID, []byte(secret))
	if err != nil {
		return stockhand.Connection{}, err
	}
	return s.Store.ChangeConnection(ctx, org, known.ID,
		func(was *stockhand.Connection) ([]stockhand.AuditEntry, error) {
			renew(was, c)
			was.Label, was.Sealed = c.Label, sealed
			return entries(by, "connection.changed", *was, map[string]any{"changed": []string{"label", "token"}}), nil
		})
}

// Creation is what a new connection is made of.
type Creation struct {
	Connector  string
	Credential Credential
	Label      string // the name of the first legal entity if empty
	By         string // the actor's name, for the audit log
	DryRun     bool   // store nothing and return the connection that would be stored
}

// Create verifies a credential and stores the connection. It returns CONFLICT when the employee is already connected.
func (s *Service) Create(ctx context.Context, org stockhand.OrgID, n Creation) (stockhand.Connection, error) {
	if err := checkLabel(n.Label); err != nil {
		return stockhand.Connection{}, err
	}
	if err := s.checkCredential(n.Connector, n.Credential); err != nil {
		return stockhand.Connection{}, err
	}
	config := s.config(n.Connector, n.Credential.Token)
	if n.Credential.URL != "" {
		config.BaseURL = n.Credential.URL
	}
	c, secret, err := s.verified(ctx, org, n.Connector, config, n.Label, n.By)
	if err != nil {
		return stockhand.Connection{}, err
	}
	known, exists, err := s.known(ctx, org, c)
	if err != nil {
		return stockhand.Connection{}, err
	}
	if !exists && n.DryRun {
		return c, nil
	}
	if !exists {
		c, err = s.store(ctx, org, c, secret)
		if stockhand.CodeOf(err) != stockhand.CodeConflict {
			return c, err
		}
		// another request connected the same employee meanwhile
		if known, exists, err = s.known(ctx, org, c); err != nil || !exists {
			return stockhand.Connection{},
				errors.Join(stockhand.Errorf(stockhand.CodeConflict,
					"this employee of the account is already connected").WithHint("list the connections and try again"),
					err)
		}
	}
	return stockhand.Connection{}, stockhand.Errorf(stockhand.CodeConflict,
		"this employee of the account is already connected, as %s", known.ID).
		WithHint("to replace its token, send PATCH /connections/%s with the new one; for a second connection to the "+
			"account, use another employee's token", known.ID)
}

// Change lists the properties of a connection that can change; a nil field keeps its value.
type Change struct {
	Label         *string
	Token         *string // of the same employee of the same account
	GatewayWrites *bool   // only an owner or admin in person may set it
}

// Change renames a connection, replaces its token, or turns writes through the gateway on or off. With dry set, it
// changes nothing and returns the connection as it would become.
func (s *Service) Change(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, ch Change,
	a stockhand.Actor, dry bool) (stockhand.Connection, error) {
	if ch.GatewayWrites != nil && (!a.Person || a.Role != stockhand.RoleOwner && a.Role != stockhand.RoleAdmin) {
		return stockhand.Connection{}, stockhand.Errorf(stockhand.CodePermissionDenied,
			"only an owner or admin of the organization can change gateway_writes, in person and not with a key").
			WithHint("ask an owner or admin to change it with a user token")
	}
	if ch.Label != nil {
		if strings.TrimSpace(*ch.Label) == "" {
			return stockhand.Connection{}, invalid("label", "must not be empty")
		}
		if err := checkLabel(*ch.Label); err != nil {
			return stockhand.Connection{}, err
		}
	}
	c, err := s.Store.Connection(ctx, org, id)
	if err != nil {
		return c, err
	}
	var fresh stockhand.Connection
	var sealed stockhand.Sealed
	if ch.Token != nil {
		if err := checkToken(*ch.Token); err != nil {
			return stockhand.Connection{}, err
		}
		reach, err := s.Reach(c)
		if err != nil {
			return stockhand.Connection{}, err
		}
		reach.Token = *ch.Token
		var secret string
		if fresh, secret, err = s.verified(ctx, org, c.Connector, reach, c.Label, c.By); err != nil {
			return stockhand.Connection{}, err
		}
		switch {
		case fresh.Account != c.Account:
			return stockhand.Connection{},
				invalid("token", "the token belongs to another account; add a separate connection for it")
		case !sameEmployee(fresh, c):
			return stockhand.Connection{},
				invalid("token", "the token belongs to another employee of the account; add a separate connection "+
					"for them")
		}
		if sealed, err = s.Ring.Seal(org, id, []byte(secret)); err != nil {
			return stockhand.Connection{}, err
		}
	}
	change := func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
		var changed []string
		detail := map[string]any{}
		if ch.Label != nil && *ch.Label != c.Label {
			c.Label, changed = *ch.Label, append(changed, "label")
		}
		if ch.Token != nil {
			renew(c, fresh)
			c.Sealed, changed = sealed, append(changed, "token")
		}
		if ch.GatewayWrites != nil && *ch.GatewayWrites != c.GatewayWrites {
			c.GatewayWrites, changed = *ch.GatewayWrites, append(changed, "gateway_writes")
			detail["gateway_writes"] = c.GatewayWrites
		}
		if len(changed) == 0 {
			return nil, nil
		}
		detail["changed"] = changed
		return entries(a.Name, "connection.changed", *c, detail), nil
	}
	if dry {
		_, err := change(&c)
		return c, err
	}
	return s.Store.ChangeConnection(ctx, org, id, change)
}

// Verify asks the external system again whose token it is and what that employee may see. If the system rejects the
// token, Verify marks the connection and returns EXTERNAL_TOKEN_REJECTED.
func (s *Service) Verify(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	a stockhand.Actor) (stockhand.Connection, error) {
	c, err := s.Store.Connection(ctx, org, id)
	if err != nil {
		return c, err
	}
	k, err := s.Kind(c.Connector)
	if err != nil {
		return c, err
	}
	reach, err := s.Reach(c)
	if err != nil {
		return c, err
	}
	seen := c.Sealed
	who, refusal := k.Verify(ctx, reach)
	if refusal == nil && who.Account != c.Account {
		refusal = stockhand.Errorf(stockhand.CodeTokenRejected, "the token now belongs to another account").WithHint(
			"replace the token: PATCH /connections/%s", id)
	}
	if refusal != nil && stockhand.CodeOf(refusal) != stockhand.CodeTokenRejected {
		return c, refusal // the system did not answer, so the token's state is unknown
	}
	var renewed stockhand.Sealed
	if refusal == nil && who.Save != "" {
		if renewed, err = s.Ring.Seal(org, id, []byte(who.Save)); err != nil {
			return c, err
		}
	}
	c, err = s.Store.ChangeConnection(ctx, org, id, func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
		if !bytes.Equal(c.Sealed, seen) {
			return nil, stockhand.Errorf(stockhand.CodeConflict, "the token was replaced during verification").WithHint(
				"verify it again")
		}
		detail := map[string]any{"accepted": refusal == nil}
		if refusal != nil {
			own, _ := errors.AsType[*stockhand.Error](refusal)
			c.Problem = own.Message
		} else {
			renew(c, identified(who))
			if renewed != nil {
				c.Sealed = renewed
			}
		}
		return entries(a.Name, "connection.verified", *c, detail), nil
	})
	if err == nil {
		err = refusal
	}
	return c, err
}

// Delete deletes a connection with its credential and closes the account opened with it.
func (s *Service) Delete(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	a stockhand.Actor) (stockhand.Connection, error) {
	c, err := s.Store.Connection(ctx, org, id)
	if err != nil {
		return c, err
	}
	err = s.Store.DeleteConnection(ctx, org, id, entries(a.Name, "connection.deleted", c, nil)...)
	s.forget(id)
	return c, err
}

// verified checks a credential with the external system and returns the connection for it, with the secret that must be
// encrypted. It stores nothing.
func (s *Service) verified(ctx context.Context, org stockhand.OrgID, kind string, with connector.Config, label,
	by string) (_ stockhand.Connection, secret string, _ error) {
	k, err := s.Kind(kind)
	if err != nil {
		return stockhand.Connection{}, "", invalid("connector", "no such connector; GET /connectors lists them")
	}
	who, err := k.Verify(ctx, with)
	if err != nil {
		return stockhand.Connection{}, "", err
	}
	c := identified(who)
	c.ID, c.Org, c.Connector, c.Label, c.By = stockhand.NewID[stockhand.ConnectionID]("con"), org, kind,
		strings.TrimSpace(label), by
	c.Created = c.Verified
	if c.Label == "" {
		c.Label = who.Organization
	}
	if c.Label == "" {
		c.Label = string(who.Account)
	}
	return c, cmp.Or(who.Save, with.Token), nil
}

// identified returns a connection with the account and employee that verification found.
func identified(who connector.Identity) stockhand.Connection {
	return stockhand.Connection{
		Account: who.Account, Employee: who.Employee, Login: who.Login, Rights: who.Rights,
		Organization: who.Organization, Verified: time.Now().UTC(),
	}
}

// renew copies what verification found into c.
func renew(c *stockhand.Connection, fresh stockhand.Connection) {
	c.Employee, c.Login, c.Rights, c.Organization, c.Verified, c.Problem = fresh.Employee, fresh.Login, fresh.Rights,
		fresh.Organization, fresh.Verified, ""
}

// known finds the organization's existing connection to the same employee of the same account.
func (s *Service) known(ctx context.Context, org stockhand.OrgID, c stockhand.Connection) (stockhand.Connection, bool,
	error) {
	all, err := s.Store.ConnectionsOfAccount(ctx, org, c.Connector, c.Account)
	for _, k := range all {
		if sameEmployee(k, c) {
			return k, true, err
		}
	}
	return stockhand.Connection{}, false, err
}

// sameEmployee compares logins, because two employees may have the same name. A connection stored without a login is
// compared by name.
func sameEmployee(a, b stockhand.Connection) bool {
	if a.Login == "" || b.Login == "" {
		return a.Employee == b.Employee
	}
	return a.Login == b.Login
}

func (s *Service) store(ctx context.Context, org stockhand.OrgID, c stockhand.Connection,
	secret string) (stockhand.Connection, error) {
	var err error
	if c.Sealed, err = s.Ring.Seal(org, c.ID, []byte(secret)); err != nil {
		return c, err
	}
	stored, err := s.Store.CreateConnection(ctx, org, c,
		entries(c.By, "connection.created", c, map[string]any{"rights": len(c.Rights)})...)
	if err != nil {
		return c, err
	}
	return stored, nil
}

// entries returns the audit entries about a connection. They contain nothing of its credential.
func entries(by, action string, c stockhand.Connection, more map[string]any) []stockhand.AuditEntry {
	detail := map[string]any{"connection_id": c.ID, "connector": c.Connector, "account_id": c.Account, "label": c.Label,
		"employee": c.Employee}
	for k, v := range more {
		detail[k] = v
	}
	b, _ := json.Marshal(detail) // marshalling strings and numbers cannot fail
	return []stockhand.AuditEntry{{At: time.Now().UTC(), Actor: by, Action: action, External: c.Connector + " " +
		string(c.Account), Detail: b}}
}

func checkLabel(label string) error {
	if utf8.RuneCountInString(label) > maxLabel || !utf8.ValidString(label) {
		return invalid("label", "must be at most 100 characters")
	}
	return nil
}

// checkCredential rejects fields that the connector does not accept and required fields that are missing.
func (s *Service) checkCredential(kind string, with Credential) error {
	k, err := s.Kind(kind)
	if err != nil {
		return invalid("connector", "no such connector; GET /connectors lists them")
	}
	for _, given := range []struct{ name, value string }{{"url", with.URL}, {"token", with.Token}} {
		at := slices.IndexFunc(k.Fields, func(f connector.Field) bool { return f.Name == given.name })
		switch {
		case at < 0 && given.value != "":
			return invalid(given.name, "this connector has no such field")
		case at >= 0 && k.Fields[at].Required && given.value == "":
			return invalid(given.name, "required")
		}
	}
	if with.Token == "" {
		return nil
	}
	return checkToken(with.Token)
}

// checkToken rejects anything that looks like a login with a password or a whole header, before it is sent anywhere
// (rule R1). Its errors never repeat the token.
func checkToken(token string) error {
	scheme, _, spaced := strings.Cut(token, " ")
	switch {
	case token == "":
		return invalid("token", "required")
	case spaced && strings.EqualFold(scheme, "basic"), strings.Contains(token, ":"), strings.Contains(token, "@"):
		return invalid("token", "this looks like a login and password; only an employee token is accepted")
	case spaced && strings.EqualFold(scheme, "bearer"):
		return invalid("token", "send the token alone, without the word Bearer")
	case len(token) > 1000 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return invalid("token", "must be letters and digits without spaces, as the external system shows it")
	}
	return nil
}

func invalid(field, message string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("correct %s and send it again", field)
}
