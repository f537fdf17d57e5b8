package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// Review L3: figures of all organizations were open to every client of the API.
func TestAttackMetricsAreServedApartFromTheAPIAndOnlyWhereConfigured(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true})
	for _, token := range []string{"", s.AdminToken} {
		r := s.Request("GET", "/healthz", token, nil)
		r.URL.Path = "/metrics"
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != 404 {
			t.Errorf("the API serves metrics: %d", answer.StatusCode)
		}
	}
	if strings.HasPrefix(s.MetricsURL, s.URL) || !strings.Contains(s.Metrics(), "stockhand_build_info") {
		t.Errorf("no metrics at %s", s.MetricsURL)
	}
	without := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true,
		Configure: func(c *app.Config) { c.MetricsAddr = "" }})
	if without.MetricsURL != "" {
		t.Errorf("metrics are at %s by default", without.MetricsURL)
	}
}

func TestMetricsCountWhatHappensAndIdentifyNoPerson(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools)
	if a := s.Do("POST", "/sessions/stream?wait=60", key,
		map[string]any{"message": "остатки по складам"}); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	s.Do("GET", "/nothing/here", key, nil)
	text := s.Metrics()
	for _, line := range []string{
		`stockhand_http_request_duration_seconds_count{route="/api/v1/sessions/stream",status="200"} 1`,
		`stockhand_runs_finished_total{state="done"} 1`, `stockhand_runs_finished_total{state="failed"} 0`,
		`stockhand_runs{state="queued"} 0`, `stockhand_runs{state="running"} 0`,
		`stockhand_external_requests_total{weight="heavy"}`, `stockhand_external_wait_seconds_count{weight="light"}`,
		`stockhand_external_requests_in_flight 0`,
		`stockhand_draft_documents_total{state="unknown"} 0`, `stockhand_event_streams_open 0`,
		`stockhand_work_engine_up 1`, `stockhand_build_info{`, `go_goroutines `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%s is not there", line)
		}
	}
	for _, name := range []string{string(s.OrgID), string(s.Connections[0].Account), string(s.Connections[0].ID),
		"key_", "usr_", "/nothing"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is in a label", name)
		}
	}
}
