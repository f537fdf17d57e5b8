package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

var key = []byte("the audit key of the tests")

// log is the audit log of one organization in a database of its own.
type log struct {
	db  *store.DB
	org stockhand.OrgID
	url string
}

func eachLog(t *testing.T, entries int, test func(t *testing.T, l log)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, url string) {
		l := log{db: open(t, url), url: url}
		l.org = storetest.Organization(t, l.db)
		l.add(t, entries)
		test(t, l)
	})
}

func open(t *testing.T, url string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.System().KeyAudit(key)
	return db
}

// add appends entries, one a minute from noon.
func (l log) add(t *testing.T, entries int) {
	t.Helper()
	for i := range entries {
		if err := l.db.Audit(t.Context(), l.org, stockhand.AuditEntry{Actor: "user:usr_1", Action: "draft.edited",
			Version: int64(i + 1), At: noon.Add(time.Duration(i) * time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func (l log) verify(t *testing.T) audit.Verification {
	t.Helper()
	v, err := audit.Verify(t.Context(), l.db, key, l.org, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// tamper runs statements as someone does who has the database itself, and removes the triggers first.
func (l log) tamper(t *testing.T, statements ...string) {
	t.Helper()
	driver := "sqlite"
	triggers := []string{"DROP TRIGGER audit_entries_are_not_removed", "DROP TRIGGER audit_entries_are_not_changed"}
	if strings.HasPrefix(l.url, "postgres") {
		driver, triggers = "pgx", []string{"DROP TRIGGER audit_entries_are_not_changed ON audit_entries"}
	}
	raw, err := sql.Open(driver, l.url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, statement := range append(triggers, statements...) {
		if _, err := raw.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestVerifyNamesTheFirstBrokenEntry(t *testing.T) {
	for name, c := range map[string]struct {
		tamper []string
		broken int64
		reason string
	}{
		"a changed actor":  {[]string{"UPDATE audit_entries SET actor = 'user:usr_2' WHERE seq = 3"}, 3, "hash"},
		"a changed time":   {[]string{"UPDATE audit_entries SET at = at + 1 WHERE seq = 2"}, 2, "hash"},
		"a changed detail": {[]string{`UPDATE audit_entries SET detail = '{"a":1}' WHERE seq = 1`}, 1, "hash"},
		"a changed hash":   {[]string{"UPDATE audit_entries SET hash = 'x' WHERE seq = 2"}, 2, "hash"},
		"a removed entry":  {[]string{"DELETE FROM audit_entries WHERE seq = 2"}, 2, "missing"},
		"a removed first":  {[]string{"DELETE FROM audit_entries WHERE seq = 1"}, 1, "missing"},
		"a cut end":        {[]string{"DELETE FROM audit_entries WHERE seq > 3"}, 4, "missing"},
		"everything gone":  {[]string{"DELETE FROM audit_entries"}, 1, "missing"},
		"a closed gap": {[]string{"DELETE FROM audit_entries WHERE seq = 2",
			"UPDATE audit_entries SET seq = seq - 1 WHERE seq = 3"}, 2, "follow"},
		"two that changed":  {[]string{"UPDATE audit_entries SET actor = 'x' WHERE seq IN (2, 4)"}, 2, "hash"},
		"another's version": {[]string{"UPDATE audit_entries SET version = 7 WHERE seq = 4"}, 4, "hash"},
		"a trimmed beginning without an anchor": {[]string{"DELETE FROM audit_entries WHERE seq < 3",
			"UPDATE audit_heads SET trimmed = 2"}, 1, "anchor"},
	} {
		t.Run(name, func(t *testing.T) {
			eachLog(t, 4, func(t *testing.T, l log) {
				if v := l.verify(t); v.Broken != 0 || v.First != 1 || v.Entries != 4 || len(v.Head) != 64 {
					t.Fatalf("before: %+v", v)
				}
				l.tamper(t, c.tamper...)
				v := l.verify(t)
				if v.Broken != c.broken || !strings.Contains(v.Reason, c.reason) || v.Last() != c.broken-1 &&
					v.Entries != 0 {
					t.Errorf("%+v; want %d broken: %s", v, c.broken, c.reason)
				}
			})
		})
	}
}

// Someone with the database but without the secret key changes an entry and computes every hash again, as the program
// itself would (finding L15).
func TestAttackAChainRebuiltWithoutTheKeyIsBroken(t *testing.T) {
	eachLog(t, 3, func(t *testing.T, l log) {
		entries, err := l.db.AuditEntries(t.Context(), l.org, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		var forged []string
		previous := ""
		for _, e := range entries {
			e.Actor, e.Previous = "user:usr_2", previous
			previous = e.Digest(nil)
			forged = append(forged, fmt.Sprintf("UPDATE audit_entries SET actor = '%s', previous = '%s', hash = '%s' "+
				"WHERE seq = %d", e.Actor, e.Previous, previous, e.Seq))
		}
		l.tamper(t, append(forged, "UPDATE audit_heads SET hash = '"+previous+"'")...)
		if v := l.verify(t); v.Broken != 1 {
			t.Errorf("a forged chain: %+v", v)
		}
	})
}

// A tail that is cut off together with its head leaves a valid chain; only a head that was kept elsewhere proves it
// (finding L15).
func TestAttackACutTailIsFoundWithAKeptHead(t *testing.T) {
	eachLog(t, 4, func(t *testing.T, l log) {
		kept := audit.Heads(fmt.Sprintf("4 entries, all intact\nhead %s\n", l.verify(t).Head))
		l.add(t, 1) // the log goes on after the head was kept
		if missing := l.missing(t, kept); len(missing) != 0 {
			t.Fatalf("an older head is missing: %v", missing)
		}
		l.tamper(t, "DELETE FROM audit_entries WHERE seq > 3",
			"UPDATE audit_heads SET seq = 3, hash = (SELECT hash FROM audit_entries WHERE seq = 3)")
		if v := l.verify(t); v.Broken != 0 || v.Entries != 3 {
			t.Errorf("the rest is a valid chain: %+v", v)
		}
		if missing := l.missing(t, kept); len(missing) != 1 {
			t.Error("the cut is not found with the kept head")
		}
	})
}

func (l log) missing(t *testing.T, heads []string) []string {
	t.Helper()
	h := audit.Expect(heads)
	if _, err := audit.Verify(t.Context(), l.db, key, l.org, h.Saw); err != nil {
		t.Fatal(err)
	}
	return h.Missing()
}

// trimming is the entry that trimming a log leaves.
var trimming = stockhand.AuditEntry{At: noon.Add(24 * time.Hour), Actor: "system"}

// trim removes what is older than before and expects it to be that many entries.
func (l log) trim(t *testing.T, before time.Time, want int64, sinks ...string) {
	t.Helper()
	n, err := l.db.TrimAudit(t.Context(), l.org, before, trimming, sinks...)
	if err != nil || n != want {
		t.Fatalf("%d entries trimmed, %v; want %d", n, err, want)
	}
}

func TestATrimmedLogVerifiesFromItsAnchor(t *testing.T) {
	eachLog(t, 6, func(t *testing.T, l log) {
		l.trim(t, noon, 0)
		l.trim(t, noon.Add(2*time.Minute), 2)
		if v := l.verify(t); v.Broken != 0 || v.First != 3 || v.Entries != 5 {
			t.Errorf("after the first trimming: %+v", v)
		}
		l.trim(t, noon.Add(time.Hour), 4) // all but the first anchor
		l.trim(t, noon.Add(48*time.Hour), 2)
		if v := l.verify(t); v.Broken != 0 || v.First != 9 || v.Entries != 1 {
			t.Errorf("after the last: %+v", v)
		}
		l.add(t, 2)
		l.tamper(t, "DELETE FROM audit_entries WHERE seq = 9")
		if v := l.verify(t); v.Broken != 1 || !strings.Contains(v.Reason, "anchor") {
			t.Errorf("without its anchor: %+v", v)
		}
	})
}

// Entries that are trimmed while they are verified are not a gap.
func TestALogVerifiesWhileItIsTrimmed(t *testing.T) {
	eachLog(t, 0, func(t *testing.T, l log) {
		many := make([]stockhand.AuditEntry, 300) // more than a page
		for i := range many {
			many[i] = stockhand.AuditEntry{Actor: "user:usr_1", Action: "draft.edited", At: noon}
		}
		if err := l.db.Audit(t.Context(), l.org, many...); err != nil {
			t.Fatal(err)
		}
		v, err := audit.Verify(t.Context(), l.db, key, l.org, func(e stockhand.AuditEntry) {
			if e.Seq == 1 {
				l.trim(t, noon.Add(time.Hour), 300)
			}
		})
		if err != nil || v.Broken != 0 || v.First != 301 || v.Entries != 1 {
			t.Errorf("%+v, %v", v, err)
		}
	})
}

func TestTrimmingLeavesWhatASinkDoesNotHave(t *testing.T) {
	eachLog(t, 6, func(t *testing.T, l log) {
		late := noon.Add(48 * time.Hour)
		if err := l.db.System().MoveAuditPosition(t.Context(), "syslog", l.org, 4); err != nil {
			t.Fatal(err)
		}
		l.trim(t, late, 0, "syslog", "webhook")
		l.trim(t, late, 4, "syslog")
		l.trim(t, late, 0, "syslog")
		l.trim(t, late, 3) // and the anchor
		if v := l.verify(t); v.Broken != 0 || v.First != 8 {
			t.Errorf("%+v", v)
		}
	})
}

// Replicas with different clocks trim at once: none takes back what another has trimmed.
func TestReplicasTrimOneChain(t *testing.T) {
	eachLog(t, 40, func(t *testing.T, l log) {
		replicas := []*store.DB{l.db, open(t, l.url)}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				before := noon.Add(time.Duration(40-4*i) * time.Minute)
				if _, err := replicas[i%2].TrimAudit(t.Context(), l.org, before, trimming); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		l.trim(t, noon.Add(40*time.Minute), 0)
		if v := l.verify(t); v.Broken != 0 || v.First != 41 {
			t.Errorf("%+v", v)
		}
	})
}

// An exported entry may contain another hash than its own, such as that of the arguments that a call sent.
func TestTheHeadsOfAnExportAreTheHashesOfItsEntries(t *testing.T) {
	eachLog(t, 1, func(t *testing.T, l log) {
		if err := l.db.Audit(t.Context(), l.org, stockhand.AuditEntry{Actor: "user:usr_1", Action: "remote.called",
			Detail: []byte(`{"arguments_sha256":"` + strings.Repeat("ab", 32) + `"}`)}); err != nil {
			t.Fatal(err)
		}
		entries, err := l.db.AuditEntries(t.Context(), l.org, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		var exported strings.Builder
		for _, e := range entries {
			line, err := audit.Line(e)
			if err != nil {
				t.Fatal(err)
			}
			exported.Write(line)
		}
		heads := audit.Heads(exported.String())
		if missing := l.missing(t, heads); len(heads) != 2 || len(missing) != 0 {
			t.Errorf("of the heads %v, the log lacks %v", heads, missing)
		}
	})
}

// Two replicas append single entries and batches at once: one chain, without a gap.
func TestReplicasKeepOneChain(t *testing.T) {
	eachLog(t, 0, func(t *testing.T, l log) {
		replicas := []*store.DB{l.db, open(t, l.url)}
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for n := range 5 {
					batch := make([]stockhand.AuditEntry, n+1)
					if err := replicas[i%2].Audit(t.Context(), l.org, batch...); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if v := l.verify(t); v.Broken != 0 || v.Entries != 60 {
			t.Errorf("%+v", v)
		}
	})
}

func TestAnEmptyLogIsIntact(t *testing.T) {
	eachLog(t, 0, func(t *testing.T, l log) {
		if v := l.verify(t); v.Broken != 0 || v.Entries != 0 {
			t.Errorf("%+v", v)
		}
	})
}
