package api_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// Requests of programs are in their organization's log, those of pages and of strangers are not, and nothing of what
// was sent is (rule R386).
func TestRequestsAreInTheLogWithoutTheirContent(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	key := s.Key(stockhand.ScopeReadData)
	path := "/organizations/" + string(s.OrgID) + "/requests"
	s.Do("GET", "/drafts/drf_01kahx3e6v8qz5s0m4w7n2c9rt?secret=1", key, nil)
	s.Do("POST", "/sessions/stream", key, map[string]any{"message": "secret question"})
	s.Do("GET", "/me", "sk-org-unknown", nil)
	s.Do("GET", "/healthz", "", nil)
	got := s.Do("GET", path, key, nil)
	var list struct {
		Data []struct {
			Method, Route, Actor, Code string
			Status                     int
			RequestID                  string  `json:"request_id"`
			Took                       float64 `json:"duration_ms"`
		}
	}
	got.Decode(t, &list)
	if len(list.Data) != 2 {
		t.Fatalf("%s", got.Body)
	}
	newest, oldest := list.Data[0], list.Data[1]
	if newest.Status != 403 || newest.Code != "AUTH_PERMISSION_DENIED" || newest.Route != "/api/v1/sessions/stream" ||
		newest.Method != "POST" || !strings.HasPrefix(newest.Actor, "key:key_") || newest.RequestID == "" {
		t.Errorf("%+v", newest)
	}
	if oldest.Status != 404 && oldest.Status != 422 || oldest.Route != "/api/v1/drafts/{draft_id}" || oldest.Took <= 0 {
		t.Errorf("%+v", oldest)
	}
	if strings.Contains(string(got.Body), "secret") {
		t.Errorf("%s", got.Body)
	}
	s.Do("GET", path+"?failed=true&limit=1", key, nil).Decode(t, &list)
	if len(list.Data) != 1 || list.Data[0].Status != 403 {
		t.Errorf("%+v", list.Data)
	}
	other, token := s.Organization("Other")
	var others struct{ Data []struct{ Route string } }
	s.Do("GET", "/organizations/"+string(other)+"/requests", token, nil).Decode(t, &others)
	for _, r := range others.Data {
		if r.Route == "/api/v1/drafts/{draft_id}" {
			t.Error("another organization sees the requests")
		}
	}
}
