package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateDraft stores a draft as version 1 with its documents and audit entry. It generates an empty ID. It returns
// CONFLICT when one of its documents already exists.
func (db *DB) CreateDraft(ctx context.Context, org stockhand.OrgID, d stockhand.Draft, entry stockhand.AuditEntry) (
	stockhand.Draft, error) {
	if err := belongs(org, d.Org); err != nil {
		return stockhand.Draft{}, err
	}
	body, err := object("the draft", d.Body)
	if err != nil {
		return stockhand.Draft{}, err
	}
	created := micros(d.Created)
	row := sqlc.Draft{
		OrgID: string(org), ID: string(orNew(d.ID, "drf")), SessionID: string(d.Session), RunID: string(d.Run),
		ConnectionID: string(d.Connection),
		AccountID:    text(string(d.Account)), Tool: text(d.Tool), Language: string(d.Language),
		Version: 1,
		Undoes:  string(d.Undoes), CreatedAt: created, ExpiresAt: micros(d.Expires), CreatedBy: d.By, Editors: "[]",
	}
	entry.Draft, entry.Version = stockhand.DraftID(row.ID), 1
	err = db.writeContent(ctx, "store the draft", org, func(q *sqlc.Queries, key *content.Key) error {
		row.Title = key.Seal([]byte(text(d.Title)), "drafts.title", row.ID)
		if err := q.InsertDraft(ctx, sqlc.InsertDraftParams(row)); err != nil {
			return err
		}
		if err := q.InsertDraftVersion(ctx,
			sqlc.InsertDraftVersionParams{OrgID: row.OrgID, DraftID: row.ID, Version: 1, MadeAt: created,
				Body: key.Seal([]byte(body), "draft_versions.body", row.ID, 1)}); err != nil {
			return err
		}
		for i, doc := range d.Documents {
			err := q.InsertDraftDocument(ctx, sqlc.InsertDraftDocumentParams{
				OrgID: row.OrgID, ID: string(doc.ID), DraftID: row.ID, Position: int64(i + 1),
				State: string(stockhand.DocumentPending), UpdatedAt: created,
			})
			if err != nil {
				return err
			}
		}
		return db.appendAudit(ctx, q, org, entry)
	})
	if err != nil {
		return stockhand.Draft{}, err
	}
	return db.Draft(ctx, org, stockhand.DraftID(row.ID))
}

// Draft returns a draft with its current version, that version's content and its documents, read in one snapshot.
func (db *DB) Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (d stockhand.Draft, err error) {
	var rows draftRows
	err = db.snapshot(ctx, "read the draft", func(q *sqlc.Queries) error {
		row, err := q.Draft(ctx, sqlc.DraftParams{OrgID: string(org), ID: string(id)})
		if err != nil {
			return absent("draft", err)
		}
		rows, err = wholeDraft(ctx, q, row)
		return err
	})
	if err != nil {
		return stockhand.Draft{}, err
	}
	return openOne(ctx, db, "draft", rows, nil, draft)
}

// Drafts lists up to limit (1–200, 0 for 50) drafts, newest first, created before the draft with ID before; an empty ID
// starts at the newest. A non-empty by filters by the actor that the draft was created for, and a non-empty state by
// the state of at least one document.
func (db *DB) Drafts(ctx context.Context, org stockhand.OrgID, by string, state stockhand.DocumentState,
	before stockhand.DraftID, limit int) ([]stockhand.Draft, error) {
	before = cmp.Or(before, afterEveryDraft)
	return db.drafts(ctx, func(q *sqlc.Queries) ([]sqlc.Draft, error) {
		switch {
		case state != "":
			return q.DraftsInState(ctx, sqlc.DraftsInStateParams{OrgID: string(org), ID: string(before), Actor: by,
				State: string(state), MaxRows: bounded(limit)})
		case by != "":
			return q.DraftsOfActor(ctx, sqlc.DraftsOfActorParams{OrgID: string(org), CreatedBy: by, ID: string(before),
				MaxRows: bounded(limit)})
		}
		return q.DraftsBefore(ctx, sqlc.DraftsBeforeParams{OrgID: string(org), ID: string(before),
			MaxRows: bounded(limit)})
	})
}

// afterEveryDraft sorts after every ID: "~" is the last printable ASCII character.
const afterEveryDraft stockhand.DraftID = "drf_~"

// DraftsUndoing returns the drafts that undo the given draft, oldest first.
func (db *DB) DraftsUndoing(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) ([]stockhand.Draft, error) {
	return db.drafts(ctx, func(q *sqlc.Queries) ([]sqlc.Draft, error) {
		return q.DraftsUndoing(ctx, sqlc.DraftsUndoingParams{OrgID: string(org), Undoes: string(id)})
	})
}

// UnsettledDrafts lists the drafts with confirmed documents that are not finished, to resume them after a restart. Use
// [DB.ChangeDraft] to claim a document before working on it.
func (s System) UnsettledDrafts(ctx context.Context) ([]stockhand.Draft, error) {
	return s.db.drafts(ctx, func(q *sqlc.Queries) ([]sqlc.Draft, error) { return q.UnsettledDrafts(ctx) })
}

// WrittenSince reports whether any document of a draft for an account was decided on or sent after a time.
func (db *DB) WrittenSince(ctx context.Context, org stockhand.OrgID, account stockhand.AccountID, since time.Time) (
	bool, error) {
	n, err := db.read.WrittenSince(ctx, sqlc.WrittenSinceParams{OrgID: string(org), AccountID: string(account),
		UpdatedAt: micros(since)})
	return n > 0, db.fail("look for documents that were sent", err)
}

// DraftVersion returns the content of a version of a draft, current or past.
func (db *DB) DraftVersion(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID,
	version int64) (json.RawMessage, error) {
	row, err := db.read.DraftVersion(ctx,
		sqlc.DraftVersionParams{OrgID: string(org), DraftID: string(id), Version: version})
	return openOne(ctx, db, "version of the draft", row, err, proposal)
}

// ChangeDraft applies a change and its audit entries to a draft in one transaction. It sets the draft of the entries,
// and their version if they have none. It returns DRAFT_CHANGED when the change is based on an outdated version,
// CONFLICT when another worker changed the state of one of the documents or a setting that the change is based on, and
// the refusal of [stockhand.WriteStop] when it leads to a write while writes are stopped.
func (db *DB) ChangeDraft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID,
	c stockhand.DraftChange) error {
	if c.Body != nil && c.Version == 0 {
		return stockhand.Errorf(stockhand.CodeInternal, "a new version must name the version that it is based on")
	}
	return db.writeContent(ctx, "change the draft", org, func(q *sqlc.Queries, key *content.Key) error {
		version, err := holdDraft(ctx, q, key, org, id, c)
		if err != nil {
			return err
		}
		for _, doc := range c.Drop {
			rows, err := q.DropDraftDocument(ctx,
				sqlc.DropDraftDocumentParams{OrgID: string(org), DraftID: string(id), ID: string(doc)})
			if err := moved(doc, rows, err); err != nil {
				return err
			}
		}
		if err := addDocuments(ctx, q, org, id, c.Add); err != nil {
			return err
		}
		for _, m := range c.Moves {
			if err := moveDocument(ctx, q, key, org, id, m); err != nil {
				return err
			}
		}
		entries := slices.Clone(c.Audit)
		for i := range entries {
			entries[i].Draft = id
			entries[i].Version = cmp.Or(entries[i].Version, version)
		}
		if err := db.appendAudit(ctx, q, org, entries...); err != nil {
			return err
		}
		// last: the lock of the audit log orders this against changes of settings
		return standing(ctx, q, org, c)
	})
}

// addDocuments adds pending documents after those of a draft.
func addDocuments(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.DraftID,
	add []stockhand.DocumentID) error {
	if len(add) == 0 {
		return nil
	}
	documents, err := q.DraftDocuments(ctx, sqlc.DraftDocumentsParams{OrgID: string(org), DraftID: string(id)})
	if err != nil {
		return err
	}
	last := int64(0)
	for _, d := range documents {
		last = max(last, d.Position)
	}
	for i, doc := range add {
		err := q.InsertDraftDocument(ctx, sqlc.InsertDraftDocumentParams{
			OrgID: string(org), ID: string(doc), DraftID: string(id), Position: last + int64(i+1),
			State: string(stockhand.DocumentPending), UpdatedAt: micros(time.Now()),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// standing reports whether what a change is based on still holds.
func standing(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, c stockhand.DraftChange) error {
	for name, value := range c.Given {
		now, err := q.SettingOf(ctx, sqlc.SettingOfParams{OrgID: string(org), Name: string(name)})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if now != value {
			return stockhand.Errorf(stockhand.CodeConflict, "the setting %s has changed meanwhile", name)
		}
	}
	if !c.Writes {
		return nil
	}
	key, err := q.DataKey(ctx, string(org))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if key.ErasedAt != 0 {
		return ErrErased
	}
	stop, err := writeStop(ctx, q, org)
	if err != nil {
		return err
	}
	return stop.Refusal()
}

// holdDraft checks the version, stores the next one if the change has a body, and returns the current version.
func holdDraft(ctx context.Context, q *sqlc.Queries, key *content.Key, org stockhand.OrgID, id stockhand.DraftID,
	c stockhand.DraftChange) (int64, error) {
	var rows int64
	var err error
	switch {
	case c.Version == 0:
		row, err := q.Draft(ctx, sqlc.DraftParams{OrgID: string(org), ID: string(id)})
		return row.Version, absent("draft", err)
	case c.Body == nil:
		rows, err = q.HoldDraft(ctx, sqlc.HoldDraftParams{OrgID: string(org), ID: string(id), Version: c.Version})
	default:
		var editors string
		if editors, err = listText(c.Editors); err != nil {
			return 0, err
		}
		rows, err = q.AdvanceDraft(ctx, sqlc.AdvanceDraftParams{OrgID: string(org), ID: string(id), Version: c.Version,
			Editors: editors})
	}
	if err != nil {
		return 0, err
	}
	if rows == 0 {
		row, err := q.Draft(ctx, sqlc.DraftParams{OrgID: string(org), ID: string(id)})
		if err != nil {
			return 0, absent("draft", err)
		}
		return 0, stockhand.Errorf(stockhand.CodeDraftChanged, "the draft is at version %d, not %d", row.Version,
			c.Version)
	}
	if c.Body == nil {
		return c.Version, nil
	}
	body, err := object("the draft", c.Body)
	if err != nil {
		return 0, err
	}
	return c.Version + 1, q.InsertDraftVersion(ctx, sqlc.InsertDraftVersionParams{
		OrgID: string(org), DraftID: string(id), Version: c.Version + 1, MadeAt: micros(time.Now()),
		Body: key.Seal([]byte(body), "draft_versions.body", id, c.Version+1),
	})
}

func moveDocument(ctx context.Context, q *sqlc.Queries, key *content.Key, org stockhand.OrgID, id stockhand.DraftID,
	m stockhand.DocumentMove) error {
	outcome := ""
	if len(m.To.Outcome) > 0 {
		var err error
		if outcome, err = object("an outcome", m.To.Outcome); err != nil {
			return err
		}
	}
	rows, err := q.MoveDraftDocument(ctx, sqlc.MoveDraftDocumentParams{
		OrgID: string(org), DraftID: string(id), ID: string(m.To.ID), SeenState: string(m.From), SeenAttempt: m.Attempt,
		State: string(m.To.State), Version: m.To.Version, Fingerprint: m.To.Fingerprint,
		ApprovedBy: text(m.To.ApprovedBy), Approved: m.To.Approved, ConfirmedBy: text(m.To.ConfirmedBy),
		Attempt: m.To.Attempt,
		Outcome: key.Seal([]byte(outcome), "draft_documents.outcome", m.To.ID),
		Problem: key.Seal([]byte(text(m.To.Problem)), "draft_documents.problem", m.To.ID), At: micros(m.To.Updated),
	})
	return moved(m.To.ID, rows, err)
}

// moved returns CONFLICT if a conditional update matched no row.
func moved(doc stockhand.DocumentID, rows int64, err error) error {
	if err == nil && rows == 0 {
		return stockhand.Errorf(stockhand.CodeConflict,
			"the state of document %s has changed meanwhile", doc)
	}
	return err
}

func (db *DB) drafts(ctx context.Context, list func(q *sqlc.Queries) ([]sqlc.Draft, error)) (all []stockhand.Draft,
	err error) {
	var rows []draftRows
	err = db.snapshot(ctx, "read the drafts", func(q *sqlc.Queries) error {
		heads, err := list(q)
		if err != nil {
			return err
		}
		rows = make([]draftRows, len(heads))
		for i, head := range heads {
			if rows[i], err = wholeDraft(ctx, q, head); err != nil {
				return err
			}
		}
		return nil
	})
	return openMany(ctx, db, "drafts", rows, err, draft)
}

// draftRows is a draft as the database has it.
type draftRows struct {
	head      sqlc.Draft
	version   sqlc.DraftVersion // the current one
	documents []sqlc.DraftDocument
}

func wholeDraft(ctx context.Context, q *sqlc.Queries, head sqlc.Draft) (d draftRows, err error) {
	d.head = head
	d.version, err = q.DraftVersion(ctx, sqlc.DraftVersionParams{OrgID: head.OrgID, DraftID: head.ID,
		Version: head.Version})
	if err != nil {
		return d, err
	}
	d.documents, err = q.DraftDocuments(ctx, sqlc.DraftDocumentsParams{OrgID: head.OrgID, DraftID: head.ID})
	return d, err
}

func draft(o *datakey.Opener, rows draftRows) stockhand.Draft {
	row := rows.head
	d := stockhand.Draft{
		ID: stockhand.DraftID(row.ID), Org: stockhand.OrgID(row.OrgID), Session: stockhand.SessionID(row.SessionID),
		Run:        stockhand.RunID(row.RunID),
		Connection: stockhand.ConnectionID(row.ConnectionID), Account: stockhand.AccountID(row.AccountID),
		Tool: row.Tool, Title: string(o.Open(row.OrgID, row.Title, "drafts.title", row.ID)),
		Language: stockhand.Language(row.Language), Version: row.Version, Body: proposal(o, rows.version),
		Undoes:  stockhand.DraftID(row.Undoes),
		Created: moment(row.CreatedAt), Expires: moment(row.ExpiresAt), By: row.CreatedBy,
		Editors:   list(row.Editors),
		Documents: make([]stockhand.DraftDocument, len(rows.documents)),
	}
	for i, doc := range rows.documents {
		d.Documents[i] = stockhand.DraftDocument{
			ID: stockhand.DocumentID(doc.ID), State: stockhand.DocumentState(doc.State), Version: doc.Version,
			Fingerprint: doc.Fingerprint, ApprovedBy: doc.ApprovedBy, Approved: doc.Approved,
			ConfirmedBy: doc.ConfirmedBy, Attempt: doc.Attempt, Updated: moment(doc.UpdatedAt),
			Problem: string(o.Open(doc.OrgID, doc.Problem, "draft_documents.problem", doc.ID)),
		}
		if outcome := o.Open(doc.OrgID, doc.Outcome, "draft_documents.outcome", doc.ID); len(outcome) > 0 {
			d.Documents[i].Outcome = outcome
		}
	}
	return d
}

// proposal returns what a version of a draft proposes.
func proposal(o *datakey.Opener, row sqlc.DraftVersion) json.RawMessage {
	return o.Open(row.OrgID, row.Body, "draft_versions.body", row.DraftID, row.Version)
}
