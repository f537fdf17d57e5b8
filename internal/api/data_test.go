package api_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

type used struct {
	Runs     int `json:"runs"`
	Requests int `json:"external_requests"`
}

func TestUsageIsReportedByActorAndDay(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	usage := "/organizations/" + string(s.OrgID) + "/usage"
	key := s.Key()
	for range 2 {
		ask(t, s, key, about(s, task))
	}
	ask(t, s, s.AdminToken, about(s, task))
	got := read[struct {
		Data []struct {
			Day   string
			Actor *string
			used
		}
		ByActor []struct {
			Actor string
			used
		} `json:"by_actor"`
		Total used
	}](t, "usage", s.Do("GET", usage, s.Key(stockhand.ScopeReadData), nil), 200)
	if len(got.Data) < 2 || got.Total.Runs != 3 || got.Total.Requests < 3 || len(got.ByActor) != 2 {
		t.Errorf("used: %+v", got)
	}
	for _, a := range got.ByActor {
		if want := map[bool]int{true: 2, false: 1}[a.Actor[:4] == "key:"]; a.Runs != want {
			t.Errorf("%s has %d runs, want %d", a.Actor, a.Runs, want)
		}
	}
	tomorrow := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	if none := read[struct{ Total used }](t, "later",
		s.Do("GET", usage+"?from="+tomorrow+"&to="+tomorrow, s.AdminToken, nil), 200); none.Total.Runs != 0 {
		t.Errorf("used in the days to come: %+v", none)
	}
	for _, bad := range []string{"from=x", "to=2026-02-30", "from=2026-02-01&to=2026-01-01",
		"from=2020-01-01&to=2026-01-01"} {
		wantError(t, bad, s.Do("GET", usage+"?"+bad, s.AdminToken, nil), 422, stockhand.CodeValidation)
	}
	wantError(t, "without read:data", s.Do("GET", usage, key, nil), 403, stockhand.CodePermissionDenied)
}

func TestTheAuditLogIsReadFromItsEndPageByPage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	log, settings := "/organizations/"+string(s.OrgID)+"/audit-log", "/organizations/"+string(s.OrgID)+"/settings"
	for i := range 4 {
		read[map[string]any](t, "settings",
			s.Do("PATCH", settings, s.AdminToken, map[string]any{"keys_may_confirm": i%2 == 0}), 200)
	}
	type page struct {
		Data []struct {
			Seq            int64
			Action, Actor  string
			Hash, Previous string
		}
		NextCursor *string `json:"next_cursor"`
	}
	whole := read[page](t, "whole", s.Do("GET", log+"?limit=200", s.AdminToken, nil), 200)
	if len(whole.Data) < 4 || whole.Data[len(whole.Data)-1].Seq != 1 || whole.Data[0].Action != "setting.changed" {
		t.Fatalf("the log is %+v", whole.Data)
	}
	for i, e := range whole.Data[1:] {
		if after := whole.Data[i]; after.Seq != e.Seq+1 || after.Previous != e.Hash {
			t.Errorf("%d does not follow %d", after.Seq, e.Seq)
		}
	}
	var seen []int64
	cursor := ""
	for range 100 {
		p := read[page](t, "page", s.Do("GET", log+"?limit=2"+cursor, s.AdminToken, nil), 200)
		for _, e := range p.Data {
			seen = append(seen, e.Seq)
		}
		if p.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *p.NextCursor
	}
	if len(seen) != len(whole.Data) || seen[len(seen)-1] != 1 {
		t.Errorf("in pages: %v", seen)
	}
	if none := read[page](t, "of no draft", s.Do("GET", log+"?draft_id=drf_x", s.AdminToken, nil),
		200); len(none.Data) != 0 {
		t.Errorf("of no draft: %+v", none)
	}
	wantError(t, "a bad cursor", s.Do("GET", log+"?cursor=eA", s.AdminToken, nil), 422, stockhand.CodeValidation)
	_, stranger := s.Organization("Other")
	for _, path := range []string{log, settings, "/organizations/" + string(s.OrgID) + "/usage"} {
		wantError(t, "another organization: "+path, s.Do("GET", path, stranger, nil), 403,
			stockhand.CodePermissionDenied)
	}
	wantError(t, "an unknown setting", s.Do("PATCH", settings, s.AdminToken, map[string]any{"everything": true}), 422,
		stockhand.CodeValidation)
	wantError(t, "not a boolean", s.Do("PATCH", settings, s.AdminToken, map[string]any{"keys_may_confirm": "yes"}), 422,
		stockhand.CodeValidation)
}
