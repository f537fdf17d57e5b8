package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// define stores an own measure.
func define(s *apptest.Service, token, name, formula, unit string) apptest.Answer {
	body := map[string]any{"title": map[string]any{"ru": "Наш показатель " + name, "en": "Our " + name},
		"formula": formula, "words": map[string]any{"ru": []string{"наш " + name}}}
	if unit != "" {
		body["unit"] = unit
	}
	return s.Do(http.MethodPut, "/organizations/"+string(s.OrgID)+"/measures/"+name, token, body)
}

type queried struct {
	Text    string `json:"text"`
	Results []struct {
		Columns []struct {
			Name  string `json:"name"`
			Label string `json:"label"`
		} `json:"columns"`
		Rows       []map[string]any `json:"rows"`
		Provenance struct {
			Method string `json:"method"`
		} `json:"provenance"`
	} `json:"results"`
}

func TestOwnMeasuresBehaveLikeTheCataloguesEverywhere(t *testing.T) { // rule R246
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	path := "/organizations/" + string(s.OrgID) + "/measures"
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadTools, stockhand.ScopeReadData)
	if a := define(s, s.AdminToken, "our_gain", "revenue - cost", "money"); a.Status != 200 {
		t.Fatal(a.Status, string(a.Body))
	}
	if a := define(s, s.AdminToken, "our_markup", "our_gain / cost", "percent"); a.Status != 200 {
		t.Fatal(a.Status, string(a.Body))
	}
	wantError(t, "a key without admin", define(s, key, "our_other", "cost", "money"), 403,
		stockhand.CodePermissionDenied)
	list := read[struct {
		Data []struct {
			Name  string `json:"name"`
			Title struct{ RU, EN string }
			By    string `json:"updated_by"`
		} `json:"data"`
		Next *string `json:"next_cursor"`
	}](t, "measures", s.Do(http.MethodGet, path+"?limit=1", key, nil), 200)
	if len(list.Data) != 1 || list.Data[0].Name != "our_gain" || list.Data[0].Title.EN != "Our our_gain" ||
		!strings.HasPrefix(list.Data[0].By, "user:") || list.Next == nil {
		t.Errorf("%+v", list)
	}

	for _, of := range []string{"", "&connection_id=" + string(s.Connections[0].ID)} {
		catalogue := read[struct {
			Measures []struct {
				Name       string   `json:"name"`
				Own        bool     `json:"own"`
				Unit       string   `json:"unit"`
				Dimensions []string `json:"dimensions"`
				Words      struct{ RU []string }
				Needs      []struct{ Employee string }
			} `json:"measures"`
		}](t, "catalogue", s.Do(http.MethodGet, "/catalogue?measure=our_markup"+of, key, nil), 200)
		if len(catalogue.Measures) != 1 || !catalogue.Measures[0].Own || catalogue.Measures[0].Unit != "percent" ||
			len(catalogue.Measures[0].Dimensions) < 5 || catalogue.Measures[0].Words.RU[0] != "наш our_markup" ||
			len(catalogue.Measures[0].Needs) < 2 || // those of what it is computed from; rule R249
			catalogue.Measures[0].Needs[0].Employee != map[bool]string{true: "has"}[of != ""] {
			t.Errorf("catalogue%s: %+v", of, catalogue)
		}
	}

	query := map[string]any{"measures": []string{"our_markup", "twice"}, "by": []string{"product"}, "language": "en",
		"where":  []any{map[string]any{"field": "our_gain", "op": ">", "values": []any{0}}},
		"order":  []any{map[string]any{"field": "our_markup"}},
		"define": []any{map[string]any{"name": "twice", "formula": "our_markup * 2"}}}
	turn := read[queried](t, "query", s.Do(http.MethodPost, "/query?wait=60", key, query), 200)
	if len(turn.Results) != 1 || len(turn.Results[0].Rows) == 0 ||
		turn.Results[0].Columns[1].Label != "Our our_markup" ||
		!strings.Contains(turn.Results[0].Provenance.Method, "our_gain / cost") {
		t.Fatalf("%+v", turn)
	}
	delete(query, "language")
	for _, tool := range []struct {
		path string
		body any
	}{{"/tools/moysklad_analyze/execute?wait=60", map[string]any{"arguments": query}}, {"/query", query}} {
		if a := s.Do(http.MethodPost, tool.path, key, tool.body, "X-Dry-Run",
			map[bool]string{true: "1"}[tool.path == "/query"]); a.Status != 200 {
			t.Errorf("%s: %d %s", tool.path, a.Status, a.Body)
		}
	}
	query["define"] = []any{map[string]any{"name": "our_gain", "formula": "revenue"}}
	r := s.Do(http.MethodPost, "/query?wait=60", key, query)
	wantError(t, "a query takes an own name", r, 422, stockhand.CodeValidation)
	r = s.Do(http.MethodPost, "/query?wait=60", key, map[string]any{"measures": []string{"our_markdown"}})
	wantError(t, "an unknown measure", r, 422, stockhand.CodeValidation)
	if !strings.Contains(string(r.Body), "our_markup (Наш показатель our_markup)") {
		t.Errorf("the error does not list own measures: %s", r.Body)
	}
}

func TestOwnMeasuresAreCheckedWhenSavedAndDeleted(t *testing.T) { // rule R247
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	path := "/organizations/" + string(s.OrgID) + "/measures/"
	for name, formula := range map[string]string{"our_sum": "revenue + luck", "revenue": "cost", "store": "cost",
		"our_self": "our_self + 1", "our_mix": "revenue + quantity"} {
		wantError(t, name, define(s, s.AdminToken, name, formula, ""), 422, stockhand.CodeValidation)
	}
	for _, m := range [][2]string{{"our_gain", "revenue - cost"}, {"our_rate", "our_gain / cost"}} {
		if a := define(s, s.AdminToken, m[0], m[1], ""); a.Status != 200 {
			t.Fatal(a.Status, string(a.Body))
		}
	}
	a := define(s, s.AdminToken, "our_gain", "our_rate * cost", "")
	wantError(t, "a circle", a, 422, stockhand.CodeValidation)
	if !strings.Contains(string(a.Body), `"field":"formula"`) || !strings.Contains(string(a.Body), "our_rate uses our_gain") {
		t.Errorf("%s", a.Body)
	}
	a = s.Do(http.MethodDelete, path+"our_gain", s.AdminToken, nil)
	wantError(t, "it is used", a, 409, stockhand.CodeConflict)
	if !strings.Contains(string(a.Body), "our_rate") {
		t.Errorf("%s", a.Body)
	}
	for _, name := range []string{"our_rate", "our_gain"} {
		if a := s.Do(http.MethodDelete, path+name, s.AdminToken, nil); a.Status != 200 {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	wantError(t, "it was deleted", s.Do(http.MethodGet, path+"our_gain", s.AdminToken, nil), 404,
		stockhand.CodeNotFound)
	for i := range 50 {
		if a := define(s, s.AdminToken, fmt.Sprintf("our_%d", i), "cost", ""); a.Status != 200 {
			t.Fatal(a.Status, string(a.Body))
		}
	}
	wantError(t, "too many", define(s, s.AdminToken, "our_50", "cost", ""), 409, stockhand.CodeConflict)
	if a := define(s, s.AdminToken, "our_49", "revenue", ""); a.Status != 200 {
		t.Errorf("one of 50 cannot be changed: %d %s", a.Status, a.Body)
	}
}

// A measure that was saved for another catalogue: what it uses is gone.
func TestAnOwnMeasureThatNoLongerFitsBreaksNothingElse(t *testing.T) { // rule R248
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if a := define(s, s.AdminToken, "our_gain", "revenue - cost", ""); a.Status != 200 {
		t.Fatal(a.Status, string(a.Body))
	}
	err := s.Store.System().Measures().PutMeasure(t.Context(), s.OrgID, stockhand.StoredMeasure{Name: "our_luck",
		Definition: []byte(`{"title":{"ru":"Удача"},"formula":"luck / cost"}`), Updated: s.Connections[0].Created},
		func([]stockhand.StoredMeasure) error { return nil }, stockhand.AuditEntry{Action: "measure.changed"})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Do(http.MethodPost, "/query?wait=60", s.AdminToken, map[string]any{
		"measures": []string{"our_gain"}}); a.Status != 200 {
		t.Errorf("another measure: %d %s", a.Status, a.Body)
	}
	a := s.Do(http.MethodPost, "/query?wait=60", s.AdminToken, map[string]any{"measures": []string{"our_luck"}})
	wantError(t, "a measure that does not fit", a, 422, stockhand.CodeValidation)
	for _, path := range []string{"/catalogue", "/catalogue?measure=our_luck",
		"/organizations/" + string(s.OrgID) + "/measures/our_luck"} {
		if a := s.Do(http.MethodGet, path, s.AdminToken, nil); a.Status != 200 ||
			!strings.Contains(string(a.Body), `there is no measure \"luck\"`) {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
}
