// Package draft stores what tools propose, lets a person decide, and writes confirmed documents exactly once.
//
// It is the only package that can cause a write (rule R9). It guarantees:
//
//   - Only what a person confirmed is sent. [Service.Confirm] requires an [stockhand.Actor] that is a person (or a key,
//     if the organization turned keys_may_confirm on) and stores who confirmed, which version they saw, and a
//     fingerprint of the exact bytes to send. Tools, models and external data cannot confirm: code that creates drafts
//     gets [Service.Create] behind an interface without Confirm.
//   - What is sent is what the person saw. The account is read again before sending. A document whose figures changed
//     is not sent; it returns to the person in a new version that shows the old and the new figures.
//   - Each document is written once. It is stored as applying before it is sent. A crash or a lost response leaves it
//     unknown. An unknown document is looked up in the external system, and sent again under the same external id only
//     if it is certainly not there. If two processes pick up one document, a conditional update lets one of them win.
//   - What an organization requires of a confirmation ([Rules]) and a stop of all writes hold in the transaction that
//     stores the confirmation, so they bind every way to confirm.
//   - Every decision and every write is audited in the same transaction.
//
// A document that could not be sent because the external system did not respond stays confirmed, and [Service.Resume]
// retries it: a person is not asked again because of a network failure. It can be rejected until it is sent, and fails
// when the draft expires.
package draft

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Store is the part of internal/store that this package uses.
type Store interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	CreateDraft(ctx context.Context, org stockhand.OrgID, d stockhand.Draft, entry stockhand.AuditEntry) (
		stockhand.Draft, error)
	Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	Drafts(ctx context.Context, org stockhand.OrgID, by string, state stockhand.DocumentState, before stockhand.DraftID,
		limit int) ([]stockhand.Draft, error)
	DraftsUndoing(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) ([]stockhand.Draft, error)
	ChangeDraft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID, c stockhand.DraftChange) error

	Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error)
	ChangeSetting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting, value string,
		entry stockhand.AuditEntry) error
	WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error)
	ChangeWriteStop(ctx context.Context, org stockhand.OrgID, stop bool, entry stockhand.AuditEntry) error
	Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error)
}

// System lists, across organizations, drafts with confirmed documents that are not finished.
type System interface {
	UnsettledDrafts(ctx context.Context) ([]stockhand.Draft, error)
}

// Writer writes to one account with one employee's rights. Only this package holds one.
type Writer interface {
	// Bodies returns the exact requests that would write the document, always the same bytes. It sends nothing.
	Bodies(doc tool.Document) ([]tool.Body, error)
	// Check reads, for each document in order, whether the employee may create it and whether its figures changed.
	Check(ctx context.Context, l stockhand.Language, docs []tool.Document) ([]tool.Check, error)
	// Apply sends the documents and returns one outcome for each, in order. It never repeats a write whose outcome is
	// unknown.
	Apply(ctx context.Context, docs []tool.Document) []tool.Outcome
	// Find looks documents up in the external system: applied; failed, which means certainly not there; or unknown.
	Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error)
}

// Pricer is a [Writer] that writes price changes and knows what the goods cost.
type Pricer interface {
	// Costs reads the current cost per unit for each line of a price change, in the currency of the account; see
	// rule R104 for what it is. A cost that is hidden or not known is unknown.
	Costs(ctx context.Context, doc tool.Document) ([]decimal.Maybe, error)
}

// Writers opens the writer of a connection; its messages are in the language.
type Writers interface {
	Writer(ctx context.Context, org stockhand.OrgID, connection stockhand.Connection, l stockhand.Language) (Writer,
		error)
}

// Config configures a [Service]. Store is required, and to confirm, so are Writers and Fingerprint.
type Config struct {
	Store   Store
	System  System // for Resume, which does nothing if it is nil
	Writers Writers
	// returns what writes changes of an organization's notes; nil where there are none
	Notes func(org stockhand.OrgID, l stockhand.Language) Writer
	// Fingerprint is a keyed hash: the audit log has it, and a reader of the log must not be able to test what was
	// confirmed (rule R179).
	Fingerprint func(org stockhand.OrgID, exact []byte) string
	Clock       func() time.Time // nil means time.Now
	Logger      *slog.Logger     // nil discards

	// Lifetime is how long a draft can be confirmed; 0 means 7 days.
	Lifetime time.Duration

	// Pauses are the delays before each lookup of an unknown document; their number is the number of lookups. nil means
	// 0.2, 1 and 3 seconds.
	Pauses []time.Duration

	// Grace is how long Resume skips a document after its last change, because another process may be sending it. 0,
	// which resumes everything at once, is right for a single process. If several share a database, it must be longer
	// than a write can take. A document that is unknown is not being sent, and is looked up sooner.
	Grace time.Duration
}

// Service creates, edits, confirms, sends and undoes drafts. Its methods are safe for concurrent use, and several
// Services may share a store.
type Service struct {
	Config

	mu      sync.Mutex
	working map[stockhand.DocumentID]bool // documents that this process is sending or looking up

	busy sync.WaitGroup // running confirmations
}

// Wait blocks until no confirmation is running here or ctx is done. Call it before the process exits;
// [Service.Resume] continues what was interrupted.
func (s *Service) Wait(ctx context.Context) {
	idle := make(chan struct{})
	go func() {
		s.busy.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

const (
	defaultLifetime = 7 * 24 * time.Hour

	// processTimeout bounds the sending that a confirmation starts; Resume does the rest.
	processTimeout = 5 * time.Minute

	// lookupPause is how long, for each attempt so far, Resume leaves an unknown document to another process.
	lookupPause = 5 * time.Second

	// storeTimeout bounds a database write after something was sent, which continues if the caller goes away.
	storeTimeout = 30 * time.Second

	// How long storing the outcome of what was sent is repeated, and how often. Together with storeTimeout it is less
	// than the Grace of several processes.
	persistTimeout = 5 * time.Minute
	firstPause     = 100 * time.Millisecond
	longestPause   = 2 * time.Second
)

// New returns a service.
func New(c Config) *Service {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Lifetime == 0 {
		c.Lifetime = defaultLifetime
	}
	if c.Pauses == nil {
		c.Pauses = []time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second}
	}
	return &Service{Config: c, working: map[stockhand.DocumentID]bool{}}
}

// loaded is a draft with its decoded proposal.
type loaded struct {
	stockhand.Draft
	proposal tool.Proposal
}

func read(d stockhand.Draft) (loaded, error) {
	h := loaded{Draft: d}
	if err := json.Unmarshal(d.Body, &h.proposal); err != nil {
		return loaded{}, stockhand.Errorf(stockhand.CodeInternal, "read the draft %s: %w", d.ID, err)
	}
	return h, nil
}

// state returns the state of a document, or nil if the draft has no such document.
func (h *loaded) state(id stockhand.DocumentID) *stockhand.DraftDocument {
	for i := range h.Documents {
		if h.Documents[i].ID == id {
			return &h.Documents[i]
		}
	}
	return nil
}

// document returns the content of a document, or nil if the draft has no such document.
func (h *loaded) document(id stockhand.DocumentID) *tool.Document {
	for i := range h.proposal.Documents {
		if h.proposal.Documents[i].ID == id {
			return &h.proposal.Documents[i]
		}
	}
	return nil
}

// in returns the documents in one of the states, among those in only, or among all if only is empty.
func (h *loaded) in(only []stockhand.DocumentID, states ...stockhand.DocumentState) []stockhand.DocumentID {
	var ids []stockhand.DocumentID
	for _, d := range h.Documents {
		for _, s := range states {
			if d.State == s && (len(only) == 0 || slices.Contains(only, d.ID)) {
				ids = append(ids, d.ID)
			}
		}
	}
	return ids
}

func (s *Service) load(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (loaded, error) {
	d, err := s.Store.Draft(ctx, org, id)
	if err != nil {
		return loaded{}, err
	}
	return read(d)
}

// move returns the state change of a document, or an error if the change is not allowed.
func move(seen, to stockhand.DraftDocument) (stockhand.DocumentMove, error) {
	if seen.State != to.State && !seen.State.CanBecome(to.State) {
		return stockhand.DocumentMove{},
			stockhand.Errorf(stockhand.CodeInternal, "document %s cannot become %s from %s", seen.ID, to.State,
				seen.State)
	}
	return stockhand.DocumentMove{From: seen.State, Attempt: seen.Attempt, To: to}, nil
}

// unconfirmed returns a document that was confirmed as one that waits for a person again.
func unconfirmed(doc stockhand.DraftDocument, now time.Time) stockhand.DraftDocument {
	doc.State, doc.Version, doc.Fingerprint, doc.ConfirmedBy = stockhand.DocumentPending, 0, "", ""
	doc.ApprovedBy, doc.Approved, doc.Updated = "", 0, now
	return doc
}

// detail encodes the details of an audit entry.
func detail(fields map[string]any) json.RawMessage {
	b, err := json.Marshal(fields)
	if err != nil { // cannot happen: callers pass strings, numbers and lists
		return json.RawMessage(`{}`)
	}
	return b
}
