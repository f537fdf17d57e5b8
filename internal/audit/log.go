package audit

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// Fact is something that happened without a change in the database: a read, a call, a refusal. It contains no content
// and no secret.
type Fact struct {
	Org       stockhand.OrgID // empty if it concerns no organization: the installation's log
	Actor     string          // empty if unknown
	Action    string          // such as "result.read"
	What      string          // an ID, a path without its query, or the name of a tool; may be empty
	From      string          // the caller's address; may be empty
	Form      string          // the format of an export; may be empty
	Arguments string          // see [Log.Fingerprint]; may be empty
	Code      string          // of a refusal; empty otherwise
}

// Appender is the part of *store.DB that a Log writes to.
type Appender interface {
	Audit(ctx context.Context, org stockhand.OrgID, entries ...stockhand.AuditEntry) error
}

// Log collects facts and writes them in batches: each once within a second and, if it is repeated, how often at the end
// of the minute. So neither a poller nor an attacker fills the disk, and no request waits for the database. Its methods
// are safe for concurrent use.
type Log struct {
	store Appender
	key   []byte // of the fingerprints
	log   *slog.Logger
	now   func() time.Time

	writing sync.Mutex // held while a batch is written, so that batches keep their order

	mu      sync.Mutex
	began   time.Time                    // of the minute
	minute  map[Fact]int                 // repetitions within the minute
	entries map[stockhand.OrgID]*entries // within the minute
	fresh   []line                       // not written yet
	armed   bool
	closed  bool
}

// entries counts the different facts of an organization.
type entries struct{ facts, refused int }

// line is an entry to write.
type line struct {
	fact  Fact
	at    time.Time
	again int // how often the fact was repeated; 0 for its first entry
}

const (
	writeEvery = time.Second
	writeTime  = 10 * time.Second
	minute     = time.Minute // after it, repetitions are written
	// mostFacts and mostRefused limit the entries of an organization per minute. Beyond it, facts of one actor and
	// action are counted together without their details, and so are refusals with one code.
	mostFacts   = 600
	mostRefused = 20
	mostWaiting = 20_000 // entries kept in memory while the database is away; newer ones are lost
)

// FingerprintKey derives the key of [Log.Fingerprint] from the installation's pepper, as [Key] does for the chain.
func FingerprintKey(pepper []byte) ([]byte, error) {
	return hkdf.Key(sha256.New, pepper, nil, "stockhand audit fingerprints", sha256.Size)
}

// NewLog returns a Log whose fingerprints are made with the key. A nil clock means the system's.
func NewLog(store Appender, key []byte, log *slog.Logger, now func() time.Time) *Log {
	if now == nil {
		now = time.Now
	}
	l := &Log{store: store, key: key, log: log, now: now}
	l.begin()
	return l
}

// Note adds a fact to the log. A nil Log ignores it.
func (l *Log) Note(f Fact) {
	if l == nil {
		return
	}
	f.Org = cmp.Or(f.Org, stockhand.Installation)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return // a batch that was due before would still write it
	}
	n, noted := l.minute[f]
	if !noted {
		f = l.limited(f)
		n, noted = l.minute[f]
	}
	if noted {
		l.minute[f] = n + 1
		return
	}
	l.minute[f] = 0
	l.fresh = append(l.fresh, line{fact: f, at: l.now()})
	l.arm()
}

// limited returns the fact, or one for all of its kind once the organization has too many.
func (l *Log) limited(f Fact) Fact {
	c := l.entries[f.Org]
	if c == nil {
		c = &entries{}
		l.entries[f.Org] = c
	}
	count, most, rest := &c.facts, mostFacts, Fact{Org: f.Org, Actor: f.Actor, Action: f.Action, Form: f.Form}
	if f.Code != "" {
		count, most, rest = &c.refused, mostRefused, Fact{Org: f.Org, Action: f.Action, Code: f.Code}
	}
	if *count >= most {
		return rest
	}
	*count++
	return f
}

// begin starts a minute.
func (l *Log) begin() {
	l.began, l.minute, l.entries = l.now(), map[Fact]int{}, map[stockhand.OrgID]*entries{}
}

// arm makes the next batch due. The caller holds the lock.
func (l *Log) arm() {
	if !l.armed && !l.closed {
		l.armed = true
		time.AfterFunc(writeEvery, l.flushDue)
	}
}

// flushDue has a context of its own: entries outlive the requests that they are about.
func (l *Log) flushDue() { l.Flush(context.Background()) }

// Flush writes what is due now.
func (l *Log) Flush(ctx context.Context) { l.flush(ctx, false) }

// Close writes everything. Facts noted afterwards are lost.
func (l *Log) Close(ctx context.Context) { l.flush(ctx, true) }

func (l *Log) flush(ctx context.Context, last bool) {
	l.writing.Lock()
	defer l.writing.Unlock()
	lines := l.due(last)
	batches := map[stockhand.OrgID][]line{}
	for _, x := range lines {
		batches[x.fact.Org] = append(batches[x.fact.Org], x)
	}
	ctx, stop := context.WithTimeout(ctx, writeTime)
	defer stop()
	var failed []line
	for org, batch := range batches {
		all := make([]stockhand.AuditEntry, len(batch))
		for i, x := range batch {
			all[i] = x.entry()
		}
		if err := l.store.Audit(ctx, org, all...); err != nil {
			l.log.ErrorContext(ctx, "the audit log cannot be written", "org", org, "entries", len(batch), "err", err)
			failed = append(failed, batch...)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fresh = append(failed, l.fresh...)
	if lost := len(l.fresh) - mostWaiting; lost > 0 {
		l.log.ErrorContext(ctx, "entries of the audit log are lost", "entries", lost)
		l.fresh = l.fresh[:mostWaiting]
	}
	l.armed = false
	if len(l.minute) > 0 || len(l.fresh) > 0 {
		l.arm()
	}
}

// due takes what is to be written now: new facts and, at the end of a minute, those that were repeated.
func (l *Log) due(last bool) []line {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); last || now.Sub(l.began) >= minute {
		for f, again := range l.minute {
			if again > 0 {
				l.fresh = append(l.fresh, line{f, now, again})
			}
		}
		l.begin()
	}
	l.closed = l.closed || last
	lines := l.fresh
	l.fresh = nil
	return lines
}

// entry returns the entry of a line.
func (x line) entry() stockhand.AuditEntry {
	detail := struct {
		What      string `json:"what,omitempty"`
		From      string `json:"from,omitempty"`
		Form      string `json:"format,omitempty"`
		Arguments string `json:"arguments,omitempty"`
		Code      string `json:"code,omitempty"`
		Repeated  int    `json:"repeated,omitempty"` // how often it happened again within the minute before
	}{x.fact.What, x.fact.From, x.fact.Form, x.fact.Arguments, x.fact.Code, x.again}
	b, _ := json.Marshal(detail) // strings and numbers always marshal
	return stockhand.AuditEntry{Org: x.fact.Org, At: x.at, Actor: x.fact.Actor, Action: x.fact.Action, Detail: b}
}

// Fingerprint returns a short keyed hash of the arguments of a call, so that the log shows which calls of an
// organization were equal without containing them. Arguments are easy to guess; without the key a guess cannot be
// tested (rule R179). It is empty for a nil Log.
func (l *Log) Fingerprint(org stockhand.OrgID, arguments []byte) string {
	if l == nil {
		return ""
	}
	mac := hmac.New(sha256.New, l.key)
	_, _ = mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(org)))) // never fails, here and below
	_, _ = mac.Write([]byte(org))
	_, _ = mac.Write(arguments)
	return hex.EncodeToString(mac.Sum(nil)[:12])
}
