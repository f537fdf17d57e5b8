package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// keysCmd manages API keys from the command line.
type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Create an API key; its secret is shown once."`
	List   keysListCmd   `cmd:"" help:"List the API keys, the newest first."`
	Revoke keysRevokeCmd `cmd:"" help:"Revoke an API key: servers refuse it within a second."`
	Rotate keysRotateCmd `cmd:"" help:"Replace an API key; the old one keeps working for a while."`
	Report keysReportCmd `cmd:"" help:"List keys with unused scopes and keys about to expire."`
}

// keyShown is a key as the API shows it (rule R28), with the secret if it was just created.
type keyShown struct {
	wire.NewAPIKey

	Org        stockhand.OrgID   `json:"org_id"`
	AllowedIPs []string          `json:"allowed_ips"` // empty means any
	Unused     []stockhand.Scope `json:"unused_scopes,omitempty"`
}

func showKey(k stockhand.Key) keyShown {
	return keyShown{NewAPIKey: wire.NewAPIKey{APIKey: wire.KeyOf(k)}, Org: k.Org,
		AllowedIPs: append([]string{}, k.AllowedIPs...)}
}

func (k keyShown) state() string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case k.ExpiresAt.Before(time.Now()):
		return "expired"
	}
	return "good"
}

func words(scopes []stockhand.Scope) string {
	all := make([]string, len(scopes))
	for i, s := range scopes {
		all[i] = string(s)
	}
	return strings.Join(all, " ")
}

// boundTo says what a key is bound to; empty if to nothing.
func boundTo(b stockhand.Binding) string {
	if !b.Some() {
		return ""
	}
	all := slices.Concat(mapped(b.Connections, func(id stockhand.ConnectionID) string { return string(id) }),
		mapped(b.Agents, func(id stockhand.AgentID) string { return string(id) }), b.Tools)
	return ", bound to " + strings.Join(all, " ")
}

// secretOnce prints a key that was just created.
func (o *operator) secretOnce(p printable, k stockhand.Key, secret string) error {
	if p.JSON {
		shown := showKey(k)
		shown.Secret = secret
		return printJSON(o.streams.Out, shown)
	}
	fmt.Fprintf(o.streams.Out, "%s\n", secret)
	fmt.Fprintf(o.streams.Err, "%s %q with %s%s, until %s. The secret above is shown this once.\n", k.ID,
		table.OneLine(k.Name), words(k.Scopes), boundTo(k.Binding), shownTime(k.Expires))
	return nil
}

type keysCreateCmd struct {
	Name          string   `arg:"" help:"What the key is for, 1 to 100 characters."`
	Scopes        []string `placeholder:"SCOPE" help:"What it may do, separated by commas: read:tools, write:tools, read:data, chat, connector:gateway, admin (default: write:tools)."`
	ExpiresInDays int      `default:"90" help:"After how many days it ends, 1 to 365."`
	AllowedIPs    []string `name:"ip" placeholder:"ADDRESS" help:"Addresses or networks it may be used from, separated by commas (default: any)."`

	Connections []stockhand.ConnectionID `name:"connection" placeholder:"ID" help:"Bind it to these connections, separated by commas (default: all)."`
	Agents      []stockhand.AgentID      `name:"agent" placeholder:"ID" help:"Bind it to these agents: it gives them tasks and calls no tools itself. The built-in agent is stockhand."`
	Tools       []string                 `name:"tool" placeholder:"NAME" help:"Bind it to these tools, separated by commas (default: all)."`

	inOrg
	printable
}

// Help adds to stockhand keys create --help.
func (keysCreateCmd) Help() string {
	return "The secret goes to the standard output and everything else to the standard error, so that it can be kept: stockhand keys create CI --scopes read:tools > ci.key\n\n" +
		"A key that is bound with --connection, --agent or --tool reaches nothing else, and stays bound when it is rotated. " +
		"It may have the scopes read:tools, write:tools, chat and connector:gateway."
}

func (c *keysCreateCmd) Run(ctx context.Context, e *env) error {
	if c.ExpiresInDays < 1 || c.ExpiresInDays > auth.MostDays {
		return fmt.Errorf("%w: --expires-in-days must be 1 to %d", errUsage, auth.MostDays)
	}
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		n := auth.NewKey{Name: c.Name, ExpiresInDays: c.ExpiresInDays, AllowedIPs: c.AllowedIPs,
			Binding: stockhand.Binding{Connections: c.Connections, Agents: c.Agents, Tools: c.Tools}}
		wrong, err := app.OpenConnections(o.db, o.ring).CheckBinding(ctx, a.Org, n.Binding)
		if err != nil {
			return err
		}
		if wrong != nil {
			return stockhand.Errorf(stockhand.CodeValidation, "%s: %s", wrong.Field, wrong.Message)
		}
		for _, s := range c.Scopes {
			n.Scopes = append(n.Scopes, stockhand.Scope(s))
		}
		k, secret, err := o.auth.CreateKey(ctx, a, n)
		if err != nil {
			return err
		}
		return o.secretOnce(c.printable, k, secret)
	})
}

type keysListCmd struct {
	All bool `help:"Revoked and expired ones too."`
	inOrg
	printable
}

func (c *keysListCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		keys, err := pages(func(before stockhand.KeyID, limit int) ([]stockhand.Key, error) {
			return o.auth.Keys(ctx, a, before, limit)
		}, func(k stockhand.Key) stockhand.KeyID { return k.ID })
		if err != nil {
			return err
		}
		var all []keyShown
		for _, k := range keys {
			if shown := showKey(k); c.All || shown.state() == "good" {
				all = append(all, shown)
			}
		}
		return rows(o, c.printable, all, "No keys. Make one: stockhand keys create NAME",
			[]string{"ID", "PREFIX", "NAME", "SCOPES", "STATE", "EXPIRES", "LAST USED"}, func(k keyShown) []string {
				return []string{string(k.ID), k.Prefix, k.Name, words(k.Scopes) + boundTo(k.BoundTo), k.state(),
					shownTime(k.ExpiresAt), whenShown(k.LastUsedAt)}
			})
	})
}

type keysRevokeCmd struct {
	Key   string `arg:"" help:"The key's id."`
	Alone bool   `help:"Leave the keys that it created as they are."`
	inOrg
	printable
}

func (c *keysRevokeCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		k, err := o.auth.RevokeKey(ctx, a, stockhand.KeyID(c.Key), !c.Alone)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, wire.RevokedKeyOf(k))
		}
		fmt.Fprintf(o.streams.Out, "%s (%s, %q) is revoked since %s; running servers refuse it within a second.\n",
			k.ID, k.Prefix, table.OneLine(k.Name), shownTime(k.Revoked))
		for _, id := range k.Also {
			fmt.Fprintf(o.streams.Out, "%s, which it created, is revoked with it.\n", id)
		}
		if k.Runs > 0 {
			fmt.Fprintf(o.streams.Out, "%d unfinished runs were cancelled.\n", k.Runs)
		}
		return nil
	})
}

type keysRotateCmd struct {
	Key     string        `arg:"" help:"The key's id."`
	Overlap time.Duration `default:"24h" help:"For how long the old key goes on, up to 720h."`
	inOrg
	printable
}

func (c *keysRotateCmd) Run(ctx context.Context, e *env) error {
	if c.Overlap <= 0 || c.Overlap > auth.MostOverlap {
		return fmt.Errorf("%w: --overlap must be at most %s", errUsage, auth.MostOverlap)
	}
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		k, secret, err := o.auth.RotateKey(ctx, a, stockhand.KeyID(c.Key), c.Overlap)
		if err != nil {
			return err
		}
		if !c.JSON {
			fmt.Fprintf(o.streams.Err, "%s replaces %s, which expires in %s at the latest.\n", k.ID, k.Replaces,
				c.Overlap)
		}
		return o.secretOnce(c.printable, k, secret)
	})
}

type keysReportCmd struct {
	inOrg
	printable
}

func (c *keysReportCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		r, err := o.auth.Report(ctx, a)
		if err != nil {
			return err
		}
		unused, expiring := []keyShown{}, []keyShown{}
		for _, u := range r.Unused {
			k := showKey(u.Key)
			k.Unused = u.Scopes
			unused = append(unused, k)
		}
		for _, k := range r.Expiring {
			expiring = append(expiring, showKey(k))
		}
		if c.JSON {
			return printJSON(o.streams.Out, map[string][]keyShown{"unused_scopes": unused, "expiring": expiring})
		}
		fmt.Fprintln(o.streams.Out, "Scopes not used for 30 days, which a new key could do without:")
		if err := rows(o, c.printable, unused, "  none", []string{"ID", "NAME", "UNUSED", "LAST USED"},
			func(k keyShown) []string {
				return []string{string(k.ID), k.Name, words(k.Unused), whenShown(k.LastUsedAt)}
			}); err != nil {
			return err
		}
		fmt.Fprintln(o.streams.Out, "\nKeys that expire within 14 days; replace them with: stockhand keys rotate ID")
		return rows(o, c.printable, expiring, "  none", []string{"ID", "NAME", "EXPIRES"}, func(k keyShown) []string {
			return []string{string(k.ID), k.Name, shownTime(k.ExpiresAt)}
		})
	})
}
