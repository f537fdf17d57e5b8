-- name: ExtendAudit :one
-- Reserves a number of entries. Returns the number of the last one and the hash before the first one, and locks the row
-- until the transaction ends.
INSERT INTO audit_heads (org_id, seq, hash, trimmed) VALUES ($1, CAST(sqlc.arg(entries) AS BIGINT), '', 0)
ON CONFLICT (org_id) DO UPDATE SET seq = audit_heads.seq + excluded.seq
RETURNING seq, hash;

-- name: SetAuditHead :exec
UPDATE audit_heads SET hash = $2 WHERE org_id = $1;

-- name: AuditHead :one
SELECT * FROM audit_heads WHERE org_id = $1;

-- name: HoldAuditHead :one
-- Locks the row until the transaction ends.
UPDATE audit_heads SET seq = seq WHERE org_id = $1 RETURNING *;

-- name: InsertAuditEntry :exec
INSERT INTO audit_entries (org_id, seq, at, actor, action, draft_id, document_id, version, external, detail, previous, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: AuditEntriesAfter :many
SELECT * FROM audit_entries WHERE org_id = $1 AND seq > $2
ORDER BY seq LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: AuditEntriesBefore :many
-- Newest first, optionally of one action or one draft.
SELECT * FROM audit_entries
WHERE org_id = $1 AND seq < $2 AND (CAST(sqlc.arg(of_action) AS TEXT) = '' OR action = CAST(sqlc.arg(of_action) AS TEXT))
  AND (CAST(sqlc.arg(of_draft) AS TEXT) = '' OR draft_id = CAST(sqlc.arg(of_draft) AS TEXT))
ORDER BY seq DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: FirstAuditEntrySince :one
-- The first entry that is not older than the time.
SELECT seq FROM audit_entries WHERE org_id = $1 AND seq > $2 AND seq <= CAST(sqlc.arg(through) AS BIGINT) AND at >= $3
ORDER BY seq LIMIT 1;

-- name: AuditHash :one
SELECT hash FROM audit_entries WHERE org_id = $1 AND seq = $2;

-- name: SetAuditTrimmed :exec
UPDATE audit_heads SET trimmed = $2 WHERE org_id = $1;

-- name: TrimAudit :execrows
DELETE FROM audit_entries WHERE org_id = $1 AND seq <= $2;

-- name: AuditBacklogs :many
-- The logs that have entries after their position, and how far each was sent.
SELECT h.org_id, h.seq AS head, COALESCE(p.seq, 0) AS sent
FROM audit_heads h LEFT JOIN audit_positions p ON p.org_id = h.org_id AND p.sink = $1
WHERE h.seq > COALESCE(p.seq, 0) ORDER BY h.org_id;

-- name: AuditPosition :one
SELECT seq FROM audit_positions WHERE org_id = $1 AND sink = $2;

-- name: MoveAuditPosition :exec
INSERT INTO audit_positions (sink, org_id, seq) VALUES ($1, $2, $3)
ON CONFLICT (sink, org_id) DO UPDATE SET seq = excluded.seq WHERE audit_positions.seq < excluded.seq;

-- name: SettingOf :one
SELECT value FROM settings WHERE org_id = $1 AND name = $2;

-- name: PutSetting :exec
INSERT INTO settings (org_id, name, value, updated_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (org_id, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;

-- name: WriteStop :one
SELECT * FROM write_stops WHERE org_id = $1;

-- name: PutWriteStop :exec
INSERT INTO write_stops (org_id, stopped_by, stopped_at) VALUES ($1, $2, $3)
ON CONFLICT (org_id) DO NOTHING;

-- name: DropWriteStop :exec
DELETE FROM write_stops WHERE org_id = $1;
