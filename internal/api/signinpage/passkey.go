package signinpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth/signin"
)

// The page's own scripts. The policy allows them by their hashes, and nothing else.
var (
	//go:embed signin.js
	signInScript string
	//go:embed passkeys.js
	passkeysScript string

	signInPolicy   = scripted(signInScript)
	passkeysPolicy = scripted(passkeysScript)
)

// scripted is the policy of a page with one script, which sends requests to this server.
func scripted(script string) string {
	sum := sha256.Sum256([]byte(script))
	return policy + "; connect-src 'self'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (c *Config) passkey(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByPasskey(r.Context(), in.Credential, c.origin(r))
}

// askPasskey starts a sign-in with a passkey.
func (c Config) askPasskey(w http.ResponseWriter, r *http.Request) {
	var options json.RawMessage
	err := caller.SameOrigin(r)
	if err == nil {
		options, err = c.SignIn.BeginPasskey(r.Context(), c.origin(r))
	}
	if err != nil {
		c.WriteError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]json.RawMessage{"public_key": options}) // the caller may have disconnected
}

type passkeyWords struct{ Title, Name, Add, Remove, Back, Again, None string }

var passkeyTexts = map[stockhand.Language]passkeyWords{
	stockhand.English: {"Your passkeys", "Name of this device", "Add a passkey", "Remove", "Sign in",
		"That did not work. Sign in again and repeat it within 15 minutes.", "This browser has no passkeys."},
	stockhand.Russian: {"Ваши ключи входа", "Название этого устройства", "Добавить ключ входа", "Удалить", "Войти",
		"Не получилось. Войдите заново и повторите в течение 15 минут.", "В этом браузере нет ключей входа."},
}

// passkeys serves the page on which a person who is signed in adds and removes passkeys. It only shows what the API
// answers.
func (c Config) passkeys(w http.ResponseWriter, r *http.Request) {
	lang := c.Language(r)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", passkeysPolicy)
	// The caller may have disconnected.
	_ = passkeysPage(lang, caller.ThemeOf(r), passkeyTexts[lang]).Render(r.Context(), w)
}
