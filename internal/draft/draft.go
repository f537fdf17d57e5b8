// Package draft keeps what tools propose until a person decides, and then has it written exactly once.
//
// It is the only package that can cause a write (rule R9), and it promises:
//
//   - Nothing is sent that a person did not confirm. [Service.Confirm] takes an [stockhand.Actor] that is a person (or
//     a key, where the organization has turned keys_may_confirm on) and binds the person, the version that was shown
//     and a fingerprint of the very bytes that would be sent. What a tool, a model or the external data says has no way
//     in: code that makes drafts is given [Service.Create] behind an interface that has no way to confirm.
//   - What is confirmed is what was seen. Before sending, the account is read again; a document whose figures changed
//     goes back to the person in a new version, the old against the new, and is not sent.
//   - Each document is written once. It is stored as being sent before it is sent; a crash or a lost answer leaves it
//     unknown; an unknown document is looked up in the external system and sent again only when it is surely not there,
//     under the same external id. Of two processes that take up one document, a conditional update lets one win.
//   - Every decision and every write is in the audit log, in the transaction that made it so.
//
// The surprising decision is that a document which could not be sent for lack of an answer stays confirmed and is
// taken up again by [Service.Resume]: a person said yes once and is not asked again for a network's sake. It can be
// rejected as long as it has not been sent, and after the draft's expiry it fails.
package draft

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Store keeps drafts and their audit log; internal/store has it.
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
	AuditEntries(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry, error)
	AuditHead(ctx context.Context, org stockhand.OrgID) (seq int64, hash string, err error)
}

// System lists, over all organizations, the drafts with documents that were confirmed and have not ended.
type System interface {
	UnsettledDrafts(ctx context.Context) ([]stockhand.Draft, error)
}

// Writer writes into one account with one employee's rights. Only this package holds one.
type Writer interface {
	// Bodies returns the exact requests that writing the document would send. It sends nothing, and gives the same
	// bytes for the same document.
	Bodies(doc tool.Document) ([]tool.Body, error)
	// Check reads, for each document in order, whether the employee may create it and what it rests on.
	Check(ctx context.Context, l stockhand.Language, docs []tool.Document) ([]tool.Check, error)
	// Apply sends the documents: one outcome for each, in order. It never repeats a write whose outcome is unknown.
	Apply(ctx context.Context, docs []tool.Document) []tool.Outcome
	// Find looks up what became of documents: applied; failed, which here means surely not there; or unknown.
	Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error)
}

// Writers opens the writer of a connection, which says its problems in that language.
type Writers interface {
	Writer(ctx context.Context, org stockhand.OrgID, connection stockhand.Connection, l stockhand.Language) (Writer,
		error)
}

// Config is what a [Service] needs. Store and Writers are required.
type Config struct {
	Store   Store
	System  System // for Resume; nil when nothing is to be resumed
	Writers Writers
	Clock   func() time.Time // time.Now when nil
	Logger  *slog.Logger     // silent when nil

	// Lifetime is how long a draft can be confirmed; 7 days when 0.
	Lifetime time.Duration

	// Pauses are waited for before each attempt to find out what became of an unknown document; their number is the
	// number of attempts. When nil: 0.2, 1 and 3 seconds.
	Pauses []time.Duration

	// Grace is for how long Resume leaves a document alone that another process may be sending this very moment. 0
	// takes everything up at once, which is right for one process after its crash; where several share a database,
	// give it more than a write may take.
	Grace time.Duration
}

// Service is the life of drafts. Its methods are safe for concurrent use, and so are several Services on one store.
type Service struct {
	Config

	mu      sync.Mutex
	working map[stockhand.DocumentID]bool // documents that this process is sending or looking up

	busy sync.WaitGroup // confirmations on their way
}

// Wait returns when no confirmation is being carried out here, or with ctx: what ends a process waits for it. What is
// cut off all the same is taken up by [Service.Resume].
func (s *Service) Wait(ctx context.Context) {
	settled := make(chan struct{})
	go func() {
		s.busy.Wait()
		close(settled)
	}()
	select {
	case <-settled:
	case <-ctx.Done():
	}
}

const (
	defaultLifetime = 7 * 24 * time.Hour

	// processTime bounds the work on what one confirmation has started; what is left then is left to Resume.
	processTime = 5 * time.Minute

	// storeTime bounds one write to the store after something was sent: it is not given up when the caller is.
	storeTime = 30 * time.Second
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

// loaded is a draft with its proposal read.
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

// state is where a document of the draft stands; nil when there is none.
func (h *loaded) state(id stockhand.DocumentID) *stockhand.DraftDocument {
	for i := range h.Documents {
		if h.Documents[i].ID == id {
			return &h.Documents[i]
		}
	}
	return nil
}

// document is what a document of the draft holds; nil when there is none.
func (h *loaded) document(id stockhand.DocumentID) *tool.Document {
	for i := range h.proposal.Documents {
		if h.proposal.Documents[i].ID == id {
			return &h.proposal.Documents[i]
		}
	}
	return nil
}

// in returns the documents in one of those states, of the named ones; of all when none are named.
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

// move makes the move of a document from where it was seen, after asking whether it is a legal one.
func move(seen, to stockhand.DraftDocument) (stockhand.DocumentMove, error) {
	if seen.State != to.State && !seen.State.CanBecome(to.State) {
		return stockhand.DocumentMove{},
			stockhand.Errorf(stockhand.CodeInternal, "document %s cannot become %s from %s", seen.ID, to.State,
				seen.State)
	}
	return stockhand.DocumentMove{From: seen.State, Attempt: seen.Attempt, To: to}, nil
}

// detail is the rest of an audit entry as JSON.
func detail(fields map[string]any) json.RawMessage {
	b, err := json.Marshal(fields)
	if err != nil { // only strings, numbers and lists of them come here
		return json.RawMessage(`{}`)
	}
	return b
}
