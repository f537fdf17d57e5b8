package caller

import (
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
)

// Cookies reads and sets the cookie of a sign-in.
type Cookies struct {
	Secure bool // people reach the server over HTTPS only
}

// name returns the cookie's name. A browser accepts a name that begins with __Host- from this host over HTTPS only, so
// that no other host of the domain can set it.
func (c Cookies) name() string {
	if c.Secure {
		return "__Host-stockhand"
	}
	return "stockhand"
}

// SignIn returns the secret of the request's sign-in, or "". A request with an Authorization header has none: its
// token says who calls.
func (c Cookies) SignIn(r *http.Request) string {
	if len(r.Header["Authorization"]) > 0 {
		return ""
	}
	found := r.CookiesNamed(c.name())
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// flowSuffix is added to the name of the cookie for a sign-in at an OpenID provider.
const flowSuffix = "-oidc"

// Flow returns the secret of the request's sign-in at an OpenID provider, or "".
func (c Cookies) Flow(r *http.Request) string {
	if found := r.CookiesNamed(c.name() + flowSuffix); len(found) == 1 {
		return found[0].Value
	}
	return ""
}

// SetFlow sets the cookie of a sign-in at an OpenID provider. With an empty secret it deletes it.
func (c Cookies) SetFlow(w http.ResponseWriter, secret string, expires time.Time) {
	c.set(w, c.name()+flowSuffix, secret, expires)
}

// Set sets the cookie of a sign-in. With an empty secret it deletes it.
func (c Cookies) Set(w http.ResponseWriter, secret string, expires time.Time) {
	c.set(w, c.name(), secret, expires)
}

func (c Cookies) set(w http.ResponseWriter, name, secret string, expires time.Time) {
	//nolint:gosec // Secure wherever people reach the server over HTTPS
	cookie := &http.Cookie{Name: name, Value: secret, Path: "/", Expires: expires, Secure: c.Secure, HttpOnly: true,
		SameSite: http.SameSiteLaxMode}
	if secret == "" {
		cookie.Expires, cookie.MaxAge = time.Time{}, -1
	}
	http.SetCookie(w, cookie)
}

var protection = http.NewCrossOriginProtection()

// SameOrigin returns an error for a request that changes something and that a browser sent for another site's page.
func SameOrigin(r *http.Request) error {
	if err := protection.Check(r); err != nil {
		return &stockhand.Error{Code: stockhand.CodePermissionDenied,
			Message: "a page of another site sent this request with your sign-in",
			Hint:    "send it from this site, or send a user token instead of the cookie",
			RU: stockhand.Words{Message: "запрос с вашим входом отправила страница другого сайта",
				Hint: "отправьте его с этого сайта или передайте токен пользователя вместо cookie"}}
	}
	return nil
}
