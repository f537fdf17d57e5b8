package store

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AddPasskey stores a passkey. It returns CONFLICT when a person has it already, or the user would have more than
// mostHeld.
func (s System) AddPasskey(ctx context.Context, p stockhand.Passkey, mostHeld int, entry stockhand.AuditEntry) error {
	var synced int64
	if p.Synced {
		synced = 1
	}
	return s.db.write(ctx, "store the passkey", func(q *sqlc.Queries) error {
		if rows, err := q.HoldActiveUser(ctx, string(p.User)); err != nil || rows == 0 {
			return touched("person", rows, err)
		}
		rows, err := q.InsertPasskey(ctx, sqlc.InsertPasskeyParams{ID: string(p.ID), UserID: string(p.User),
			Name: text(p.Name), Credential: p.Credential, PublicKey: p.PublicKey, Uses: int64(p.Uses),
			Synced: synced, CreatedAt: micros(p.Created)})
		if err != nil {
			return err
		}
		if rows == 0 {
			return stockhand.Errorf(stockhand.CodeConflict, "this passkey was added already").
				WithHint("use another device, or another account of its password manager")
		}
		held, err := q.Passkeys(ctx, string(p.User))
		if err == nil && len(held) > mostHeld {
			return stockhand.Errorf(stockhand.CodeConflict, "you have %d passkeys, the maximum", mostHeld).
				WithHint("remove one that you no longer use")
		}
		if err != nil {
			return err
		}
		return s.db.auditPerson(ctx, q, p.User, "", entry)
	})
}

// Passkeys returns a user's passkeys, newest first.
func (s System) Passkeys(ctx context.Context, of stockhand.UserID) ([]stockhand.Passkey, error) {
	rows, err := s.db.read.Passkeys(ctx, string(of))
	return many(s.db, "passkeys", rows, err, passkey)
}

// PasskeyByCredential returns the passkey with the device's ID. It returns NOT_FOUND when there is none.
func (s System) PasskeyByCredential(ctx context.Context, credential []byte) (stockhand.Passkey, error) {
	row, err := s.db.read.PasskeyByCredential(ctx, credential)
	return one(s.db, "passkey", row, err, passkey)
}

// UsePasskey records a use with the device's count and time in p, and reports whether the count is later than all
// before. A device that does not count always sends 0.
func (s System) UsePasskey(ctx context.Context, p stockhand.Passkey) (first bool, err error) {
	err = s.db.write(ctx, "use the passkey", func(q *sqlc.Queries) error {
		rows, err := q.UsePasskey(ctx,
			sqlc.UsePasskeyParams{ID: string(p.ID), Uses: int64(p.Uses), At: micros(p.LastUsed)})
		first = rows == 1
		return err
	})
	return first, err
}

// RemovePasskey removes a user's passkey. Its errors are those of [System.RemoveIdentity].
func (s System) RemovePasskey(ctx context.Context, of stockhand.UserID, id stockhand.PasskeyID,
	ways *stockhand.SignInWays, entry stockhand.AuditEntry) error {
	return s.db.removeWay(ctx, of, "passkey", ways, entry, func(q *sqlc.Queries) (int64, error) {
		return q.DeletePasskey(ctx, sqlc.DeletePasskeyParams{UserID: string(of), ID: string(id)})
	})
}

func passkey(row sqlc.Passkey) stockhand.Passkey {
	return stockhand.Passkey{ID: stockhand.PasskeyID(row.ID), User: stockhand.UserID(row.UserID), Name: row.Name,
		Credential: row.Credential, PublicKey: row.PublicKey, Uses: uint32(row.Uses), Synced: row.Synced != 0,
		Created: moment(row.CreatedAt), LastUsed: moment(row.LastUsedAt)}
}
