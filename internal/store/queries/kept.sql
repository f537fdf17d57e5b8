-- name: KeptFacts :one
SELECT * FROM kept_facts
WHERE org_id = $1 AND connection_id = $2 AND name = $3 AND rights = $4 AND read_at >= sqlc.arg(since);

-- name: InsertKeptFacts :execrows
INSERT INTO kept_facts (org_id, connection_id, name, rights, version, read_at, size, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (org_id, connection_id, name) DO UPDATE SET rights = excluded.rights,
    version = kept_facts.version + 1, read_at = excluded.read_at, size = excluded.size, body = excluded.body
WHERE kept_facts.rights <> excluded.rights OR kept_facts.read_at < sqlc.arg(since);

-- name: UpdateKeptFacts :execrows
UPDATE kept_facts SET version = version + 1, read_at = $6, size = $7, body = $8
WHERE org_id = $1 AND connection_id = $2 AND name = $3 AND rights = $4 AND version = $5;

-- name: OldestKeptFacts :many
SELECT connection_id, name, size FROM kept_facts WHERE org_id = $1 ORDER BY read_at;

-- name: DeleteKeptFacts :exec
DELETE FROM kept_facts WHERE org_id = $1 AND connection_id = $2 AND name = $3;

-- name: ForgetKeptFacts :execrows
DELETE FROM kept_facts WHERE read_at < $1;

-- name: KeptFactsOf :one
SELECT COUNT(*) AS pieces, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS size,
    CAST(COALESCE(MIN(read_at), 0) AS BIGINT) AS oldest, CAST(COALESCE(MAX(read_at), 0) AS BIGINT) AS newest
FROM kept_facts WHERE org_id = $1 AND connection_id = $2 AND rights = $3 AND read_at >= sqlc.arg(since);

-- name: ClearKeptFacts :execrows
DELETE FROM kept_facts WHERE org_id = $1 AND connection_id = $2;
