// Package people is the console's section of the people of an organization: members, their roles, and invitations.
package people

import (
	"context"
	"net/http"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Auth is the part of internal/auth that the section uses.
type Auth interface {
	Members(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, after stockhand.UserID, limit int) (
		[]stockhand.Member, error)
	ChangeRole(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID, role stockhand.Role) (
		stockhand.Member, error)
	RemoveMember(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID, transfer bool) (
		stockhand.Departure, error)
	Invite(ctx context.Context, a stockhand.Actor, email string, role stockhand.Role) (stockhand.Invitation, string,
		error)
	Invitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
		[]stockhand.Invitation, error)
	RevokeInvitation(ctx context.Context, a stockhand.Actor, id stockhand.InvitationID) (stockhand.Invitation, error)
}

// Handlers serve the section.
type Handlers struct {
	Frames page.Frames
	Auth   Auth
	Link   func(token string) string // the page of an invitation
}

// most is how many people and invitations the page shows.
const most = 200

// view is the page of the section.
type view struct {
	Org         stockhand.OrgID
	Me          stockhand.UserID
	May         bool // the person administers the organization
	Members     []stockhand.Member
	More        stockhand.UserID // the last one shown, if there are more
	Invitations []stockhand.Invitation
	Email       string // of the form for an invitation
	Role        stockhand.Role
	Link        string // of the invitation that was just created
	Problem     *stockhand.Words
}

func (v view) path(parts ...string) templ.SafeURL {
	return templ.SafeURL(page.Path(v.Org, append([]string{page.Members}, parts...)...))
}

// roles are the choices of a role.
func roles(ctx context.Context) (all []ui.Option) {
	for _, r := range stockhand.Roles() {
		all = append(all, ui.Option{Value: string(r),
			Title: text.RoleNames[r].In(ctx) + " — " + text.RoleMeanings[r].In(ctx)})
	}
	return all
}

// List serves the page.
func (h Handlers) List(w http.ResponseWriter, r *http.Request) error {
	return h.show(w, r, http.StatusOK, view{})
}

// show completes the page and writes it.
func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, v view) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v.Org, v.Me, v.May = a.Org, a.User, a.May(stockhand.ScopeAdmin)
	if v.Role == "" {
		v.Role = stockhand.RoleMember
	}
	after := stockhand.UserID(r.URL.Query().Get("after"))
	if v.Members, err = h.Auth.Members(ctx, a, a.Org, after, most); err != nil {
		return err
	}
	if len(v.Members) == most {
		v.More = v.Members[most-1].User.ID
	}
	if v.May {
		if v.Invitations, err = h.Auth.Invitations(ctx, a, "", most); err != nil {
			return err
		}
	}
	return h.Frames.Show(w, r, page.Page{Title: text.People.In(ctx), Section: page.Members, Status: status,
		Content: membersPage(v)})
}

// done returns to the list after a change, or shows why there was none.
func (h Handlers) done(w http.ResponseWriter, r *http.Request, v view, failed error) error {
	if failed == nil {
		return page.Go(w, r, page.Path(stockhand.ActorOf(r.Context()).Org, page.Members))
	}
	words, ok := page.Said(r.Context(), failed)
	if !ok || stockhand.CodeOf(failed) == stockhand.CodeNotFound {
		return failed
	}
	v.Problem = &words
	return h.show(w, r, page.Status(failed), v)
}

// Invite creates an invitation and shows its link, once.
func (h Handlers) Invite(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	v := view{Email: form.Get("email"), Role: stockhand.Role(form.Get("role"))}
	i, token, err := h.Auth.Invite(r.Context(), stockhand.ActorOf(r.Context()), v.Email, v.Role)
	if err != nil {
		return h.done(w, r, v, err)
	}
	return h.show(w, r, http.StatusOK, view{Link: h.Link(token), Email: i.Email})
}

// Revoke ends an invitation.
func (h Handlers) Revoke(w http.ResponseWriter, r *http.Request) error {
	_, err := h.Auth.RevokeInvitation(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.InvitationID(r.PathValue("invitation_id")))
	return h.done(w, r, view{}, err)
}

// ChangeRole changes the role of a member.
func (h Handlers) ChangeRole(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	_, err = h.Auth.ChangeRole(r.Context(), a, a.Org, stockhand.UserID(r.PathValue("user_id")),
		stockhand.Role(form.Get("role")))
	return h.done(w, r, view{}, err)
}

// Remove ends a membership, and the keys that the person created.
func (h Handlers) Remove(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.Auth.RemoveMember(r.Context(), a, a.Org, stockhand.UserID(r.PathValue("user_id")), false)
	return h.done(w, r, view{}, err)
}
