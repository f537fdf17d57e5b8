-- name: Response :one
SELECT * FROM responses WHERE org_id = $1 AND id = $2 AND expires_at > CAST(sqlc.arg(now) AS BIGINT);

-- name: InsertResponse :exec
INSERT INTO responses (org_id, id, session_id, body, created_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: DeleteResponse :execrows
DELETE FROM responses WHERE org_id = $1 AND id = $2;

-- name: ForgetResponses :execrows
DELETE FROM responses WHERE (org_id, id) IN (
    SELECT old.org_id, old.id FROM responses AS old WHERE old.expires_at <= CAST(sqlc.arg(now) AS BIGINT)
    LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)
);
