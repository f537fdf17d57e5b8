package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
)

// operator runs a command directly on the database; a running server sees the changes within a second.
type operator struct {
	*env
	db   *store.DB
	ring *secret.Ring
	auth *auth.Service
	keep *retention.Service
	// signIn creates links to the server, whose address is that of the settings
	signIn *signin.Service
	login  string

	pepper []byte
}

// operate opens the database of the environment and runs fn on it.
func operate(ctx context.Context, e *env, fn func(o *operator) error) error {
	c, err := localConfig(e)
	if err != nil {
		return err
	}
	ring, err := c.KeyRing(ctx)
	if err != nil {
		return err
	}
	db, pepper, err := c.OpenStore(ctx, ring, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // everything is already stored
	people := auth.New(auth.Config{Store: db, System: db.System(), Pepper: pepper})
	return fn(&operator{env: e, db: db, ring: ring, login: login(), auth: people, pepper: pepper,
		keep: retention.New(retention.Config{Store: db, System: db.System(), Installation: c.Retention,
			Quota: c.Quota, Sinks: c.AuditSinks()}),
		signIn: signin.New(signin.Config{Auth: people, System: db.System(), URL: serverURL(e, c)})})
}

// serverURL returns the address at which people reach the server.
func serverURL(e *env, c app.Config) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return "http://" + cmp.Or(e.getenv("STOCKHAND_ADDR"), defaultAddr)
}

// inOrg selects the organization of a command.
type inOrg struct {
	Org string `placeholder:"ID" help:"The organization, by id or name (default: the only one)."`
}

// operate runs fn as the operator in the selected organization, or in the only one.
func (in inOrg) operate(ctx context.Context, e *env, fn func(o *operator, a stockhand.Actor) error) error {
	return operate(ctx, e, func(o *operator) error {
		a, err := o.actor(ctx, in)
		if err != nil {
			return err
		}
		return fn(o, a)
	})
}

// actor returns the operator in the selected organization, or in the only one.
func (o *operator) actor(ctx context.Context, in inOrg) (stockhand.Actor, error) {
	all, err := o.db.System().Organizations(ctx)
	if err != nil {
		return stockhand.Actor{}, err
	}
	var found []stockhand.Organization
	var known []string
	for _, org := range all {
		if in.Org == "" || string(org.ID) == in.Org || strings.EqualFold(org.Name, in.Org) {
			found = append(found, org)
		}
		known = append(known, fmt.Sprintf("%s (%s)", org.ID, table.OneLine(org.Name)))
	}
	switch {
	case len(found) == 1:
		return auth.Operator(found[0].ID, o.login), nil
	case len(all) == 0:
		return stockhand.Actor{}, stockhand.Errorf(stockhand.CodeNotFound, "there are no organizations yet").
			WithHint("start the server once, which creates the first one, or run: stockhand orgs create NAME --owner EMAIL")
	case len(found) == 0:
		return stockhand.Actor{}, stockhand.Errorf(stockhand.CodeNotFound, "unknown organization").WithHint(
			"there are: %s", strings.Join(known, ", "))
	}
	return stockhand.Actor{}, fmt.Errorf("%w: several organizations: choose one with --org: %s", errUsage,
		strings.Join(known, ", "))
}

// did records an action of the operator that concerns no organization.
func (o *operator) did(ctx context.Context, action string, detail map[string]any) error {
	b, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return o.db.Audit(ctx, stockhand.Installation,
		stockhand.AuditEntry{At: time.Now(), Actor: "cli:" + o.login, Action: action, Detail: b})
}

// createUser creates a user of the installation.
func (o *operator) createUser(ctx context.Context, email, name string) (stockhand.User, error) {
	u, err := o.auth.CreateUser(ctx, email, name)
	if err != nil {
		return u, err
	}
	return u, o.did(ctx, "user.created", map[string]any{"user_id": u.ID})
}

// printable is the output format of a command.
type printable struct {
	JSON bool `help:"Print JSON: an object, or an object a line for lists."`
}

// pages reads a list to its end: next returns the page after the item with the ID.
func pages[K ~string, T any](next func(from K, limit int) ([]T, error), id func(T) K) ([]T, error) {
	const limit = 200
	var all []T
	for from := K(""); ; from = id(all[len(all)-1]) {
		page, err := next(from, limit)
		all = append(all, page...)
		if err != nil || len(page) < limit {
			return all, err
		}
	}
}

// mapped returns the results of f for each item.
func mapped[T, S any](all []T, f func(T) S) []S {
	out := make([]S, len(all))
	for i, x := range all {
		out[i] = f(x)
	}
	return out
}

// rows prints a list: JSON lines, or columns with headers.
func rows[T any](o *operator, p printable, all []T, empty string, heads []string, cells func(T) []string) error {
	if p.JSON {
		for _, x := range all {
			if err := printJSON(o.streams.Out, x); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		fmt.Fprintln(o.streams.Out, empty)
		return nil
	}
	w := tabwriter.NewWriter(o.streams.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(heads, "\t"))
	for _, x := range all {
		line := cells(x)
		for i := range line {
			line[i] = table.OneLine(line[i])
		}
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	return w.Flush()
}

// shownTime formats a time for a table; "never" for the zero time.
func shownTime(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

func whenShown(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return shownTime(*t)
}
