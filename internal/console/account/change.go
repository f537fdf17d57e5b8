package account

import (
	"net/http"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
)

// SetPassword sets or changes the password.
func (h Handlers) SetPassword(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	return h.finish(w, r, "password", h.SignIn.SetPassword(r.Context(), stockhand.ActorOf(r.Context()),
		form.Get("current"), form.Get("password")))
}

// AskPasskey lets the device make a passkey.
func (h Handlers) AskPasskey(w http.ResponseWriter, r *http.Request) error {
	options, err := h.SignIn.BeginNewPasskey(r.Context(), stockhand.ActorOf(r.Context()))
	if err != nil {
		return err
	}
	return page.Options(w, options)
}

// AddPasskey adds the passkey that the device made.
func (h Handlers) AddPasskey(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	_, err = h.SignIn.AddPasskey(r.Context(), stockhand.ActorOf(r.Context()), form.Get("name"),
		[]byte(form.Get("credential")))
	return h.finish(w, r, "passkey", err)
}

// RemovePasskey removes a passkey.
func (h Handlers) RemovePasskey(w http.ResponseWriter, r *http.Request) error {
	return h.finish(w, r, "passkey-removed", h.SignIn.RemovePasskey(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.PasskeyID(r.PathValue("passkey_id"))))
}

// RemoveIdentity unlinks an account at an OpenID provider.
func (h Handlers) RemoveIdentity(w http.ResponseWriter, r *http.Request) error {
	return h.finish(w, r, "unlinked", h.SignIn.RemoveIdentity(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.IdentityID(r.PathValue("identity_id"))))
}

// StartCodes shows the key of a second factor, which holds once its first code is given.
func (h Handlers) StartCodes(w http.ResponseWriter, r *http.Request) error {
	e, err := h.SignIn.EnrolSecondFactor(r.Context(), stockhand.ActorOf(r.Context()))
	if err != nil {
		return h.refuse(w, r, view{}, err)
	}
	return h.show(w, r, http.StatusOK, view{Enrol: &e})
}

// ConfirmCodes turns the second factor on, and shows the recovery codes.
func (h Handlers) ConfirmCodes(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	codes, err := h.SignIn.ConfirmSecondFactor(r.Context(), stockhand.ActorOf(r.Context()), form.Get("code"))
	if err != nil {
		return h.refuse(w, r, view{}, err)
	}
	return h.show(w, r, http.StatusOK, view{Codes: codes})
}

// RenewCodes replaces the recovery codes.
func (h Handlers) RenewCodes(w http.ResponseWriter, r *http.Request) error {
	codes, err := h.SignIn.RenewRecoveryCodes(r.Context(), stockhand.ActorOf(r.Context()))
	if err != nil {
		return h.refuse(w, r, view{}, err)
	}
	return h.show(w, r, http.StatusOK, view{Codes: codes})
}

// EndCodes turns the second factor off.
func (h Handlers) EndCodes(w http.ResponseWriter, r *http.Request) error {
	return h.finish(w, r, "codes-off", h.SignIn.RemoveSecondFactor(r.Context(), stockhand.ActorOf(r.Context())))
}

// EndSignIn signs out one browser.
func (h Handlers) EndSignIn(w http.ResponseWriter, r *http.Request) error {
	return h.finish(w, r, "signed-out", h.People.EndSignIn(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.SignInID(r.PathValue("sign_in_id"))))
}

// EndSignIns signs out all browsers but this one.
func (h Handlers) EndSignIns(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	_, err := h.People.EndSignIns(r.Context(), a, a.SignIn)
	return h.finish(w, r, "signed-out", err)
}

// CreateOrganization creates an organization and leads to it.
func (h Handlers) CreateOrganization(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	o, err := h.People.CreateOrganization(r.Context(), stockhand.ActorOf(r.Context()), form.Get("name"))
	if err != nil {
		return h.refuse(w, r, view{}, err)
	}
	return page.Go(w, r, page.Path(o.ID))
}

// SetHome chooses the organization that requests go to which name none.
func (h Handlers) SetHome(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	return h.finish(w, r, "home", h.People.SetHome(r.Context(), stockhand.ActorOf(r.Context()),
		stockhand.OrgID(form.Get("org"))))
}

// Leave ends the membership in this organization, if the box is ticked.
func (h Handlers) Leave(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	if form.Get("sure") == "" {
		return h.show(w, r, http.StatusUnprocessableEntity,
			view{Problem: &stockhand.Words{Message: text.WritesUnsure.In(ctx)}})
	}
	if _, err := h.People.Leave(ctx, a, a.Org); err != nil {
		return h.refuse(w, r, view{}, err)
	}
	return page.Go(w, r, "/")
}

// Accept accepts an invitation and leads to its organization.
func (h Handlers) Accept(w http.ResponseWriter, r *http.Request) error {
	m, err := h.People.Accept(r.Context(), stockhand.ActorOf(r.Context()),
		auth.Invited{ID: stockhand.InvitationID(r.PathValue("invitation_id"))})
	if err != nil {
		return err
	}
	return page.Go(w, r, page.Path(m.Org))
}

// Decline declines an invitation.
func (h Handlers) Decline(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.People.Decline(r.Context(), stockhand.ActorOf(r.Context()),
		auth.Invited{ID: stockhand.InvitationID(r.PathValue("invitation_id"))}); err != nil {
		return err
	}
	return page.Go(w, r, "/invitations")
}
