package requests_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

var (
	at   = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	keep = stockhand.KeptRequests{Most: 3, For: time.Hour}
)

// request has an ID that sorts as its letter.
func request(letter, by string, status int, when time.Time) stockhand.APIRequest {
	return stockhand.APIRequest{ID: stockhand.APIRequestID("api_" + letter), At: when, Method: "GET",
		Route: "/api/v1/me", Status: status, Took: 1500 * time.Microsecond, By: by, Request: "req_" + letter}
}

func latest(t *testing.T, db *store.DB, org stockhand.OrgID, f stockhand.RequestFilter,
	before stockhand.APIRequestID) (ids string) {
	t.Helper()
	all, err := db.System().Requests().Latest(t.Context(), org, f, before, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		ids += string(r.ID[len("api_"):])
	}
	return ids
}

// The log keeps the latest requests of each organization, and none that is too old (rule R386).
func TestTheLatestRequestsAreKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		add := func(org stockhand.OrgID, now time.Time, all ...stockhand.APIRequest) {
			t.Helper()
			if err := db.System().Requests().Add(t.Context(), org, all, keep, now); err != nil {
				t.Fatal(err)
			}
		}
		add(org, at, request("a", "key:1", 200, at), request("b", "key:2", 404, at))
		add(other, at, request("z", "key:9", 200, at))
		add(org, at, request("c", "key:1", 500, at), request("d", "key:1", 200, at))
		all := stockhand.RequestFilter{}
		for name, c := range map[string]struct {
			f      stockhand.RequestFilter
			before stockhand.APIRequestID
			want   string
		}{
			"all":      {all, "", "dcb"},
			"further":  {all, "api_c", "b"},
			"failed":   {stockhand.RequestFilter{Failed: true}, "", "cb"},
			"of a key": {stockhand.RequestFilter{By: "key:1"}, "", "dc"},
			"recent":   {stockhand.RequestFilter{Since: at.Add(time.Minute)}, "", ""},
		} {
			if got := latest(t, db, org, c.f, c.before); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		if got := latest(t, db, other, all, ""); got != "z" {
			t.Errorf("another organization has %q", got)
		}
		later := at.Add(2 * time.Hour)
		add(org, later, request("e", "key:1", 200, later))
		if got := latest(t, db, org, all, ""); got != "e" {
			t.Errorf("after two hours: %q", got)
		}
		one, err := db.System().Requests().Latest(t.Context(), org, all, "", 1)
		want := request("e", "key:1", 200, later)
		if err != nil || len(one) != 1 || one[0] != want {
			t.Errorf("%+v, want %+v; %v", one, want, err)
		}
	})
}
