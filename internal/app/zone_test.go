package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/connector/connectortest"
)

// It is 00:15 on 22 November in Kathmandu and 21:30 on 21 November in Moscow: each day is Kathmandu's (rule R77).
func TestDaysAreThoseOfTheConnectorsTimeZone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC)
	shelf := connectortest.New()
	shelf.Sell(now.Add(-20 * time.Minute)) // 23:55, yesterday
	shelf.Sell(now.Add(-10 * time.Minute)) // 00:05, today
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: func(c *app.Config) {
		c.Clock = func() time.Time { return now }
		c.Connectors = slices.Concat(app.Connectors, []app.Connector{
			{Kind: shelf.Kind(), Writer: app.WriterOf(shelf.Writer), Gateway: shelf.Gateway},
		})
	}})
	do := func(method, path string, body any, headers ...string) apptest.Answer {
		t.Helper()
		a := s.Do(method, path, s.AdminToken, body, headers...)
		if a.Status/100 != 2 {
			t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		return a
	}
	contains := func(text string, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in:\n%s", want, text)
			}
		}
	}
	spreadsheet := func(path string) string {
		t.Helper()
		a := do(http.MethodGet, path, nil, "Accept", "text/csv")
		contains(a.Header.Get("Content-Disposition"), "2026-11-22.csv")
		return string(a.Body)
	}
	do("POST", "/connections", map[string]any{"connector": "shelf", "token": connectortest.Token})

	type turn struct {
		SessionID     string                `json:"session_id"`
		FinalResponse string                `json:"final_response"`
		Results       []struct{ ID string } `json:"results"`
		Drafts        []struct{ ID string } `json:"drafts"`
	}
	ask := func(session, task string) (out turn) {
		t.Helper()
		do("POST", "/sessions/stream?wait=60", map[string]any{"message": task, "session_id": session}).Decode(t, &out)
		return out
	}
	for task, want := range map[string][3]string{
		"What did we sell today?":     {"22 Nov 2026 00:05", "22 Nov 2026 – 22 Nov 2026", "2026-11-22T00:05:00+05:45"},
		"What did we sell yesterday?": {"21 Nov 2026 23:55", "21 Nov 2026 – 21 Nov 2026", "2026-11-21T23:55:00+05:45"},
	} {
		answer := ask("", task)
		contains(answer.FinalResponse, "Sold: 1.", want[0], want[1],
			"Read at 00:15 on 22 Nov 2026 (Nepal time)")
		if len(answer.Results) != 1 {
			t.Fatalf("the results are %v", answer.Results)
		}
		contains(spreadsheet("/results/"+answer.Results[0].ID), want[2])
	}

	proposed := ask("", "Raise all sale prices by 20%")
	if len(proposed.Drafts) != 1 {
		t.Fatalf("no draft in %+v", proposed)
	}
	contains(proposed.FinalResponse, "until 29 Nov 2026")
	spreadsheet("/drafts/" + proposed.Drafts[0].ID)
	contains(ask(proposed.SessionID, "confirm").FinalResponse, "New price")
	if shelf.Price() != "12" {
		t.Errorf("after the confirmation the price is %s", shelf.Price())
	}
	spreadsheet("/drafts/" + proposed.Drafts[0].ID)
}
