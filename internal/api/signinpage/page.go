package signinpage

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
)

// view is the sign-in page.
type view struct {
	Theme     caller.Theme
	Problem   string
	Token     string // of a link
	Challenge string // of a second factor
	Email     string
	Provider  bool // there is an OpenID provider
	Passkeys  bool // this server has passkeys
}

// show serves the page. With a language in the address, the browser keeps that one.
func (c Config) show(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what cannot be read is no token
	if l := stockhand.Language(query.Get("language")); l != "" {
		c.Cookies.PreferLanguage(w, l)
		http.Redirect(w, r, Path, http.StatusSeeOther)
		return
	}
	c.write(w, r, http.StatusOK, view{Token: query.Get("token")})
}

// showError shows the page again with what went wrong. The token of a refused link is not offered again.
func (c Config) showError(w http.ResponseWriter, r *http.Request, in input, err error) {
	problem, ok := c.problem(r, err)
	if !ok {
		c.WriteError(w, r, err)
		return
	}
	c.write(w, r, http.StatusUnprocessableEntity, view{Problem: problem, Email: in.Email, Challenge: in.Challenge})
}

// problem returns what a page says about an error, which may be nil; ok is false for one that is not the person's.
func (c Config) problem(r *http.Request, err error) (said string, ok bool) {
	if err == nil {
		return "", true
	}
	words, ok := page.Said(text.With(r.Context(), c.Language(r)), err)
	return strings.TrimSpace(words.Message + " " + words.Hint), ok
}

func (c Config) write(w http.ResponseWriter, r *http.Request, status int, p view) {
	first := p.Token == "" && p.Challenge == ""
	p.Theme, p.Provider, p.Passkeys = caller.ThemeOf(r), first && c.SignIn.Provider != nil, c.SignIn.HasPasskeys()
	c.writePage(w, r, status, signInPage(p))
}

// writePage writes a page in the language of the request.
func (c Config) writePage(w http.ResponseWriter, r *http.Request, status int, content templ.Component) {
	// It returns no error.
	_ = page.Write(w, r.WithContext(text.With(r.Context(), c.Language(r))), status, content)
}
