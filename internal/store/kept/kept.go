// Package kept stores what connectors keep of external accounts; see internal/connector's Kept.
package kept

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Limits say how much is kept, and how long.
type Limits struct {
	Age  time.Duration // since it was read from the account
	Size int64         // bytes of an organization
}

// Store keeps pieces for all connections. Its methods are safe for concurrent use.
type Store struct {
	base   *database.DB
	read   *sqlc.Queries
	keys   *datakey.Keys
	limits Limits
	clock  func() time.Time
}

// New returns the store of a database. A nil clock means time.Now.
func New(base *database.DB, keys *datakey.Keys, limits Limits, clock func() time.Time) *Store {
	if clock == nil {
		clock = time.Now
	}
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys, limits: limits, clock: clock}
}

// Keeps reports whether the limits allow to keep anything.
func (s *Store) Keeps() bool { return s.limits.Age > 0 && s.limits.Size > 0 }

// Pieces are those of one connection with its present token and rights.
type Pieces struct {
	*Store
	org        stockhand.OrgID
	connection stockhand.ConnectionID
	rights     string
}

// Of returns the pieces of a connection. Those that were kept with another token or other rights do not exist for it.
func (s *Store) Of(c stockhand.Connection) *Pieces {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %x", c.Employee, c.Login, c.Rights, []byte(c.Sealed)))
	return &Pieces{Store: s, org: c.Org, connection: c.ID, rights: hex.EncodeToString(sum[:])}
}

// column is where bodies are; see [content.Key.Seal].
const column = "kept_facts.body"

// Load implements connector.Kept.
func (p *Pieces) Load(ctx context.Context, names ...string) (map[string]stockhand.Piece, error) {
	found := map[string]stockhand.Piece{}
	opener := p.keys.Opener(ctx)
	for _, name := range names {
		row, err := p.read.KeptFacts(ctx, sqlc.KeptFactsParams{OrgID: string(p.org), ConnectionID: string(p.connection),
			Name: name, Rights: p.rights, Since: p.oldest()})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			found[name] = stockhand.Piece{Version: row.Version, Read: time.UnixMicro(row.ReadAt),
				Body: opener.Open(row.OrgID, row.Body, column, row.ConnectionID, row.Name)}
			err = opener.Err()
		}
		if err != nil {
			return nil, p.base.Fail("read what is kept of an account", err)
		}
	}
	return found, nil
}

// Facts returns how much is kept of the account of a connection.
func (s *Store) Facts(ctx context.Context, c stockhand.Connection) (stockhand.KeptFacts, error) {
	row, err := s.read.KeptFactsOf(ctx, sqlc.KeptFactsOfParams{OrgID: string(c.Org), ConnectionID: string(c.ID),
		Rights: s.Of(c).rights, Since: s.oldest()})
	if err != nil || row.Pieces == 0 {
		return stockhand.KeptFacts{}, s.base.Fail("measure what is kept of an account", err)
	}
	return stockhand.KeptFacts{Pieces: int(row.Pieces), Size: row.Size, Oldest: time.UnixMicro(row.Oldest),
		Newest: time.UnixMicro(row.Newest)}, nil
}

// oldest is the time before which nothing is used any more.
func (s *Store) oldest() int64 { return s.clock().Add(-s.limits.Age).UnixMicro() }

// Save implements connector.Kept. To stay within the organization's limit it removes what was read first.
func (p *Pieces) Save(ctx context.Context, name string, piece stockhand.Piece) error {
	size := int64(len(piece.Body))
	if size > p.limits.Size {
		return nil
	}
	return p.keys.Transact(ctx, "keep what was read", p.org, func(tx *sql.Tx, key *content.Key) error {
		q := sqlc.New(tx)
		if err := p.makeRoom(ctx, q, name, size); err != nil {
			return err
		}
		body := key.Seal(piece.Body, column, string(p.connection), name)
		if piece.Version == 0 {
			_, err := q.InsertKeptFacts(ctx, sqlc.InsertKeptFactsParams{OrgID: string(p.org),
				ConnectionID: string(p.connection), Name: name, Rights: p.rights, Version: 1,
				ReadAt: piece.Read.UnixMicro(), Size: size, Body: body, Since: p.oldest()})
			return err
		}
		_, err := q.UpdateKeptFacts(ctx, sqlc.UpdateKeptFactsParams{OrgID: string(p.org),
			ConnectionID: string(p.connection), Name: name, Rights: p.rights, Version: piece.Version,
			ReadAt: piece.Read.UnixMicro(), Size: size, Body: body})
		return err
	})
}

// makeRoom removes the oldest pieces of the organization until another of this size fits.
func (p *Pieces) makeRoom(ctx context.Context, q *sqlc.Queries, name string, size int64) error {
	rows, err := q.OldestKeptFacts(ctx, string(p.org))
	if err != nil {
		return err
	}
	all := size
	for _, r := range rows {
		all += r.Size
	}
	for _, r := range rows {
		if r.ConnectionID == string(p.connection) && r.Name == name {
			all -= r.Size // it is replaced
		}
	}
	for _, r := range rows {
		if all <= p.limits.Size {
			return nil
		}
		if r.ConnectionID == string(p.connection) && r.Name == name {
			continue
		}
		if err := q.DeleteKeptFacts(ctx, sqlc.DeleteKeptFactsParams{OrgID: string(p.org), ConnectionID: r.ConnectionID,
			Name: r.Name}); err != nil {
			return err
		}
		all -= r.Size
	}
	return nil
}

// Forget removes what is too old, of all organizations.
func (s *Store) Forget(ctx context.Context) error {
	return s.base.Transact(ctx, "forget what was kept", func(tx *sql.Tx) error {
		_, err := sqlc.New(tx).ForgetKeptFacts(ctx, s.oldest())
		return err
	})
}
