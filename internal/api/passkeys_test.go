package api_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth/signin/passkeytest"
	"github.com/stockhand/stockhand/internal/console/page"
)

// onLocalhost lets browsers use passkeys, which they do not at a numeric address.
func onLocalhost(t *testing.T) func(*app.Config) {
	return func(c *app.Config) {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		c.Addr = l.Addr().String()
		_, port, _ := net.SplitHostPort(c.Addr)
		c.PublicURL = "http://localhost:" + port
	}
}

func TestAPersonAddsAPasskeyAndSignsInWithIt(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: onLocalhost(t)})
	_, cookie := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+link(t, s)+`"}`)
	do := func(method, path string, body any, want int) apptest.Answer {
		t.Helper()
		a := s.Do(method, path, "", body, "Cookie", cookie.Name+"="+cookie.Value)
		if a.Status != want {
			t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		return a
	}
	asked := func(a apptest.Answer) json.RawMessage {
		t.Helper()
		var o wire.PasskeyOptions
		a.Decode(t, &o)
		return o.PublicKey
	}
	device := passkeytest.New(t, s.URL, "localhost")
	made := device.Create(asked(do("POST", "/me/passkeys/challenge", nil, 200)))
	var p wire.Passkey
	do("POST", "/me/passkeys", map[string]any{"name": "Laptop", "credential": made}, 201).Decode(t, &p)
	challenge := func(headers ...string) apptest.Answer {
		a, _ := entered(t, s, "/sign-in/passkey/challenge", "", "", headers...)
		return a
	}
	wantError(t, "another site asks", challenge("Sec-Fetch-Site", "cross-site"), 403, stockhand.CodePermissionDenied)

	const form = "application/x-www-form-urlencoded"
	answer := string(device.Get(asked(challenge())))
	page, in := entered(t, s, "/sign-in/passkey", form, "credential="+url.QueryEscape(answer))
	if page.Status != http.StatusSeeOther || in == nil {
		t.Errorf("the page: %d %s", page.Status, page.Body)
	}
	again, in := entered(t, s, "/sign-in/passkey", form, "credential="+url.QueryEscape(answer))
	if again.Status != 422 || in != nil || !strings.Contains(string(again.Body), `role="alert"`) {
		t.Errorf("the page, again: %d %s", again.Status, again.Body)
	}
	signedIn, in := entered(t, s, "/sign-in/passkey", "application/json",
		`{"credential": `+string(device.Get(asked(challenge())))+`}`)
	if signedIn.Status != 200 || in == nil {
		t.Fatalf("%d %s", signedIn.Status, signedIn.Body)
	}
	cookie = in
	do("POST", "/me/step-up", map[string]any{"passkey": device.Get(asked(do("POST", "/me/step-up/passkey", nil, 200)))},
		204)
	var all struct{ Data []wire.Passkey }
	do("GET", "/me/passkeys", nil, 200).Decode(t, &all)
	if len(all.Data) != 1 || all.Data[0].ID != p.ID || all.Data[0].LastUsedAt == nil {
		t.Errorf("listed are %+v", all)
	}
	do("DELETE", "/me/passkeys/"+string(p.ID), nil, 409) // the last way to sign in
	do("POST", "/me/password", map[string]any{"new_password": "three lines of Onegin"}, 204)
	do("DELETE", "/me/passkeys/"+string(p.ID), nil, 204)
	do("DELETE", "/me/passkeys/"+string(p.ID), nil, 404)
}

// The sign-in pages carry the policy of the console, and nothing that it would refuse (rule R381).
func TestSignInPagesHaveNothingInline(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: onLocalhost(t)})
	inline := regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=|javascript:`)
	for _, path := range []string{"/sign-in", "/sign-in?token=x", "/sign-in/invitation?token=x"} {
		response, body := visit(t, s.URL+path)
		if found := inline.FindString(body); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		policy := response.Header.Get("Content-Security-Policy")
		if policy != page.Policy || strings.Contains(policy, "unsafe") || strings.Contains(policy, "sha256") {
			t.Errorf("%s: %q", path, policy)
		}
	}
	if _, body := visit(t, s.URL+"/sign-in"); !strings.Contains(body, `data-passkey="get"`) {
		t.Error("the page offers no passkey")
	}
}
