package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// Every suggested question is understood as it stands, in both languages (rule R451).
func TestEverySuggestionIsUnderstood(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	path := "/o/" + string(s.OrgID) + "/suggestions?connection="
	for _, l := range []string{"ru", "en"} {
		page := b.get(path+string(s.Connections[0].ID), "Accept-Language", l, "HX-Request", "true")
		found := regexp.MustCompile(`name="message" value="([^"]+)"`).FindAllStringSubmatch(page.Body, -1)
		if len(found) < 6 {
			t.Fatalf("%s: %d suggestions: %s", l, len(found), page.Body)
		}
		for _, m := range found {
			question := html.UnescapeString(m[1])
			var answer struct {
				Question, Error any
				Calls           []struct{ Name string } `json:"tool_calls"`
				Notices         []struct{ Code string }
			}
			s.Do("POST", "/sessions/stream?wait=60", s.AdminToken, map[string]any{"message": question,
				"connection_id": s.Connections[0].ID}, "Accept-Language", l).Decode(t, &answer)
			unused := slices.ContainsFunc(answer.Notices,
				func(n struct{ Code string }) bool { return n.Code == "unused" })
			if answer.Question != nil || answer.Error != nil || len(answer.Calls) == 0 || unused {
				t.Errorf("%q: %+v", question, answer)
			}
		}
	}
	keeper := s.Connect(s.OrgID, s.Sandbox.Accounts()[0].Tokens.Storekeeper, "Склад")
	limited := b.get(path+string(keeper.ID), "Accept-Language", "ru").Body
	if strings.Contains(limited, "прибыль") || strings.Contains(limited, "денег") ||
		!strings.Contains(limited, "заканчивается") {
		t.Errorf("what is suggested to a storekeeper: %s", limited)
	}
}

// A question is kept, opened as a conversation, renamed and removed (rule R450).
func TestAReportIsKept(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	org := "/o/" + string(s.OrgID)
	turn := asked(t, b, "выручка по складам за последние 30 дней", "")
	all := stream(t, b, turn, "", 0)
	if done := string(all[len(all)-1].Data); !strings.Contains(done, `action="`+turn+`/save"`) ||
		!strings.Contains(done, `name="moves"`) {
		t.Fatalf("the answer cannot be kept: %s", done)
	}
	saved := b.post(turn+"/save", url.Values{"title": {"Склады"}, "moves": {"1"}}, "HX-Request", "true",
		"Accept-Language", "ru")
	if saved.Status != http.StatusOK || !strings.Contains(saved.Body, "Отчёт на главной") {
		t.Fatalf("%d %s", saved.Status, saved.Body)
	}
	home := b.get(org + "/ask").Body
	tile := regexp.MustCompile(`hx-post="([^"]+/tiles/(rep_[a-z0-9]+))"`).FindStringSubmatch(home)
	if tile == nil {
		t.Fatalf("no tile in %s", home)
	}
	got := b.post(tile[1], url.Values{"connection": {string(s.Connections[0].ID)}}, "HX-Request", "true")
	if !strings.Contains(got.Body, "Склады") || !strings.Contains(got.Body, "₽") {
		t.Errorf("the tile: %d %s", got.Status, got.Body)
	}
	report := org + "/reports/" + tile[2]
	opened := b.post(report+"/open", nil)
	if page := b.get(opened.Location).Body; opened.Status != http.StatusSeeOther || !strings.Contains(page, "Склады") {
		t.Errorf("open: %d %s", opened.Status, opened.Location)
	}
	b.post(report+"/rename", url.Values{"title": {"Все склады"}})
	if page := b.get(org + "/ask").Body; !strings.Contains(page, "Все склады") {
		t.Error("it was not renamed")
	}
	if got := as(t, s, stockhand.RoleViewer).post(report+"/delete", nil); got.Status != http.StatusForbidden {
		t.Errorf("a viewer deletes it: %d", got.Status)
	}
	b.post(report+"/delete", nil)
	if page := b.get(org + "/ask").Body; strings.Contains(page, "Все склады") {
		t.Error("it was not deleted")
	}
	proposal := asked(t, b, orders, "")
	stream(t, b, proposal, "", 0)
	if got := b.post(proposal+"/save", url.Values{"title": {"x"}}); got.Status < http.StatusBadRequest {
		t.Errorf("a proposal was kept: %d", got.Status)
	}
}

// Pins are a person's own; what is shared is in everyone's list (rule R452).
func TestConversationsArePinnedAndShared(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b, other := as(t, s, stockhand.RoleMember), as(t, s, stockhand.RoleViewer)
	list := "/o/" + string(s.OrgID) + "/ask"
	talk := asked(t, b, "сколько денег на счетах?", "")
	talk = talk[:strings.LastIndex(talk, "/")]
	has := func(who browser, words string) bool {
		return strings.Contains(who.get(list, "HX-Request", "true", "HX-Target", "talks", "Accept-Language", "en").Body,
			words)
	}
	b.post(talk+"/pin", nil)
	if !has(b, "Pinned") || has(other, "денег") {
		t.Error("a pin is not the person's own")
	}
	b.post(talk+"/share", nil)
	if !has(other, "Shared") || !has(other, "денег") {
		t.Error("the conversation is not in the other's list")
	}
	b.post(talk+"/share", url.Values{"off": {"1"}})
	b.post(talk+"/pin", url.Values{"off": {"1"}})
	if has(other, "денег") || has(b, "Pinned") {
		t.Error("it is still pinned or shared")
	}
	if got := other.post(talk+"/share", nil); got.Status != http.StatusForbidden {
		t.Errorf("a viewer shares: %d", got.Status)
	}
}

// Tables are filtered by their columns (rule R393).
func TestATableIsFiltered(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	table := large(t, s, 1000)
	shown := func(query string) string {
		page := b.get(table+query, "HX-Request", "true", "Accept-Language", "en").Body
		count := regexp.MustCompile(`of (\S+)</p>`).FindStringSubmatch(page)
		if count == nil {
			return "none"
		}
		return count[1]
	}
	for query, want := range map[string]string{
		"":                     "1,000",
		"?where=min:stock:900": "77",
		"?where=min:stock:900&where=max:stock:950":                 "51",
		"?where=is:store:" + url.QueryEscape("склад 3"):            "143",
		"?where=has:product:0099":                                  "11",
		"?filter=stock&op=min&value=" + url.QueryEscape("1 000,5"): "none",
		"?where=none:stock:":                                       "none",
		"?where=any:sum:":                                          "1,000",
		"?where=min:nothing:5":                                     "1,000",
		"?where=min:stock:x":                                       "none",
	} {
		if got := shown(query); got != want {
			t.Errorf("%s: %s rows, want %s", query, got, want)
		}
	}
}

var heading = regexp.MustCompile(`<th[^>]*>\s*<a href="[^"]*sort=([a-z_]+)`)

// A person chooses the columns of a table; totals and downloads are of all of them (rule R393).
func TestColumnsAreHidden(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	table := large(t, s, 100)
	headings := func(query string) (all []string) {
		page := b.get(table+query, "HX-Request", "true").Body
		for _, h := range heading.FindAllStringSubmatch(page, -1) {
			all = append(all, h[1])
		}
		return all
	}
	for query, want := range map[string]string{
		"": "product store stock sum", "?column=product&column=sum": "product sum",
		"?column=nothing": "product", "?column=sum&sort=sum&skip=50": "sum",
	} {
		if got := strings.Join(headings(query), " "); got != want {
			t.Errorf("%s shows %q, want %q", query, got, want)
		}
	}
	if got := b.get(table + "/file?format=csv&column=sum").Body; !strings.Contains(got, "Товар") {
		t.Errorf("the file has only some columns: %.200s", got)
	}
}
