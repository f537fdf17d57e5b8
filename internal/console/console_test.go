package console_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/console"
)

// browser sends requests as a person's browser does, without following redirects.
type browser struct {
	t      *testing.T
	s      *apptest.Service
	cookie string // of the sign-in; empty before it
}

type response struct {
	Status   int
	Location string
	Header   http.Header
	Body     string
}

func (b browser) get(path string, headers ...string) response {
	return b.send("GET", path, nil, headers...)
}

func (b browser) post(path string, form url.Values, headers ...string) response {
	return b.send("POST", path, form, headers...)
}

func (b browser) send(method, path string, form url.Values, headers ...string) response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.s.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", b.cookie)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Cookie" {
			r.Header.Set("Cookie", strings.Trim(b.cookie+"; "+headers[i+1], "; "))
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response{a.StatusCode, a.Header.Get("Location"), a.Header, string(body)}
}

// as signs a new person in with the role.
func as(t *testing.T, s *apptest.Service, role stockhand.Role) browser {
	t.Helper()
	u, _ := s.Member(s.OrgID, role)
	return browser{t, s, s.Browser(u)}
}

// Every route of the console, as every role, as a person of another organization and as somebody who is not signed in
// (rule R380).
func TestRolesSeeAndDoNoMoreThanInTheAPI(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	people := map[string]browser{"": {t, s, ""}}
	for _, role := range stockhand.Roles() {
		people[string(role)] = as(t, s, role)
	}
	stranger, _ := s.Person("stranger@example.com")
	if _, err := s.Auth.CreateOrganizationFor(t.Context(), auth.Operator("", "test"), stranger.ID,
		"Elsewhere"); err != nil {
		t.Fatal(err)
	}
	people["stranger"] = browser{t, s, s.Browser(stranger)}
	parameter := regexp.MustCompile(`\{(\w+)\}`)
	for _, r := range console.New(console.Config{}).Routes(nil) {
		method, path, _ := strings.Cut(strings.TrimSuffix(r.Pattern, "{$}"), " ")
		if path == "/sign-out" {
			continue // it ends the sign-in that the others are tested with
		}
		path = parameter.ReplaceAllStringFunc(path, func(p string) string {
			if p == "{org_id}" {
				return string(s.OrgID)
			}
			return stockhand.NewID[string](strings.Split(strings.Trim(p, "{}"), "_")[0][:3])
		})
		for who, b := range people {
			role := stockhand.Role(who)
			may := r.Scope == "" && who != "" && (who != "stranger" || !strings.Contains(r.Pattern, "{org_id}")) ||
				(stockhand.Actor{Scopes: role.Scopes()}).May(r.Scope)
			got := b.send(method, path, url.Values{})
			switch refused := got.Status == http.StatusForbidden || got.Location == "/sign-in"; {
			case may && refused:
				t.Errorf("%s as %q: %d %s, but the role has %s", r.Pattern, who, got.Status, got.Location, r.Scope)
			case !may && !refused:
				t.Errorf("%s as %q: %d %s, but the role lacks %s", r.Pattern, who, got.Status, got.Location, r.Scope)
			case got.Status >= http.StatusInternalServerError:
				t.Errorf("%s as %q: %d", r.Pattern, who, got.Status)
			}
		}
	}
}

func TestOtherSitesAndProgramsGetNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleOwner)
	if got := b.post("/preferences", url.Values{"theme": {"dark"}}, "Sec-Fetch-Site", "cross-site"); got.Status != 403 {
		t.Errorf("a form of another site: %d", got.Status)
	}
	path := "/o/" + string(s.OrgID) + "/drafts"
	for _, token := range []string{s.AdminToken, s.Key(stockhand.ScopeAdmin)} {
		if got := (browser{t, s, ""}).get(path, "Authorization", "Bearer "+token); got.Status != 403 {
			t.Errorf("a token: %d", got.Status)
		}
	}
}

// Pages carry a strict policy and nothing that it would refuse (rule R381).
func TestPagesHaveNothingInline(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleOwner)
	got := b.get("/o/" + string(s.OrgID) + "/drafts")
	policy := got.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("policy: %s", policy)
	}
	inline := regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=|javascript:|https?://`)
	if found := inline.FindString(got.Body); found != "" {
		t.Errorf("the page contains %q", found)
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`).FindAllStringSubmatch(got.Body, -1) {
		file := b.get(m[1])
		if file.Status != 200 || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", m[1], file.Status, file.Header.Get("Cache-Control"))
		}
	}
	if missing := b.get("/static/console.0000000000.css"); missing.Status != 404 {
		t.Errorf("an outdated file: %d", missing.Status)
	}
}

func TestSigningInLeadsBackToThePage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	asked := "/o/" + string(s.OrgID) + "/drafts?state=applied"
	got := (browser{t, s, ""}).get(asked)
	cookies := got.Header.Values("Set-Cookie")
	i := slices.IndexFunc(cookies, func(c string) bool { return strings.HasPrefix(c, "stockhand-return=") })
	if got.Location != "/sign-in" || i < 0 {
		t.Fatalf("signed out: %d %s, %v", got.Status, got.Location, cookies)
	}
	kept, _, _ := strings.Cut(cookies[i], ";")
	b := as(t, s, stockhand.RoleViewer)
	if got := b.get("/", "Cookie", kept); got.Location != asked {
		t.Errorf("after signing in: %s, want %s", got.Location, asked)
	}
	if got := b.get("/", "Cookie", "stockhand-return=https%3A%2F%2Fevil.example%2F"); got.Location == "" ||
		strings.Contains(got.Location, "evil") {
		t.Errorf("another site: %s", got.Location)
	}
}

func TestLanguageAndThemeAreKeptInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleOwner)
	path := "/o/" + string(s.OrgID) + "/drafts"
	page := b.get(path, "Accept-Language", "ru").Body
	if !strings.Contains(page, `<html lang="ru" data-theme="auto">`) {
		t.Error("the browser's language is not used")
	}
	got := b.post("/preferences", url.Values{"language": {"ru"}, "theme": {"dark"}, "back": {path}})
	if got.Location != path {
		t.Errorf("back to %s", got.Location)
	}
	var kept []string
	for _, c := range got.Header.Values("Set-Cookie") {
		pair, _, _ := strings.Cut(c, ";")
		kept = append(kept, pair)
	}
	if page := b.get(path, "Cookie", strings.Join(kept, "; ")).Body; !strings.Contains(page,
		`<html lang="ru" data-theme="dark">`) {
		t.Errorf("%v are not used", kept)
	}
	if got := b.post("/preferences", url.Values{"back": {"//evil.example/"}}); got.Location != "/" {
		t.Errorf("back to %s", got.Location)
	}
}

func TestSignOutEndsTheSignIn(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleMember)
	if got := b.post("/sign-out", nil); got.Location != "/sign-in" {
		t.Fatalf("%d %s", got.Status, got.Location)
	}
	if got := b.get("/o/" + string(s.OrgID) + "/drafts"); got.Location != "/sign-in" {
		t.Errorf("after signing out: %d %s", got.Status, got.Location)
	}
}

func TestUnknownPagesAreNotFound(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := as(t, s, stockhand.RoleOwner)
	for _, path := range []string{"/o/" + string(s.OrgID) + "/nothing", "/drafts/drf_01kahx3e6v8qz5s0m4w7n2c9rt"} {
		if got := b.get(path); got.Status != 404 || !strings.Contains(got.Body, "There is nothing here") {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}
