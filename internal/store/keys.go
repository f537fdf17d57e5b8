package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateKey stores a key under the keyed hash of its secret, and the audit entry for it. CONFLICT when the
// organization would have more than mostLive keys that are good at the key's creation, even if others make keys at that
// moment.
func (db *DB) CreateKey(ctx context.Context, org stockhand.OrgID, k stockhand.Key, hash []byte, mostLive int,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "store the key",
		func(q *sqlc.Queries) error { return insertKey(ctx, q, org, k, hash, mostLive, entry) })
}

// ReplaceKey stores a key that takes over from k.Replaces, which ends at that time unless it ends before. CONFLICT when
// the old key is not good any more, or another good key took over from it already, or with too many keys as in
// CreateKey.
func (db *DB) ReplaceKey(ctx context.Context, org stockhand.OrgID, ends time.Time, k stockhand.Key, hash []byte,
	mostLive int, entry stockhand.AuditEntry) error {
	return db.write(ctx, "replace the key", func(q *sqlc.Queries) error {
		now := micros(k.Created)
		rows, err := q.EndKey(ctx, sqlc.EndKeyParams{OrgID: string(org), ID: string(k.Replaces), EndsAt: micros(ends),
			At: now})
		if err != nil {
			return err
		}
		if rows == 0 {
			if _, err := q.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: string(k.Replaces)}); err != nil {
				return absent("key", err)
			}
			return stockhand.Errorf(stockhand.CodeConflict, "the key is revoked or has expired").WithHint(
				"create a new key instead")
		}
		heirs, err := q.LiveReplacements(ctx,
			sqlc.LiveReplacementsParams{OrgID: string(org), Replaces: string(k.Replaces), ExpiresAt: now})
		if err != nil {
			return err
		}
		if len(heirs) > 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "the key was replaced already").
				WithHint("rotate %s, which took over from it, or revoke that one first when its secret was lost",
					heirs[0])
		}
		if err := insertKey(ctx, q, org, k, hash, mostLive, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

// insertKey stores a key and its entry. The entry's lock orders those who make keys at once, so that they can be
// counted.
func insertKey(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, k stockhand.Key, hash []byte, mostLive int,
	entry stockhand.AuditEntry) error {
	if err := belongs(org, k.Org); err != nil {
		return err
	}
	scopes, err := json.Marshal(k.Scopes)
	if err != nil {
		return err
	}
	ips, err := listText(k.AllowedIPs)
	if err != nil {
		return err
	}
	err = q.InsertKey(ctx, sqlc.InsertKeyParams{
		OrgID: string(org), ID: string(k.ID), Name: text(k.Name), Prefix: k.Prefix, Hash: hash, Scopes: string(scopes),
		AllowedIps: ips,
		CreatedBy:  text(k.By), CreatedAt: micros(k.Created), ExpiresAt: micros(k.Expires),
		Replaces:   string(k.Replaces),
		UsedScopes: "{}",
	})
	if err != nil {
		return err
	}
	if err := appendAudit(ctx, q, org, entry); err != nil {
		return err
	}
	live, err := q.CountLiveKeys(ctx, sqlc.CountLiveKeysParams{OrgID: string(org), ExpiresAt: micros(k.Created)})
	if err == nil && live > int64(mostLive) {
		return stockhand.Errorf(stockhand.CodeConflict,
			"the organization has %d keys already, which is the most it may have", live-1).
			WithHint("revoke keys that are no longer used; the report on keys names them")
	}
	return err
}

// Key returns one key.
func (db *DB) Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error) {
	row, err := db.read.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: string(id)})
	return one(db, "key", row, err, key)
}

// Keys lists keys, the newest first: at most limit (1–200, 0 for 50) of those made before the key that ended the page
// before; an empty id begins at the newest.
func (db *DB) Keys(ctx context.Context, org stockhand.OrgID, before stockhand.KeyID, limit int) ([]stockhand.Key,
	error) {
	if before == "" {
		before = "key_~" // sorts behind every id
	}
	rows, err := db.read.KeysBefore(ctx,
		sqlc.KeysBeforeParams{OrgID: string(org), ID: string(before), MaxRows: bounded(limit)})
	return many(db, "keys", rows, err, key)
}

// LiveKeys returns the keys that are good at that moment, the newest first.
func (db *DB) LiveKeys(ctx context.Context, org stockhand.OrgID, at time.Time) ([]stockhand.Key, error) {
	rows, err := db.read.LiveKeys(ctx, sqlc.LiveKeysParams{OrgID: string(org), ExpiresAt: micros(at)})
	return many(db, "keys", rows, err, key)
}

// RevokeKey ends a key, with the audit entry for it, and returns it. A key that is revoked already stays as it is.
func (db *DB) RevokeKey(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID, at time.Time,
	entry stockhand.AuditEntry) (k stockhand.Key, err error) {
	err = db.write(ctx, "revoke the key", func(q *sqlc.Queries) error {
		rows, err := q.RevokeKey(ctx, sqlc.RevokeKeyParams{OrgID: string(org), ID: string(id), RevokedAt: micros(at)})
		if err != nil {
			return err
		}
		row, err := q.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: string(id)})
		if err != nil {
			return absent("key", err)
		}
		k = key(row)
		if rows == 0 {
			return nil
		}
		if err := appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
	return k, err
}

// NoteKeyUses stores when keys were used last, and for which scopes: of each key its ID, LastUsed and Used are looked
// at. What is known to be later stays.
func (db *DB) NoteKeyUses(ctx context.Context, org stockhand.OrgID, keys []stockhand.Key) error {
	return db.write(ctx, "note the use of keys", func(q *sqlc.Queries) error {
		for _, k := range keys {
			found, err := q.TouchKey(ctx,
				sqlc.TouchKeyParams{OrgID: string(org), ID: string(k.ID), At: micros(k.LastUsed)})
			if err != nil {
				return err
			}
			if len(found) == 0 || len(k.Used) == 0 {
				continue
			}
			column, changed, err := laterUses(found[0], k.Used)
			if err != nil {
				return err
			}
			if !changed {
				continue
			}
			if err := q.SetKeyScopeUses(ctx,
				sqlc.SetKeyScopeUsesParams{OrgID: string(org), ID: string(k.ID), UsedScopes: column}); err != nil {
				return err
			}
		}
		return nil
	})
}

// laterUses puts the later of both together, and reports whether that differs from the column.
func laterUses(column string, used map[stockhand.Scope]time.Time) (merged string, changed bool, err error) {
	known := scopeUses(column)
	if known == nil {
		known = map[stockhand.Scope]int64{}
	}
	for scope, at := range used {
		if us := micros(at); us > known[scope] {
			known[scope], changed = us, true
		}
	}
	b, err := json.Marshal(known)
	return string(b), changed, err
}

// scopeUses reads the microsecond of each scope's last use; nothing else is ever in such a column.
func scopeUses(column string) (used map[stockhand.Scope]int64) {
	_ = json.Unmarshal([]byte(column), &used)
	return used
}

// KeyCredential returns the key that has that keyed hash, of whichever organization: which one it is follows from the
// key. NOT_FOUND when there is none.
func (s System) KeyCredential(ctx context.Context, hash []byte) (stockhand.Credential, error) {
	row, err := s.db.read.KeyCredential(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.Credential{}, stockhand.Errorf(stockhand.CodeNotFound, "no such key")
	}
	if err != nil {
		return stockhand.Credential{}, s.db.fail("look up a key", err)
	}
	k := key(row.ApiKey)
	return stockhand.Credential{Hash: row.ApiKey.Hash, Version: row.Version, Key: &k}, nil
}

// AuthVersion returns the number that grows with every change that takes a right away or moves it. A process that
// remembers callers forgets them when it moves. A change and its number are one transaction, and such transactions end
// in the order of their numbers.
func (s System) AuthVersion(ctx context.Context) (int64, error) {
	version, err := s.db.read.AuthVersion(ctx)
	return version, s.db.fail("read the version of who may call", err)
}

func key(row sqlc.ApiKey) stockhand.Key {
	k := stockhand.Key{
		ID: stockhand.KeyID(row.ID), Org: stockhand.OrgID(row.OrgID), Name: row.Name, Prefix: row.Prefix,
		AllowedIPs: list(row.AllowedIps),
		By:         row.CreatedBy, Created: moment(row.CreatedAt), Expires: moment(row.ExpiresAt),
		LastUsed: moment(row.LastUsedAt),
		Revoked:  moment(row.RevokedAt), Replaces: stockhand.KeyID(row.Replaces), Used: map[stockhand.Scope]time.Time{},
	}
	for _, scope := range list(row.Scopes) {
		k.Scopes = append(k.Scopes, stockhand.Scope(scope))
	}
	for scope, us := range scopeUses(row.UsedScopes) {
		k.Used[scope] = moment(us)
	}
	return k
}
