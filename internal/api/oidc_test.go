package api_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth/signin"
)

// visit opens a page in a browser that has those cookies, without following a redirect.
func visit(t *testing.T, address string, cookies ...*http.Cookie) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func TestAPersonSignsInAtTheProviderInOneBrowser(t *testing.T) {
	t.Parallel()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	published := &oidctest.Server{Algorithms: []string{oidc.EdDSA},
		PublicKeys: []oidctest.PublicKey{{PublicKey: public, KeyID: "1", Algorithm: oidc.EdDSA}}}
	var claims string
	mux := http.NewServeMux()
	mux.Handle("/", published)
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"access_token": "x", "token_type": "Bearer",
			"id_token": oidctest.SignIDToken(key, "1", oidc.EdDSA, claims)})
	})
	provider := httptest.NewServer(mux)
	t.Cleanup(provider.Close)
	published.SetIssuer(provider.URL)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) {
		c.OwnerEmail = "owner@example.com"
		c.Provider = &signin.Provider{Issuer: provider.URL, ClientID: "stockhand", Domains: []string{"example.com"}}
	}})

	if _, page := visit(t, s.URL+"/sign-in"); !strings.Contains(page, `href="/sign-in/oidc"`) {
		t.Errorf("the page does not offer the provider: %s", page)
	}
	begun, _ := visit(t, s.URL+"/sign-in/oidc")
	there, err := url.Parse(begun.Header.Get("Location"))
	if err != nil || begun.StatusCode != http.StatusFound || len(begun.Cookies()) != 1 {
		t.Fatal(begun.StatusCode, begun.Header, err)
	}
	flow, asked := begun.Cookies()[0], there.Query()
	if !flow.HttpOnly || flow.SameSite != http.SameSiteLaxMode || strings.Contains(there.String(), flow.Value) {
		t.Errorf("the cookie is %v, the address %s", flow, there)
	}
	claims = fmt.Sprintf(`{"iss": %q, "sub": "7", "aud": "stockhand", "nonce": %q, "iat": %d, "exp": %d, "email": %q,
		"email_verified": true}`, provider.URL, asked.Get("nonce"), time.Now().Unix(),
		time.Now().Add(time.Hour).Unix(), s.Owner.Email)

	back := s.URL + signin.CallbackPath + "?" + url.Values{"state": {asked.Get("state")}, "code": {"c"}}.Encode()
	if a, page := visit(t, back); a.StatusCode != http.StatusUnprocessableEntity || strings.Contains(page, "nonce") {
		t.Errorf("another browser: %d %s", a.StatusCode, page)
	}
	done, page := visit(t, back, flow)
	if done.StatusCode != http.StatusSeeOther || done.Header.Get("Location") != "/" || len(done.Cookies()) != 2 {
		t.Fatalf("%d %v %s", done.StatusCode, done.Header, page)
	}
	var me struct{ Actor struct{ Email string } }
	for _, c := range done.Cookies() {
		if c.Name == flow.Name {
			if c.MaxAge >= 0 {
				t.Errorf("the state of the sign-in stays: %v", c)
			}
			continue
		}
		s.Do("GET", "/me", "", nil, "Cookie", c.Name+"="+c.Value).Decode(t, &me)
	}
	if me.Actor.Email != s.Owner.Email {
		t.Errorf("%q signed in, want %q", me.Actor.Email, s.Owner.Email)
	}
	if a, _ := visit(t, back, flow); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the same answer again: %d", a.StatusCode)
	}
}
