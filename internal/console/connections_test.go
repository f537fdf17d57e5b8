package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/timezone"
)

// What is used of an account's limits and what is kept of it is shown and cleared (rule R449).
func TestAConnectionShowsWhatItUsesAndKeeps(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Limits: true, Configure: func(c *app.Config) {
		c.Facts = kept.Limits{Age: time.Hour, Size: 8 << 20}
	}})
	b := browser{t, s, s.Browser(s.Owner)}
	path := "/o/" + string(s.OrgID) + "/connections"
	page := b.get(path, "Accept-Language", "ru").Body
	for _, want := range []string{"из 6", "из 2", "из 5", "Пока ничего", string(s.Connections[0].Account),
		`<svg class="drawing"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	a := s.Do("POST", "/query?wait=60", s.AdminToken, map[string]any{"measures": []string{"revenue"}, "by": []string{"month"}})
	if a.Status != http.StatusOK {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	before := len(s.Sandbox.Requests())
	part := b.get(path+"/state", "Accept-Language", "ru").Body
	if !strings.Contains(part, `hx-swap-oob="true"`) || !strings.Contains(part, "Самое старое") {
		t.Errorf("the part that changes by itself: %s", part)
	}
	if len(s.Sandbox.Requests()) != before {
		t.Error("looking sends requests to the account")
	}
	connection := path + "/" + string(s.Connections[0].ID)
	if got := b.post(connection+"/clear", nil); got.Location != path+"?done=cleared" {
		t.Fatalf("%d %s %s", got.Status, got.Location, got.Body)
	}
	if page = b.get(path+"?done=cleared", "Accept-Language", "ru").Body; !strings.Contains(page, "Пока ничего") ||
		!strings.Contains(page, "данные аккаунта очищены") {
		t.Error("what was kept is still there")
	}
	log := s.Do("GET", "/organizations/"+string(s.OrgID)+"/audit-log?action=facts.cleared", s.AdminToken, nil)
	if !strings.Contains(string(log.Body), `"facts.cleared"`) {
		t.Errorf("the audit log: %s", log.Body)
	}
}

// A connection is renamed, gets a new token of the same employee only, and writes through the gateway when allowed.
func TestAConnectionIsChanged(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	b := browser{t, s, s.Browser(s.Owner)}
	path := "/o/" + string(s.OrgID) + "/connections"
	connection := path + "/" + string(s.Connections[0].ID)
	got := b.post(connection, url.Values{"label": {"Main shop"}, "gateway_writes": {"on"}})
	if got.Location != path+"?done=saved" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	page := b.get(path+"?done=saved", "Accept-Language", "en").Body
	for _, want := range []string{"Main shop", "gateway writes", "The connection was changed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	other := s.Sandbox.Accounts()[1].Tokens.Owner
	if got := b.post(connection, url.Values{"label": {"Main shop"}, "token": {other}}); got.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("the token of another account: %d", got.Status)
	}
	own := s.Sandbox.Accounts()[0].Tokens.Owner
	if got := b.post(connection, url.Values{"label": {"Main shop"}, "token": {own}}); got.Location != path+"?done=saved" {
		t.Errorf("a new token: %d %s", got.Status, got.Body)
	}
	if page := b.get(path, "Accept-Language", "en").Body; strings.Contains(page, "gateway writes") {
		t.Error("the gateway still writes")
	}
}

// Each missing right is said in words, with what it hides.
func TestMissingRightsSayWhatTheyCost(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true, Accounts: 1})
	s.Connect(s.OrgID, s.Sandbox.Accounts()[0].Tokens.Storekeeper, "Warehouse")
	page := browser{t, s, s.Browser(s.Owner)}.get("/o/"+string(s.OrgID)+"/connections", "Accept-Language", "en").Body
	if !strings.Contains(page, "What the employee cannot see") || !strings.Contains(page, "hidden without it:") {
		t.Error("the page does not say what the employee lacks")
	}
}

// The page of health shows the servers and the limits of accounts (rules R447, R449).
func TestHealthShowsServersAndLimits(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Limits: true})
	path := "/o/" + string(s.OrgID) + "/health"
	now := time.Now()
	if err := s.Store.System().Replicas().Seen(t.Context(), stockhand.Replica{ID: "silent", Name: "secret-host",
		Version: "v9", Started: now.Add(-time.Hour), Seen: now.Add(-time.Minute), Queue: true},
		now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	owner := browser{t, s, s.Browser(s.Owner)}.get(path, "Accept-Language", "en").Body
	for _, want := range []string{"secret-host", "silent for 60", "v9", "of 6", string(s.Connections[0].Account)} {
		if !strings.Contains(owner, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	viewer := as(t, s, stockhand.RoleViewer).get(path+"/state", "Accept-Language", "en").Body
	if strings.Contains(viewer, "secret-host") || !strings.Contains(viewer, "Server 1") {
		t.Error("a viewer sees the names of machines")
	}
}

// Times are shown in the zone that the organization chose, and its name is changed with it (rule R448).
func TestTimesAreShownInTheOrganizationsZone(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := browser{t, s, s.Browser(s.Owner)}
	org := "/o/" + string(s.OrgID)
	verified := s.Connections[0].Verified
	shown := func(zone string) bool {
		l, err := timezone.Load(zone)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(b.get(org+"/connections", "Accept-Language", "ru").Body,
			verified.In(l).Format("02.01.2006 15:04"))
	}
	if !shown("Europe/Moscow") {
		t.Error("without a zone, times are not those of the accounts")
	}
	form := url.Values{"name": {"Сеть «Рядом»"}, "time_zone": {"Asia/Vladivostok"}}
	if got := b.post(org+"/settings/organization", form); got.Location != org+"/settings/organization?saved=1" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if !shown("Asia/Vladivostok") || shown("Europe/Moscow") {
		t.Error("times are not in the chosen zone")
	}
	page := b.get(org+"/settings/organization", "Accept-Language", "ru").Body
	if !strings.Contains(page, "Сеть «Рядом»") ||
		!regexp.MustCompile(`value="Asia/Vladivostok" selected`).MatchString(page) {
		t.Error("the form does not show what was saved")
	}
	settings := s.Do("GET", "/organizations/"+string(s.OrgID)+"/settings", s.AdminToken, nil)
	if !strings.Contains(string(settings.Body), `"time_zone":"Asia/Vladivostok"`) {
		t.Errorf("the settings over the API: %s", settings.Body)
	}
	for _, wrong := range []url.Values{{"name": {""}, "time_zone": {""}}, {"name": {"x"}, "time_zone": {"Mars/Base"}}} {
		if got := b.post(org+"/settings/organization", wrong); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d", wrong, got.Status)
		}
	}
}

// The palette finds pages within sections, and open pages learn how many drafts wait (rules R398, R399).
func TestThePaletteFindsPartsAndTheCountFollows(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := browser{t, s, s.Browser(s.Owner)}
	org := "/o/" + string(s.OrgID)
	if got := b.get(org+"/find?q="+url.QueryEscape("часовой"), "HX-Request", "true", "Accept-Language", "ru"); !strings.
		Contains(got.Body, org+"/settings/organization") {
		t.Errorf("the time zone is not found: %s", got.Body)
	}
	found := func(typed string) string {
		return b.get(org+"/find?q="+url.QueryEscape(typed), "HX-Request", "true", "Accept-Language", "ru").Body
	}
	for typed, want := range map[string]string{
		"тёмное": `data-press="theme" data-value="dark"`, "english": `data-value="en"`,
		"выйти": `data-press="sign-out"`, "00012": org + "/documents?number=00012",
	} {
		if got := found(typed); !strings.Contains(got, want) {
			t.Errorf("%s does not find %s: %s", typed, want, got)
		}
	}
	if page := b.get(org + "/find?q=dark").Body; strings.Contains(page, "data-press") {
		t.Error("a page without scripts offers commands")
	}
	viewer := as(t, s, stockhand.RoleViewer)
	if got := viewer.get(org+"/find?q=key", "HX-Request", "true"); strings.Contains(got.Body, "developers/keys") {
		t.Error("a viewer is led to keys")
	}
	if got := viewer.get(org + "/waiting"); !strings.Contains(got.Body, `hx-swap-oob="true"`) {
		t.Errorf("the count: %d %s", got.Status, got.Body)
	}
}
