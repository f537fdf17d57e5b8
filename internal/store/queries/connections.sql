-- name: InsertConnection :exec
INSERT INTO connections (org_id, id, connector, account_id, label, employee, rights, sealed, created_at, organization, created_by, gateway_writes, verified_at, problem, login)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: Connection :one
SELECT * FROM connections WHERE org_id = $1 AND id = $2;

-- name: Connections :many
SELECT * FROM connections WHERE org_id = $1 ORDER BY id;

-- name: ConnectionsOfAccount :many
SELECT * FROM connections WHERE org_id = $1 AND connector = $2 AND account_id = $3 ORDER BY id;

-- name: LockConnection :one
-- Reads the row and locks it until the transaction ends, on both databases.
UPDATE connections SET id = id WHERE org_id = $1 AND id = $2 RETURNING *;

-- name: UpdateConnection :execrows
UPDATE connections SET label = $3, employee = $4, rights = $5, sealed = $6, organization = $7, gateway_writes = $8, verified_at = $9, problem = $10, login = $11
WHERE org_id = $1 AND id = $2;

-- name: ReleaseConnection :exec
UPDATE sessions SET connection_id = NULL WHERE org_id = $1 AND connection_id = $2;

-- name: DeleteConnection :execrows
DELETE FROM connections WHERE org_id = $1 AND id = $2;
