-- name: InsertDraft :exec
INSERT INTO drafts (org_id, id, session_id, run_id, connection_id, account_id, tool, title, language, version, undoes, created_at, expires_at, created_by, editors)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: Draft :one
SELECT * FROM drafts WHERE org_id = $1 AND id = $2;

-- name: DraftsBefore :many
SELECT * FROM drafts WHERE org_id = $1 AND id < $2
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DraftsOfActor :many
SELECT * FROM drafts WHERE org_id = $1 AND created_by = $2 AND id < $3
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DraftsInState :many
-- Drafts with a document in the given state, optionally of one actor.
SELECT * FROM drafts
WHERE drafts.org_id = $1 AND drafts.id < $2 AND (CAST(sqlc.arg(actor) AS TEXT) = '' OR drafts.created_by = CAST(sqlc.arg(actor) AS TEXT))
  AND EXISTS (SELECT 1 FROM draft_documents AS d
              WHERE d.org_id = drafts.org_id AND d.draft_id = drafts.id AND d.state = sqlc.arg(state))
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DraftsUndoing :many
SELECT * FROM drafts WHERE org_id = $1 AND undoes = $2 ORDER BY id;

-- name: HoldDraft :execrows
-- Matches nothing if the draft has another version. Otherwise it locks the row until the transaction ends, so that
-- no one edits what is being confirmed.
UPDATE drafts SET version = version WHERE org_id = $1 AND id = $2 AND version = $3;

-- name: AdvanceDraft :execrows
UPDATE drafts SET version = version + 1, editors = sqlc.arg(editors) WHERE org_id = $1 AND id = $2 AND version = $3;

-- name: InsertDraftVersion :exec
INSERT INTO draft_versions (org_id, draft_id, version, body, made_at) VALUES ($1, $2, $3, $4, $5);

-- name: DraftVersion :one
SELECT * FROM draft_versions WHERE org_id = $1 AND draft_id = $2 AND version = $3;

-- name: InsertDraftDocument :exec
INSERT INTO draft_documents (org_id, id, draft_id, position, state, version, fingerprint, approved_by, approved, confirmed_by, attempt, outcome, problem, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: DraftDocuments :many
SELECT * FROM draft_documents WHERE org_id = $1 AND draft_id = $2 ORDER BY position;

-- name: MoveDraftDocument :execrows
-- A compare-and-swap: of several workers that saw the same state and attempt, one moves the document.
UPDATE draft_documents
SET state = sqlc.arg(state), version = sqlc.arg(version), fingerprint = sqlc.arg(fingerprint), approved_by = sqlc.arg(approved_by),
    approved = sqlc.arg(approved), confirmed_by = sqlc.arg(confirmed_by), attempt = sqlc.arg(attempt), outcome = sqlc.arg(outcome), problem = sqlc.arg(problem), updated_at = sqlc.arg(at)
WHERE org_id = $1 AND draft_id = $2 AND id = $3 AND state = sqlc.arg(seen_state) AND attempt = sqlc.arg(seen_attempt);

-- name: DropDraftDocument :execrows
DELETE FROM draft_documents WHERE org_id = $1 AND draft_id = $2 AND id = $3 AND state = 'pending';

-- name: UnsettledDrafts :many
-- Those of an erased organization cannot be read.
SELECT * FROM drafts
WHERE NOT EXISTS (SELECT 1 FROM data_keys WHERE data_keys.org_id = drafts.org_id AND data_keys.erased_at <> 0)
  AND EXISTS (SELECT 1 FROM draft_documents AS d
              WHERE d.org_id = drafts.org_id AND d.draft_id = drafts.id AND d.state IN ('confirmed', 'applying', 'unknown'))
ORDER BY id;

-- name: LastApplied :one
-- When a document was last written; 0 for never.
SELECT CAST(COALESCE(MAX(updated_at), 0) AS BIGINT) AS at FROM draft_documents WHERE org_id = $1 AND state = 'applied';

-- name: DraftStates :many
-- How many drafts have a document in each state. Documents of drafts that have expired still wait, until they are read.
SELECT d.state, COUNT(DISTINCT d.draft_id) AS drafts
FROM draft_documents AS d JOIN drafts ON drafts.org_id = d.org_id AND drafts.id = d.draft_id
WHERE d.org_id = $1 AND (d.state <> 'pending' OR drafts.expires_at > sqlc.arg(now))
GROUP BY d.state;

-- name: WrittenSince :one
-- How many documents of drafts for an account were decided on or sent after a time.
SELECT COUNT(*) FROM draft_documents AS d JOIN drafts ON drafts.org_id = d.org_id AND drafts.id = d.draft_id
WHERE d.org_id = $1 AND drafts.account_id = $2 AND d.state <> 'pending' AND d.updated_at > $3;
