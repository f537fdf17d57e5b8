-- name: DataKey :one
SELECT * FROM data_keys WHERE org_id = $1;

-- name: InsertDataKey :exec
INSERT INTO data_keys (org_id, sealed, created_at, erased_at) VALUES ($1, $2, $3, 0)
ON CONFLICT (org_id) DO NOTHING;

-- name: RewrapDataKey :execrows
UPDATE data_keys SET sealed = sqlc.arg(sealed) WHERE org_id = $1 AND sealed = sqlc.arg(seen) AND erased_at = 0;

-- name: EraseDataKey :execrows
UPDATE data_keys SET sealed = sqlc.arg(empty), erased_at = sqlc.arg(at) WHERE org_id = $1 AND erased_at = 0;

-- name: UnfinishedRunsOf :many
SELECT id FROM runs WHERE org_id = $1 AND state IN ('queued', 'running') ORDER BY id;

-- name: CountBegunDocuments :one
SELECT COUNT(*) FROM draft_documents WHERE org_id = $1 AND state IN ('confirmed', 'applying');
