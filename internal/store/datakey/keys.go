// Package datakey keeps the keys that encrypt the contents of organizations, and encrypts what was stored without one.
package datakey

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Sealer encrypts the data keys of organizations. *secret.Ring implements it.
type Sealer interface {
	Seal(org stockhand.OrgID, purpose stockhand.ConnectionID, plain []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, purpose stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
	Stale(sealed stockhand.Sealed) bool
}

// purpose is what a data key is sealed for.
const purpose stockhand.ConnectionID = "data key"

// keptFor is how long a process knows a data key without looking, and so how long another replica can read and
// write after an organization was erased.
const keptFor = 10 * time.Second

// Keys finds the keys of organizations' contents. Its methods are safe for concurrent use.
type Keys struct {
	base *database.DB
	read *sqlc.Queries

	sealer  Sealer
	encrypt bool // whether organizations get a key

	mu    sync.Mutex
	known map[string]knownKey
}

type knownKey struct {
	key    *content.Key // nil for none
	erased bool
	until  time.Time
}

// New returns the keys that a database stores.
func New(base *database.DB) *Keys {
	return &Keys{base: base, read: sqlc.New(base.Reader()), known: map[string]knownKey{}}
}

// Use sets what data keys are sealed with, and whether the contents of organizations that have none yet are to be
// encrypted. An organization that has a key is always encrypted. Call it once, before contents are read.
func (k *Keys) Use(sealer Sealer, encrypt bool) { k.sealer, k.encrypt = sealer, encrypt }

// ForWriting returns the key for what an organization stores; nil leaves it unencrypted. It creates the first one. Do
// not call it within a transaction.
func (k *Keys) ForWriting(ctx context.Context, org stockhand.OrgID) (*content.Key, error) {
	if strings.HasPrefix(string(org), "usr_") { // a person's request outside any organization
		return nil, nil
	}
	known, err := k.lookup(ctx, string(org))
	if err != nil || known.key != nil || known.erased || !k.encrypt {
		return known.key, cmp.Or(err, known.refusal())
	}
	sealed, err := k.sealer.Seal(org, purpose, content.NewKey(org).Bytes())
	if err != nil {
		return nil, err
	}
	err = k.base.Transact(ctx, "store a data key", func(tx *sql.Tx) error {
		return sqlc.New(tx).InsertDataKey(ctx, sqlc.InsertDataKeyParams{OrgID: string(org), Sealed: sealed,
			CreatedAt: time.Now().UnixMicro()})
	})
	if err != nil {
		return nil, err
	}
	k.Forget(org)
	known, err = k.lookup(ctx, string(org)) // another replica's, when that one was first
	return known.key, cmp.Or(err, known.refusal())
}

// lookup returns what is known of an organization's key.
func (k *Keys) lookup(ctx context.Context, org string) (knownKey, error) {
	k.mu.Lock()
	known, ok := k.known[org]
	k.mu.Unlock()
	if ok && time.Now().Before(known.until) {
		return known, nil
	}
	known = knownKey{until: time.Now().Add(keptFor)}
	row, err := k.read.DataKey(ctx, org)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return known, k.base.Fail("read the data key", err)
	case row.ErasedAt != 0:
		known.erased = true
	default:
		if known.key, err = k.open(stockhand.OrgID(org), row.Sealed); err != nil {
			return known, err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= 10_000 {
		clear(k.known)
	}
	k.known[org] = known
	return known, nil
}

func (k *Keys) open(org stockhand.OrgID, sealed []byte) (*content.Key, error) {
	if k.sealer == nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the data of %s is encrypted, and there is no secret key",
			org)
	}
	b, err := k.sealer.Open(org, purpose, sealed)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the data key of %s cannot be decrypted: %w", org, err).
			WithHint("start with the secret key that this database was used with")
	}
	return content.KeyOf(org, b)
}

// Reseal encrypts an organization's data key with the sealer's current key, and reports whether it was encrypted
// with another. What the organization stored stays as it is.
func (k *Keys) Reseal(ctx context.Context, org stockhand.OrgID) (changed bool, err error) {
	row, err := k.read.DataKey(ctx, string(org))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, k.base.Fail("read the data key", err)
	}
	if row.ErasedAt != 0 || !k.sealer.Stale(row.Sealed) {
		return false, nil
	}
	key, err := k.open(org, row.Sealed)
	if err != nil {
		return false, err
	}
	sealed, err := k.sealer.Seal(org, purpose, key.Bytes())
	if err != nil {
		return false, err
	}
	err = k.base.Transact(ctx, "store a data key", func(tx *sql.Tx) error {
		rows, err := sqlc.New(tx).RewrapDataKey(ctx,
			sqlc.RewrapDataKeyParams{OrgID: string(org), Seen: row.Sealed, Sealed: sealed})
		changed = rows > 0 // otherwise another one has done it, or erased the key
		return err
	})
	return changed, err
}

// Forget lets the next use look the organization's key up.
func (k *Keys) Forget(org stockhand.OrgID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, string(org))
}

// refusal returns [ErrErased] if the key was destroyed.
func (k knownKey) refusal() error {
	if !k.erased {
		return nil
	}
	return ErrErased
}

// ErrErased is the error of reading and storing contents of an organization that was erased.
var ErrErased error = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "the data of this organization was erased", Hint: "create another organization to go on",
	RU: stockhand.Words{Message: "данные этой организации стёрты",
		Hint: "чтобы продолжить, создайте другую организацию"}}

// Opener decrypts the columns of rows that were read, and keeps the first error.
type Opener struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call
	k   *Keys
	err error
}

// Opener returns an Opener for one call.
func (k *Keys) Opener(ctx context.Context) *Opener { return &Opener{ctx: ctx, k: k} }

// Err returns the first error of Open.
func (o *Opener) Err() error { return o.err }

// Open returns the text of a column of an organization's row.
func (o *Opener) Open(org string, c content.Content, column string, row ...any) []byte {
	if o.err != nil {
		return nil
	}
	var known knownKey
	if c.Encrypted() {
		if known, o.err = o.k.lookup(o.ctx, org); known.key == nil && o.err == nil && !known.erased {
			o.k.Forget(stockhand.OrgID(org)) // another replica has created it meanwhile
			known, o.err = o.k.lookup(o.ctx, org)
		}
		if o.err = cmp.Or(o.err, known.refusal()); o.err != nil {
			return nil
		}
	}
	text, err := known.key.Open(c, column, row...)
	if err != nil {
		o.err = stockhand.Errorf(stockhand.CodeInternal, "%s of %v in %s cannot be decrypted: %w", column, row, org,
			err).
			WithHint("restore the database from a backup, with the data keys of that time")
	}
	return text
}
