package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/sse"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func reached(context.Context, *struct{}) (*Answer[thing], error) {
	return answerOf(thing{Name: "reached"})
}

func TestRule1_EveryRequestIsAuthenticatedByOneBearerHeader(t *testing.T) {
	k := newCore(t, Config{}, route{"GET /x", signedIn, "x", "X", typed(reached)})
	for _, good := range []string{"Bearer " + k.token, "bearer " + k.token, "BEARER  " + k.token} {
		if r := k.do("GET", "/api/v1/x", nil, "Authorization", good); r.status != 200 {
			t.Errorf("%.8s…: %d %s", good, r.status, r.body)
		}
	}
	for _, bad := range []string{"", k.token, "Basic " + k.token, "Bearer", "Bearer ", "Bearer " + k.token + " x",
		"Bearer " + k.token + ",x", "Bearer " + k.token[:len(k.token)-1], "Bearer sk-org-x", "Bearer \xff", "Bearer " +
			strings.Repeat("a", 5000)} {
		r := k.do("GET", "/api/v1/x", nil, "Authorization", bad)
		if d := r.failure(t); r.status != 401 || d.Code != stockhand.CodeTokenExpired {
			t.Errorf("%.12s…: %d %s", bad, r.status, r.body)
		}
	}
	r, _ := http.NewRequest("GET", k.url+"/api/v1/x", nil)
	r.Header["Authorization"] = []string{"Bearer " + k.token, "Bearer " + k.token}
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != 401 {
		t.Errorf("two headers: %v %v", answer, err)
	}
	answer.Body.Close()
}

func TestRule5And6_EachScopePassesItsOwnRoutesAndAdminAll(t *testing.T) {
	var routes []route
	for _, s := range stockhand.Scopes() {
		routes = append(routes, route{"GET /" + string(s), access{scope: s}, "of-" + string(s), "X",
			typed(reached)})
	}
	k := newCore(t, Config{}, routes...)
	for _, has := range stockhand.Scopes() {
		key := k.key(has)
		for _, wants := range stockhand.Scopes() {
			r := k.do("GET", "/api/v1/"+string(wants), nil, "Authorization", "Bearer "+key)
			if has == wants || has == stockhand.ScopeAdmin {
				if r.status != 200 {
					t.Errorf("%s at %s: %d %s", has, wants, r.status, r.body)
				}
				continue
			}
			if d := r.failure(t); r.status != 403 || d.Code != stockhand.CodePermissionDenied ||
				!strings.Contains(d.Hint, string(wants)) {
				t.Errorf("%s at %s: %d %s", has, wants, r.status, r.body)
			}
		}
	}
}

// A caller without access gets the error before any of the body is read, whatever is wrong with it.
func TestTheBodyIsReadAfterTheCallerIsAllowed(t *testing.T) {
	k := newCore(t, Config{}, route{"POST /x", admin, "x", "X", typed(echo)})
	read := false
	body := readerFunc(func([]byte) (int, error) { read = true; return 0, io.EOF })
	w := &discard{header: http.Header{}}
	r, _ := http.NewRequest("POST", "/api/v1/x", body)
	r.ContentLength = 5 << 20
	r.Header.Set("Authorization", "Bearer "+k.key(stockhand.ScopeChat))
	k.server.ServeHTTP(w, r)
	if w.status != 403 || read {
		t.Errorf("%d, the body was read: %v", w.status, read)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

func TestRule4_TheOrganizationIsTheCallersAndNoOther(t *testing.T) {
	k := newCore(t, Config{}, route{"GET /organizations/{org_id}/x", readData, "x", "X", typed(reached)},
		route{"GET /mine", signedIn, "mine", "Mine", typed(reached)})
	key := "Bearer " + k.key(stockhand.ScopeAdmin)
	if r := k.do("GET", "/api/v1/organizations/"+string(k.org)+"/x", nil, "Authorization", key); r.status != 200 {
		t.Errorf("its own: %d %s", r.status, r.body)
	}
	u, err := k.auth.CreateUser(t.Context(), "other@example.com", "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := k.auth.CreateOrganizationFor(t.Context(), auth.Operator("", "root"), u.ID, "Other")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, org := range []string{string(other.ID), string(stockhand.NewID[stockhand.OrgID]("org")), "x", "%00", "%ff"} {
		r := k.do("GET", "/api/v1/organizations/"+org+"/x", nil, "Authorization", key)
		d := r.failure(t)
		if r.status != 403 && !(r.status == 401 && strings.HasPrefix(org, "%")) {
			t.Errorf("%s: %d %s", org, r.status, r.body)
		}
		said = append(said, string(d.Code)+d.Message+d.Hint)
	}
	if said[0] != said[1] {
		t.Errorf("another organization's and a missing one look different: %s, %s", said[0], said[1])
	}
	if r := k.do("GET", "/api/v1/organizations/"+string(k.org)+"/x", nil, "Authorization", key, "X-Org-Id",
		string(other.ID)); r.status != 403 {
		t.Errorf("X-Org-Id says another: %d", r.status)
	}
	if r := k.do("GET", "/api/v1/organizations/"+string(other.ID)+"/x", nil, "X-Org-Id",
		string(k.org)); r.status != 403 {
		t.Errorf("the path says another: %d", r.status)
	}
}

func TestTheRateOfOneKeyIsLimitedAndReported(t *testing.T) {
	db := storetest.New(t)
	k := newCoreOn(t, db, Config{Rate: ratelimit.Rate{PerSecond: 0.001, Burst: 3},
		Audit: audit.NewLog(db, nil, slog.New(slog.DiscardHandler), nil)},
		route{"GET /x", signedIn, "x", "X", typed(reached)})
	for left := 2; left >= 0; left-- {
		r := k.do("GET", "/api/v1/x", nil)
		if r.status != 200 || r.header.Get("RateLimit-Limit") != "3" ||
			r.header.Get("RateLimit-Remaining") != string(rune('0'+left)) || r.header.Get("RateLimit-Reset") == "" {
			t.Errorf("%d %v", r.status, r.header)
		}
	}
	r := k.do("GET", "/api/v1/x", nil)
	if d := r.failure(t); r.status != 429 || d.Code != stockhand.CodeRateLimited || r.header.Get("Retry-After") == "" ||
		r.header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	if r := k.do("GET", "/api/v1/x", nil, "Authorization", "Bearer "+k.key(stockhand.ScopeAdmin)); r.status != 200 {
		t.Errorf("another key: %d", r.status)
	}
	k.server.Audit.Close(t.Context())
	refused, err := db.AuditBefore(t.Context(), k.org, "request.refused", "", 0, 10)
	if err != nil || len(refused) != 1 || !strings.HasPrefix(refused[0].Actor, "user:") {
		t.Errorf("the organization's audit log has the refusals %+v, %v", refused, err)
	}
}

func TestFailuresToAuthenticateAreLimitedByAddressAndDelayNoOtherCaller(t *testing.T) {
	k := newCore(t, Config{FailureRate: ratelimit.Rate{PerSecond: 0.001, Burst: 2}},
		route{"GET /x", signedIn, "x", "X", typed(reached)})
	for _, want := range []int{401, 401, 429, 429} {
		if r := k.do("GET", "/api/v1/x", nil, "Authorization", "Bearer x"); r.status != want ||
			(want == 429) != (r.header.Get("Retry-After") != "") {
			t.Errorf("%d, want %d", r.status, want)
		}
	}
	if r := k.do("GET", "/api/v1/x", nil); r.status != 200 {
		t.Errorf("who has a good token: %d", r.status)
	}
}

func TestADryRunOfAnUnsupportedWriteIsRejected(t *testing.T) {
	var done, tried atomic.Int32
	count := func(ctx context.Context, _ *struct{}) (*Answer[thing], error) {
		if dryRun(ctx) {
			tried.Add(1)
		} else {
			done.Add(1)
		}
		return answerOf(thing{})
	}
	k := newCore(t, Config{}, route{"POST /never", writeTools, "never", "X", typed(count)},
		route{"POST /tries", writeTools, "tries", "X", typed(count).dryRun()},
		route{"GET /read", writeTools, "read", "X", typed(count)})
	if r := k.do("POST", "/api/v1/never", nil, "X-Dry-Run", "1"); r.status != 422 || done.Load() != 0 {
		t.Errorf("%d %s, done %d times", r.status, r.body, done.Load())
	}
	if r := k.do("POST", "/api/v1/tries", nil, "X-Dry-Run", "1", "Idempotency-Key", "k"); r.status != 200 ||
		done.Load() != 0 || tried.Load() != 1 {
		t.Errorf("%d %s, done %d, tried %d", r.status, r.body, done.Load(), tried.Load())
	}
	if r := k.do("GET", "/api/v1/read", nil, "X-Dry-Run", "1"); r.status != 200 {
		t.Errorf("a read does nothing anyway: %d", r.status)
	}
	if r := k.do("POST", "/api/v1/tries", nil, "X-Dry-Run", "0"); r.status != 200 || done.Load() != 2 {
		t.Errorf("%d, done %d", r.status, done.Load())
	}
}

// A stream ends within a second or so of the key it was begun with, and a caller who waits longer than that is asked
// for again.
func TestALongResponseEndsWhenItsKeyIsRevoked(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	k := newCore(t, Config{}, route{"GET /lasting", readData, "lasting", "Lasting",
		plain(func(w http.ResponseWriter, _ *http.Request) error {
			sse.Start(w)
			for range 80 {
				if _, err := io.WriteString(w, "data: 1\n\n"); err != nil {
					return nil
				}
				_ = http.NewResponseController(w).Flush()
				select {
				case begun <- struct{}{}:
				default:
				}
				time.Sleep(50 * time.Millisecond)
			}
			_, _ = io.WriteString(w, "data: last\n\n")
			return nil
		})})
	operator := auth.Operator(k.org, "test")
	for name, revoke := range map[string]func(id stockhand.KeyID) error{
		"a key that stays": func(stockhand.KeyID) error { return nil },
		"a key that is revoked": func(id stockhand.KeyID) error {
			_,
				err := k.auth.RevokeKey(t.Context(), operator, id, true)
			return err
		},
	} {
		key, secret, err := k.auth.CreateKey(t.Context(), operator,
			auth.NewKey{Name: name, Scopes: []stockhand.Scope{stockhand.ScopeReadData}})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan string, 1)
		go func() { ended <- k.do("GET", "/api/v1/lasting", nil, "Authorization", "Bearer "+secret).body }()
		<-begun
		if err := revoke(key.ID); err != nil {
			t.Fatal(err)
		}
		if whole := strings.Contains(<-ended, "last"); whole != (name == "a key that stays") {
			t.Errorf("%s is streamed to to the end: %v", name, whole)
		}
		select {
		case <-begun:
		default:
		}
	}
}

// Review L4: an address that could not be read made the caller pass for the proxy, which keys may be confined to.
func TestAttackAConfinedKeyNeedsAnAddressThatCanBeRead(t *testing.T) {
	k := newCore(t, Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		route{"GET /x", signedIn, "x", "X", typed(reached)})
	_, secret, err := k.auth.CreateKey(t.Context(), auth.Operator(k.org, "test"), auth.NewKey{Name: "confined",
		Scopes: []stockhand.Scope{stockhand.ScopeReadTools}, AllowedIPs: []string{"127.0.0.0/8", "203.0.113.9"}})
	if err != nil {
		t.Fatal(err)
	}
	for forwarded, want := range map[string]int{
		"unknown": 403, "_hidden": 403, "198.51.100.9:51234": 403, "203.0.113.9, unknown": 403, "": 403,
		"203.0.113.9": 200, "203.0.113.9:51234": 200,
	} {
		header := []string{"Authorization", "Bearer " + secret}
		if forwarded != "" {
			header = append(header, "X-Forwarded-For", forwarded)
		}
		if r := k.do("GET", "/api/v1/x", nil, header...); r.status != want {
			t.Errorf("%q: %d %s", forwarded, r.status, r.body)
		}
	}
}

// Finding L10: each of thousands of guesses a second was looked up, and wrote a line to the log.
func TestAttackGuessesAreNotLookedUpAndFillNoLog(t *testing.T) {
	k := newCore(t, Config{FailureRate: ratelimit.Rate{PerSecond: 0.001, Burst: 2}},
		route{"GET /x", signedIn, "x", "X", typed(reached)})
	if r := k.do("GET", "/api/v1/x", nil); r.status != 200 {
		t.Fatalf("a good token: %d", r.status)
	}
	guessed := "Bearer " + newCore(t, Config{}).token // well formed, and unknown here
	for i := range 300 {
		want := 429
		if i < 2 {
			want = 401
		}
		if r := k.do("GET", "/api/v1/x", nil, "Authorization", guessed); r.status != want {
			t.Fatalf("guess %d: %d %s", i, r.status, r.body)
		}
	}
	if r := k.do("GET", "/api/v1/x", nil); r.status != 200 {
		t.Errorf("a good token after the guesses: %d", r.status)
	}
	if lines := strings.Count(k.log.String(), "status=429"); lines > 150 {
		t.Errorf("%d refusals are in the log", lines)
	}
	if err := k.db.Close(); err != nil {
		t.Fatal(err)
	}
	if r := k.do("GET", "/api/v1/x", nil, "Authorization", guessed); r.status != 429 {
		t.Errorf("a guess needs the database: %d", r.status)
	}
}

// Rule R179, as a caller sees it: the entry of a call has no hash that can be computed from guessed arguments.
func TestAttackACallIsGuessedFromItsAuditEntry(t *testing.T) {
	db := storetest.New(t)
	k := newCoreOn(t, db, Config{Audit: audit.NewLog(db, []byte("key"), slog.New(slog.DiscardHandler), nil)},
		route{"POST /x", signedIn, "x", "X",
			typed(func(ctx context.Context, _ *struct{ Body thing }) (*Answer[thing],
				error) {
				return reached(ctx, nil)
			}).
				notesCall("tool.called")})
	const body = `{"name":"Romashka"}`
	if r := k.do("POST", "/api/v1/x", body); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	k.server.Audit.Close(t.Context())
	entries, err := db.AuditEntries(t.Context(), k.org, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	last := string(entries[len(entries)-1].Detail)
	plain := fmt.Sprintf("%x", sha256.Sum256([]byte("\n"+body)))[:24]
	if !strings.Contains(last, `"arguments":"`) || strings.Contains(last, plain) {
		t.Errorf("the entry of the call: %s", last)
	}
}
