package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/retention"
)

// housekeep removes what will be too old at a time.
func housekeep(t *testing.T, s *apptest.Service, at time.Time) stockhand.Removed {
	t.Helper()
	c := s.Retention.Config
	c.Clock = func() time.Time { return at }
	done, err := retention.New(c).Housekeep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestAnExpiredResultSaysSoWhereverItIsRead(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	settings := "/organizations/" + string(s.OrgID) + "/settings"
	type kept struct{ Retention map[string]any }
	if v := read[kept](t, "settings", s.Do("PATCH", settings, s.AdminToken, map[string]any{
		"retention": map[string]any{"results_days": 1, "sessions_days": nil,
			"audit_days": nil, "answers_days": 2}}), 200); fmt.Sprint(v.Retention) !=
		"map[answers_days:2 audit_days:<nil> results_days:1 sessions_days:<nil>]" {
		t.Errorf("settings: %v", v)
	}
	v := ask(t, s, s.AdminToken, about(s, "остатки товаров"))
	path := "/results/" + v.Results[0].ID
	page := s.Do("GET", path+"?limit=5", s.AdminToken, nil)
	cursor, tag := *read[resultShown](t, "page", page, 200).NextCursor, page.Header.Get("ETag")
	inDraft, d := proposed(t, s, s.AdminToken)
	tomorrow := time.Now().Add(25 * time.Hour)
	if done := housekeep(t, s, tomorrow.Add(-2*time.Hour)); done.Results != 0 {
		t.Errorf("a young result expired: %+v", done)
	}
	if done := housekeep(t, s, tomorrow); done.Results != 1 || done.Sessions != 0 { // the other one's draft is open
		t.Errorf("removed %+v", done)
	}

	for _, query := range []string{"", "?format=csv", "?format=xlsx", "?limit=5", "?limit=5&cursor=" + cursor} {
		a := s.Do("GET", path+query, s.AdminToken, nil, "If-None-Match", tag, "Accept-Language", "ru")
		wantError(t, query, a, 410, stockhand.CodeResultExpired)
		if !strings.Contains(string(a.Body), "истёк срок хранения") {
			t.Errorf("%q: %s", query, a.Body)
		}
	}
	m := read[struct {
		turn
		Results []map[string]any `json:"results"`
	}](t, "message", s.Do("GET", "/sessions/"+v.SessionID+"/messages/"+v.MessageID, s.AdminToken, nil), 200)
	if r := m.Results[0]; m.FinalResponse != v.FinalResponse || r["expired"] != true || len(r["rows"].([]any)) != 0 ||
		r["row_count"].(float64) < 20 || r["title"] == "" || r["columns"] == nil {
		t.Errorf("the message has %v", m)
	}

	// The message and the draft can still be read, and the draft confirmed.
	s.Do("GET", "/sessions/"+inDraft.SessionID+"/messages/"+inDraft.MessageID, s.AdminToken, nil)
	if a := s.Do("POST", d.path()+"/reject", s.AdminToken, map[string]any{"version": d.Version}); a.Status != 200 {
		t.Fatalf("reject: %d %s", a.Status, a.Body)
	}
	if done := housekeep(t, s, tomorrow); len(inDraft.Results) > 0 && done.Results == 0 {
		t.Errorf("after the draft was rejected: %+v", done)
	}
	read[draftShown](t, "draft", s.Do("GET", d.path(), s.AdminToken, nil), 200)
	read[turn](t, "its message", s.Do("GET", "/sessions/"+inDraft.SessionID+"/messages/"+inDraft.MessageID,
		s.AdminToken, nil), 200)
	if text := s.Metrics(); !strings.Contains(text, `stockhand_housekeeping_removed_total{what="results"} `) {
		t.Error("no metric of what was removed")
	}
}

func TestOnlyPeopleChangeRetentionTimesAndWithinTheInstallations(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: func(c *app.Config) {
		c.Retention, _ = retention.Parse("sessions=30:60")
	}})
	settings := "/organizations/" + string(s.OrgID) + "/settings"
	change := func(days any) map[string]any {
		return map[string]any{"retention": map[string]any{"results_days": nil, "sessions_days": days, "audit_days": nil,
			"answers_days": nil}}
	}
	wantError(t, "a key", s.Do("PATCH", settings, s.Key(stockhand.ScopeAdmin), change(1)), 403,
		stockhand.CodePermissionDenied)
	for _, wrong := range []any{61, 0, "7"} {
		wantError(t, fmt.Sprint(wrong), s.Do("PATCH", settings, s.AdminToken, change(wrong)), 422,
			stockhand.CodeValidation)
	}
	for _, days := range []any{7, nil} {
		want := 30.0 // the installation's
		if days != nil {
			want = 7
		}
		v := read[struct{ Retention map[string]any }](t, "change", s.Do("PATCH", settings, s.AdminToken, change(days)),
			200)
		if v.Retention["sessions_days"] != want || v.Retention["results_days"] != nil {
			t.Errorf("%v days: %v", days, v)
		}
	}
}

func TestAFullQuotaRefusesTasksAndNotConfirmations(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1,
		Configure: func(c *app.Config) { c.Quota = retention.Quota{Sessions: 2} }})
	v, byMessage := proposed(t, s, s.AdminToken)
	_, d := proposed(t, s, s.AdminToken)
	again := about(s, "остатки товаров")
	for _, body := range []map[string]any{again, {"message": "остатки товаров", "session_id": v.SessionID}} {
		wantError(t, "a task", s.Do("POST", "/sessions/stream", s.AdminToken, body), 409, stockhand.CodeQuotaExceeded)
	}
	wantError(t, "a call", s.Do("POST", "/tools/moysklad_stock/execute", s.AdminToken, map[string]any{}), 409,
		stockhand.CodeQuotaExceeded)
	wantError(t, "a plan", s.Do("POST", "/query", s.AdminToken, map[string]any{"measures": []string{"revenue"}},
		"X-Dry-Run", "1"), 409, stockhand.CodeQuotaExceeded)
	usage := read[struct{ Storage retention.Usage }](t, "usage",
		s.Do("GET", "/organizations/"+string(s.OrgID)+"/usage", s.AdminToken, nil), 200).Storage
	if usage.Sessions != 2 || usage.MaxSessions == nil || *usage.MaxSessions != 2 || usage.MaxBytes != nil {
		t.Errorf("usage: %+v", usage)
	}
	one := map[string]any{"version": 1, "document_ids": []string{d.Documents[0].ID}}
	if done := read[draftShown](t, "confirm", s.Do("POST", d.path()+"/confirm?wait=60", s.AdminToken, one),
		200); done.Documents[0].State != "applied" {
		t.Errorf("confirmed: %v", done.states())
	}
	said := ask(t, s, s.AdminToken, map[string]any{"message": "подтверждаю", "session_id": v.SessionID})
	if said.Kind != "new_turn" && said.FinalResponse == "" {
		t.Errorf("confirming %s by a message: %+v", byMessage.ID, said)
	}
	if a := s.Do("DELETE", "/sessions/"+v.SessionID, s.AdminToken, nil); a.Status != 204 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	ask(t, s, s.AdminToken, again)
}
