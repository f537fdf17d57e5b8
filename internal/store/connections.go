package store

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateConnection stores a verified connection with its encrypted credential, and its audit entries. It generates an
// empty ID. It returns CONFLICT when the employee, identified by login, is already connected.
func (db *DB) CreateConnection(ctx context.Context, org stockhand.OrgID, c stockhand.Connection,
	entries ...stockhand.AuditEntry) (stockhand.Connection, error) {
	if err := belongs(org, c.Org); err != nil {
		return stockhand.Connection{}, err
	}
	rights, err := listText(c.Rights)
	if err != nil {
		return stockhand.Connection{}, err
	}
	row := sqlc.Connection{
		OrgID: string(org), ID: string(orNew(c.ID, "con")), Connector: text(c.Connector),
		AccountID: text(string(c.Account)),
		Label:     text(c.Label), Employee: text(c.Employee), Rights: rights, Sealed: blob(c.Sealed),
		CreatedAt:    micros(c.Created),
		Organization: text(c.Organization), CreatedBy: c.By, GatewayWrites: c.GatewayWrites,
		VerifiedAt: maybeMicros(c.Verified), Problem: text(c.Problem),
		Login: text(c.Login),
	}
	err = db.write(ctx, "store the connection", func(q *sqlc.Queries) error {
		if err := q.InsertConnection(ctx, sqlc.InsertConnectionParams(row)); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entries...)
	})
	if err != nil {
		return stockhand.Connection{}, err
	}
	return connection(row), nil
}

// Connection returns a connection.
func (db *DB) Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection,
	error) {
	row, err := db.read.Connection(ctx, sqlc.ConnectionParams{OrgID: string(org), ID: string(id)})
	return one(db, "connection", row, err, connection)
}

// Connections returns the organization's connections, oldest first.
func (db *DB) Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error) {
	rows, err := db.read.Connections(ctx, string(org))
	return many(db, "connections", rows, err, connection)
}

// ConnectionsOfAccount returns the connections to an external account, oldest first. Several employees may have one
// each; they share the account's limits (rule R6).
func (db *DB) ConnectionsOfAccount(ctx context.Context, org stockhand.OrgID, connector string,
	account stockhand.AccountID) ([]stockhand.Connection, error) {
	rows, err := db.read.ConnectionsOfAccount(ctx,
		sqlc.ConnectionsOfAccountParams{OrgID: string(org), Connector: connector, AccountID: string(account)})
	return many(db, "connections", rows, err, connection)
}

// ChangeConnection locks a connection, applies change to it, and stores it with the returned audit entries. The
// account, the connector and the creator of a connection never change. The function change may run more than once and
// must have no side effects; if it fails, nothing is stored.
func (db *DB) ChangeConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	change func(c *stockhand.Connection) ([]stockhand.AuditEntry, error)) (stockhand.Connection, error) {
	var out stockhand.Connection
	err := db.write(ctx, "change the connection", func(q *sqlc.Queries) error {
		row, err := q.LockConnection(ctx, sqlc.LockConnectionParams{OrgID: string(org), ID: string(id)})
		if err != nil {
			return absent("connection", err)
		}
		was := connection(row)
		c := was
		entries, err := change(&c)
		if err != nil {
			return err
		}
		c.ID, c.Org, c.Connector, c.Account, c.By, c.Created = was.ID, was.Org, was.Connector, was.Account, was.By,
			was.Created
		rights, err := listText(c.Rights)
		if err != nil {
			return err
		}
		rows, err := q.UpdateConnection(ctx, sqlc.UpdateConnectionParams{
			OrgID: string(org), ID: string(id), Label: text(c.Label), Employee: text(c.Employee), Rights: rights,
			Sealed:       blob(c.Sealed),
			Organization: text(c.Organization), GatewayWrites: c.GatewayWrites, VerifiedAt: maybeMicros(c.Verified),
			Problem: text(c.Problem),
			Login:   text(c.Login),
		})
		if err := touched("connection", rows, err); err != nil {
			return err
		}
		out = c
		return db.appendAudit(ctx, q, org, entries...)
	})
	return out, err
}

// DeleteConnection deletes a connection with its credential and stores the audit entries. Its sessions remain, without
// a connection.
func (db *DB) DeleteConnection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	entries ...stockhand.AuditEntry) error {
	return db.write(ctx, "delete the connection", func(q *sqlc.Queries) error {
		if err := q.ReleaseConnection(ctx,
			sqlc.ReleaseConnectionParams{OrgID: string(org), ConnectionID: nullable(id)}); err != nil {
			return err
		}
		rows, err := q.DeleteConnection(ctx, sqlc.DeleteConnectionParams{OrgID: string(org), ID: string(id)})
		if err := touched("connection", rows, err); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entries...)
	})
}

// ClearFacts removes what is kept of the account of a connection.
func (db *DB) ClearFacts(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "clear what is kept of an account", func(q *sqlc.Queries) error {
		if _, err := q.ClearKeptFacts(ctx, sqlc.ClearKeptFactsParams{OrgID: string(org),
			ConnectionID: string(id)}); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

func connection(row sqlc.Connection) stockhand.Connection {
	return stockhand.Connection{
		ID: stockhand.ConnectionID(row.ID), Org: stockhand.OrgID(row.OrgID), Connector: row.Connector,
		Account: stockhand.AccountID(row.AccountID),
		Label:   row.Label, Employee: row.Employee, Rights: list(row.Rights), Sealed: row.Sealed,
		Created:      moment(row.CreatedAt),
		Organization: row.Organization, By: row.CreatedBy, GatewayWrites: row.GatewayWrites,
		Verified: moment(row.VerifiedAt), Problem: row.Problem,
		Login: row.Login,
	}
}
