package cli

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
)

type orgsInviteCmd struct {
	Email string         `arg:"" help:"The person's email address."`
	Role  stockhand.Role `enum:"owner,admin,member,viewer" default:"member" help:"The role to offer: owner, admin, member or viewer."`
	inOrg
	printable
}

func (c *orgsInviteCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		i, token, err := o.auth.Invite(ctx, a, c.Email, c.Role)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, wire.NewInvitation{Invitation: wire.InvitationOf(i), Secret: token,
				URL: o.signIn.InvitationLink(token)})
		}
		fmt.Fprintln(o.streams.Out, o.signIn.InvitationLink(token))
		fmt.Fprintf(o.streams.Err, "%s for %s as %s, until %s. The link above is shown this once; give it only to them. "+
			"They accept on that page, where they can create an account.\n",
			i.ID, i.Email, i.Role, shownTime(i.Expires))
		return nil
	})
}

type orgsInvitationsCmd struct {
	Revoke stockhand.InvitationID `placeholder:"ID" help:"Revoke this invitation."`
	inOrg
	printable
}

func (c *orgsInvitationsCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		if c.Revoke != "" {
			if _, err := o.auth.RevokeInvitation(ctx, a, c.Revoke); err != nil {
				return err
			}
		}
		pending, err := o.auth.Invitations(ctx, a, "", auth.MostPending)
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(pending, wire.InvitationOf), "No pending invitations.",
			[]string{"ID", "EMAIL", "ROLE", "CREATED", "EXPIRES"}, func(i wire.Invitation) []string {
				return []string{string(i.ID), i.Email, string(i.Role), shownTime(i.CreatedAt), shownTime(i.ExpiresAt)}
			})
	})
}

type usersInvitationsCmd struct {
	Email   string                 `arg:"" help:"The person's email address."`
	Accept  stockhand.InvitationID `placeholder:"ID" xor:"answer" help:"Accept this invitation for them."`
	Decline stockhand.InvitationID `placeholder:"ID" xor:"answer" help:"Decline this invitation for them."`
	printable
}

func (c *usersInvitationsCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		a, err := o.as(ctx, c.Email)
		if err != nil {
			return err
		}
		switch {
		case c.Accept != "":
			_, err = o.auth.Accept(ctx, a, auth.Invited{ID: c.Accept})
		case c.Decline != "":
			_, err = o.auth.Decline(ctx, a, auth.Invited{ID: c.Decline})
		}
		if err != nil {
			return err
		}
		pending, err := o.auth.OwnInvitations(ctx, a, "", 200)
		if err != nil {
			return err
		}
		return rows(o, c.printable, mapped(pending, wire.OwnInvitationOf), "No pending invitations.",
			[]string{"ID", "ORGANIZATION", "NAME", "ROLE", "EXPIRES"}, func(i wire.OwnInvitation) []string {
				return []string{string(i.ID), string(i.Organization), i.OrganizationName, string(i.Role),
					shownTime(i.ExpiresAt)}
			})
	})
}
