package signinpage

import (
	"net/http"
	"net/url"
	"time"

	"github.com/stockhand/stockhand/internal/auth/signin"
)

// begin sends a person to the OpenID provider.
func (c Config) begin(w http.ResponseWriter, r *http.Request) {
	address, secret, expires, err := c.SignIn.BeginOIDC(r.Context(), c.origin(r))
	if err != nil {
		c.showError(w, r, input{}, err)
		return
	}
	c.Cookies.SetFlow(w, secret, expires)
	//nolint:gosec // the operator names the provider
	http.Redirect(w, r, address, http.StatusFound)
}

// callback completes a sign-in when the provider sends the person back.
func (c Config) callback(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what cannot be read has no state and no code
	out, err := c.SignIn.ByOIDC(r.Context(), c.Cookies.Flow(r),
		signin.Returned{State: query.Get("state"), Code: query.Get("code"), Issuer: query.Get("iss")}, c.origin(r))
	c.Cookies.SetFlow(w, "", time.Time{})
	if err != nil {
		c.showError(w, r, input{}, err)
		return
	}
	if out.Challenge != "" {
		c.write(w, r, http.StatusOK, view{Challenge: out.Challenge})
		return
	}
	c.Cookies.Set(w, out.Cookie, out.SignIn.Expires)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
