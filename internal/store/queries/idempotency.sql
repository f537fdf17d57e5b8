-- name: ClaimAnswer :execrows
-- Claims the key if it is free, if its answer has expired, or if the same request holds it but has not renewed its
-- claim for too long.
INSERT INTO idempotency (org_id, created_by, id, fingerprint, status, header, body, created_at, expires_at)
VALUES (sqlc.arg(org_id), sqlc.arg(created_by), sqlc.arg(id), sqlc.arg(fingerprint), 0, '', sqlc.arg(empty), sqlc.arg(now), sqlc.arg(expires))
ON CONFLICT (org_id, created_by, id) DO UPDATE
SET fingerprint = excluded.fingerprint, status = 0, header = '', body = excluded.body, created_at = excluded.created_at,
    expires_at = excluded.expires_at
WHERE idempotency.expires_at BETWEEN 1 AND excluded.created_at
   OR (idempotency.status = 0 AND idempotency.fingerprint = excluded.fingerprint AND idempotency.created_at < CAST(sqlc.arg(abandoned) AS BIGINT));

-- name: IdempotencyRecord :one
SELECT * FROM idempotency WHERE org_id = $1 AND created_by = $2 AND id = $3;

-- name: CountAnswers :one
-- The keys of an actor that expire, up to a number.
SELECT COUNT(*) FROM (SELECT id FROM idempotency WHERE org_id = $1 AND created_by = $2 AND expires_at > 0
    LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)) AS held;

-- name: RenewAnswer :execrows
UPDATE idempotency SET created_at = sqlc.arg(now)
WHERE org_id = $1 AND created_by = $2 AND id = $3 AND status = 0 AND created_at = sqlc.arg(claimed);

-- name: KeepAnswer :execrows
UPDATE idempotency SET status = sqlc.arg(status), header = sqlc.arg(header), body = sqlc.arg(body), expires_at = sqlc.arg(expires)
WHERE org_id = $1 AND created_by = $2 AND id = $3 AND status = 0 AND created_at = sqlc.arg(claimed);

-- name: DropAnswer :execrows
DELETE FROM idempotency WHERE org_id = $1 AND created_by = $2 AND id = $3 AND status = 0 AND created_at = sqlc.arg(claimed);

-- Another transaction may claim a key between the two comparisons.
-- name: ForgetAnswers :execrows
DELETE FROM idempotency WHERE expires_at <= CAST(sqlc.arg(now) AS BIGINT) AND (org_id, created_by, id) IN (
    SELECT old.org_id, old.created_by, old.id FROM idempotency AS old
    WHERE old.expires_at BETWEEN 1 AND CAST(sqlc.arg(now) AS BIGINT)
    LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)
);
