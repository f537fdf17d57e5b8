package api_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

// link is the token of a new link for the owner.
func link(t *testing.T, s *apptest.Service) string {
	t.Helper()
	l, err := s.SignIn.CreateLink(t.Context(), auth.Operator("", "root"), s.Owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	return l.Token
}

// entered sends a request to /sign-in and returns the answer with its cookie.
func entered(t *testing.T, s *apptest.Service, path, media, body string, headers ...string) (apptest.Answer,
	*http.Cookie) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", media)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r) // which follows no redirect
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := apptest.Answer{Status: response.StatusCode, Header: response.Header, Body: b}
	if all := response.Cookies(); len(all) == 1 {
		return a, all[0]
	}
	return a, nil
}

func TestAPersonSignsInAndOut(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	page, _ := entered(t, s, "/sign-in/link", "application/x-www-form-urlencoded", "token="+link(t, s),
		"Sec-Fetch-Site", "same-origin")
	if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/" {
		t.Errorf("the page: %d %s", page.Status, page.Body)
	}
	answer, cookie := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+link(t, s)+`"}`)
	if answer.Status != http.StatusOK || cookie == nil || strings.Contains(string(answer.Body), cookie.Value) {
		t.Fatalf("%d %s %v", answer.Status, answer.Body, cookie)
	}
	sent := cookie.Name + "=" + cookie.Value
	var me struct {
		Actor  struct{ ID string }
		Scopes []stockhand.Scope
	}
	s.Do("GET", "/me", "", nil, "Cookie", sent).Decode(t, &me)
	if me.Actor.ID != string(s.Owner.ID) || len(me.Scopes) != 1 {
		t.Errorf("me: %+v", me)
	}
	for _, path := range []string{"/connections", "/v1/models", "/organizations/" + string(s.OrgID) + "/members"} {
		if a := s.Do("GET", path, "", nil, "Cookie", sent); a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	wantError(t, "a token goes first", s.Do("GET", "/me", "sk-usr-x", nil, "Cookie", sent), 401,
		stockhand.CodeTokenExpired)
	wantError(t, "two cookies", s.Do("GET", "/me", "", nil, "Cookie", sent+"; "+sent), 401, stockhand.CodeTokenExpired)
	if a := s.Do("POST", "/me/password", "", map[string]string{"new_password": "three lines of Onegin"}, "Cookie",
		sent); a.Status != http.StatusNoContent {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	by := `{"email": "owner@localhost", "password": "three lines of Onegin"}`
	if a, cookie := entered(t, s, "/sign-in/password", "application/json", by); a.Status != 200 || cookie == nil {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	refused, none := entered(t, s, "/sign-in/password", "application/json", strings.Replace(by, "three", "four", 1))
	wantError(t, "a wrong password", refused, 401, stockhand.CodeSignInRefused)
	if none != nil {
		t.Error("a refused sign-in sets a cookie")
	}
	var list struct{ Data []struct{ Current bool } }
	s.Do("GET", "/me/sign-ins", "", nil, "Cookie", sent).Decode(t, &list)
	if len(list.Data) != 2 || list.Data[0].Current || !list.Data[1].Current {
		t.Errorf("the sign-ins are %+v", list)
	}
	if a := s.Do("DELETE", "/me/sign-ins/current", "", nil, "Cookie", sent); a.Status != http.StatusOK {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	wantError(t, "after signing out", s.Do("GET", "/me", "", nil, "Cookie", sent), 401, stockhand.CodeTokenExpired)
}

func TestTheSecretOfASecondFactorIsShownOnce(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	_, cookie := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+link(t, s)+`"}`)
	start := func() apptest.Answer {
		return s.Do("POST", "/me/second-factor", "", nil,
			"Cookie", cookie.Name+"="+cookie.Value, "Idempotency-Key", "k")
	}
	if a := start(); a.Status != http.StatusCreated || !strings.Contains(string(a.Body), "otpauth://") {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if a := start(); a.Status != http.StatusCreated || strings.TrimSpace(string(a.Body)) != "{}" {
		t.Errorf("a replay: %d %s", a.Status, a.Body)
	}
}

func TestThePageStartsAgainAfterTooManyWrongCodes(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	people := s.Store.System()
	if err := errors.Join(people.PutSecondFactor(t.Context(), s.Owner.ID, "nonce"),
		people.ConfirmSecondFactor(t.Context(), s.Owner.ID, "nonce", time.Now(), nil,
			stockhand.AuditEntry{})); err != nil {
		t.Fatal(err)
	}
	const form = "application/x-www-form-urlencoded"
	page, _ := entered(t, s, "/sign-in/link", form, "token="+link(t, s))
	_, challenge, _ := strings.Cut(string(page.Body), `name="challenge" value="`)
	challenge, _, _ = strings.Cut(challenge, `"`)
	for n := 1; n <= 5; n++ {
		page, _ = entered(t, s, "/sign-in/code", form, "code=wrong&challenge="+challenge)
		if asks := strings.Contains(string(page.Body), `name="code"`); asks != (n < 5) {
			t.Errorf("after %d wrong codes: %s", n, page.Body)
		}
	}
	if !strings.Contains(string(page.Body), `name="password"`) {
		t.Errorf("the page does not start again: %s", page.Body)
	}
}

func TestAttackAnotherSitesPageUsesASignIn(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) {
		c.Origins = []string{"https://other.example"} // CORS is for tokens
	}})
	_, cookie := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+link(t, s)+`"}`)
	sent := cookie.Name + "=" + cookie.Value
	for what, header := range map[string][]string{
		"another site":      {"Sec-Fetch-Site", "cross-site"},
		"another subdomain": {"Sec-Fetch-Site", "same-site"},
		"an old browser":    {"Origin", "https://other.example"},
	} {
		a := s.Do("POST", "/organizations/"+string(s.OrgID)+"/api-keys", "", map[string]string{"name": "x"},
			append(header, "Cookie", sent)...)
		wantError(t, what, a, 403, stockhand.CodePermissionDenied)
		if a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials are allowed", what)
		}
		signedIn, none := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+link(t, s)+`"}`, header...)
		wantError(t, what+" signs in", signedIn, 403, stockhand.CodePermissionDenied)
		if none != nil {
			t.Errorf("%s: a cookie is set", what)
		}
	}
}

func TestTheSignInPageNeedsNoScriptAndKeepsTheLink(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	token := link(t, s)
	get := func(query, language string) string {
		r := s.Request("GET", "/", "", nil, "Accept-Language", language)
		r.URL.Path, r.URL.RawQuery = "/sign-in", query
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		b, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != 200 ||
			!strings.Contains(response.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Fatalf("%d %v %v", response.StatusCode, response.Header, err)
		}
		return string(b)
	}
	for range 3 { // a program that looks at links does not use it up
		if page := get("token="+token, "ru"); !strings.Contains(page, token) || !strings.Contains(page, "Войти") {
			t.Fatal(page)
		}
	}
	if page := get("token=%22%3E%3Cscript%3E", "en"); strings.Contains(page, "<script>") {
		t.Errorf("the token is not escaped: %s", page)
	}
	if page := get("", "en"); !strings.Contains(page, `type="password"`) {
		t.Error(page)
	}
	if a, cookie := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+token+`"}`); cookie == nil {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	for media, body := range map[string]string{"text/plain": `{"token": "x"}`, "application/json": `{"token": 1}`,
		"application/x-www-form-urlencoded": "token=%zz", "": "{}"} {
		if a, _ := entered(t, s, "/sign-in/link", media, body); a.Status < 400 || a.Status >= 500 {
			t.Errorf("%s %s: %d %s", media, body, a.Status, a.Body)
		}
	}
	big, _ := entered(t, s, "/sign-in/link", "application/json", `{"token": "`+strings.Repeat("x", 20<<10)+`"}`)
	wantError(t, "a large body", big, 413, stockhand.CodeBodyTooLarge)
}

// Rule R175, in the browser: the page of an invitation signs a stranger up and lets a person who is signed in accept.
func TestAnInvitationIsAcceptedOnItsPage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true,
		Configure: func(c *app.Config) { c.InvitedSignUp = true }})
	invite := func(email string) (token, page string) {
		var i struct{ Secret, URL string }
		s.Do("POST", "/organizations/"+string(s.OrgID)+"/invitations", s.AdminToken,
			map[string]string{"email": email, "role": "viewer"}).Decode(t, &i)
		if !strings.HasSuffix(i.URL, "/sign-in/invitation?token="+i.Secret) {
			t.Errorf("the address of the page: %s", i.URL)
		}
		return i.Secret, i.URL
	}
	get := func(address string, headers ...string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		b, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const form = "application/x-www-form-urlencoded"
	token, page := invite("anna@example.com")
	if got := get(page, "Accept-Language", "ru"); !strings.Contains(got, "Приглашение в Stockhand") ||
		!strings.Contains(got, "anna@example.com") ||
		!strings.Contains(got, "Наблюдатель — только смотреть") || !strings.Contains(got, token) {
		t.Error(got)
	}
	weak, none := entered(t, s, "/sign-in/invitation", form, "token="+token+"&password=short&name=Anna",
		"Sec-Fetch-Site", "same-origin")
	if weak.Status != 422 || none != nil || !strings.Contains(string(weak.Body), `value="Anna"`) {
		t.Errorf("a weak password: %d %s", weak.Status, weak.Body)
	}
	foreign, none := entered(t, s, "/sign-in/invitation", form, "token="+token, "Sec-Fetch-Site", "cross-site")
	if foreign.Status != 422 || none != nil {
		t.Errorf("from another site: %d %s", foreign.Status, foreign.Body)
	}
	done, cookie := entered(t, s, "/sign-in/invitation", form, "token="+token+"&password=three+lines+of+Onegin",
		"Sec-Fetch-Site", "same-origin")
	if done.Status != http.StatusSeeOther || done.Header.Get("Location") != "/" || cookie == nil {
		t.Fatalf("%d %s", done.Status, done.Body)
	}
	sent := cookie.Name + "=" + cookie.Value
	var me struct{ Actor struct{ Email string } }
	s.Do("GET", "/me", "", nil, "Cookie", sent).Decode(t, &me)
	if me.Actor.Email != "anna@example.com" {
		t.Errorf("me: %+v", me)
	}
	again, _ := entered(t, s, "/sign-in/invitation", "application/json", `{"token": "`+token+`"}`)
	wantError(t, "a used one", again, 401, stockhand.CodeSignInRefused)
	if got := get(page, "Accept-Language", "en"); !strings.Contains(got, "creates no account") ||
		strings.Contains(got, "<form") {
		t.Error(got)
	}

	if a := s.Do("DELETE", "/organizations/"+string(s.OrgID)+"/members/me", "", nil, "Cookie", sent); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	token, page = invite("anna@example.com")
	if got := get(page, "Accept-Language", "en", "Cookie", sent); !strings.Contains(got,
		"/sign-in/invitation/accept") ||
		strings.Contains(got, `type="password"`) {
		t.Error(got)
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "same-origin"},
		{"Sec-Fetch-Site", "cross-site", "Cookie", sent}} {
		if a, _ := entered(t, s, "/sign-in/invitation/accept", form, "token="+token, headers...); a.Status != 422 {
			t.Errorf("%v: %d %s", headers, a.Status, a.Body)
		}
	}
	a, _ := entered(t, s, "/sign-in/invitation/accept", form, "token="+token, "Sec-Fetch-Site", "same-origin",
		"Cookie", sent)
	if a.Status != http.StatusSeeOther {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := s.Do("GET", "/organizations/"+string(s.OrgID), "", nil, "Cookie", sent); a.Status != 200 {
		t.Errorf("after accepting: %d %s", a.Status, a.Body)
	}
}
