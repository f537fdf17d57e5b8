package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateOrganization stores a new organization. It returns CONFLICT when the ID is taken.
func (db *DB) CreateOrganization(ctx context.Context, org stockhand.OrgID, name string) (stockhand.Organization,
	error) {
	row := sqlc.Organization{ID: string(org), Name: text(name), CreatedAt: micros(time.Now())}
	err := db.write(ctx, "store the organization", func(q *sqlc.Queries) error {
		if err := belongs(org, org); err != nil {
			return err
		}
		return q.InsertOrganization(ctx, sqlc.InsertOrganizationParams{ID: row.ID, Name: row.Name,
			CreatedAt: row.CreatedAt})
	})
	return organization(row), err
}

// Organization returns the organization.
func (db *DB) Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error) {
	row, err := db.read.Organization(ctx, string(org))
	return one(db, "organization", row, err, organization)
}

func organization(row sqlc.Organization) stockhand.Organization {
	return stockhand.Organization{ID: stockhand.OrgID(row.ID), Name: row.Name, Created: moment(row.CreatedAt),
		Policy: policy(row.Policy)}
}

// policy reads what ChangePolicy wrote; nothing else is ever in such a column.
func policy(column string) (p stockhand.Policy) {
	_ = json.Unmarshal([]byte(column), &p)
	return p
}

// ChangePolicy changes what the organization demands of keys and tokens, with the audit entry for it, and returns what
// holds now.
func (db *DB) ChangePolicy(ctx context.Context, org stockhand.OrgID, change func(*stockhand.Policy),
	entry stockhand.AuditEntry) (now stockhand.Policy, err error) {
	err = db.write(ctx, "change the policy", func(q *sqlc.Queries) error {
		if err := db.appendAudit(ctx, q, org, entry); err != nil { // first: its lock orders those who change it at once
			return err
		}
		row, err := q.Organization(ctx, string(org))
		if err != nil {
			return absent("organization", err)
		}
		now = policy(row.Policy)
		change(&now)
		column, err := json.Marshal(now)
		if err != nil {
			return err
		}
		rows, err := q.PutOrganizationPolicy(ctx,
			sqlc.PutOrganizationPolicyParams{ID: string(org), Policy: string(column)})
		if err := touched("organization", rows, err); err != nil {
			return err
		}
		return q.RaiseAuthVersion(ctx)
	})
	return now, err
}

// listText encodes a list of strings for a column.
func listText(words []string) (string, error) {
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = text(w)
	}
	b, err := json.Marshal(clean)
	return string(b), err
}

// list decodes a column written by listText.
func list(column string) []string {
	var words []string
	_ = json.Unmarshal([]byte(column), &words)
	return words
}

// blob replaces nil, which would be NULL, with an empty slice.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
