package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateKey stores a key with the keyed hash of its secret, and its audit entry. It returns CONFLICT when the
// organization would have more than mostLive valid keys, even if keys are created concurrently.
func (db *DB) CreateKey(ctx context.Context, org stockhand.OrgID, k stockhand.Key, hash []byte, mostLive int,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "store the key",
		func(q *sqlc.Queries) error { return db.insertKey(ctx, q, org, k, hash, mostLive, entry) })
}

// ReplaceKey stores a key that replaces k.Replaces; the old key expires at ends unless it expires earlier. It returns
// CONFLICT when the old key is no longer valid, when another valid key already replaces it, or when there are too many
// keys as in [DB.CreateKey].
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
			return stockhand.Errorf(stockhand.CodeConflict, "the key was already replaced").
				WithHint("rotate %s, which replaced it, or revoke that key first if its secret was lost",
					heirs[0])
		}
		if err := db.insertKey(ctx, q, org, k, hash, mostLive, entry); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
}

// insertKey stores a key and its audit entry. Appending the entry takes a lock that serializes concurrent creations, so
// the count is exact.
func (db *DB) insertKey(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, k stockhand.Key, hash []byte,
	mostLive int,
	entry stockhand.AuditEntry) error {
	if err := belongs(org, k.Org); err != nil {
		return err
	}
	scopes, err := json.Marshal(k.Scopes)
	if err != nil {
		return err
	}
	binding, err := json.Marshal(k.Binding)
	if err != nil {
		return err
	}
	ips, err := listText(k.AllowedIPs)
	if err != nil {
		return err
	}
	if k.Parent != "" {
		rows, err := q.HoldLiveKey(ctx,
			sqlc.HoldLiveKeyParams{OrgID: string(org), ID: string(k.Parent), ExpiresAt: micros(k.Created)})
		if err == nil && rows == 0 {
			err = stockhand.Errorf(stockhand.CodeConflict, "the key that makes it is revoked or has expired").WithHint(
				"use a key that is good")
		}
		if err != nil {
			return err
		}
	}
	err = q.InsertKey(ctx, sqlc.InsertKeyParams{
		OrgID: string(org), ID: string(k.ID), Name: text(k.Name), Prefix: k.Prefix, Hash: hash, Scopes: string(scopes),
		AllowedIps: ips, Binding: string(binding),
		CreatedBy: text(k.By), CreatedAt: micros(k.Created), ExpiresAt: micros(k.Expires),
		Replaces:   string(k.Replaces),
		UsedScopes: "{}", Parent: string(k.Parent),
	})
	if err != nil {
		return err
	}
	if err := db.appendAudit(ctx, q, org, entry); err != nil {
		return err
	}
	live, err := q.CountLiveKeys(ctx, sqlc.CountLiveKeysParams{OrgID: string(org), ExpiresAt: micros(k.Created)})
	if err == nil && live > int64(mostLive) {
		return stockhand.Errorf(stockhand.CodeConflict,
			"the organization already has %d keys, the maximum", live-1).
			WithHint("revoke unused keys; the key report lists them")
	}
	return err
}

// Key returns a key.
func (db *DB) Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error) {
	row, err := db.read.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: string(id)})
	return one(db, "key", row, err, key)
}

// Keys lists up to limit (1–200, 0 for 50) keys, newest first, created before the key with ID before; an empty ID
// starts at the newest.
func (db *DB) Keys(ctx context.Context, org stockhand.OrgID, before stockhand.KeyID, limit int) ([]stockhand.Key,
	error) {
	if before == "" {
		before = "key_~" // sorts after every ID
	}
	rows, err := db.read.KeysBefore(ctx,
		sqlc.KeysBeforeParams{OrgID: string(org), ID: string(before), MaxRows: bounded(limit)})
	return many(db, "keys", rows, err, key)
}

// LiveKeys returns the keys that are valid at the given time, newest first.
func (db *DB) LiveKeys(ctx context.Context, org stockhand.OrgID, at time.Time) ([]stockhand.Key, error) {
	rows, err := db.read.LiveKeys(ctx, sqlc.LiveKeysParams{OrgID: string(org), ExpiresAt: micros(at)})
	return many(db, "keys", rows, err, key)
}

// RevokeKey revokes a key, and with tree those that it created, and returns what ended. What is revoked already stays
// as it is. There is an audit entry for each key that ends: the given one with the key's id as its detail.
func (db *DB) RevokeKey(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID, tree bool,
	entry stockhand.AuditEntry) (ended stockhand.Revocation, err error) {
	err = db.write(ctx, "revoke the key", func(q *sqlc.Queries) error {
		ended = stockhand.Revocation{}
		if err := db.revokeKey(ctx, q, org, id, tree, entry, &ended); err != nil {
			return err
		}
		row, err := q.Key(ctx, sqlc.KeyParams{OrgID: string(org), ID: string(id)})
		if err != nil {
			return absent("key", err)
		}
		ended.Key = key(row)
		ended.Also = slices.DeleteFunc(ended.Also, func(k stockhand.KeyID) bool { return k == id })
		return nil
	})
	return ended, err
}

// revokeKey ends a key with what it was doing, and with tree those that it created. It adds to ended all that ends. A
// parent is ended before its children are looked for, so none can be added meanwhile.
func (db *DB) revokeKey(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.KeyID, tree bool,
	entry stockhand.AuditEntry, ended *stockhand.Revocation) error {
	rows, err := q.RevokeKey(ctx, sqlc.RevokeKeyParams{OrgID: string(org), ID: string(id), RevokedAt: micros(entry.At)})
	if err != nil {
		return err
	}
	var children []string
	if tree {
		if children, err = q.ChildKeys(ctx, sqlc.ChildKeysParams{OrgID: string(org), Parent: string(id)}); err != nil {
			return err
		}
	}
	if rows > 0 {
		actor := "key:" + string(id)
		if err := endInvitationsBy(ctx, q, org, actor); err != nil {
			return err
		}
		runs, err := cancelRunsBy(ctx, q, org, actor, entry.At)
		if err != nil {
			return err
		}
		ended.Also, ended.Runs = append(ended.Also, id), ended.Runs+runs
		if entry.Detail, err = json.Marshal(map[string]stockhand.KeyID{"key_id": id}); err != nil {
			return err
		}
		if err := db.appendAudit(ctx, q, org, entry); err != nil {
			return err
		}
		if err := q.RaiseAuthVersion(ctx); err != nil {
			return err
		}
	}
	for _, child := range children {
		if err := db.revokeKey(ctx, q, org, stockhand.KeyID(child), tree, entry, ended); err != nil {
			return err
		}
	}
	return nil
}

// NoteKeyUses stores when keys were last used, and for which scopes, from the fields ID, LastUsed and Used. It never
// replaces a later time by an earlier one.
func (db *DB) NoteKeyUses(ctx context.Context, org stockhand.OrgID, keys []stockhand.Key) error {
	return db.write(ctx, "store the last uses of keys", func(q *sqlc.Queries) error {
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

// laterUses merges the uses into the column, keeping the later time of each scope, and reports whether the column
// changes.
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

// scopeUses decodes the time of each scope's last use, in microseconds. The column only ever contains what laterUses
// wrote.
func scopeUses(column string) (used map[stockhand.Scope]int64) {
	_ = json.Unmarshal([]byte(column), &used)
	return used
}

// KeyCredential finds a key of any organization by its keyed hash. It returns NOT_FOUND when there is none.
func (s System) KeyCredential(ctx context.Context, hash []byte) (stockhand.Credential, error) {
	row, err := s.db.read.KeyCredential(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.Credential{}, stockhand.Errorf(stockhand.CodeNotFound, "no such key")
	}
	if err != nil {
		return stockhand.Credential{}, s.db.fail("look up a key", err)
	}
	k := key(row.ApiKey)
	return stockhand.Credential{Hash: row.ApiKey.Hash, Version: row.Version, Key: &k,
		Policy: policy(row.Policy)}, nil
}

// AuthVersion returns a number that grows with every change that revokes or changes a permission. Processes that cache
// callers drop their cache when it grows. The number is raised in the same transaction as the change, and such
// transactions commit in the order of their numbers.
func (s System) AuthVersion(ctx context.Context) (int64, error) {
	version, err := s.db.read.AuthVersion(ctx)
	return version, s.db.fail("read the authentication version", err)
}

func key(row sqlc.ApiKey) stockhand.Key {
	k := stockhand.Key{
		ID: stockhand.KeyID(row.ID), Org: stockhand.OrgID(row.OrgID), Name: row.Name, Prefix: row.Prefix,
		AllowedIPs: list(row.AllowedIps),
		By:         row.CreatedBy, Created: moment(row.CreatedAt), Expires: moment(row.ExpiresAt),
		LastUsed: moment(row.LastUsedAt),
		Revoked:  moment(row.RevokedAt), Replaces: stockhand.KeyID(row.Replaces), Parent: stockhand.KeyID(row.Parent),
		Used: map[stockhand.Scope]time.Time{},
	}
	if json.Unmarshal([]byte(row.Binding), &k.Binding) != nil { // what cannot be read must not mean everything
		k.Binding = stockhand.Binding{Connections: []stockhand.ConnectionID{"con_unreadable"},
			Agents: []stockhand.AgentID{"agt_unreadable"}}
	}
	for _, scope := range list(row.Scopes) {
		k.Scopes = append(k.Scopes, stockhand.Scope(scope))
	}
	for scope, us := range scopeUses(row.UsedScopes) {
		k.Used[scope] = moment(us)
	}
	return k
}
