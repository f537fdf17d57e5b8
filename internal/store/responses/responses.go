// Package responses stores answers in the format of OpenAI's Responses API; see internal/openai.
package responses

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the responses of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
	keys *datakey.Keys
}

// New returns the store of a database.
func New(base *database.DB, keys *datakey.Keys) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys}
}

// column is where bodies are; see [content.Key.Seal].
const column = "responses.body"

// Response returns a response that has not expired.
func (s *Store) Response(ctx context.Context, org stockhand.OrgID, id stockhand.ResponseID) (stockhand.StoredResponse,
	error) {
	row, err := s.read.Response(ctx, sqlc.ResponseParams{OrgID: string(org), ID: string(id),
		Now: time.Now().UnixMicro()})
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.StoredResponse{}, missing()
	}
	out := stockhand.StoredResponse{ID: id, Session: stockhand.SessionID(row.SessionID.String), By: row.CreatedBy,
		Created: time.UnixMicro(row.CreatedAt).UTC(), Expires: time.UnixMicro(row.ExpiresAt).UTC()}
	if err == nil {
		opener := s.keys.Opener(ctx)
		out.Body = opener.Open(row.OrgID, row.Body, column, row.ID)
		err = opener.Err()
	}
	return out, s.base.Fail("read the response", err)
}

// PutResponse stores a new response.
func (s *Store) PutResponse(ctx context.Context, org stockhand.OrgID, r stockhand.StoredResponse) error {
	return s.keys.Transact(ctx, "store the response", org, func(tx *sql.Tx, key *content.Key) error {
		return sqlc.New(tx).InsertResponse(ctx, sqlc.InsertResponseParams{OrgID: string(org), ID: string(r.ID),
			SessionID: sql.NullString{String: string(r.Session), Valid: r.Session != ""},
			Body:      key.Seal(r.Body, column, string(r.ID)), CreatedBy: r.By, CreatedAt: r.Created.UnixMicro(),
			ExpiresAt: r.Expires.UnixMicro()})
	})
}

// DeleteResponse deletes a response.
func (s *Store) DeleteResponse(ctx context.Context, org stockhand.OrgID, id stockhand.ResponseID) error {
	return s.base.Transact(ctx, "delete the response", func(tx *sql.Tx) error {
		rows, err := sqlc.New(tx).DeleteResponse(ctx, sqlc.DeleteResponseParams{OrgID: string(org), ID: string(id)})
		if err == nil && rows == 0 {
			err = missing()
		}
		return err
	})
}

// batch is how many responses one transaction forgets.
const batch = 200

// Forget deletes some of the responses of all organizations that have expired, and reports whether there may be more.
func (s *Store) Forget(ctx context.Context, now time.Time) (more bool, err error) {
	err = s.base.Transact(ctx, "forget old responses", func(tx *sql.Tx) error {
		rows, err := sqlc.New(tx).ForgetResponses(ctx, sqlc.ForgetResponsesParams{Now: now.UnixMicro(), MaxRows: batch})
		more = rows == batch
		return err
	})
	return more, err
}

// missing does not reveal whether another organization has the response.
func missing() error {
	return stockhand.Errorf(stockhand.CodeNotFound, "no such response in this organization")
}
