package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateOrganization stores a new tenant under that id. CONFLICT when the id is taken.
func (db *DB) CreateOrganization(ctx context.Context, org stockhand.OrgID, name string) (stockhand.Organization, error) {
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

// Organization returns the tenant itself.
func (db *DB) Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error) {
	row, err := db.read.Organization(ctx, string(org))
	return one(db, "organization", row, err, organization)
}

// CreateConnection stores a verified and sealed credential. An empty id is filled in.
func (db *DB) CreateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection) (stockhand.Connection, error) {
	if err := belongs(org, c.Org); err != nil {
		return stockhand.Connection{}, err
	}
	rights, err := listText(c.Rights)
	if err != nil {
		return stockhand.Connection{}, err
	}
	row := sqlc.Connection{
		OrgID: string(org), ID: string(orNew(c.ID, "con")), Connector: text(c.Connector), AccountID: text(string(c.Account)),
		Label: text(c.Label), Employee: text(c.Employee), Rights: rights, Sealed: blob(c.Sealed), CreatedAt: micros(c.Created),
		Organization: text(c.Organization), CreatedBy: c.By, GatewayWrites: c.GatewayWrites, VerifiedAt: maybeMicros(c.Verified), Problem: text(c.Problem),
	}
	err = db.write(ctx, "store the connection", func(q *sqlc.Queries) error {
		return q.InsertConnection(ctx, sqlc.InsertConnectionParams(row))
	})
	if err != nil {
		return stockhand.Connection{}, err
	}
	return connection(row), nil
}

// Connection returns one connection.
func (db *DB) Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error) {
	row, err := db.read.Connection(ctx, sqlc.ConnectionParams{OrgID: string(org), ID: string(id)})
	return one(db, "connection", row, err, connection)
}

// Connections returns the organization's connections, the oldest first.
func (db *DB) Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error) {
	rows, err := db.read.Connections(ctx, string(org))
	return many(db, "connections", rows, err, connection)
}

// ConnectionsOfAccount returns the connections to one external account, the oldest first: there may be several, of
// several employees, and they share the account's limits (product.md, section 5).
func (db *DB) ConnectionsOfAccount(ctx context.Context, org stockhand.OrgID, connector string, account stockhand.AccountID) ([]stockhand.Connection, error) {
	rows, err := db.read.ConnectionsOfAccount(ctx, sqlc.ConnectionsOfAccountParams{OrgID: string(org), Connector: connector, AccountID: string(account)})
	return many(db, "connections", rows, err, connection)
}

// UpdateConnection replaces what may change of a connection: its label, the employee and rights as verified anew, and
// the sealed credential. Its account never changes: another account is another connection.
func (db *DB) UpdateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection) error {
	rights, err := listText(c.Rights)
	if err != nil {
		return err
	}
	return db.write(ctx, "update the connection", func(q *sqlc.Queries) error {
		rows, err := q.UpdateConnection(ctx, sqlc.UpdateConnectionParams{
			OrgID: string(org), ID: string(c.ID), Label: text(c.Label), Employee: text(c.Employee), Rights: rights, Sealed: blob(c.Sealed),
			Organization: text(c.Organization), GatewayWrites: c.GatewayWrites, VerifiedAt: maybeMicros(c.Verified), Problem: text(c.Problem),
		})
		return touched("connection", rows, err)
	})
}

// DeleteConnection forgets a connection and its credential. Sessions that were about it stay, about no account.
func (db *DB) DeleteConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) error {
	return db.write(ctx, "delete the connection", func(q *sqlc.Queries) error {
		if err := q.ReleaseConnection(ctx, sqlc.ReleaseConnectionParams{OrgID: string(org), ConnectionID: nullable(id)}); err != nil {
			return err
		}
		rows, err := q.DeleteConnection(ctx, sqlc.DeleteConnectionParams{OrgID: string(org), ID: string(id)})
		return touched("connection", rows, err)
	})
}

func organization(row sqlc.Organization) stockhand.Organization {
	return stockhand.Organization{ID: stockhand.OrgID(row.ID), Name: row.Name, Created: moment(row.CreatedAt)}
}

func connection(row sqlc.Connection) stockhand.Connection {
	return stockhand.Connection{
		ID: stockhand.ConnectionID(row.ID), Org: stockhand.OrgID(row.OrgID), Connector: row.Connector, Account: stockhand.AccountID(row.AccountID),
		Label: row.Label, Employee: row.Employee, Rights: list(row.Rights), Sealed: row.Sealed, Created: moment(row.CreatedAt),
		Organization: row.Organization, By: row.CreatedBy, GatewayWrites: row.GatewayWrites, Verified: moment(row.VerifiedAt), Problem: row.Problem,
	}
}

// listText is a list of words as a column holds it.
func listText(words []string) (string, error) {
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = text(w)
	}
	b, err := json.Marshal(clean)
	return string(b), err
}

// list reads what listText wrote; nothing else is ever in such a column.
func list(column string) []string {
	var words []string
	_ = json.Unmarshal([]byte(column), &words)
	return words
}

// blob is never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
