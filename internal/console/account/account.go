// Package account is the console's page of a person's own account: how they sign in, where they are signed in, their
// organizations and the invitations to others (rule R590).
package account

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
)

// People is the part of internal/auth that the page uses.
type People interface {
	User(ctx context.Context, id stockhand.UserID) (stockhand.User, error)
	Organizations(ctx context.Context, a stockhand.Actor) ([]stockhand.Membership, error)
	CreateOrganization(ctx context.Context, a stockhand.Actor, name string) (stockhand.Organization, error)
	SetHome(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) error
	Leave(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) (stockhand.Departure, error)
	OwnInvitations(ctx context.Context, a stockhand.Actor, before stockhand.InvitationID, limit int) (
		[]stockhand.Invitation, error)
	Accept(ctx context.Context, a stockhand.Actor, which auth.Invited) (stockhand.Member, error)
	Decline(ctx context.Context, a stockhand.Actor, which auth.Invited) (stockhand.Invitation, error)
	SignIns(ctx context.Context, a stockhand.Actor, before stockhand.SignInID, limit int) ([]stockhand.SignIn, error)
	EndSignIn(ctx context.Context, a stockhand.Actor, id stockhand.SignInID) error
	EndSignIns(ctx context.Context, a stockhand.Actor, spared stockhand.SignInID) (int, error)
}

// SignIn is the part of internal/auth/signin that the page uses.
type SignIn interface {
	HasPasskeys() bool
	Methods(ctx context.Context, a stockhand.Actor) (signin.Methods, error)
	SetPassword(ctx context.Context, a stockhand.Actor, current, password string) error
	Passkeys(ctx context.Context, a stockhand.Actor) ([]stockhand.Passkey, error)
	BeginNewPasskey(ctx context.Context, a stockhand.Actor) (json.RawMessage, error)
	AddPasskey(ctx context.Context, a stockhand.Actor, name string, answer []byte) (stockhand.Passkey, error)
	RemovePasskey(ctx context.Context, a stockhand.Actor, id stockhand.PasskeyID) error
	Identities(ctx context.Context, a stockhand.Actor) ([]stockhand.Identity, error)
	RemoveIdentity(ctx context.Context, a stockhand.Actor, id stockhand.IdentityID) error
	EnrolSecondFactor(ctx context.Context, a stockhand.Actor) (signin.Enrolment, error)
	ConfirmSecondFactor(ctx context.Context, a stockhand.Actor, code string) ([]string, error)
	RenewRecoveryCodes(ctx context.Context, a stockhand.Actor) ([]string, error)
	RemoveSecondFactor(ctx context.Context, a stockhand.Actor) error
	Prover
}

// Prover lets a person prove again who they are.
type Prover interface {
	StepUp(ctx context.Context, a stockhand.Actor, password, code string) error
	BeginPasskeyProof(ctx context.Context, a stockhand.Actor) (json.RawMessage, error)
	StepUpByPasskey(ctx context.Context, a stockhand.Actor, answer []byte) error
}

// Handlers serve the page.
type Handlers struct {
	Frames page.Frames
	People People
	SignIn SignIn
	Create bool // everybody may create organizations on this installation
}

const (
	mostSignIns     = 50
	mostInvitations = 50
)

// view is the page.
type view struct {
	Org         stockhand.OrgID
	MayCreate   bool // an organization
	Current     stockhand.SignInID
	Person      stockhand.User
	Methods     signin.Methods
	HasPasskeys bool
	Passkeys    []stockhand.Passkey
	Identities  []stockhand.Identity
	SignIns     []stockhand.SignIn
	Orgs        []stockhand.Membership
	Invitations []stockhand.Invitation

	Done    string // what was done, as the address says it
	Prove   bool   // the person must prove who they are before what they tried
	Problem *stockhand.Words
	Enrol   *signin.Enrolment // a second factor that waits for its first code
	Codes   []string          // new recovery codes, shown once
}

func (v view) path(parts ...string) templ.SafeURL { return templ.SafeURL(path(v.Org, parts...)) }

func path(org stockhand.OrgID, parts ...string) string {
	return page.Path(org, append([]string{page.Account}, parts...)...)
}

// done are the texts of what was done, by how addresses say it.
var done = map[string]text.T{
	"proved": text.DoneProved, "password": text.DonePassword, "passkey": text.DonePasskey,
	"passkey-removed": text.DoneUnkeyed, "unlinked": text.DoneUnlinked, "codes-off": text.DoneCodesOff,
	"signed-out": text.DoneSignedOut, "joined": text.DoneJoined, "declined": text.DoneDeclined,
	"home": text.DoneHome,
}

// Show serves the page.
func (h Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	return h.show(w, r, http.StatusOK, view{Done: r.URL.Query().Get("done")})
}

func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, v view) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v.Org, v.MayCreate, v.Current, v.HasPasskeys = a.Org, h.Create, a.SignIn, h.SignIn.HasPasskeys()
	for _, read := range []func() error{
		func() error { v.Person, err = h.People.User(ctx, a.User); return err },
		func() error { v.Methods, err = h.SignIn.Methods(ctx, a); return err },
		func() error { v.Passkeys, err = h.SignIn.Passkeys(ctx, a); return err },
		func() error { v.Identities, err = h.SignIn.Identities(ctx, a); return err },
		func() error { v.SignIns, err = h.People.SignIns(ctx, a, "", mostSignIns); return err },
		func() error { v.Orgs, err = h.People.Organizations(ctx, a); return err },
		func() error { v.Invitations, err = h.People.OwnInvitations(ctx, a, "", mostInvitations); return err },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return h.Frames.Show(w, r, page.Page{Title: text.AccountTitle.In(ctx), Narrow: true, Status: status,
		Content: accountPage(v)})
}

// finish returns to the page after a change, or says why there was none.
func (h Handlers) finish(w http.ResponseWriter, r *http.Request, how string, failed error) error {
	if failed == nil {
		return page.Go(w, r, path(stockhand.ActorOf(r.Context()).Org)+"?done="+how)
	}
	return h.refuse(w, r, view{}, failed)
}

// refuse shows the page with what went wrong, or asks for a proof of who the person is.
func (h Handlers) refuse(w http.ResponseWriter, r *http.Request, v view, failed error) error {
	words, ok := page.Said(r.Context(), failed)
	if !ok || stockhand.CodeOf(failed) == stockhand.CodeNotFound {
		return failed
	}
	if stockhand.CodeOf(failed) == stockhand.CodeStepUpRequired {
		v.Prove = true
	} else {
		v.Problem = &words
	}
	return h.show(w, r, status(failed), v)
}

// status is that of the page about a refused change. The page itself is never refused.
func status(failed error) int {
	if s := page.Status(failed); s != http.StatusForbidden {
		return s
	}
	return http.StatusUnprocessableEntity
}

// Prove lets the person prove again who they are.
func (h Handlers) Prove(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	if answer := form.Get("credential"); answer != "" {
		err = h.SignIn.StepUpByPasskey(ctx, a, []byte(answer))
	} else {
		err = h.SignIn.StepUp(ctx, a, form.Get("password"), form.Get("code"))
	}
	if err != nil {
		return h.refuse(w, r, view{Prove: true}, err)
	}
	return h.finish(w, r, "proved", nil)
}

// AskProof starts a proof with a passkey.
func (h Handlers) AskProof(w http.ResponseWriter, r *http.Request) error {
	options, err := h.SignIn.BeginPasskeyProof(r.Context(), stockhand.ActorOf(r.Context()))
	if err != nil {
		return err
	}
	return page.Options(w, options)
}
