package store

import (
	"cmp"
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateSession stores a new session. It generates an empty ID. It returns NOT_FOUND when the organization does not
// have the connection.
func (db *DB) CreateSession(ctx context.Context, org stockhand.OrgID, s stockhand.Session) (stockhand.Session, error) {
	if err := belongs(org, s.Org); err != nil {
		return stockhand.Session{}, err
	}
	created := micros(s.Created)
	row := sqlc.Session{OrgID: string(org), ID: string(orNew(s.ID, "ses")), ConnectionID: nullable(s.Connection),
		CreatedAt: created, UpdatedAt: created, Kind: string(cmp.Or(s.Kind, stockhand.SessionChat)),
		AgentID: string(s.Agent), CreatedBy: s.By}
	err := db.writeContent(ctx, "store the session", org, func(q *sqlc.Queries, key *content.Key) error {
		row.Title = key.Seal([]byte(text(s.Title)), "sessions.title", row.ID)
		return q.InsertSession(ctx, sqlc.InsertSessionParams{
			OrgID: row.OrgID, ID: row.ID, Title: row.Title, ConnectionID: row.ConnectionID, CreatedAt: created,
			Kind: row.Kind, AgentID: row.AgentID, CreatedBy: row.CreatedBy,
		})
	})
	if err != nil {
		return stockhand.Session{}, err
	}
	return openOne(ctx, db, "session", row, nil, session)
}

// Session returns a session.
func (db *DB) Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error) {
	row, err := db.read.Session(ctx, sqlc.SessionParams{OrgID: string(org), ID: string(id)})
	return openOne(ctx, db, "session", row, err, session)
}

// Sessions lists up to limit (1–200, 0 for 50) sessions of a kind (chats by default), newest first, created before the
// session with ID before; an empty ID starts at the newest. A non-empty by filters by the actor that created them. The
// last ID of a full page is the cursor for the next page, and stays valid if that session is deleted.
func (db *DB) Sessions(ctx context.Context, org stockhand.OrgID, kind stockhand.SessionKind, by string,
	before stockhand.SessionID, limit int) ([]stockhand.Session, error) {
	kind, before = cmp.Or(kind, stockhand.SessionChat), cmp.Or(before, afterEverySession)
	if by == "" {
		rows, err := db.read.SessionsOfKind(ctx,
			sqlc.SessionsOfKindParams{OrgID: string(org), Kind: string(kind), ID: string(before),
				MaxRows: bounded(limit)})
		return openMany(ctx, db, "sessions", rows, err, session)
	}
	rows, err := db.read.SessionsOfActor(ctx, sqlc.SessionsOfActorParams{OrgID: string(org), CreatedBy: by,
		Kind: string(kind), ID: string(before), MaxRows: bounded(limit)})
	return openMany(ctx, db, "sessions", rows, err, session)
}

// afterEverySession sorts after every ID: "~" is the last printable ASCII character.
const afterEverySession stockhand.SessionID = "ses_~"

// RenameSession changes a session's title.
func (db *DB) RenameSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID, title string) error {
	return db.writeContent(ctx, "rename the session", org, func(q *sqlc.Queries, key *content.Key) error {
		rows, err := q.RenameSession(ctx, sqlc.RenameSessionParams{OrgID: string(org), ID: string(id),
			Title: key.Seal([]byte(text(title)), "sessions.title", id), UpdatedAt: micros(time.Now())})
		return touched("session", rows, err)
	})
}

// SetSessionConnection sets the account of a session; an empty ID removes it.
func (db *DB) SetSessionConnection(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID,
	about stockhand.ConnectionID) error {
	return db.write(ctx, "set the session's connection", func(q *sqlc.Queries) error {
		rows, err := q.SetSessionConnection(ctx, sqlc.SetSessionConnectionParams{OrgID: string(org), ID: string(id),
			ConnectionID: nullable(about), UpdatedAt: micros(time.Now())})
		return touched("session", rows, err)
	})
}

// DeleteSession deletes a session with its messages, runs, logs, tool calls and results, and adds the entry to the
// audit log. A worker of such a run gets NOT_FOUND at its next write.
func (db *DB) DeleteSession(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "delete the session", func(q *sqlc.Queries) error {
		rows, err := q.DeleteSession(ctx, sqlc.DeleteSessionParams{OrgID: string(org), ID: string(id)})
		if err := touched("session", rows, err); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

// Message returns a message.
func (db *DB) Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error) {
	row, err := db.read.Message(ctx, sqlc.MessageParams{OrgID: string(org), ID: string(id)})
	return openOne(ctx, db, "message", row, err, message)
}

// Messages lists up to limit (1–200, 0 for 50) messages of a session in order, after the given message; an empty ID
// starts at the first.
func (db *DB) Messages(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, after stockhand.MessageID,
	limit int) ([]stockhand.Message, error) {
	var seq int64
	if after != "" {
		row, err := db.read.Message(ctx, sqlc.MessageParams{OrgID: string(org), ID: string(after)})
		if seq, err = one(db, "message", row, err, func(m sqlc.Message) int64 { return m.Seq }); err != nil {
			return nil, err
		}
	}
	rows, err := db.read.MessagesAfter(ctx,
		sqlc.MessagesAfterParams{OrgID: string(org), SessionID: string(in), Seq: seq, MaxRows: bounded(limit)})
	return openMany(ctx, db, "messages", rows, err, message)
}

// addMessage appends a message to a session. It locks the session's row first: every transaction that needs both locks
// takes the session before the run, to avoid deadlocks on Postgres.
func addMessage(ctx context.Context, q *sqlc.Queries, key *content.Key, m stockhand.Message) error {
	created := micros(m.Created)
	seq, err := q.ExtendSession(ctx, sqlc.ExtendSessionParams{OrgID: string(m.Org), ID: string(m.Session),
		UpdatedAt: created})
	if err != nil {
		return absent("session", err)
	}
	return q.InsertMessage(ctx, sqlc.InsertMessageParams{
		OrgID: string(m.Org), ID: string(m.ID), SessionID: string(m.Session), Seq: seq, Author: string(m.Author),
		Text:  key.Seal([]byte(text(m.Text)), "messages.text", m.ID),
		RunID: string(m.Run), CreatedAt: created, CreatedBy: m.By,
	})
}

func session(o *datakey.Opener, row sqlc.Session) stockhand.Session {
	return stockhand.Session{
		ID: stockhand.SessionID(row.ID), Org: stockhand.OrgID(row.OrgID),
		Title:      string(o.Open(row.OrgID, row.Title, "sessions.title", row.ID)),
		Connection: stockhand.ConnectionID(row.ConnectionID.String),
		Kind:       stockhand.SessionKind(row.Kind), Agent: stockhand.AgentID(row.AgentID), By: row.CreatedBy,
		Created: moment(row.CreatedAt), Updated: moment(row.UpdatedAt),
	}
}

func message(o *datakey.Opener, row sqlc.Message) stockhand.Message {
	return stockhand.Message{
		ID: stockhand.MessageID(row.ID), Org: stockhand.OrgID(row.OrgID), Session: stockhand.SessionID(row.SessionID),
		Author: stockhand.Author(row.Author),
		Text:   string(o.Open(row.OrgID, row.Text, "messages.text", row.ID)),
		By:     row.CreatedBy, Run: stockhand.RunID(row.RunID), Created: moment(row.CreatedAt),
	}
}
