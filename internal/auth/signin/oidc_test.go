package signin_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// provider is an OpenID provider on loopback. It knows one person and redeems each code once, for its verifier only.
type provider struct {
	*httptest.Server
	t     testing.TB
	w     *world
	key   *ecdsa.PrivateKey // that signs; its published key stays
	alg   string
	adapt func(claims map[string]any) // of the next ID tokens

	mu    sync.Mutex
	codes map[string]neturl.Values // the requests that they were given for
	asked atomic.Int32             // how often it was asked to redeem a code
}

// newProvider starts a world whose provider knows the owner.
func newProvider(t testing.TB, db *store.DB) (*world, *provider) {
	t.Helper()
	key := newKey(t)
	p := &provider{t: t, key: key, alg: oidc.ES256, codes: map[string]neturl.Values{}}
	published := &oidctest.Server{Algorithms: []string{oidc.ES256},
		PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "1", Algorithm: oidc.ES256}}}
	mux := http.NewServeMux()
	mux.Handle("/", published)
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	published.SetIssuer(p.URL)
	w := newWorldOn(t, db, func(c *signin.Config) {
		c.Provider = &signin.Provider{Issuer: p.URL, ClientID: "stockhand", Secret: "a secret",
			Domains: []string{"example.com"}}
	})
	p.w = w
	return w, p
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// begin starts a sign-in and gives the person's consent at the provider.
func (p *provider) begin() (secret string, r signin.Returned) {
	p.t.Helper()
	address, secret, _, err := p.w.BeginOIDC(p.t.Context(), home)
	if err != nil {
		p.t.Fatal(err)
	}
	return secret, p.consent(address)
}

// consent is where the provider sends a person back who agrees.
func (p *provider) consent(address string) signin.Returned {
	p.t.Helper()
	u, err := neturl.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	q := u.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": "stockhand",
		"redirect_uri": url + signin.CallbackPath, "code_challenge_method": "S256", "scope": "openid email",
		"max_age": "900"} {
		if q.Get(name) != want {
			p.t.Errorf("the provider is asked with %s=%q, want %q", name, q.Get(name), want)
		}
	}
	if len(q.Get("state")) < 22 || len(q.Get("nonce")) < 22 || q.Get("state") == q.Get("nonce") {
		p.t.Errorf("the state and the nonce can be guessed: %s", address)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	code := rand.Text()
	p.codes[code] = q
	return signin.Returned{State: q.Get("state"), Code: code, Issuer: p.URL}
}

// token redeems a code.
func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked.Add(1)
	id, secret, _ := r.BasicAuth()
	q := p.codes[r.PostFormValue("code")]
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if q == nil || id != "stockhand" || secret != "a+secret" ||
		r.PostFormValue("redirect_uri") != q.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(challenge[:]) != q.Get("code_challenge") {
		http.Error(w, `{"error": "invalid_grant"}`, http.StatusBadRequest)
		return
	}
	delete(p.codes, r.PostFormValue("code"))
	claims := map[string]any{"iss": p.URL, "sub": "7", "aud": "stockhand", "nonce": q.Get("nonce"),
		"iat": p.w.at.Unix(), "exp": p.w.at.Add(5 * time.Minute).Unix(), "auth_time": p.w.at.Unix(),
		"email": "owner@example.com", "email_verified": true}
	if p.adapt != nil {
		p.adapt(claims)
	}
	raw, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "x", "token_type": "Bearer", "expires_in": 300,
		"id_token": p.sign(string(raw))})
}

func (p *provider) sign(claims string) string {
	if p.alg == "none" {
		return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." +
			base64.RawURLEncoding.EncodeToString([]byte(claims)) + "."
	}
	return oidctest.SignIDToken(p.key, "1", p.alg, claims)
}

// signIn is a whole sign-in with those claims instead of the owner's.
func (p *provider) signIn(claims map[string]any) (signin.Outcome, error) {
	p.t.Helper()
	p.adapt = func(c map[string]any) {
		for name, value := range claims {
			if c[name] = value; value == nil {
				delete(c, name)
			}
		}
	}
	secret, r := p.begin()
	return p.w.ByOIDC(p.t.Context(), secret, r, home)
}

func TestAPersonSignsInWithAnOpenIDProvider(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, p := newProvider(t, db)
		out, err := p.signIn(nil)
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(out.Cookie)
		if a.User != w.owner.ID || a.Org != w.org || out.SignIn.Method != stockhand.SignInOIDC {
			t.Errorf("the owner signs in as %+v", a)
		}
		if got := w.actions(); !slices.Contains(got, "person.identity_linked") {
			t.Errorf("the audit log has %v", got)
		}
		// From now on the account at the provider counts, and its email does not.
		out, err = p.signIn(map[string]any{"email": "new@elsewhere.example.org", "email_verified": false})
		if err != nil || out.SignIn.User != w.owner.ID {
			t.Errorf("with another email: %+v %v", out, err)
		}
		if out, err = p.signIn(map[string]any{"sub": "8", "email": "Vera@Example.com"}); err != nil {
			t.Fatal(err)
		}
		vera, err := w.db.System().UserByEmail(t.Context(), "vera@example.com")
		if err != nil || out.SignIn.User != vera.ID {
			t.Errorf("a person of the domain: %+v %v %v", out, vera, err)
		}
		if a := w.caller(out.Cookie); a.Org != "" {
			t.Errorf("a person of the domain belongs to %s without an invitation", a.Org)
		}
	})
}

func TestAnInvitationOpensASignInForItsEmailOnly(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	owner, _ := w.enter()
	if _, _, err := w.auth.Invite(t.Context(), owner, "petr@elsewhere.example.org", stockhand.RoleViewer); err != nil {
		t.Fatal(err)
	}
	_, err := p.signIn(map[string]any{"sub": "9", "email": "boris@elsewhere.example.org"})
	wantCode(t, "who is not invited", err, stockhand.CodeSignInRefused)
	out, err := p.signIn(map[string]any{"sub": "9", "email": "petr@elsewhere.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if a := w.caller(out.Cookie); a.Org != "" {
		t.Errorf("who is invited joined %s without accepting", a.Org)
	}
}

func TestAttackForgedAnswersOfAProvider(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	at := func(d time.Duration) int64 { return w.at.Add(d).Unix() }
	if _, err := p.signIn(map[string]any{"iat": at(50 * time.Second), "aud": []string{"stockhand", "other"},
		"azp": "stockhand", "auth_time": at(-15 * time.Minute)}); err != nil {
		t.Fatalf("within the tolerance: %v", err)
	}
	for what, claims := range map[string]map[string]any{
		"another issuer":              {"iss": "https://id.example.net"},
		"another nonce":               {"nonce": "x"},
		"no nonce":                    {"nonce": nil},
		"another audience":            {"aud": "other"},
		"no audience":                 {"aud": nil},
		"for another party":           {"aud": []string{"stockhand", "other"}, "azp": "other"},
		"for no named party":          {"aud": []string{"stockhand", "other"}},
		"expired":                     {"exp": at(-time.Second)},
		"without an end":              {"exp": nil},
		"from the future":             {"iat": at(70 * time.Second)},
		"not valid yet":               {"nbf": at(6 * time.Minute)},
		"a proof of long ago":         {"auth_time": at(-17 * time.Minute)},
		"no subject":                  {"sub": nil},
		"an empty subject":            {"sub": ""},
		"verified in words":           {"sub": "8", "email_verified": "yes"},
		"an email that is not a text": {"sub": "8", "email": 7},
		"an email that is not one":    {"sub": "8", "email": "vera@evil.example.org@example.com"},
	} {
		_, err := p.signIn(claims)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
	p.alg = "none"
	_, err := p.signIn(nil)
	wantCode(t, "not signed", err, stockhand.CodeSignInRefused)
	p.alg, p.key = oidc.ES256, newKey(t)
	_, err = p.signIn(nil)
	wantCode(t, "signed with another key", err, stockhand.CodeSignInRefused)
	got := strings.Join(w.refusals(), "\n")
	for _, want := range []string{"is not valid", "belongs to another sign-in", "is for another program",
		"clock is ahead", "did not ask who you are", "names no account", "cannot be read"} {
		if !strings.Contains(got, `"what":"oidc: the provider'`) || !strings.Contains(got, want) ||
			!strings.Contains(got, home.IP.String()) {
			t.Errorf("the audit log has no refusal that %s: %s", want, got)
		}
	}
}

func TestAttackAnEmailThatDoesNotProveAPerson(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	for what, claims := range map[string]map[string]any{
		"not verified":        {"email_verified": false},
		"not said":            {"email_verified": nil},
		"no email":            {"email": nil},
		"another domain":      {"email": "owner@example.org"},
		"a longer domain":     {"email": "owner@example.com.evil.example.org"},
		"a subdomain":         {"email": "owner@mail.example.com"},
		"no domain":           {"email": "example.com"},
		"two domains":         {"email": "owner@example.com@evil.example.org"},
		"a letter like a k":   {"email": "\u212aatya@example.com"},
		"with a display name": {"email": "Owner <owner@example.com>"},
	} {
		_, err := p.signIn(claims)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
	if got := w.actions(); slices.Contains(got, "person.identity_linked") {
		t.Errorf("an account was linked: %v", got)
	}
	if err := w.auth.DisableUser(t.Context(), auth.Operator("", "root"), w.owner.ID); err != nil {
		t.Fatal(err)
	}
	_, err := p.signIn(nil)
	wantCode(t, "a disabled account", err, stockhand.CodeSignInRefused)
}

func TestAttackReplayingACodeOrAState(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	secret, r := p.begin()
	var mu sync.Mutex
	var opened int
	var all sync.WaitGroup
	for range 4 { // at the same time
		all.Go(func() {
			if _, err := w.ByOIDC(t.Context(), secret, r, home); err == nil {
				mu.Lock()
				defer mu.Unlock()
				opened++
			}
		})
	}
	all.Wait()
	asked := p.asked.Load()
	if opened != 1 || asked != 1 {
		t.Errorf("one answer signed in %d times and asked the provider %d times", opened, asked)
	}
	_, err := w.ByOIDC(t.Context(), secret, r, home)
	wantCode(t, "the same answer", err, stockhand.CodeSignInRefused)
	secret, other := p.begin()
	_, err = w.ByOIDC(t.Context(), secret, signin.Returned{State: other.State, Code: r.Code}, home)
	wantCode(t, "a used code with a fresh state", err, stockhand.CodeSignInRefused)
	_, err = w.ByOIDC(t.Context(), secret, other, home)
	wantCode(t, "a state after a wrong code", err, stockhand.CodeSignInRefused)

	secret, late := p.begin()
	w.at = w.at.Add(10 * time.Minute)
	_, err = w.ByOIDC(t.Context(), secret, late, home)
	wantCode(t, "a late answer", err, stockhand.CodeSignInRefused)

	_, err = p.signIn(map[string]any{"sub": "8", "email": "boris@elsewhere.example.org"})
	wantCode(t, "an unknown identity", err, stockhand.CodeSignInRefused)
	got := strings.Join(w.refusals(), "\n")
	for _, want := range []string{"did not begin in this browser, or is over", "the provider refused the code",
		"no organization has invited it"} {
		if !strings.Contains(got, want) {
			t.Errorf("the audit log has no refusal: %s, but %s", want, got)
		}
	}
	if err := w.auth.DisableUser(t.Context(), auth.Operator("", "root"), w.owner.ID); err != nil {
		t.Fatal(err)
	}
	_, err = p.signIn(nil)
	wantCode(t, "a disabled person", err, stockhand.CodeSignInRefused)
	if got := w.actions(); got[len(got)-1] != "person.sign_in_refused" {
		t.Errorf("a disabled person: the organization's log has %v", got)
	}
	if n := len(w.refusals()); strings.Count(got, "\n")+1 != n {
		t.Errorf("a known person's refusal is in the installation's log, too: %d", n)
	}
}

func TestAttackTheAnswerToAnotherBrowser(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	_, theirs := p.begin() // the attacker's, sent to the victim's browser as a link
	l, err := w.CreateLink(t.Context(), auth.Operator("", "root"), w.owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	for what, secret := range map[string]string{"without a cookie": "", "with a made-up one": "sk-one-x",
		"with the token of a link": l.Token} {
		_, err := w.ByOIDC(t.Context(), secret, theirs, home)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
	for what, change := range map[string]func(*signin.Returned){
		"another state":  func(r *signin.Returned) { r.State = theirs.State },
		"no state":       func(r *signin.Returned) { r.State = "" },
		"another issuer": func(r *signin.Returned) { r.Issuer = "https://id.example.net" },
	} {
		secret, r := p.begin()
		change(&r)
		_, err := w.ByOIDC(t.Context(), secret, r, home)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
	if asked := p.asked.Load(); asked != 0 {
		t.Errorf("the provider was asked %d times about answers of others", asked)
	}
	secret, r := p.begin() // their code in the victim's sign-in: the verifier does not fit
	r.Code = theirs.Code
	_, err = w.ByOIDC(t.Context(), secret, r, home)
	wantCode(t, "another code", err, stockhand.CodeSignInRefused)
}

func TestAProviderDoesNotReplaceTheSecondFactor(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	owner, _ := w.enter()
	phone, _ := w.enrol(owner)
	out, err := p.signIn(nil)
	if err != nil || out.Challenge == "" || out.Cookie != "" {
		t.Fatalf("%+v %v", out, err)
	}
	if out, err = w.ByCode(t.Context(), out.Challenge, phone.code(w.at), home); err != nil ||
		out.SignIn.Method != stockhand.SignInOIDC {
		t.Errorf("%+v %v", out, err)
	}
}

func TestAProviderThatIsAwayCanBeTriedAgain(t *testing.T) {
	w := newWorld(t)
	_, _, _, err := w.BeginOIDC(t.Context(), home)
	wantCode(t, "without a provider", err, stockhand.CodeNotFound)
	w, p := newProvider(t, storetest.New(t))
	issuer := w.Provider.Issuer
	w.Provider.Issuer = issuer + "/nowhere"
	_, _, _, err = w.BeginOIDC(t.Context(), home)
	wantCode(t, "a provider that does not answer", err, stockhand.CodeExternalUnavailable)
	w.Provider.Issuer = issuer
	if _, err := p.signIn(nil); err != nil {
		t.Error(err)
	}
}

func TestOnlyThePersonWhoAsksWaitsForAProviderThatHangs(t *testing.T) {
	asked, goOn := make(chan struct{}, 8), make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-goOn
		http.Error(w, "", http.StatusBadGateway)
	}))
	release := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(hanging.Close)
	t.Cleanup(release)
	w := newWorld(t, func(c *signin.Config) {
		c.Provider = &signin.Provider{Issuer: hanging.URL, ClientID: "stockhand"}
	})
	begin := func(ctx context.Context) chan error {
		done := make(chan error, 1)
		go func() {
			_, _, _, err := w.BeginOIDC(ctx, home)
			done <- err
		}()
		return done
	}
	first := begin(t.Context())
	<-asked
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	select {
	case err := <-begin(gone):
		if !errors.Is(err, context.Canceled) {
			t.Errorf("who has left gets %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("who has left still waits for the first")
	}
	release()
	wantCode(t, "the first", <-first, stockhand.CodeExternalUnavailable)
}

func TestARefusedCodeIsLoggedForTheOperator(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	var log bytes.Buffer
	w.Logger = slog.New(slog.NewTextHandler(&log, nil))
	secret, r := p.begin()
	r.Code = "x"
	_, err := w.ByOIDC(t.Context(), secret, r, home)
	wantCode(t, "a wrong code", err, stockhand.CodeSignInRefused)
	if !strings.Contains(log.String(), "invalid_grant") {
		t.Errorf("the log has %q", &log)
	}
}

func TestAttackFillingTheDatabaseWithSignIns(t *testing.T) {
	w, _ := newProvider(t, storetest.New(t))
	var err error
	for n := 0; n < 200 && err == nil; n++ {
		_, _, _, err = w.BeginOIDC(t.Context(), home)
	}
	wantCode(t, "many from one address", err, stockhand.CodeRateLimited)
}
