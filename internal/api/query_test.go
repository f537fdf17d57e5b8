package api_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

func TestTheBodyOfAQueryHasEveryFieldOfTheTool(t *testing.T) { // rule R232, among others
	t.Parallel()
	fields := func(v any) (names []string) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			names = append(names, f.Tag.Get("json"))
		}
		slices.Sort(names)
		return names
	}
	of := func(tags []string) []string {
		for i, tag := range tags {
			tags[i], _, _ = strings.Cut(tag, ",")
		}
		return tags
	}
	for _, pair := range [][2]any{{wire.Query{}, analysis.Query{}}, {wire.Condition{}, analysis.Condition{}},
		{wire.Comparison{}, analysis.Comparison{}}, {wire.QueryOrder{}, analysis.Order{}},
		{wire.Definition{}, analysis.Definition{}}} {
		if body, tool := of(fields(pair[0])), of(fields(pair[1])); !slices.Equal(body, tool) {
			t.Errorf("%T has the fields %v, the tool %v", pair[0], body, tool)
		}
	}
}

func TestAQueryIsAnsweredAndItsFaultsAreNamed(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadTools, stockhand.ScopeReadData)
	catalogue := read[struct {
		Measures []struct {
			Name       string   `json:"name"`
			Dimensions []string `json:"dimensions"`
		} `json:"measures"`
		Dimensions []struct {
			Name string `json:"name"`
		} `json:"dimensions"`
	}](t, "catalogue", s.Do(http.MethodGet, "/catalogue?measure=profit", key, nil), 200)
	if len(catalogue.Measures) != 1 || len(catalogue.Dimensions) != len(catalogue.Measures[0].Dimensions) {
		t.Errorf("profit: %+v", catalogue)
	}
	wantError(t, "unknown measure", s.Do(http.MethodGet, "/catalogue?measure=luck", key, nil), 404,
		stockhand.CodeNotFound)

	own := s.Do(http.MethodGet, "/catalogue?connection_id="+string(s.Connections[0].ID), key, nil)
	if own.Status != 200 || !strings.Contains(string(own.Body), `"ru":"Бренд"`) {
		t.Errorf("the catalogue of a connection lacks its additional fields: %d", own.Status)
	}

	turn := read[struct {
		Text    string `json:"text"`
		Results []struct {
			Columns []struct {
				Name string `json:"name"`
			} `json:"columns"`
			Rows []map[string]any `json:"rows"`
		} `json:"results"`
	}](t, "query", s.Do(http.MethodPost, "/query", key, map[string]any{"measures": []string{"revenue", "receipts"},
		"by": []string{"store"}, "where": []any{map[string]any{"field": "revenue", "op": ">", "values": []any{0}}},
		"share": true, "language": "en"}), 200)
	if len(turn.Results) != 1 || len(turn.Results[0].Rows) == 0 || turn.Results[0].Columns[0].Name != "store" {
		t.Fatalf("%+v", turn)
	}
	for _, body := range []map[string]any{
		{"measures": []string{"luck"}}, {"measures": []string{"stock"}, "by": []string{"month"}},
		{"measures": []string{"revenue"},
			"where": []any{map[string]any{"field": "store", "op": "=", "values": []any{"Луна"}}}},
	} {
		r := s.Do(http.MethodPost, "/query", key, body)
		wantError(t, "a wrong query", r, 422, stockhand.CodeValidation)
		if strings.Contains(string(r.Body), "arguments.") {
			t.Errorf("%s", r.Body)
		}
	}
}

func TestADryRunOfAQueryNamesItsRequestsAndReadsNothing(t *testing.T) { // rules R49, R230
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadTools, stockhand.ScopeReadData)
	query := map[string]any{"measures": []string{"revenue", "receipts"}, "by": []string{"weekday"}, "language": "en"}
	plan := read[struct {
		Readings []struct {
			Path   string   `json:"path"`
			Serves []string `json:"serves"`
		} `json:"readings"`
		Requests int  `json:"requests"`
		Seconds  *int `json:"seconds"`
		Exact    bool `json:"exact"`
		Sent     int  `json:"requests_sent"`
	}](t, "plan", s.Do(http.MethodPost, "/query", key, query, "X-Dry-Run", "1"), 200)
	if len(plan.Readings) != 4 || plan.Requests < 4 || plan.Seconds == nil || !plan.Exact || plan.Sent < 4 ||
		plan.Readings[0].Path == "" || len(plan.Readings[0].Serves) != 2 {
		t.Errorf("%+v", plan)
	}
	sessions := read[struct {
		Data []any `json:"data"`
	}](t, "sessions", s.Do(http.MethodGet, "/sessions", s.AdminToken, nil), 200)
	if len(sessions.Data) != 0 {
		t.Errorf("a dry run left %d sessions", len(sessions.Data))
	}
	s.Audit.Flush(t.Context())
	log := s.Do(http.MethodGet, "/organizations/"+string(s.OrgID)+"/audit-log?action=tool.planned", s.AdminToken, nil)
	if !strings.Contains(string(log.Body), "POST /api/v1/query") {
		t.Errorf("the audit log lacks the requests that a dry run sent: %s", log.Body)
	}
	query["measures"] = []string{"luck"}
	wantError(t, "a wrong query", s.Do(http.MethodPost, "/query", key, query, "X-Dry-Run", "1"), 422,
		stockhand.CodeValidation)
}
