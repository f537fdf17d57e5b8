// Package pins stores which conversations are at the top of people's lists.
package pins

import (
	"context"
	"database/sql"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Everyone stands for all who may read the organization's data.
const Everyone = ""

// Store stores the pins of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base  *database.DB
	read  *sqlc.Queries
	keys  *datakey.Keys
	audit Audit
}

// Audit appends entries to an organization's audit log in the transaction of a change.
type Audit func(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, entries ...stockhand.AuditEntry) error

// New returns the store of a database.
func New(base *database.DB, keys *datakey.Keys, audit Audit) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys, audit: audit}
}

// Pinned returns up to limit sessions that are pinned for an actor, or for [Everyone]; those pinned last come first.
func (s *Store) Pinned(ctx context.Context, org stockhand.OrgID, actor string, limit int) ([]stockhand.Session, error) {
	const doing = "read the pinned conversations"
	rows, err := s.read.PinnedSessions(ctx, sqlc.PinnedSessionsParams{OrgID: string(org), Actor: actor,
		MaxRows: int64(limit)})
	if err != nil {
		return nil, s.base.Fail(doing, err)
	}
	opener := s.keys.Opener(ctx)
	all := make([]stockhand.Session, len(rows))
	for i, x := range rows {
		all[i] = stockhand.Session{ID: stockhand.SessionID(x.ID), Org: org,
			Title:      string(opener.Open(x.OrgID, x.Title, "sessions.title", x.ID)),
			Connection: stockhand.ConnectionID(x.ConnectionID.String), Kind: stockhand.SessionKind(x.Kind),
			Agent: stockhand.AgentID(x.AgentID), By: x.CreatedBy, Created: time.UnixMicro(x.CreatedAt).UTC(),
			Updated: time.UnixMicro(x.UpdatedAt).UTC()}
	}
	return all, s.base.Fail(doing, opener.Err())
}

// Of reports whether a session is pinned for an actor and for everyone.
func (s *Store) Of(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string) (own, all bool,
	err error) {
	rows, err := s.read.SessionPins(ctx, sqlc.SessionPinsParams{OrgID: string(org), SessionID: string(id),
		Actor: actor})
	for _, whose := range rows {
		own, all = own || whose == actor, all || whose == Everyone
	}
	return own, all, s.base.Fail("read the pins", err)
}

// Pin pins a session for an actor or for [Everyone], with audit entries if it is worth some. What is pinned or gone
// already is no error.
func (s *Store) Pin(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string, at time.Time,
	entries ...stockhand.AuditEntry) error {
	return s.change(ctx, org, entries, func(q *sqlc.Queries) error {
		return q.PinSession(ctx, sqlc.PinSessionParams{OrgID: string(org), ID: string(id), Actor: actor,
			PinnedAt: at.UnixMicro()})
	})
}

// Unpin takes a session away from the top of the list of an actor or of [Everyone].
func (s *Store) Unpin(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, actor string,
	entries ...stockhand.AuditEntry) error {
	return s.change(ctx, org, entries, func(q *sqlc.Queries) error {
		return q.UnpinSession(ctx, sqlc.UnpinSessionParams{OrgID: string(org), SessionID: string(id), Actor: actor})
	})
}

func (s *Store) change(ctx context.Context, org stockhand.OrgID, entries []stockhand.AuditEntry,
	change func(q *sqlc.Queries) error) error {
	return s.base.Transact(ctx, "pin the conversation", func(tx *sql.Tx) error {
		q := sqlc.New(tx)
		if len(entries) > 0 {
			if err := s.audit(ctx, q, org, entries...); err != nil {
				return err
			}
		}
		return change(q)
	})
}
