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
		return q.InsertOrganization(ctx, sqlc.InsertOrganizationParams(row))
	})
	if err != nil {
		return stockhand.Organization{}, err
	}
	return organization(row), nil
}

// Organization returns the organization.
func (db *DB) Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error) {
	row, err := db.read.Organization(ctx, string(org))
	return one(db, "organization", row, err, organization)
}

func organization(row sqlc.Organization) stockhand.Organization {
	return stockhand.Organization{ID: stockhand.OrgID(row.ID), Name: row.Name, Created: moment(row.CreatedAt)}
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
