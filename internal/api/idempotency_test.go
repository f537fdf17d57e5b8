package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// made is a route that makes something with a secret, and counts.
func made(count *atomic.Int32) route {
	return route{"POST /made/{id}", writeTools, "made", "Make", typed(func(_ context.Context, in *struct {
		ID   string `path:"id"`
		Body thing
	}) (*Answer[thing], error) {
		return answerOf(thing{Name: fmt.Sprintf("sk-org-SECRET-%d", count.Add(1))})
	}).returns(http.StatusCreated)}
}

func TestARepeatedWriteWithTheSameKeyRunsOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var count atomic.Int32
		k := newCoreOn(t, db, Config{}, made(&count))
		post := func(path, body, key, token string) reply {
			return k.do("POST", "/api/v1/made/"+path, body, "Idempotency-Key", key, "Authorization", "Bearer "+token)
		}
		first := post("a", `{"name":"x"}`, "k1", k.token)
		again := post("a", `{"name":"x"}`, "k1", k.token)
		if first.status != 201 || again.status != 201 || again.body != first.body ||
			again.header.Get("Idempotency-Replayed") != "true" || first.header.Get("Idempotency-Replayed") != "" ||
			again.header.Get("Content-Type") != first.header.Get("Content-Type") {
			t.Errorf("first %d %s, again %d %s %v", first.status, first.body, again.status, again.body, again.header)
		}
		for name, r := range map[string]reply{"another body": post("a", `{"name":"y"}`, "k1", k.token),
			"another path": post("b", `{"name":"x"}`, "k1", k.token)} {
			if d := r.failure(t); r.status != 409 || d.Code != stockhand.CodeIdempotencyMismatch {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		if count.Load() != 1 {
			t.Errorf("done %d times", count.Load())
		}
		if r := post("a", `{"name":"x"}`, "k1", k.key(stockhand.ScopeWriteTools)); r.status != 201 ||
			r.body == first.body {
			t.Errorf("another actor's key is another key: %d %s", r.status, r.body)
		}
		refused := post("a", `{"name":""}`, "k2", k.token)
		if again := post("a", `{"name":""}`, "k2", k.token); refused.status != 422 || again.body != refused.body {
			t.Errorf("a refusal: %d %s, then %s", refused.status, refused.body, again.body)
		}
	})
}

func TestAStoredResponseIsEncrypted(t *testing.T) {
	var count atomic.Int32
	k := newCore(t, Config{}, made(&count))
	k.do("POST", "/api/v1/made/a", `{"name":"x"}`, "Idempotency-Key", "k1")
	u := stockhand.IdempotencyRecord{By: ownerOf(t, k), Key: "k1", Fingerprint: "another"}
	held, won, err := k.db.ClaimAnswer(t.Context(), k.org, u, time.Now(), time.Time{}, 100)
	if err != nil || won || held.Status != 201 || len(held.Body) == 0 || bytes.Contains(held.Body, []byte("SECRET")) ||
		strings.Contains(string(held.Header), "SECRET") {
		t.Errorf("%v %v %+v", won, err, held)
	}
}

func ownerOf(t *testing.T, k *core) string {
	t.Helper()
	members, err := k.db.Members(t.Context(), k.org, "", 1)
	if err != nil || len(members) != 1 {
		t.Fatal(members, err)
	}
	return "user:" + string(members[0].User.ID)
}

func TestConcurrentIdenticalWritesRunOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var count atomic.Int32
		begun, finish := make(chan struct{}), make(chan struct{})
		k := newCoreOn(t, db, Config{}, route{"POST /slow", writeTools, "slow", "Slow",
			typed(func(context.Context, *struct{}) (*Answer[thing], error) {
				if count.Add(1) == 1 {
					close(begun)
				}
				<-finish
				return answerOf(thing{Name: "done"})
			})})
		var all sync.WaitGroup
		all.Go(func() {
			if r := k.do("POST", "/api/v1/slow", nil, "Idempotency-Key", "k"); r.status != 200 {
				t.Errorf("the first: %d %s", r.status, r.body)
			}
		})
		<-begun
		var meanwhile sync.WaitGroup
		for range 5 {
			meanwhile.Go(func() {
				r := k.do("POST", "/api/v1/slow", nil, "Idempotency-Key", "k")
				if d := r.failure(t); r.status != 409 || d.Code != stockhand.CodeConflict {
					t.Errorf("meanwhile: %d %s", r.status, r.body)
				}
			})
		}
		meanwhile.Wait()
		close(finish)
		all.Wait()
		if r := k.do("POST", "/api/v1/slow", nil, "Idempotency-Key", "k"); r.status != 200 || count.Load() != 1 {
			t.Errorf("after it: %d, done %d times", r.status, count.Load())
		}
	})
}

// The first response to a client that had left was stored as an empty 200.
func TestARequestWhoseClientLeftMayBeRepeated(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	var count atomic.Int32
	k := newCore(t, Config{}, route{"POST /chat", writeTools, "chat", "X",
		plain(func(w http.ResponseWriter, r *http.Request) error {
			if count.Add(1) > 1 {
				_, err := w.Write([]byte("{}"))
				return err
			}
			close(begun)
			<-r.Context().Done()
			return r.Context().Err()
		})})
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		r, _ := http.NewRequestWithContext(ctx, "POST", k.url+"/api/v1/chat", nil)
		r.Header.Set("Authorization", "Bearer "+k.token)
		r.Header.Set("Idempotency-Key", "k")
		if answer, err := http.DefaultClient.Do(r); err == nil {
			_ = answer.Body.Close()
		}
	}()
	<-begun
	leave()
	<-ended
	again := k.do("POST", "/api/v1/chat", nil, "Idempotency-Key", "k")
	for again.status == http.StatusConflict { // the server has not noticed yet
		again = k.do("POST", "/api/v1/chat", nil, "Idempotency-Key", "k")
	}
	if again.status != 200 || again.body != "{}" || count.Load() != 2 {
		t.Errorf("again: %d %q, done %d times", again.status, again.body, count.Load())
	}
}

func TestAnInternalErrorIsNotStored(t *testing.T) {
	var count atomic.Int32
	fail := func(then func() error) handler {
		return typed(func(context.Context, *struct{}) (*Answer[thing], error) {
			if count.Add(1)%2 == 1 {
				return nil, then()
			}
			return answerOf(thing{Name: "done"})
		})
	}
	k := newCore(t, Config{}, route{"POST /error", writeTools, "error", "X",
		fail(func() error { return errors.New("no luck") })},
		route{"POST /down", writeTools, "down", "X",
			fail(func() error { return stockhand.Errorf(stockhand.CodeExternalUnavailable, "down") })},
		route{"POST /panic", writeTools, "panic", "X", fail(func() error { panic("no luck") })})
	for path, status := range map[string]int{"/error": 500, "/down": 502, "/panic": 500} {
		if r := k.do("POST", "/api/v1"+path, nil, "Idempotency-Key", path); r.status != status {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
		if r := k.do("POST", "/api/v1"+path, nil, "Idempotency-Key", path); r.status != 200 ||
			r.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s again: %d %s", path, r.status, r.body)
		}
	}
}

// aged is a store in which claims were last renewed a while earlier.
type aged struct {
	*store.DB

	ago time.Duration
}

func (a aged) ClaimAnswer(ctx context.Context, org stockhand.OrgID, r stockhand.IdempotencyRecord, now,
	abandoned time.Time, most int) (stockhand.IdempotencyRecord, bool, error) {
	held, won, err := a.DB.ClaimAnswer(ctx, org, r, now.Add(a.ago), abandoned.Add(a.ago), most)
	if !won {
		held.Claimed = held.Claimed.Add(-a.ago)
	}
	return held, won, err
}

// derive computes keyed hashes with a pepper.
func derive(pepper byte) func(purpose, from string) []byte {
	return auth.New(auth.Config{Pepper: bytes.Repeat([]byte{pepper}, 32)}).Derive
}

func TestAttackGuessingAPasswordFromItsStoredRequest(t *testing.T) {
	db := storetest.New(t)
	as := stockhand.WithActor(t.Context(), stockhand.Actor{Org: storetest.Organization(t, db), Name: "user:1"})
	send := func(pepper byte) error {
		service := &idempotency.Service{Store: db, Secrets: plainly{}, Derive: derive(pepper),
			Logger: slog.New(slog.DiscardHandler)}
		r := httptest.NewRequestWithContext(as, http.MethodPost, "/me/password", nil)
		r.Header.Set(idempotency.Header, "k")
		return service.Do(httptest.NewRecorder(), r, idempotency.Request{Body: []byte(`{"new_password": "x"}`),
			Serve: func(http.ResponseWriter, *http.Request) error { return nil }})
	}
	if err := errors.Join(send(1), send(1)); err != nil {
		t.Fatal(err)
	}
	if err := send(2); stockhand.CodeOf(err) != stockhand.CodeIdempotencyMismatch {
		t.Errorf("the request can be recognized without the pepper: %v", err)
	}
}

func TestAttackAWriteWhoseOutcomeIsUnknownIsRepeated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const day = 25 * time.Hour
		org := storetest.Organization(t, db)
		as := stockhand.WithActor(t.Context(), stockhand.Actor{Org: org, Name: "key:1"})
		send := func(on idempotency.Answers, key string, serve func(http.ResponseWriter, *http.Request) error) (n int,
			err error) {
			defer func() { _ = recover() }()
			service := &idempotency.Service{Store: on, Secrets: plainly{}, Derive: derive(1),
				Logger: slog.New(slog.DiscardHandler), WriteError: func(w http.ResponseWriter, _ *http.Request,
					_ error) {
					w.WriteHeader(http.StatusBadGateway)
				}}
			r := httptest.NewRequestWithContext(as, http.MethodPost, "/x", nil)
			r.Header.Set(idempotency.Header, key)
			err = service.Do(httptest.NewRecorder(), r, idempotency.Request{Once: true,
				Serve: func(w http.ResponseWriter, r *http.Request) error { n++; return serve(w, r) }})
			return n, err
		}
		ok := func(http.ResponseWriter, *http.Request) error { return nil }
		for name, first := range map[string]func(http.ResponseWriter, *http.Request) error{
			"no answer": func(http.ResponseWriter, *http.Request) error {
				return stockhand.Errorf(stockhand.CodeExternalUnavailable, "no answer")
			},
			"a panic": func(http.ResponseWriter, *http.Request) error { panic("cut off") },
		} {
			_, _ = send(db, name, first)
			for _, later := range []time.Duration{0, day, 400 * day} {
				if n, err := send(aged{db, later}, name, ok); n != 0 ||
					stockhand.CodeOf(err) != stockhand.CodeConflict ||
					!strings.Contains(err.Error(), "unknown") {
					t.Errorf("%s: after %s sent %d times again, %v", name, later, n, err)
				}
			}
		}
		_, _ = send(db, "a crash", func(http.ResponseWriter, *http.Request) error { // nothing is heard of it any more
			for _, later := range []time.Duration{2 * idempotency.Abandoned, day, 400 * day} {
				if n, err := send(aged{db, later}, "a crash", ok); n != 0 || err == nil ||
					!strings.Contains(err.Error(), "unknown") {
					t.Errorf("a crash: after %s sent %d times again, %v", later, n, err)
				}
			}
			return nil
		})
		if n, err := send(aged{db, day}, "a crash", ok); n != 1 || err != nil { // it went on and was answered
			t.Errorf("a day after the answer: sent %d times, %v", n, err)
		}
		_, _ = send(db, "unsent", func(http.ResponseWriter, *http.Request) error {
			return stockhand.Errorf(stockhand.CodeDatabaseUnavailable, "down")
		})
		if n, err := send(db, "unsent", ok); n != 1 || err != nil {
			t.Errorf("what was certainly not sent: sent %d times, %v", n, err)
		}
	})
}

// plainly does not encrypt.
type plainly struct{}

func (plainly) Seal(_ stockhand.OrgID, _ stockhand.ConnectionID, b []byte) (stockhand.Sealed, error) {
	return b, nil
}
func (plainly) Open(_ stockhand.OrgID, _ stockhand.ConnectionID, b stockhand.Sealed) ([]byte, error) {
	return b, nil
}

// A process that died in the middle leaves its claim; the same request takes it over once nothing was heard of it for a
// minute, and another request with that key is refused all the while.
func TestACrashInTheMiddleDoesNotBlockForEver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, org := t.Context(), storetest.Organization(t, db)
		now := time.Now()
		a := stockhand.IdempotencyRecord{By: "key:1", Key: "k", Fingerprint: "f", Expires: now.Add(idempotency.Kept)}
		dead, won, err := db.ClaimAnswer(ctx, org, a, now, now.Add(-idempotency.Abandoned), 100)
		if err != nil || !won {
			t.Fatal(won, err)
		}
		if held, won, err := db.ClaimAnswer(ctx, org, a, now, now.Add(-idempotency.Abandoned), 100); err != nil ||
			won || held.Status != 0 {
			t.Errorf("at once: %v %v %+v", won, err, held)
		}
		later := time.Now().Add(idempotency.Abandoned + time.Second) // as seen then
		other := a
		other.Fingerprint = "another request"
		if _, won, err := db.ClaimAnswer(ctx, org, other, later, later.Add(-idempotency.Abandoned), 100); err != nil ||
			won {
			t.Errorf("another request: %v %v", won, err)
		}
		second, won, err := db.ClaimAnswer(ctx, org, a, later, later.Add(-idempotency.Abandoned), 100)
		if err != nil || !won {
			t.Errorf("a minute later: %v %v", won, err)
		}
		for name, err := range map[string]error{"keep": db.KeepAnswer(ctx, org, dead),
			"drop": db.DropAnswer(ctx, org, dead)} {
			if stockhand.CodeOf(err) != stockhand.CodeConflict {
				t.Errorf("%s by the one that lost it: %v", name, err)
			}
		}
		if second, err = db.RenewAnswer(ctx, org, second); err != nil {
			t.Error(err)
		}
		second.Status, second.Header, second.Body = 200, []byte("{}"), []byte("sealed")
		if err := db.KeepAnswer(ctx, org, second); err != nil {
			t.Error(err)
		}
		day := time.Now().Add(idempotency.Kept + time.Second)
		if _, won, err := db.ClaimAnswer(ctx, org, other, day, day.Add(-idempotency.Abandoned), 100); err != nil ||
			!won {
			t.Errorf("a day later the key is free: %v %v", won, err)
		}
		if _, err := db.System().ForgetExpired(ctx, day); err != nil {
			t.Error(err)
		}
		if _, won, err := db.ClaimAnswer(ctx, org, a, now, time.Time{}, 100); err != nil || !won {
			t.Errorf("forgotten: %v %v", won, err)
		}
	})
}

func TestAnOrganizationKeepsItsAnswersForItsTime(t *testing.T) {
	var count atomic.Int32
	db := storetest.New(t)
	keep := retention.New(retention.Config{Store: db, System: db.System()})
	k := newCoreOn(t, db, Config{Retention: keep}, made(&count))
	person := stockhand.Actor{Org: k.org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
	for _, days := range []int{1, 7} {
		if err := keep.SetDays(t.Context(), person, retention.Days{Answers: &days}); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(days)
		if r := k.do("POST", "/api/v1/made/a", `{"name":"x"}`, "Idempotency-Key", key); r.status != http.StatusCreated {
			t.Fatal(r.status, r.body)
		}
		other := stockhand.IdempotencyRecord{By: ownerOf(t, k), Key: key, Fingerprint: "another"}
		end := time.Now().Add(time.Duration(days) * 24 * time.Hour)
		for _, free := range []bool{false, true} {
			at := end.Add(-time.Minute)
			if free {
				at = end.Add(time.Minute)
			}
			if more, err := db.System().ForgetExpired(t.Context(), at); err != nil || more {
				t.Error(more, err)
			}
			if _, won, err := db.ClaimAnswer(t.Context(), k.org, other, at, time.Time{}, 100); err != nil ||
				won != free {
				t.Errorf("%d days, free at %s: %v %v", days, at, won, err)
			}
		}
	}
}

func TestAnEventStreamWithAKeyIsNotStored(t *testing.T) {
	k := newCore(t, Config{}, route{"POST /v1/stream", chat, "stream", "Stream",
		plain(func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Content-Type", "text/event-stream")
			_, err := w.Write([]byte("data: 1\n\n"))
			return err
		})})
	for range 2 {
		if r := k.do("POST", "/v1/stream", `{}`, "Idempotency-Key", "k"); r.status != 200 || r.body != "data: 1\n\n" ||
			r.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
}

// slowRenewal is a store whose renewals are committed at once and answered late.
type slowRenewal struct {
	*store.DB

	committed chan struct{}
	once      sync.Once
}

func (s *slowRenewal) RenewAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) (
	stockhand.IdempotencyRecord, error) {
	renewed, err := s.DB.RenewAnswer(context.WithoutCancel(ctx), org, a)
	s.once.Do(func() { close(s.committed) })
	select {
	case <-ctx.Done():
		return a, ctx.Err()
	case <-time.After(300 * time.Millisecond):
		return renewed, err
	}
}

func TestARenewalAtTheEndOfARequestDoesNotLoseItsAnswer(t *testing.T) {
	var count atomic.Int32
	db := &slowRenewal{DB: storetest.New(t), committed: make(chan struct{})}
	k := newCoreOn(t, db.DB, Config{}, route{"POST /slow", writeTools, "slow", "Slow",
		typed(func(context.Context, *struct{}) (*Answer[thing], error) {
			count.Add(1)
			<-db.committed
			return answerOf(thing{Name: "done"})
		})})
	k.server.once.Store, k.server.once.RenewEvery = db, time.Millisecond
	for range 2 {
		if r := k.do("POST", "/api/v1/slow", nil, "Idempotency-Key", "k"); r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	if count.Load() != 1 {
		t.Errorf("done %d times", count.Load())
	}
}

func TestOfALargeResponseOnlyTheStatusIsKept(t *testing.T) {
	var count atomic.Int32
	k := newCore(t, Config{}, route{"POST /large", writeTools, "large", "Large",
		plain(func(w http.ResponseWriter, _ *http.Request) error {
			count.Add(1)
			_, err := w.Write(bytes.Repeat([]byte("x"), 300<<10))
			return err
		})})
	if r := k.do("POST", "/api/v1/large", nil, "Idempotency-Key", "k"); r.status != 200 || len(r.body) != 300<<10 {
		t.Errorf("the first: %d, %d bytes", r.status, len(r.body))
	}
	r := k.do("POST", "/api/v1/large", nil, "Idempotency-Key", "k")
	if r.status != 409 || !strings.Contains(r.failure(t).Message, "status 200") || count.Load() != 1 {
		t.Errorf("again: %d %.200s, made %d times", r.status, r.body, count.Load())
	}
}

func TestAnActorHasSoManyIdempotencyKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var count atomic.Int32
		k := newCoreOn(t, db, Config{}, made(&count))
		k.server.once.MaxKeys = 2
		for i, want := range []int{201, 201, 429} {
			if r := k.do("POST", "/api/v1/made/a", `{"name":"x"}`, "Idempotency-Key", fmt.Sprint(i)); r.status != want {
				t.Errorf("key %d: %d %s", i, r.status, r.body)
			}
		}
		if r := k.do("POST", "/api/v1/made/a", `{"name":"x"}`, "Idempotency-Key", "1"); r.status != 201 {
			t.Errorf("a known key: %d %s", r.status, r.body)
		}
	})
}
