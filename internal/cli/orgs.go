package cli

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// orgsCmd manages organizations from the command line.
type orgsCmd struct {
	Create  orgsCreateCmd  `cmd:"" help:"Create an organization with an owner."`
	List    orgsListCmd    `cmd:"" help:"List the organizations."`
	Rename  orgsRenameCmd  `cmd:"" help:"Rename an organization."`
	Erase   orgsEraseCmd   `cmd:"" help:"Erase the messages, results and drafts of an organization, for good."`
	Members orgsMembersCmd `cmd:"" help:"List, add, change or remove members."`
	Invite  orgsInviteCmd  `cmd:"" help:"Invite a person; the token is shown once, and the person accepts with it."`

	Rules  orgsRulesCmd  `cmd:"" help:"Show or change what the organization requires of a confirmation."`
	Policy orgsPolicyCmd `cmd:"" help:"Show or change what the organization demands of keys and user tokens."`

	Notes     orgsNotesCmd     `cmd:"" help:"Show or change what the organization's agent should know."`
	Retention orgsRetentionCmd `cmd:"" help:"Show or change how long the organization keeps what it stores."`
	Usage     orgsUsageCmd     `cmd:"" help:"Show how much the organization stores, and how much it may."`
	Quota     orgsQuotaCmd     `cmd:"" help:"Change how much the organization may store."`

	Invitations orgsInvitationsCmd `cmd:"" help:"List pending invitations, or revoke one."`
}

type orgsCreateCmd struct {
	Name  string `arg:"" help:"Its name, 1 to 100 characters."`
	Owner string `required:"" placeholder:"EMAIL" help:"The owner's email address; a user is created when there is none."`
	printable
}

func (c *orgsCreateCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		u, err := o.auth.UserByEmail(ctx, c.Owner)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			u, err = o.createUser(ctx, c.Owner, "")
		}
		if err != nil {
			return err
		}
		org, err := o.auth.CreateOrganizationFor(ctx, auth.Operator("", o.login), u.ID, c.Name)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, wire.OrganizationOf(org))
		}
		fmt.Fprintf(o.streams.Out, "%s %s, owner %s\nGive the owner a token: stockhand users token %s\n", org.ID,
			table.OneLine(org.Name), u.Email, u.Email)
		return nil
	})
}

type orgsListCmd struct{ printable }

func (c *orgsListCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		organizations, err := o.db.System().Organizations(ctx)
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(organizations, wire.OrganizationOf),
			"None yet. The first start of the server creates one.",
			[]string{"ID", "NAME", "CREATED"}, func(x wire.Organization) []string {
				return []string{string(x.ID), x.Name, shownTime(x.CreatedAt)}
			})
	})
}

type orgsRenameCmd struct {
	Name string `arg:"" help:"The new name, 1 to 100 characters."`
	inOrg
	printable
}

func (c *orgsRenameCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		org, err := o.auth.RenameOrganization(ctx, a, a.Org, c.Name)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, wire.OrganizationOf(org))
		}
		fmt.Fprintf(o.streams.Out, "%s is now named %s.\n", org.ID, table.OneLine(org.Name))
		return nil
	})
}

type orgsEraseCmd struct {
	Which   string `arg:"" name:"org" help:"The organization, by id or name."`
	ForGood bool   `required:"" help:"Confirm that nothing brings the data back."`
	printable
}

func (c *orgsEraseCmd) Run(ctx context.Context, e *env) error {
	return inOrg{c.Which}.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		if err := o.auth.EraseOrganization(ctx, a, a.Org); err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, map[string]any{"erased": a.Org})
		}
		fmt.Fprintf(o.streams.Out, "The data of %s is erased. Running servers notice within 10 seconds.\nBackups that "+
			"contain its data key can still be read: replace your copy of the table data_keys.\n", a.Org)
		return nil
	})
}

type orgsMembersCmd struct {
	Add    string         `placeholder:"EMAIL" xor:"change" help:"Add this person; a user is created when the address is new."`
	Change string         `placeholder:"EMAIL" xor:"change" help:"Give this member the role."`
	Remove string         `placeholder:"EMAIL" xor:"change" help:"Remove this member."`
	Keep   bool           `name:"keep-keys" help:"With --remove: keep the API keys that the member created; they are revoked otherwise."`
	Role   stockhand.Role `enum:"owner,admin,member,viewer" default:"member" help:"The role to give: owner, admin, member or viewer."`
	inOrg
	printable
}

func (c *orgsMembersCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		if err := c.change(ctx, o, a); err != nil {
			return err
		}
		members, err := pages(func(after stockhand.UserID, limit int) ([]stockhand.Member, error) {
			return o.auth.Members(ctx, a, a.Org, after, limit)
		}, func(m stockhand.Member) stockhand.UserID { return m.User.ID })
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(members, showMember), "No members.",
			[]string{"ID", "EMAIL", "NAME", "ROLE"},
			func(u userShown) []string {
				return []string{string(u.ID), u.Email, u.Name, string(u.Role)}
			})
	})
}

// change applies the requested change before the list is printed.
func (c *orgsMembersCmd) change(ctx context.Context, o *operator, a stockhand.Actor) error {
	if c.Add != "" {
		_, err := o.auth.AddMember(ctx, a, c.Add, c.Role)
		return err
	}
	email := c.Change + c.Remove
	if email == "" {
		return nil
	}
	who, err := o.as(ctx, email)
	if err != nil {
		return err
	}
	if c.Remove != "" {
		var gone stockhand.Departure
		gone, err = o.auth.RemoveMember(ctx, a, a.Org, who.User, c.Keep)
		became := "is revoked"
		if gone.Transferred {
			became = "stays"
		}
		for _, k := range gone.Keys {
			fmt.Fprintf(o.streams.Err, "Key %s (%s, %q) of %s %s.\n", k.ID, k.Prefix, table.OneLine(k.Name), c.Remove,
				became)
		}
	} else {
		_, err = o.auth.ChangeRole(ctx, a, a.Org, who.User, c.Role)
	}
	return err
}
