// Package datakey keeps the keys that encrypt the contents of organizations, and encrypts what was stored without one.
package datakey

import (
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

// Keys finds the keys of organizations' contents. Its methods are safe for concurrent use.
//
// A key is looked up for each operation: what another replica has switched on or erased holds at once. Only its
// decryption is remembered.
type Keys struct {
	base *database.DB
	read *sqlc.Queries

	sealer  Sealer
	encrypt bool // whether organizations get a key

	mu    sync.Mutex
	known map[string]*content.Key // by what is stored of them
}

// New returns the keys that a database stores.
func New(base *database.DB) *Keys {
	return &Keys{base: base, read: sqlc.New(base.Reader()), known: map[string]*content.Key{}}
}

// Use sets what data keys are sealed with, and whether the contents of organizations that have none yet are to be
// encrypted. An organization that has a key is always encrypted. Call it once, before contents are read.
func (k *Keys) Use(sealer Sealer, encrypt bool) { k.sealer, k.encrypt = sealer, encrypt }

// Transact runs fn in a transaction, with the key for what it stores of the organization; the nil Key leaves that
// unencrypted. It creates the first key. On Postgres, fn may run more than once.
//
// A key is created when no transaction is running here that found none. So all that is stored unencrypted was committed
// before, where [Keys.Encrypt] finds it.
func (k *Keys) Transact(ctx context.Context, doing string, org stockhand.OrgID,
	fn func(tx *sql.Tx, key *content.Key) error) error {
	for {
		create := false
		err := k.base.Transact(ctx, doing, func(tx *sql.Tx) error {
			if outside(org) {
				return fn(tx, nil)
			}
			var row sqlc.DataKey
			err := tx.QueryRowContext(ctx, "SELECT sealed, erased_at FROM data_keys WHERE org_id = $1"+k.base.Share(),
				string(org)).Scan(&row.Sealed, &row.ErasedAt)
			key, err := k.decrypted(org, row, err)
			if err != nil {
				return err
			}
			if create = key == nil && k.encrypt; create {
				return errCreate
			}
			return fn(tx, key)
		})
		if !create {
			return err
		}
		if err := k.create(ctx, org); err != nil {
			return err
		}
	}
}

// errCreate rolls back a transaction that needs a key.
var errCreate = errors.New("there is no data key yet")

// Key returns the key for what an organization stores, and creates the first one, like [Keys.Transact]. What is
// encrypted with it beforehand may only be stored in a transaction that gets the same key.
func (k *Keys) Key(ctx context.Context, org stockhand.OrgID) (*content.Key, error) {
	if outside(org) {
		return nil, nil
	}
	key, err := k.lookup(ctx, org)
	if err != nil || key != nil || !k.encrypt {
		return key, err
	}
	if err := k.create(ctx, org); err != nil {
		return nil, err
	}
	return k.lookup(ctx, org)
}

// outside reports whether it is a person's request outside any organization.
func outside(org stockhand.OrgID) bool { return strings.HasPrefix(string(org), "usr_") }

// create stores a key, unless another replica was first.
func (k *Keys) create(ctx context.Context, org stockhand.OrgID) error {
	sealed, err := k.sealer.Seal(org, purpose, content.NewKey(org).Bytes())
	if err != nil {
		return err
	}
	return k.base.Transact(ctx, "store a data key", func(tx *sql.Tx) error {
		if err := k.base.Exclude(ctx, tx, "data_keys"); err != nil {
			return err
		}
		return sqlc.New(tx).InsertDataKey(ctx, sqlc.InsertDataKeyParams{OrgID: string(org), Sealed: sealed,
			CreatedAt: time.Now().UnixMicro()})
	})
}

// lookup returns the organization's key; nil for none.
func (k *Keys) lookup(ctx context.Context, org stockhand.OrgID) (*content.Key, error) {
	row, err := k.read.DataKey(ctx, string(org))
	return k.decrypted(org, row, err)
}

// decrypted returns the key of a row, as it was read; nil for none.
func (k *Keys) decrypted(org stockhand.OrgID, row sqlc.DataKey, err error) (*content.Key, error) {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, k.base.Fail("read the data key", err)
	case row.ErasedAt != 0:
		return nil, ErrErased
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	id := string(org) + string(row.Sealed)
	if key := k.known[id]; key != nil {
		return key, nil
	}
	key, err := k.open(org, row.Sealed)
	if err != nil {
		return nil, err
	}
	if len(k.known) >= 10_000 {
		clear(k.known)
	}
	k.known[id] = key
	return key, nil
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

// ErrErased is the error of reading and storing contents of an organization that was erased.
var ErrErased error = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "the data of this organization was erased", Hint: "create another organization to go on",
	RU: stockhand.Words{Message: "данные этой организации стёрты",
		Hint: "чтобы продолжить, создайте другую организацию"}}

// Opener decrypts the columns of rows that were read, and keeps the first error.
type Opener struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one call
	keys *Keys
	org  string // whose key is known
	key  *content.Key
	err  error
}

// Opener returns an Opener for one call.
func (k *Keys) Opener(ctx context.Context) *Opener { return &Opener{ctx: ctx, keys: k} }

// Err returns the first error of Open.
func (o *Opener) Err() error { return o.err }

// Open returns the text of a column of an organization's row.
func (o *Opener) Open(org string, c content.Content, column string, row ...any) []byte {
	if o.err != nil {
		return nil
	}
	if c.Encrypted() && o.org != org {
		if o.key, o.err = o.keys.lookup(o.ctx, stockhand.OrgID(org)); o.err != nil {
			return nil
		}
		o.org = org
	}
	text, err := o.key.Open(c, column, row...)
	if err != nil {
		o.err = stockhand.Errorf(stockhand.CodeInternal, "%s of %v in %s cannot be decrypted: %w", column, row, org,
			err).
			WithHint("restore the database from a backup, with the data keys of that time")
	}
	return text
}
