package signinpage

import (
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
)

// invitationView is what the page of an invitation shows.
type invitationView struct {
	Theme      caller.Theme
	Problem    string
	Token      string // empty if the invitation is not good
	Org        string // the organization's name, which it chose itself
	Role       stockhand.Role
	Email      string
	Name       string // typed before
	SignedIn   bool   // the browser is signed in as the invited person
	SignUp     bool   // invited people may create an account
	NoPassword bool   // a passkey can follow instead
}

// showInvitation serves the page of an invitation. Looking at it accepts nothing.
func (c Config) showInvitation(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what cannot be read is no token
	c.writeInvitation(w, r, http.StatusOK, input{Token: query.Get("token")}, nil)
}

// signUp creates an account for the person who has an invitation's token.
func (c *Config) signUp(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByInvitation(r.Context(), in.Token, signin.NewPerson{Name: in.Name, Password: in.Password},
		c.origin(r))
}

// acceptInvitation lets the person of this browser's sign-in accept, from the page.
func (c Config) acceptInvitation(w http.ResponseWriter, r *http.Request) {
	in, _, err := read(w, r)
	if err == nil {
		err = caller.SameOrigin(r)
	}
	if err == nil {
		_, err = c.SignIn.Invitation(r.Context(), in.Token, c.origin(r)) // before a cookie is looked up
	}
	if err == nil {
		var a stockhand.Actor
		if a, err = c.person(r); err == nil {
			_, err = c.SignIn.Auth.Accept(r.Context(), a, auth.Invited{Token: in.Token})
		}
	}
	if err != nil {
		c.writeInvitation(w, r, http.StatusUnprocessableEntity, in, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// person returns the person who is signed in with this browser.
func (c Config) person(r *http.Request) (stockhand.Actor, error) {
	a, err := c.SignIn.Auth.Authenticate(r.Context(),
		auth.Caller{Cookie: c.Cookies.SignIn(r), IP: c.Proxies.Address(r)})
	if a.Person && stockhand.CodeOf(err) == stockhand.CodeOrgRequired {
		err = nil // accepting needs no organization
	}
	return a, err
}

// writeInvitation shows the invitation with that token, and what went wrong.
func (c Config) writeInvitation(w http.ResponseWriter, r *http.Request, status int, in input, failed error) {
	i, err := c.SignIn.Invitation(r.Context(), in.Token, c.origin(r))
	if failed == nil && err != nil {
		failed, status = err, http.StatusUnprocessableEntity
	}
	problem, ok := c.problem(r, failed)
	if !ok {
		c.WriteError(w, r, failed)
		return
	}
	p := invitationView{Theme: caller.ThemeOf(r), Problem: problem, Name: in.Name,
		SignUp: c.SignIn.Auth.InvitedSignUp, NoPassword: c.SignIn.HasPasskeys()}
	if err == nil {
		p.Token, p.Org, p.Email, p.Role = in.Token, i.OrgName, i.Email, i.Role
		if a, err := c.person(r); err == nil && a.User != "" {
			u, err := c.SignIn.Auth.User(r.Context(), a.User)
			p.SignedIn = err == nil && u.Email == i.Email
		}
	}
	c.writePage(w, r, status, invitationPage(p))
}
