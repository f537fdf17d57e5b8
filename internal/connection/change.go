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

// maxLabel bounds a label, in characters.
const maxLabel = 100

// Credential is what an external account is reached with.
type Credential struct {
	URL   string // of the server, where a connection names it; empty elsewhere
	Token string
}

// Connect verifies a token and stores the connection, for the person who runs the program. A token of an employee who
// is connected already takes the place of the one before: each employee has one token at a time.
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

// Create verifies a credential and stores the connection. CONFLICT when the employee is connected already. A dry one
// stores nothing and returns what would be stored.
func (s *Service) Create(ctx context.Context, org stockhand.OrgID, kind string, with Credential, label, by string,
	dry bool) (stockhand.Connection, error) {
	if err := checkLabel(label); err != nil {
		return stockhand.Connection{}, err
	}
	if err := s.checkCredential(kind, with); err != nil {
		return stockhand.Connection{}, err
	}
	config := s.config(kind, with.Token)
	if with.URL != "" {
		config.BaseURL = with.URL
	}
	c, secret, err := s.verified(ctx, org, kind, config, label, by)
	if err != nil {
		return stockhand.Connection{}, err
	}
	known, exists, err := s.known(ctx, org, c)
	if err != nil {
		return stockhand.Connection{}, err
	}
	if !exists && dry {
		return c, nil
	}
	if !exists {
		c, err = s.store(ctx, org, c, secret)
		if stockhand.CodeOf(err) != stockhand.CodeConflict {
			return c, err
		}
		// somebody else has connected the same employee meanwhile
		if known, exists, err = s.known(ctx, org, c); err != nil || !exists {
			return stockhand.Connection{},
				errors.Join(stockhand.Errorf(stockhand.CodeConflict,
					"this employee of the account is connected already").WithHint("list the connections and try again"),
					err)
		}
	}
	return stockhand.Connection{}, stockhand.Errorf(stockhand.CodeConflict,
		"this employee of the account is connected already, as %s", known.ID).
		WithHint("to replace its token, send PATCH /connections/%s with the new one; for a second connection of the account take another employee's token", known.ID)
}

// Change is what may be changed of a connection; what is nil stays.
type Change struct {
	Label         *string
	Token         *string // of the same employee of the same account
	GatewayWrites *bool   // a person's decision: an owner's or admin's
}

// Change renames a connection, replaces its token, or turns writes through the gateway on or off. A dry one changes
// nothing and returns what it would be.
func (s *Service) Change(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, ch Change,
	a stockhand.Actor, dry bool) (stockhand.Connection, error) {
	if ch.GatewayWrites != nil && (!a.Person || a.Role != stockhand.RoleOwner && a.Role != stockhand.RoleAdmin) {
		return stockhand.Connection{}, stockhand.Errorf(stockhand.CodePermissionDenied,
			"gateway_writes is changed by a person who is owner or admin of the organization, not by a key").
			WithHint("ask an owner or admin to change it with a user token")
	}
	if ch.Label != nil {
		if strings.TrimSpace(*ch.Label) == "" {
			return stockhand.Connection{}, invalid("label", "a label is not empty")
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
				invalid("token", "the token belongs to another account; connect that account by itself")
		case !sameEmployee(fresh, c):
			return stockhand.Connection{},
				invalid("token", "the token belongs to another employee of the account; connect that employee by itself")
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

// Verify asks the external system again who the token belongs to and what that employee may see. A token that it
// refuses any longer marks the connection, and is EXTERNAL_TOKEN_REJECTED.
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
		refusal = stockhand.Errorf(stockhand.CodeTokenRejected, "the token belongs to another account now").WithHint(
			"replace the token: PATCH /connections/%s", id)
	}
	if refusal != nil && stockhand.CodeOf(refusal) != stockhand.CodeTokenRejected {
		return c, refusal // it did not answer: nothing is known
	}
	var renewed stockhand.Sealed
	if refusal == nil && who.Keep != "" {
		if renewed, err = s.Ring.Seal(org, id, []byte(who.Keep)); err != nil {
			return c, err
		}
	}
	c, err = s.Store.ChangeConnection(ctx, org, id, func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
		if !bytes.Equal(c.Sealed, seen) {
			return nil, stockhand.Errorf(stockhand.CodeConflict, "the token was replaced meanwhile").WithHint(
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

// Delete forgets a connection, its credential, and the account that it opened.
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

// verified asks the external system about a credential and makes the connection that it would be, with what is to be
// sealed of it. Nothing is stored.
func (s *Service) verified(ctx context.Context, org stockhand.OrgID, kind string, with connector.Config, label,
	by string) (_ stockhand.Connection, secret string, _ error) {
	k, err := s.Kind(kind)
	if err != nil {
		return stockhand.Connection{}, "", invalid("connector", "no connector of that name; GET /connectors lists them")
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
	return c, cmp.Or(who.Keep, with.Token), nil
}

// identified is what verification says of a connection.
func identified(who connector.Identity) stockhand.Connection {
	return stockhand.Connection{
		Account: who.Account, Employee: who.Employee, Login: who.Login, Rights: who.Rights,
		Organization: who.Organization, Verified: time.Now().UTC(),
	}
}

// renew takes over what verification has found out.
func renew(c *stockhand.Connection, fresh stockhand.Connection) {
	c.Employee, c.Login, c.Rights, c.Organization, c.Verified, c.Problem = fresh.Employee, fresh.Login, fresh.Rights,
		fresh.Organization, fresh.Verified, ""
}

// known finds the connection that the organization has to the same employee of the same account.
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

// sameEmployee compares logins: two employees may bear one name. One that was stored before logins were kept is known
// by name.
func sameEmployee(a, b stockhand.Connection) bool {
	if a.Login == "" || b.Login == "" {
		return a.Employee == b.Employee
	}
	return a.Login == b.Login
}

// store seals the credential and stores the connection.
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

// entries tell the audit log of a connection. Nothing of its credential is in them.
func entries(by, action string, c stockhand.Connection, more map[string]any) []stockhand.AuditEntry {
	detail := map[string]any{"connection_id": c.ID, "connector": c.Connector, "account_id": c.Account, "label": c.Label,
		"employee": c.Employee}
	for k, v := range more {
		detail[k] = v
	}
	b, _ := json.Marshal(detail) // texts, numbers and lists of them
	return []stockhand.AuditEntry{{At: time.Now().UTC(), Actor: by, Action: action, External: c.Connector + " " +
		string(c.Account), Detail: b}}
}

func checkLabel(label string) error {
	if utf8.RuneCountInString(label) > maxLabel || !utf8.ValidString(label) {
		return invalid("label", "at most 100 characters")
	}
	return nil
}

// checkCredential refuses what the connector does not take, and what it needs and was not given.
func (s *Service) checkCredential(kind string, with Credential) error {
	k, err := s.Kind(kind)
	if err != nil {
		return invalid("connector", "no connector of that name; GET /connectors lists them")
	}
	for _, given := range []struct{ name, value string }{{"url", with.URL}, {"token", with.Token}} {
		at := slices.IndexFunc(k.Fields, func(f connector.Field) bool { return f.Name == given.name })
		switch {
		case at < 0 && given.value != "":
			return invalid(given.name, "a connection of this connector has no such field")
		case at >= 0 && k.Fields[at].Required && given.value == "":
			return invalid(given.name, "required")
		}
	}
	if with.Token == "" {
		return nil
	}
	return checkToken(with.Token)
}

// checkToken refuses what looks like a login and a password, or like a whole header, before it is sent anywhere
// (rule R1). Its errors never repeat it.
func checkToken(token string) error {
	scheme, _, spaced := strings.Cut(token, " ")
	switch {
	case token == "":
		return invalid("token", "required")
	case spaced && strings.EqualFold(scheme, "basic"), strings.Contains(token, ":"), strings.Contains(token, "@"):
		return invalid("token", "this looks like a login and a password; they are never accepted, only an employee token")
	case spaced && strings.EqualFold(scheme, "bearer"):
		return invalid("token", "the token alone, without the word Bearer")
	case len(token) > 1000 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return invalid("token", "letters and digits without spaces, as the external system shows it")
	}
	return nil
}

func invalid(field, message string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("correct %s and send it again", field)
}
