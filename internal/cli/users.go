package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// usersCmd manages users from the command line.
type usersCmd struct {
	Create  usersCreateCmd  `cmd:"" help:"Create a user, optionally as a member of an organization."`
	List    usersListCmd    `cmd:"" help:"List all users."`
	Link    usersLinkCmd    `cmd:"" help:"Create a link with which a user signs in once."`
	Reset   usersResetCmd   `cmd:"" name:"reset-second-factor" help:"Remove a user's second factor, which they have lost."`
	Passkey usersPasskeyCmd `cmd:"" name:"remove-passkeys" help:"Remove a user's passkeys, such as after the loss of a device."`
	Linked  usersLinkedCmd  `cmd:"" name:"identities" help:"List a user's accounts at OpenID providers, or unlink one."`
	Disable usersDisableCmd `cmd:"" help:"Disable an account: its tokens and sign-ins stop working."`
	Enable  usersEnableCmd  `cmd:"" help:"Enable a disabled account again."`
	Erase   usersEraseCmd   `cmd:"" help:"Erase a person; records keep their id only."`
	Token   usersTokenCmd   `cmd:"" help:"Create a user token; it is shown once."`
	Tokens  usersTokensCmd  `cmd:"" help:"List a user's tokens, or revoke one."`

	Invitations usersInvitationsCmd `cmd:"" help:"List the invitations to a user, or accept or decline one for them."`
}

type userShown struct {
	ID      stockhand.UserID `json:"id"`
	Email   string           `json:"email"`
	Name    string           `json:"name"`
	Created time.Time        `json:"created_at"`
	Proven  bool             `json:"email_proven"`
	Org     stockhand.OrgID  `json:"org_id,omitempty"`
	Role    stockhand.Role   `json:"role,omitempty"`
}

func showUser(u stockhand.User) userShown {
	return userShown{ID: u.ID, Email: u.Email, Name: u.Name, Created: u.Created, Proven: !u.EmailProven.IsZero()}
}

func showMember(m stockhand.Member) userShown {
	shown := showUser(m.User)
	shown.Org, shown.Role = m.Org, m.Role
	return shown
}

type usersCreateCmd struct {
	Email string         `arg:"" help:"The person's email address."`
	Name  string         `placeholder:"NAME" help:"Their name."`
	Role  stockhand.Role `enum:"owner,admin,member,viewer" placeholder:"ROLE" help:"Make them a member of the organization as owner, admin, member or viewer."`
	inOrg
	printable
}

func (c *usersCreateCmd) Run(ctx context.Context, e *env) error {
	if c.Org != "" && c.Role == "" {
		return fmt.Errorf("%w: --org needs --role owner, admin, member or viewer", errUsage)
	}
	return operate(ctx, e, func(o *operator) error {
		u, err := o.createUser(ctx, c.Email, c.Name)
		if err != nil {
			return err
		}
		shown := showUser(u)
		if c.Role != "" {
			a, err := o.actor(ctx, c.inOrg)
			if err != nil {
				return err
			}
			m, err := o.auth.AddMember(ctx, a, u.Email, c.Role)
			if err != nil {
				return err
			}
			shown = showMember(m)
		}
		if c.JSON {
			return printJSON(o.streams.Out, shown)
		}
		fmt.Fprintf(o.streams.Out, "%s %s\nLet them sign in: stockhand users link %s\n", u.ID, u.Email, u.Email)
		return nil
	})
}

type usersListCmd struct{ printable }

func (c *usersListCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		users, err := pages(func(after stockhand.UserID, limit int) ([]stockhand.User, error) {
			return o.auth.Users(ctx, after, limit)
		}, func(u stockhand.User) stockhand.UserID { return u.ID })
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(users, showUser),
			"No users yet. The first start of the server creates an owner.",
			[]string{"ID", "EMAIL", "PROVEN", "NAME", "CREATED"}, func(u userShown) []string {
				proven := "yes"
				if !u.Proven {
					proven = "no"
				}
				return []string{string(u.ID), u.Email, proven, u.Name, shownTime(u.Created)}
			})
	})
}

type usersLinkCmd struct {
	Email string `arg:"" help:"The person's email address."`
	printable
}

func (c *usersLinkCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		of, err := o.as(ctx, c.Email)
		if err != nil {
			return err
		}
		l, err := o.signIn.CreateLink(ctx, auth.Operator("", o.login), of.User)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, struct {
				URL     string    `json:"url"`
				Expires time.Time `json:"expires_at"`
			}{l.URL, l.Expires})
		}
		fmt.Fprintln(o.streams.Out, l.URL)
		fmt.Fprintf(o.streams.Err, "It signs %s in once, until %s. Give it only to them.\n", c.Email,
			shownTime(l.Expires))
		return nil
	})
}

type usersResetCmd struct{ oneUser }

func (c *usersResetCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error {
		return o.signIn.ResetSecondFactor
	})
}

type usersPasskeyCmd struct{ oneUser }

func (c *usersPasskeyCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error {
		return o.signIn.RemovePasskeys
	})
}

type usersLinkedCmd struct {
	Email  string               `arg:"" help:"The person's email address."`
	Remove stockhand.IdentityID `placeholder:"ID" help:"Unlink this account."`
	printable
}

func (c *usersLinkedCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		of, err := o.as(ctx, c.Email)
		if err != nil {
			return err
		}
		if c.Remove != "" {
			if err := o.signIn.UnlinkIdentity(ctx, auth.Operator("", o.login), of.User, c.Remove); err != nil {
				return err
			}
		}
		all, err := o.signIn.Identities(ctx, of)
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(all, wire.IdentityOf), "No accounts at OpenID providers.",
			[]string{"ID", "ISSUER", "SUBJECT", "LINKED"}, func(i wire.Identity) []string {
				return []string{string(i.ID), i.Issuer, i.Subject, shownTime(i.CreatedAt)}
			})
	})
}

type oneUser struct {
	Email string `arg:"" help:"The person's email address."`
}

// with runs fn as the operator for the user.
func (u oneUser) with(ctx context.Context, e *env,
	fn func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error) error {
	return operate(ctx, e, func(o *operator) error {
		of, err := o.as(ctx, u.Email)
		if err != nil {
			return err
		}
		return fn(o)(ctx, auth.Operator("", o.login), of.User)
	})
}

type usersDisableCmd struct{ oneUser }

func (c *usersDisableCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error {
		return o.auth.DisableUser
	})
}

type usersEnableCmd struct{ oneUser }

func (c *usersEnableCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error {
		return o.auth.EnableUser
	})
}

type usersEraseCmd struct{ oneUser }

func (c *usersEraseCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, func(o *operator) func(context.Context, stockhand.Actor, stockhand.UserID) error {
		return o.auth.EraseUser
	})
}

type usersTokenCmd struct {
	Email         string `arg:"" help:"The person's email address."`
	Name          string `default:"command line" placeholder:"NAME" help:"What the token is for (default: command line)."`
	ExpiresInDays int    `placeholder:"N" help:"After how many days it ends (default, and at most: 365)."`
	printable
}

type tokenShown struct {
	wire.NewUserToken

	User stockhand.UserID `json:"user_id"`
}

func showToken(t stockhand.UserToken) tokenShown {
	return tokenShown{NewUserToken: wire.NewUserToken{UserToken: wire.TokenOf(t)}, User: t.User}
}

// as returns the user with that email as an actor; the audit log shows who ran the command.
func (o *operator) as(ctx context.Context, email string) (stockhand.Actor, error) {
	u, err := o.auth.UserByEmail(ctx, email)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return stockhand.Actor{}, stockhand.Errorf(stockhand.CodeNotFound, "no user has that email address").WithHint(
			"stockhand users list shows the users; stockhand users create creates one")
	}
	return stockhand.Actor{Name: "cli:" + o.login, Person: true, User: u.ID}, err
}

func (c *usersTokenCmd) Run(ctx context.Context, e *env) error {
	if c.ExpiresInDays < 0 || c.ExpiresInDays > auth.MostDays {
		return fmt.Errorf("%w: --expires-in-days must be 1 to 365", errUsage)
	}
	return operate(ctx, e, func(o *operator) error {
		a, err := o.as(ctx, c.Email)
		if err != nil {
			return err
		}
		var expires time.Time
		if c.ExpiresInDays > 0 {
			expires = time.Now().AddDate(0, 0, c.ExpiresInDays)
		}
		t, secret, err := o.auth.CreateToken(ctx, a, auth.NewToken{Name: c.Name, Expires: expires})
		if err != nil {
			return err
		}
		if c.JSON {
			shown := showToken(t)
			shown.Secret = secret
			return printJSON(o.streams.Out, shown)
		}
		fmt.Fprintln(o.streams.Out, secret)
		fmt.Fprintf(o.streams.Err, "%s %q of %s, until %s. The token above is shown this once.\n", t.ID,
			table.OneLine(t.Name),
			c.Email, shownTime(t.Expires))
		return nil
	})
}

type usersTokensCmd struct {
	Email  string `arg:"" help:"The person's email address."`
	Revoke string `placeholder:"ID" help:"Revoke this token: servers refuse it within a second."`
	printable
}

func (c *usersTokensCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		a, err := o.as(ctx, c.Email)
		if err != nil {
			return err
		}
		if c.Revoke != "" {
			if _, err := o.auth.RevokeToken(ctx, a, stockhand.TokenID(c.Revoke)); err != nil {
				return err
			}
		}
		page, err := o.auth.Tokens(ctx, a, "", 200)
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(page, showToken), "No tokens.",
			[]string{"ID", "PREFIX", "NAME", "EXPIRES", "LAST USED", "REVOKED"}, func(t tokenShown) []string {
				return []string{string(t.ID), t.Prefix, t.Name, whenShown(t.ExpiresAt),
					whenShown(t.LastUsedAt), whenShown(t.RevokedAt)}
			})
	})
}
