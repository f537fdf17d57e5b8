package signinpage

import (
	"encoding/json"
	"net/http"

	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/console/page"
)

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
	_ = page.Options(w, options) // it returns no error
}
