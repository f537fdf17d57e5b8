package api_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// rules is a body that sets one rule and lifts all others.
func rules(name string, value any) map[string]any {
	all := map[string]any{"max_order_total": nil, "max_price_change": nil, "no_price_below_cost": false,
		"second_approver_above": nil, "second_approver_price_change": nil, "proposer_may_not_confirm": false,
		"quiet_hours": nil, "step_up_above": nil}
	if name != "" {
		all[name] = value
	}
	return map[string]any{"draft_rules": all}
}

func TestARuleRefusesTheSameWayOverHTTPAndByAWord(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	settings := "/organizations/" + string(s.OrgID) + "/settings"
	set := func(by string, body map[string]any) apptest.Answer { return s.Do("PATCH", settings, by, body) }
	for _, x := range []struct {
		rule  string
		value any
		task  string
	}{{"max_order_total", "1.00", orders}, {"max_price_change", "0.5", "подними все цены на 7%"}} {
		read[any](t, "set "+x.rule, set(s.AdminToken, rules(x.rule, x.value)), 200)
		v, d := proposedBy(t, s, s.AdminToken, x.task)
		said := ask(t, s, s.AdminToken, map[string]any{"message": "подтверждаю",
			"session_id": v.SessionID}).FinalResponse
		over := wantError(t, x.rule, s.Do("POST", d.path()+"/confirm", s.AdminToken, map[string]any{"version": 1},
			"Accept-Language", "ru"), 403, stockhand.CodePermissionDenied).Detail
		if len(over.Errors) != 1 || over.Errors[0].Field != "draft_rules."+x.rule || over.Hint == "" {
			t.Errorf("the refusal is %+v", over)
		}
		for _, part := range []string{x.rule, over.Message, over.Hint} {
			if !strings.Contains(strings.ReplaceAll(said, `\`, ""), part) {
				t.Errorf("%s: by a word %q, over HTTP %q", x.rule, said, part)
			}
		}
	}
	if n := writes(s); n != 0 {
		t.Fatalf("%d writes", n)
	}

	read[any](t, "two people", set(s.AdminToken, rules("second_approver_above", "0")), 200)
	v, d := proposed(t, s, s.AdminToken)
	first := ask(t, s, s.AdminToken, map[string]any{"message": "подтверждаю", "session_id": v.SessionID}).FinalResponse
	if !strings.Contains(first, "от другого человека") || writes(s) != 0 {
		t.Errorf("the first of two: %q, %d writes", first, writes(s))
	}
	_, member := s.Member(s.OrgID, stockhand.RoleMember)
	done := read[draftShown](t, "the second of two", s.Do("POST", d.path()+"/confirm", member,
		map[string]any{"version": 1}), 200)
	if slices.ContainsFunc(done.states(), func(state string) bool { return state != "applied" }) {
		t.Errorf("after the second: %s", done.States())
	}

	night := rules("quiet_hours", map[string]any{"from": "22:00", "to": "08:00"})
	kept := read[map[string]any](t, "quiet hours", set(s.AdminToken, night), 200)["draft_rules"]
	if !reflect.DeepEqual(kept, night["draft_rules"]) {
		t.Errorf("set %v, kept %v", night["draft_rules"], kept)
	}
	for name, body := range map[string]map[string]any{
		"a negative limit": rules("max_order_total", "-1"), "no number": rules("max_order_total", "much"),
		"a number":            rules("max_order_total", 1.5),
		"no time":             rules("quiet_hours", map[string]any{"from": "8", "to": "9"}),
		"a part of the rules": {"draft_rules": map[string]any{"max_order_total": "1"}},
	} {
		wantError(t, name, set(s.AdminToken, body), 422, stockhand.CodeValidation)
	}
	for name, by := range map[string]string{"a key": s.Key(stockhand.ScopeAdmin), "a member": member} {
		wantError(t, name, set(by, rules("", nil)), 403, stockhand.CodePermissionDenied)
		wantError(t, name, set(by, map[string]any{"writes_stopped": true}), 403, stockhand.CodePermissionDenied)
	}
}

func TestAStopOfWritesHoldsForDraftsAndTheGateway(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	settings := "/organizations/" + string(s.OrgID) + "/settings"
	read[any](t, "gateway_writes", s.Do("PATCH", "/connections/"+string(s.Connections[0].ID), s.AdminToken,
		map[string]any{"gateway_writes": true}), 200)
	v, d := proposed(t, s, s.AdminToken)
	type stop struct {
		WriteStop *struct {
			StoppedBy    string `json:"stopped_by"`
			Installation bool
		} `json:"write_stop"`
	}
	now := read[stop](t, "stop", s.Do("PATCH", settings, s.AdminToken, map[string]any{"writes_stopped": true}), 200)
	if now.WriteStop == nil || !strings.HasPrefix(now.WriteStop.StoppedBy, "user:") || now.WriteStop.Installation {
		t.Errorf("%+v", now.WriteStop)
	}
	said := ask(t, s, s.AdminToken, map[string]any{"message": "подтверждаю", "session_id": v.SessionID}).FinalResponse
	if !strings.Contains(strings.ReplaceAll(said, `\`, ""), "writes_stopped") {
		t.Errorf("by a word: %s", said)
	}
	gatewayKey := s.Key(stockhand.ScopeGateway)
	for name, a := range map[string]apptest.Answer{
		"confirm": s.Do("POST", d.path()+"/confirm", s.AdminToken, map[string]any{"version": 1}),
		"gateway": s.Do(http.MethodPost, at(s, "entity/product"), gatewayKey, `{"name":"x"}`),
	} {
		if e := wantError(t, name, a, 403, stockhand.CodePermissionDenied); !strings.Contains(e.Detail.Message,
			"writes_stopped") {
			t.Errorf("%s: %+v", name, e.Detail)
		}
	}
	if a := s.Do(http.MethodGet, at(s, "entity/product?limit=1"), gatewayKey, nil); a.Status != 200 {
		t.Errorf("the gateway does not read: %d", a.Status)
	}
	if n := writes(s); n != 0 {
		t.Fatalf("%d writes", n)
	}
	now = read[stop](t, "allow", s.Do("PATCH", settings, s.AdminToken, map[string]any{"writes_stopped": false}), 200)
	if now.WriteStop != nil {
		t.Errorf("%+v", now.WriteStop)
	}
	if a := s.Do(http.MethodPost, at(s, "entity/product"), gatewayKey, `{"name":"x"}`); a.Status != 200 {
		t.Errorf("the gateway after the stop: %d %s", a.Status, a.Body)
	}
}
