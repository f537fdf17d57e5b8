package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// tokenSource provides the bearer token of a request.
type tokenSource interface {
	token(ctx context.Context) (string, error)
	forget() bool // drops a rejected token; reports whether another can be obtained
}

func newTokenSource(c ProviderConfig, client *http.Client) (tokenSource, error) {
	switch {
	case c.Auth == nil:
		return fixed(c.APIKey), nil
	case c.Auth.Type != "gigachat":
		return nil, invalid("the provider "+c.Name+" has an unknown auth type",
			`known: "gigachat"; leave auth out where the key is the bearer token`)
	case c.APIKey == "":
		return nil, invalid("the provider "+c.Name+" has no key to exchange for tokens",
			"set api_key_env to the variable with the authorization key")
	}
	u := cmp.Or(c.Auth.URL, "https://ngw.devices.sberbank.ru:9443/api/v2/oauth")
	if p, err := url.Parse(u); err != nil || p.Host == "" || (p.Scheme != "https" && p.Scheme != "http") {
		return nil, invalid("the auth url of the provider "+c.Name+" is not a URL",
			"remove it to use the vendor's")
	}
	return &exchange{key: c.APIKey, url: u, scope: cmp.Or(c.Auth.Scope, "GIGACHAT_API_PERS"), client: client}, nil
}

// fixed is a key that is itself the bearer token; empty if the server needs none.
type fixed string

func (f fixed) token(context.Context) (string, error) { return string(f), nil }
func (f fixed) forget() bool                          { return false }

// exchange obtains tokens as GigaChat requires: it posts a form with the scope, authorized by the key with Basic, and
// gets a token and its expiry in milliseconds.
type exchange struct {
	key, url, scope string
	client          *http.Client

	mu      sync.Mutex // held during the exchange, so that concurrent callers make only one
	current string
	ends    time.Time
}

// early is how long before its expiry a token is no longer used, so that it stays valid for the whole request.
const early = time.Minute

func (e *exchange) token(ctx context.Context) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.current != "" && time.Now().Before(e.ends.Add(-early)) {
		return e.current, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	//nolint:gosec // the operator configures the address
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url,
		strings.NewReader(url.Values{"scope": {e.scope}}.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("RqUID", uuid.NewString())
	r.Header.Set("Authorization", "Basic "+e.key)
	answer, err := e.client.Do(r) //nolint:gosec // the operator configures the address
	if err != nil {
		return "", fmt.Errorf("request a token: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", &refused{status: answer.StatusCode, doing: "request a token"}
	}
	var got struct {
		Token   string `json:"access_token"`
		Expires int64  `json:"expires_at"` // milliseconds
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, 64<<10)).Decode(&got); err != nil || got.Token == "" {
		return "", &refused{status: answer.StatusCode, doing: "read the token"} // its text may contain the token
	}
	e.current, e.ends = got.Token, time.UnixMilli(got.Expires)
	return e.current, nil
}

func (e *exchange) forget() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.current = ""
	return true
}

// refused is a response with an error status, without its text.
type refused struct {
	status int
	doing  string
}

func (r *refused) Error() string {
	return fmt.Sprintf("%s: answered %d %s", r.doing, r.status, http.StatusText(r.status))
}
