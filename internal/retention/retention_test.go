package retention_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// shop is an organization whose sessions began at a time that the test sets.
type shop struct {
	db  *store.DB
	org stockhand.OrgID
}

// session stores a session with a finished run and its result of one row.
func (s shop) session(t *testing.T, at time.Time) (stockhand.SessionID, stockhand.ResultID) {
	t.Helper()
	ctx := t.Context()
	in, err := s.db.CreateSession(ctx, s.org, stockhand.Session{Created: at})
	if err != nil {
		t.Fatal(err)
	}
	_, r, err := s.db.CreateRun(ctx, s.org, stockhand.Message{Session: in.ID, Text: "stock", Created: at})
	if err == nil {
		r, err = s.db.ClaimRun(ctx, s.org, r.ID, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	call := stockhand.ToolCall{Run: r.ID, Seq: 1, Tool: "moysklad_stock"}
	result := stockhand.StoredResult{ID: stockhand.NewID[stockhand.ResultID]("res"), Rows: 1, Created: at,
		Pages: []stockhand.RowPage{{Count: 1, Rows: json.RawMessage(`[{"stock":"1"}]`)}}}
	_, err = s.db.BeginToolCall(ctx, s.org, r.Generation, call)
	if err == nil {
		_, err = s.db.FinishToolCall(ctx, s.org, r.Generation, call, &result)
	}
	if err == nil {
		_, err = s.db.FinishRun(ctx, s.org,
			stockhand.RunEnd{Run: r.ID, Generation: r.Generation, State: stockhand.RunDone})
	}
	if err != nil {
		t.Fatal(err)
	}
	return in.ID, result.ID
}

// expired reports whether a result has lost its rows.
func (s shop) expired(t *testing.T, id stockhand.ResultID) bool {
	t.Helper()
	r, err := s.db.Result(t.Context(), s.org, id)
	if err != nil {
		t.Fatal(err)
	}
	return r.Expired
}

func keeper(db *store.DB, i retention.Installation, now time.Time) *retention.Service {
	return retention.New(retention.Config{Store: db, System: db.System(), Installation: i,
		Clock: func() time.Time { return now }})
}

func parse(t *testing.T, text string) retention.Installation {
	t.Helper()
	i, ok := retention.Parse(text)
	if !ok {
		t.Fatalf("%q is refused", text)
	}
	return i
}

func shown(d retention.Days) string {
	b, _ := json.Marshal(d)
	return string(b)
}

func TestTheInstallationsTimesAreReadAndBoundAnOrganizations(t *testing.T) {
	for _, wrong := range []string{"x", "results", "results=", "results=0", "results=3651", "results=9:8", "results=:8",
		"results=1,results=2", "drafts=1", "results=1:x", "=1", "answers=8",
		"answers=1:8"} {
		if i, ok := retention.Parse(wrong); ok {
			t.Errorf("%q is read as %+v", wrong, i)
		}
	}
	db := storetest.New(t)
	org := storetest.Organization(t, db)
	owner := stockhand.Actor{Org: org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
	s := keeper(db, parse(t, "results=30:90"), time.Now())
	if d, err := s.Days(t.Context(), org); err != nil ||
		shown(d) != `{"sessions_days":null,"results_days":30,"audit_days":null,"answers_days":1}` {
		t.Errorf("without a setting: %s, %v", shown(d), err)
	}
	many, few := 91, 7
	err := s.SetDays(t.Context(), owner, retention.Days{Results: &many})
	e, _ := errors.AsType[*stockhand.Error](err)
	if e == nil || e.Code != stockhand.CodeValidation || e.Fields[0].Field != "retention.results_days" ||
		!strings.Contains(e.Fields[0].Message, "90") {
		t.Errorf("more than the installation allows: %v", err)
	}
	for _, other := range []stockhand.Actor{
		{Org: org, Name: "user:usr_2", Person: true, Role: stockhand.RoleMember}, {Org: org, Name: "key:key_1"},
	} {
		if err := s.SetDays(t.Context(), other, retention.Days{}); stockhand.CodeOf(err) !=
			stockhand.CodePermissionDenied {
			t.Errorf("%s: %v", other.Name, err)
		}
	}
	if err := s.SetDays(t.Context(), owner, retention.Days{Sessions: &many, Results: &few}); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Days(t.Context(), org); err != nil ||
		shown(d) != `{"sessions_days":91,"results_days":7,"audit_days":null,"answers_days":1}` {
		t.Errorf("as set: %s, %v", shown(d), err)
	}
	entries, err := db.AuditEntries(t.Context(), org, 0, 0)
	if err != nil || len(entries) != 1 || entries[0].Action != "setting.changed" || entries[0].Actor != owner.Name {
		t.Errorf("%+v, %v", entries, err)
	}
	// the operator lowers the most afterwards
	if d, err := keeper(db, parse(t, "results=2:5,sessions=3:4"), time.Now()).Days(t.Context(), org); err != nil ||
		shown(d) != `{"sessions_days":4,"results_days":5,"audit_days":null,"answers_days":1}` {
		t.Errorf("as bound: %s, %v", shown(d), err)
	}
}

func TestWhatIsOlderThanItsDaysIsRemovedAndNothingElse(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		now := time.Now()
		s, keepsAll := shop{db, storetest.Organization(t, db)}, shop{db, storetest.Organization(t, db)}
		days := func(n int) time.Time { return now.AddDate(0, 0, -n) }
		_, forever := keepsAll.session(t, days(400))
		gone, _ := s.session(t, days(41))
		_, old := s.session(t, days(31))
		_, young := s.session(t, days(29))
		r, q := 30, 40
		owner := stockhand.Actor{Org: s.org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
		var counted stockhand.Removed
		k := keeper(db, retention.Installation{}, now)
		k.Removed = counted.Add
		if err := k.SetDays(t.Context(), owner, retention.Days{Sessions: &q, Results: &r}); err != nil {
			t.Fatal(err)
		}
		plan, err := k.Plan(t.Context())
		if err != nil || len(plan) != 1 || plan[0].Org != s.org || plan[0].Sessions != 1 || plan[0].Results != 2 {
			t.Errorf("planned %+v, %v", plan, err)
		}
		if s.expired(t, old) {
			t.Error("a plan removes")
		}
		done, err := k.Housekeep(t.Context())
		if err != nil || done.Sessions != 1 || done.Results != 2 || done.Bytes == 0 || done != counted {
			t.Errorf("removed %+v, counted %+v, %v", done, counted, err)
		}
		if _, err := db.Session(t.Context(), s.org, gone); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("the old session: %v", err)
		}
		if !s.expired(t, old) || s.expired(t, young) || keepsAll.expired(t, forever) {
			t.Error("another result expired than the old one")
		}
		if done, err := k.Housekeep(t.Context()); err != nil || done != (stockhand.Removed{}) {
			t.Errorf("a second time %+v, %v", done, err)
		}
	})
}

func TestReplicasDoNotCleanUpTogether(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now()
		var keepers []*retention.Service
		var s shop
		for range 2 {
			db, err := store.Open(t.Context(), url, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			keepers = append(keepers, keeper(db, parse(t, "sessions=1"), now))
			s.db = db
		}
		s.org = storetest.Organization(t, s.db)
		const sessions = 60
		for range sessions {
			s.session(t, now.AddDate(0, 0, -2))
		}
		var all stockhand.Removed
		keepers[0].Removed = func(r stockhand.Removed) { // in the middle of the other's work
			all.Add(r)
			if _, err := keepers[1].Housekeep(t.Context()); !errors.Is(err, retention.ErrHeld) {
				t.Errorf("at the same time: %v", err)
			}
		}
		if _, err := keepers[0].Housekeep(t.Context()); err != nil || all.Sessions != sessions {
			t.Errorf("removed %+v, %v", all, err)
		}
		var both sync.WaitGroup
		for _, k := range keepers { // the lease is free again
			both.Go(func() {
				if _, err := k.Housekeep(t.Context()); err != nil && !errors.Is(err, retention.ErrHeld) {
					t.Error(err)
				}
			})
		}
		both.Wait()
	})
}

func TestAnInterruptedHousekeepingIsContinued(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		now := time.Now()
		s := shop{db, storetest.Organization(t, db)}
		for range 60 {
			s.session(t, now.AddDate(0, 0, -2))
		}
		k := keeper(db, parse(t, "sessions=1"), now)
		ctx, stop := context.WithCancel(t.Context())
		k.Removed = func(stockhand.Removed) { stop() }
		first, err := k.Housekeep(ctx)
		if !errors.Is(err, context.Canceled) || first.Results != 50 || first.Sessions != 0 {
			t.Errorf("removed %+v, %v", first, err)
		}
		k.Removed = func(stockhand.Removed) {}
		rest, err := k.Housekeep(t.Context())
		if err != nil || rest.Sessions != 60 || rest.Results != 10 {
			t.Errorf("then %+v, %v", rest, err)
		}
	})
}

func TestAnUnreadableSettingRemovesNothingAndHoldsUpNoOtherOrganization(t *testing.T) {
	db := storetest.New(t)
	now := time.Now()
	broken, other := shop{db, storetest.Organization(t, db)}, shop{db, storetest.Organization(t, db)}
	_, kept := broken.session(t, now.AddDate(0, 0, -9))
	_, old := other.session(t, now.AddDate(0, 0, -9))
	if err := db.ChangeSetting(t.Context(), broken.org, stockhand.Retention, "?", stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	if _, err := keeper(db, parse(t, "results=1"), now).Housekeep(t.Context()); err == nil {
		t.Error("no error")
	}
	if broken.expired(t, kept) || !other.expired(t, old) {
		t.Error("the wrong result expired")
	}
}

func TestHousekeepingDeletesExpiredAnswersOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, now := storetest.Organization(t, db), time.Now()
		ago := now.AddDate(-1, 0, 0)
		claim := func(of stockhand.OrgID, key string, expires time.Time) (won bool) {
			_, won, err := db.ClaimAnswer(t.Context(), of, stockhand.IdempotencyRecord{By: "user:usr_1", Key: key,
				Expires: expires}, ago, time.Time{}, 1000)
			if err != nil {
				t.Fatal(err)
			}
			return won
		}
		for n := range 60 { // more than a batch
			claim(org, fmt.Sprint("old ", n), now.Add(-time.Minute))
		}
		claim("usr_1", "old", now.Add(-time.Minute)) // of a person without an organization
		claim(org, "young", now.Add(time.Minute))
		claim(org, "unknown outcome", time.Time{})
		if _, err := keeper(db, retention.Installation{}, now).Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !claim(org, "old 1", now) || !claim(org, "old 59", now) || !claim("usr_1", "old", now) {
			t.Error("an expired answer is still there")
		}
		if claim(org, "young", now) || claim(org, "unknown outcome", now) {
			t.Error("another answer was deleted")
		}
	})
}

// Attempts were deleted only when another one was counted.
func TestHousekeepingDeletesAttemptsThatNoLongerCount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		now := time.Now()
		take := func(at time.Time, name string) (full bool) {
			refused, _, err := db.System().TakeAttempts(t.Context(), at,
				stockhand.Attempts{Name: []byte(name), Every: time.Minute, Burst: 1})
			if err != nil {
				t.Fatal(err)
			}
			return refused != nil
		}
		for n := range 60 { // more than a batch
			take(now.Add(-time.Hour), fmt.Sprint("old ", n))
		}
		take(now, "young")
		if _, err := keeper(db, retention.Installation{}, now).Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := range 60 { // what was not deleted would still count then
			if take(now.Add(-time.Hour), fmt.Sprint("old ", n)) {
				t.Fatalf("old %d is still there", n)
			}
		}
		if !take(now, "young") {
			t.Error("an attempt that counts was deleted")
		}
	})
}

func TestAuditEntriesAreTrimmedOnceADayAndTheInstallationsToo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		db.System().KeyAudit([]byte("key"))
		org := storetest.Organization(t, db)
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		for _, of := range []stockhand.OrgID{org, stockhand.Installation} {
			for _, days := range []int{40, 31, 30, 1} {
				if err := db.Audit(t.Context(), of, stockhand.AuditEntry{At: now.AddDate(0, 0, -days)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, want := range []int64{4, 0} {
			if done, err := keeper(db, parse(t, "audit=30"), now).Housekeep(t.Context()); err != nil ||
				done.Entries != want {
				t.Errorf("removed %+v, want %d entries, %v", done, want, err)
			}
		}
		left, err := db.AuditEntries(t.Context(), org, 0, 0)
		if err != nil || len(left) != 3 || left[2].Action != stockhand.AuditTrimmed {
			t.Errorf("%+v, %v", left, err)
		}
	})
}

func TestAFullQuotaRefusesNewTasksUntilThereIsRoom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, wrong := range []string{"1", "results", "results=", "results=0", "sessions=x", "x=1",
			"drafts=1,drafts=2", ","} {
			if q, ok := retention.ParseQuota(wrong); ok {
				t.Errorf("%q is read as %+v", wrong, q)
			}
		}
		if q, ok := retention.ParseQuota("results=2,sessions=3,drafts=off"); !ok || q != (retention.Quota{
			Bytes: 2 << 20, Sessions: 3, Messages: retention.UsualQuota.Messages}) {
			t.Errorf("%+v", q)
		}
		s, other := shop{db, storetest.Organization(t, db)}, storetest.Organization(t, db)
		k := keeper(db, retention.Installation{}, time.Now())
		k.Quota = retention.Quota{Bytes: 1 << 20, Sessions: 2}
		first, _ := s.session(t, time.Now())
		if err := k.Admit(t.Context(), s.org); err != nil {
			t.Error(err)
		}
		s.session(t, time.Now())
		u, err := k.Usage(t.Context(), s.org)
		if err != nil || u.Sessions != 2 || *u.MaxSessions != 2 || u.Bytes == 0 || *u.MaxBytes != 1<<20 {
			t.Errorf("%+v, %v", u, err)
		}
		k = keeper(db, retention.Installation{}, time.Now()) // one that has not measured before
		k.Quota = retention.Quota{Sessions: 2}
		e, _ := errors.AsType[*stockhand.Error](k.Admit(t.Context(), s.org))
		if e == nil || e.Code != stockhand.CodeQuotaExceeded || e.RU.Hint == "" {
			t.Errorf("%+v", e)
		}
		if err := k.Admit(t.Context(), other); err != nil {
			t.Errorf("another organization: %v", err)
		}
		if err := db.DeleteSession(t.Context(), s.org, first, stockhand.AuditEntry{}); err != nil {
			t.Fatal(err)
		}
		if err := k.Admit(t.Context(), s.org); err != nil {
			t.Errorf("after a deletion: %v", err)
		}
		if _, err := db.CreateDraft(t.Context(), s.org, stockhand.Draft{By: "key:key_1"},
			stockhand.AuditEntry{}); err != nil {
			t.Fatal(err)
		}
		for kind, q := range map[string]retention.Quota{"MiB": {Bytes: u.Bytes / 2}, "sessions": {Sessions: 1},
			"messages": {Messages: 1, Sessions: 9}, "drafts": {Drafts: 1}} {
			k := keeper(db, retention.Installation{}, time.Now())
			k.Quota = q
			if err := k.Admit(t.Context(), s.org); stockhand.CodeOf(err) != stockhand.CodeQuotaExceeded ||
				!strings.Contains(err.Error(), kind) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}

func TestRule181_TheOperatorSetsTheQuotaOfAnOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, other := shop{db, storetest.Organization(t, db)}, storetest.Organization(t, db)
		s.session(t, time.Now())
		operator := stockhand.Actor{Org: s.org, Name: "cli:anna", Person: true, Role: stockhand.RoleOwner}
		k := keeper(db, retention.Installation{}, time.Now())
		k.Quota = retention.Quota{Sessions: 1, Messages: 100}
		var own retention.OwnQuota
		for _, x := range []struct {
			change string
			full   bool
			most   string
		}{{"sessions=2", false, "2"}, {"sessions=1", true, "1"}, {"messages=off", true, "1"},
			{"sessions=off", false, "null"}, {"sessions=none", true, "1"}} {
			var ok bool
			if own, ok = own.Change(x.change); !ok {
				t.Fatal(x.change)
			}
			if err := k.SetQuota(t.Context(), operator, own); err != nil {
				t.Fatal(err)
			}
			// one that has not measured before
			k := retention.New(k.Config)
			err := k.Admit(t.Context(), s.org)
			if x.full != (stockhand.CodeOf(err) == stockhand.CodeQuotaExceeded) {
				t.Errorf("after %s: %v", x.change, err)
			}
			u, err := k.Usage(t.Context(), s.org)
			if err != nil || shownLimit(u.MaxSessions) != x.most {
				t.Errorf("after %s: %+v, %v", x.change, u, err)
			}
		}
		u, err := k.Usage(t.Context(), other)
		if err != nil || *u.MaxSessions != 1 || *u.MaxMessages != 100 {
			t.Errorf("another organization's: %+v, %v", u, err)
		}
		entries, err := db.AuditEntries(t.Context(), s.org, 0, 0)
		if err != nil || len(entries) != 5 || entries[0].Actor != "cli:anna" ||
			!strings.Contains(string(entries[0].Detail), `"quota"`) {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}

// counting counts how often an organization is measured.
type counting struct {
	retention.Store
	measured int
}

func (c *counting) Storage(ctx context.Context, org stockhand.OrgID) (stockhand.Storage, error) {
	c.measured++
	return c.Store.Storage(ctx, org)
}

func TestAnOrganizationNearItsQuotaIsNotMeasuredAllTheTime(t *testing.T) {
	db := storetest.New(t)
	s := shop{db, storetest.Organization(t, db)}
	for range 9 {
		s.session(t, time.Now())
	}
	record, now, passes := &counting{Store: db}, time.Now(), time.Duration(0)
	k := retention.New(retention.Config{Store: record, System: db.System(), Quota: retention.Quota{Sessions: 10},
		Clock: func() time.Time {
			now = now.Add(passes)
			return now
		}})
	admit := func(measured int, doing string) {
		t.Helper()
		if err := k.Admit(t.Context(), s.org); err != nil || record.measured != measured {
			t.Errorf("%s: measured %d times, %v", doing, record.measured, err)
		}
	}
	admit(1, "the first task")
	admit(2, "measuring takes no time")
	passes = time.Second // whenever the clock is read
	admit(3, "measuring takes a second")
	passes = 0
	admit(4, "the estimate is full, so it is measured")
	k.Quota.Sessions = 11
	now, passes = now.Add(time.Minute), time.Second
	admit(5, "measuring takes a second, with more room")
	passes = 0
	admit(5, "soon after")
	now = now.Add(20 * time.Second)
	admit(6, "after 20 seconds")
	k.Freed(s.org)
	admit(7, "something was deleted")
}

func shownLimit(n *int64) string {
	if n == nil {
		return "null"
	}
	return fmt.Sprint(*n)
}
