package store

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
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Sealer encrypts the data keys of organizations. *secret.Ring implements it.
type Sealer interface {
	Seal(org stockhand.OrgID, purpose stockhand.ConnectionID, plain []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, purpose stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
	Stale(sealed stockhand.Sealed) bool
}

// dataKeyPurpose is what a data key is sealed for.
const dataKeyPurpose stockhand.ConnectionID = "data key"

// dataKeysKnown is how long a process knows a data key without looking, and so how long another replica can read and
// write after an organization was erased.
const dataKeysKnown = 10 * time.Second

// dataKeys finds the keys of organizations' contents.
type dataKeys struct {
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

// KeyContents sets what data keys are sealed with, and whether the contents of organizations that have none yet are to
// be encrypted. An organization that has a key is always encrypted. Call it once, before contents are read.
func (s System) KeyContents(sealer Sealer, encrypt bool) {
	s.db.dataKeys.sealer, s.db.dataKeys.encrypt = sealer, encrypt
}

// contentKey returns the key for what an organization stores; nil leaves it unencrypted. It creates the first one. Do
// not call it within a transaction.
func (db *DB) contentKey(ctx context.Context, org stockhand.OrgID) (*content.Key, error) {
	if strings.HasPrefix(string(org), "usr_") { // a person's request outside any organization
		return nil, nil
	}
	known, err := db.dataKey(ctx, string(org))
	if err != nil || known.key != nil || known.erased || !db.dataKeys.encrypt {
		return known.key, cmp.Or(err, known.refusal())
	}
	sealed, err := db.dataKeys.sealer.Seal(org, dataKeyPurpose, content.NewKey(org).Bytes())
	if err != nil {
		return nil, err
	}
	err = db.write(ctx, "store a data key", func(q *sqlc.Queries) error {
		return q.InsertDataKey(ctx, sqlc.InsertDataKeyParams{OrgID: string(org), Sealed: sealed,
			CreatedAt: micros(time.Now())})
	})
	if err != nil {
		return nil, err
	}
	db.forgetDataKey(org)
	known, err = db.dataKey(ctx, string(org)) // another replica's, when that one was first
	return known.key, cmp.Or(err, known.refusal())
}

// dataKey returns what is known of an organization's key.
func (db *DB) dataKey(ctx context.Context, org string) (knownKey, error) {
	k := &db.dataKeys
	k.mu.Lock()
	known, ok := k.known[org]
	k.mu.Unlock()
	if ok && time.Now().Before(known.until) {
		return known, nil
	}
	known = knownKey{until: time.Now().Add(dataKeysKnown)}
	row, err := db.read.DataKey(ctx, org)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return known, db.fail("read the data key", err)
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

func (k *dataKeys) open(org stockhand.OrgID, sealed []byte) (*content.Key, error) {
	if k.sealer == nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the data of %s is encrypted, and there is no secret key",
			org)
	}
	b, err := k.sealer.Open(org, dataKeyPurpose, sealed)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the data key of %s cannot be decrypted: %w", org, err).
			WithHint("start with the secret key that this database was used with")
	}
	return content.KeyOf(org, b)
}

func (db *DB) forgetDataKey(org stockhand.OrgID) {
	db.dataKeys.mu.Lock()
	defer db.dataKeys.mu.Unlock()
	delete(db.dataKeys.known, string(org))
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

// writeContent is write for a transaction that stores contents of the organization.
func (db *DB) writeContent(ctx context.Context, doing string, org stockhand.OrgID,
	fn func(q *sqlc.Queries, key *content.Key) error) error {
	key, err := db.contentKey(ctx, org)
	if err != nil {
		return db.fail(doing, err)
	}
	return db.write(ctx, doing, func(q *sqlc.Queries) error { return fn(q, key) })
}

// opener decrypts the columns of rows that were read, and keeps the first error.
type opener struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call
	db  *DB
	err error
}

// open returns the text of a column of an organization's row.
func (o *opener) open(org string, c content.Content, column string, row ...any) []byte {
	if o.err != nil {
		return nil
	}
	var known knownKey
	if c.Encrypted() {
		if known, o.err = o.db.dataKey(o.ctx, org); known.key == nil && o.err == nil && !known.erased {
			o.db.forgetDataKey(stockhand.OrgID(org)) // another replica has created it meanwhile
			known, o.err = o.db.dataKey(o.ctx, org)
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

// openOne is one for a row with contents.
func openOne[R, T any](ctx context.Context, db *DB, what string, row R, err error, convert func(*opener, R) T) (T,
	error) {
	o := &opener{ctx: ctx, db: db}
	got, err := one(db, what, row, err, func(row R) T { return convert(o, row) })
	if err == nil && o.err != nil {
		var none T
		return none, db.fail("read the "+what, o.err)
	}
	return got, err
}

// openMany is many for rows with contents.
func openMany[R, T any](ctx context.Context, db *DB, what string, rows []R, err error, convert func(*opener, R) T) (
	[]T, error) {
	o := &opener{ctx: ctx, db: db}
	all, err := many(db, what, rows, err, func(row R) T { return convert(o, row) })
	if err == nil && o.err != nil {
		return nil, db.fail("read the "+what, o.err)
	}
	return all, err
}
