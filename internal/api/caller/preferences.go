package caller

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// The cookies of what a person prefers in this browser.
const (
	languageCookie = "stockhand-language"
	themeCookie    = "stockhand-theme"
	returnCookie   = "stockhand-return"
)

// Theme is the colours that a person chose.
type Theme string

// The themes. With ThemeAuto, pages look like the person's system.
const (
	ThemeAuto  Theme = "auto"
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// Accepts returns the language that the request prefers: the one that the person chose in this browser, or else the
// Accept-Language header.
func Accepts(r *http.Request) string {
	switch l := stockhand.Language(preference(r, languageCookie)); l {
	case stockhand.Russian, stockhand.English:
		return string(l)
	}
	return r.Header.Get("Accept-Language")
}

// ThemeOf returns the theme that the person chose in this browser.
func ThemeOf(r *http.Request) Theme {
	switch t := Theme(preference(r, themeCookie)); t {
	case ThemeLight, ThemeDark:
		return t
	}
	return ThemeAuto
}

func preference(r *http.Request, name string) string {
	if found := r.CookiesNamed(name); len(found) == 1 {
		return found[0].Value
	}
	return ""
}

// PreferLanguage keeps a language in this browser. Any other value than a language is ignored.
func (c Cookies) PreferLanguage(w http.ResponseWriter, l stockhand.Language) {
	if l == stockhand.Russian || l == stockhand.English {
		c.prefer(w, languageCookie, string(l))
	}
}

// PreferTheme keeps a theme in this browser. Any other value than a theme is ignored.
func (c Cookies) PreferTheme(w http.ResponseWriter, t Theme) {
	if t == ThemeAuto || t == ThemeLight || t == ThemeDark {
		c.prefer(w, themeCookie, string(t))
	}
}

func (c Cookies) prefer(w http.ResponseWriter, name, value string) {
	c.set(w, name, value, time.Now().AddDate(1, 0, 0))
}

// SignInPath is the address of the sign-in page.
const SignInPath = "/sign-in"

// OwnPath reports whether a path, which may come from anywhere, leads to a page of this server.
func OwnPath(path string) bool {
	u, err := url.ParseRequestURI(path)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(path, "/") &&
		!strings.HasPrefix(path, "//") && !strings.ContainsAny(path, "\\\r\n\t")
}

// returnLife is how long a sign-in may take that leads back to a page.
const returnLife = 30 * time.Minute

// Return keeps the address of the page to show after the person has signed in.
func (c Cookies) Return(w http.ResponseWriter, path string) {
	const most = 1000
	if OwnPath(path) && len(path) <= most {
		c.set(w, returnCookie, url.QueryEscape(path), time.Now().Add(returnLife))
	}
}

// Returned returns that address once, or "".
func (c Cookies) Returned(w http.ResponseWriter, r *http.Request) string {
	path, err := url.QueryUnescape(preference(r, returnCookie))
	if path == "" || err != nil {
		return ""
	}
	c.set(w, returnCookie, "", time.Time{})
	if !OwnPath(path) {
		return ""
	}
	return path
}
