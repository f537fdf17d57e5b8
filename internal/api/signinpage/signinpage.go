// Package signinpage serves /sign-in: the page on which people sign in, and the same requests as JSON for programs that
// show a page of their own. It is outside /api/v1, whose every request is authenticated.
package signinpage

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/strictjson"
)

// Config is what a Handler needs.
type Config struct {
	SignIn  *signin.Service
	Proxies caller.Proxies
	Cookies caller.Cookies
	// WriteError writes an error as the API does.
	WriteError func(w http.ResponseWriter, r *http.Request, err error)
	// Language returns the language of a request's texts.
	Language func(r *http.Request) stockhand.Language
}

// Path is the address of the page; the other addresses are under it.
const Path = signin.LinkPath

// maxBody is the maximum size of a request, in bytes.
const maxBody = 16 << 10

// Routes returns the handlers by their patterns.
func (c Config) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET " + Path:                c.show,
		"GET " + Path + "/oidc":      c.begin,
		"GET " + signin.CallbackPath: c.callback,
		"POST " + Path + "/link":     c.step((*Config).link),
		"POST " + Path + "/password": c.step((*Config).password),
		"POST " + Path + "/code":     c.step((*Config).code),
		"POST " + Path + "/passkey":  c.step((*Config).passkey),

		"GET " + signin.InvitationPath:              c.showInvitation,
		"POST " + signin.InvitationPath:             c.step((*Config).signUp),
		"POST " + signin.InvitationPath + "/accept": c.acceptInvitation,

		"POST " + Path + "/passkey/challenge": c.askPasskey,
	}
}

// input is what a step of a sign-in takes.
type input struct {
	Token     string `json:"token"`
	Email     string `json:"email"`
	Password  string `json:"password"`
	Challenge string `json:"challenge"`
	Code      string `json:"code"`
	Name      string `json:"name"` // of a person who creates their account

	Credential json.RawMessage `json:"credential"` // of a passkey
}

func (c *Config) code(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByCode(r.Context(), in.Challenge, in.Code, c.origin(r))
}

func (c *Config) link(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByLink(r.Context(), in.Token, c.origin(r))
}

func (c *Config) password(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByPassword(r.Context(), in.Email, in.Password, c.origin(r))
}

// step serves a request that proves who the person is, as JSON or from the page. Other sites' pages must not sign a
// browser in: the person would then work in somebody else's account.
func (c Config) step(prove func(*Config, *http.Request, input) (signin.Outcome, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in, page, err := read(w, r)
		var out signin.Outcome
		if err == nil {
			err = caller.SameOrigin(r)
		}
		if err == nil {
			out, err = prove(&c, r, in)
		}
		if err == nil && out.Challenge == "" {
			c.Cookies.Set(w, out.Cookie, out.SignIn.Expires)
		}
		switch {
		case page && err == nil && out.Challenge != "":
			c.write(w, r, http.StatusOK, view{Challenge: out.Challenge})
		case err != nil && page:
			in.Challenge = out.Challenge // empty if it is over
			if r.URL.Path == signin.InvitationPath {
				c.writeInvitation(w, r, http.StatusUnprocessableEntity, in, err)
				return
			}
			c.showError(w, r, in, err)
		case err != nil:
			c.WriteError(w, r, err)
		case page:
			next := "/"
			if r.URL.Path == signin.InvitationPath && in.Password == "" {
				next = "/account" // where they add a passkey
			}
			http.Redirect(w, r, next, http.StatusSeeOther)
		default:
			answer(w, out)
		}
	}
}

func (c *Config) origin(r *http.Request) auth.Origin {
	return auth.Origin{IP: c.Proxies.Address(r), Browser: r.Header.Get("User-Agent")}
}

// answer reports a step of a sign-in as JSON. The secret of a sign-in is only in the cookie.
func answer(w http.ResponseWriter, out signin.Outcome) {
	body := struct {
		State     string             `json:"state"`
		ID        stockhand.SignInID `json:"sign_in_id,omitempty"`
		Expires   *time.Time         `json:"expires_at,omitempty"`
		Challenge string             `json:"challenge,omitempty"`
	}{State: "code_required", Challenge: out.Challenge}
	if out.Challenge == "" {
		body.State, body.ID, body.Expires = "signed_in", out.SignIn.ID, &out.SignIn.Expires
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // the caller may have disconnected
}

// read reads the input from JSON or, from the page, a form.
func read(w http.ResponseWriter, r *http.Request) (in input, page bool, err error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case readErr != nil:
		if _, large := errors.AsType[*http.MaxBytesError](readErr); !large {
			readErr = invalid("body", "cannot be read")
		}
		return in, false, readErr
	case err == nil && media == "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return in, true, invalid("body", "is not a form")
		}
		return input{Token: form.Get("token"), Email: form.Get("email"), Password: form.Get("password"),
			Challenge: form.Get("challenge"), Code: form.Get("code"),
			Name:       form.Get("name"),
			Credential: json.RawMessage(form.Get("credential"))}, true, nil
	case err != nil || media != "application/json":
		return in, false, stockhand.Errorf(stockhand.CodeUnsupportedMedia, "the request body is not JSON")
	}
	if fault := strictjson.JSON(body); fault != nil {
		return in, false, invalid(fault.Field, fault.Message)
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return in, false, invalid("body", "is not an object with these fields")
	}
	return in, false, nil
}

func invalid(field, message string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "the request is not valid: %s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e
}
