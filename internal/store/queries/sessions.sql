-- name: InsertSession :exec
INSERT INTO sessions (org_id, id, title, connection_id, messages, created_at, updated_at, kind, agent_id, created_by)
VALUES ($1, $2, $3, $4, 0, $5, $5, $6, $7, $8);

-- name: Session :one
SELECT * FROM sessions WHERE org_id = $1 AND id = $2;

-- name: SessionsOfKind :many
SELECT * FROM sessions WHERE org_id = $1 AND kind = $2 AND id < $3 ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: SessionsOfActor :many
SELECT * FROM sessions WHERE org_id = $1 AND created_by = $2 AND kind = $3 AND id < $4 ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: RenameSession :execrows
UPDATE sessions SET title = $3, updated_at = $4 WHERE org_id = $1 AND id = $2;

-- name: SetSessionConnection :execrows
UPDATE sessions SET connection_id = $3, updated_at = $4 WHERE org_id = $1 AND id = $2;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE org_id = $1 AND id = $2;

-- name: ExtendSession :one
-- Returns the next number and locks the row until the transaction ends, so that numbers have no gaps.
UPDATE sessions SET messages = messages + 1, updated_at = $3 WHERE org_id = $1 AND id = $2 RETURNING messages;

-- name: InsertMessage :exec
INSERT INTO messages (org_id, id, session_id, seq, author, text, run_id, created_at, created_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: Message :one
SELECT * FROM messages WHERE org_id = $1 AND id = $2;

-- name: MessagesAfter :many
SELECT * FROM messages WHERE org_id = $1 AND session_id = $2 AND seq > $3
ORDER BY seq LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);
