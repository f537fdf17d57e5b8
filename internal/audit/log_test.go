package audit_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// facts is a log of facts with a clock that the test sets.
type facts struct {
	*audit.Log
	db  *store.DB
	org stockhand.OrgID
	now time.Time
}

func newFacts(t *testing.T) *facts {
	t.Helper()
	f := &facts{db: storetest.New(t), now: noon}
	f.org = storetest.Organization(t, f.db)
	f.Log = audit.NewLog(f.db, key, slog.New(slog.DiscardHandler), func() time.Time { return f.now })
	return f
}

func (f *facts) read(what string) {
	f.Note(audit.Fact{Org: f.org, Actor: "key:key_1", Action: "result.read", What: what})
}

// lines returns the details of an organization's entries.
func (f *facts) lines(t *testing.T, org stockhand.OrgID) (all []string) {
	t.Helper()
	for {
		page, err := f.db.AuditEntries(t.Context(), org, int64(len(all)), 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		for _, e := range page {
			all = append(all, string(e.Detail))
		}
	}
}

func TestAFactIsWrittenAtOnceAndItsRepetitionsAfterAMinute(t *testing.T) {
	t.Parallel()
	f := newFacts(t)
	for range 100 {
		f.read("res_1")
	}
	f.Flush(t.Context())
	if got := f.lines(t, f.org); len(got) != 1 || got[0] != `{"what":"res_1"}` {
		t.Fatalf("at once: %v", got)
	}
	f.read("res_1")
	f.now = f.now.Add(time.Minute)
	f.Flush(t.Context())
	if got := f.lines(t, f.org); len(got) != 2 || got[1] != `{"what":"res_1","repeated":100}` {
		t.Errorf("after a minute: %v", got)
	}
	f.read("res_1")
	f.Close(t.Context())
	if got := f.lines(t, f.org); len(got) != 3 {
		t.Errorf("at the end: %v", got)
	}
}

// A flood of refused requests under ever new names, from ever new addresses, leaves some twenty entries a minute.
func TestAttackAFloodOfRefusalsDoesNotFillTheAuditLog(t *testing.T) {
	t.Parallel()
	f := newFacts(t)
	other := storetest.Organization(t, f.db)
	for i := range 10_000 {
		f.Note(audit.Fact{Action: "request.refused", What: "GET /me", From: fmt.Sprint(i), Code: "AUTH_TOKEN_EXPIRED"})
		f.read(fmt.Sprint(i))
	}
	f.Note(audit.Fact{Org: other, Actor: "key:key_2", Action: "result.read", What: "res_1"})
	f.Close(t.Context())
	// the last two of each count the rest
	refused, read := f.lines(t, stockhand.Installation), f.lines(t, f.org)
	if len(refused) != 22 || refused[21] != `{"code":"AUTH_TOKEN_EXPIRED","repeated":9979}` {
		t.Errorf("%d refusals, the last %s", len(refused), refused[len(refused)-1])
	}
	if len(read) != 602 || read[601] != `{"repeated":9399}` {
		t.Errorf("%d reads, the last %s", len(read), read[len(read)-1])
	}
	if got := f.lines(t, other); len(got) != 1 {
		t.Errorf("another organization has %v", got)
	}
}

func TestFactsWaitWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	f := newFacts(t)
	away, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 3 {
		f.read(fmt.Sprint(i))
		f.Flush(away)
	}
	f.Close(t.Context())
	if got := strings.Join(f.lines(t, f.org), " "); got != `{"what":"0"} {"what":"1"} {"what":"2"}` {
		t.Error(got)
	}
}

// BenchmarkNote is what a request pays that is noted in the audit log.
func BenchmarkNote(b *testing.B) {
	db := storetest.New(b)
	org := storetest.Organization(b, db)
	l := audit.NewLog(db, key, slog.New(slog.DiscardHandler), nil)
	defer l.Close(context.Background())
	f := audit.Fact{Org: org, Actor: "key:key_1", Action: "model.called", What: "provider/model", From: "127.0.0.1"}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l.Note(f)
		}
	})
}

// Rule R179: with a plain hash, a reader of the log tried all likely arguments until one had it.
func TestAttackArgumentsAreGuessedFromTheAuditLog(t *testing.T) {
	t.Parallel()
	of := func(key []byte, org stockhand.OrgID, arguments string) string {
		return audit.NewLog(nil, key, nil, nil).Fingerprint(org, []byte(arguments))
	}
	own, err := audit.FingerprintKey(key)
	if err != nil {
		t.Fatal(err)
	}
	const guess = `{"supplier":"Romashka"}`
	print := of(own, "org_1", guess)
	if len(print) != 24 || print != of(own, "org_1", guess) {
		t.Errorf("equal arguments are not recognized: %s", print)
	}
	for name, other := range map[string]string{
		"no key":               fmt.Sprintf("%x", sha256.Sum256([]byte(guess)))[:24],
		"an empty key":         of(nil, "org_1", guess),
		"the key of the chain": of(key, "org_1", guess),
		"another organization": of(own, "org_2", guess),
		"other arguments":      of(own, "org_1", guess+" "),
		"a shifted boundary":   of(own, "org_1{", guess[1:]),
	} {
		if other == print {
			t.Errorf("%s makes the same fingerprint", name)
		}
	}
}

func TestAClosedLogTakesNothing(t *testing.T) {
	t.Parallel()
	f := newFacts(t)
	f.read("res_1")
	f.Close(t.Context())
	f.read("res_2")
	f.Flush(t.Context()) // as a batch that was due before
	if got := f.lines(t, f.org); len(got) != 1 {
		t.Errorf("%v", got)
	}
}
