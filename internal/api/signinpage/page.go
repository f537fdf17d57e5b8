package signinpage

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
)

// policy is the content security policy of a page without scripts. No page needs other sites.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// view is what the page shows.
type view struct {
	Lang      stockhand.Language
	Theme     caller.Theme
	Problem   string
	Token     string // of a link
	Challenge string // of a second factor
	Email     string
	Provider  bool   // there is an OpenID provider
	Script    string // asks for a passkey; empty if there are none
	Words     words
}

type words struct{ Title, Link, Email, Password, Code, SignIn, Provider, Passkey, Passkeys string }

var texts = map[stockhand.Language]words{
	stockhand.English: {"Sign in to Stockhand", "This link signs you in once.", "Email", "Password",
		"Code of your app, or a recovery code", "Sign in", "Sign in with your organization's account",
		"Sign in with a passkey", "Add or remove passkeys (after signing in)"},
	stockhand.Russian: {"Вход в Stockhand", "По этой ссылке можно войти один раз.", "Почта", "Пароль",
		"Код из приложения или запасной код", "Войти", "Войти через учётную запись организации",
		"Войти с ключом входа (passkey)", "Добавить или удалить ключи входа (после входа)"},
}

// show serves the page. A link is only used when the person presses the button: programs that look at links before
// people do must not use them up.
func (c Config) show(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what cannot be read is no token
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
func (c Config) problem(r *http.Request, err error) (text string, ok bool) {
	if err == nil {
		return "", true
	}
	own, ok := errors.AsType[*stockhand.Error](err)
	if !ok || own.Code == stockhand.CodeInternal || own.Code == stockhand.CodeDatabaseUnavailable {
		return "", false
	}
	words := own.In(c.Language(r))
	if words.Hint == "" {
		return words.Message, true
	}
	return words.Message + ". " + words.Hint, true
}

func (c Config) write(w http.ResponseWriter, r *http.Request, status int, p view) {
	p.Lang, p.Theme = c.Language(r), caller.ThemeOf(r)
	p.Words = texts[p.Lang]
	first, allowed := p.Token == "" && p.Challenge == "", policy
	p.Provider = first && c.SignIn.Provider != nil
	if first && c.SignIn.HasPasskeys() {
		p.Script, allowed = signInScript, signInPolicy
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", allowed)
	w.WriteHeader(status)
	_ = signInPage(p).Render(r.Context(), w) // the caller may have disconnected
}
