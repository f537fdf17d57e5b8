-- name: InsertAgent :exec
INSERT INTO agents (org_id, id, name, description, instructions, tools, connections, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: Agent :one
SELECT * FROM agents WHERE org_id = $1 AND id = $2;

-- name: Agents :many
SELECT * FROM agents WHERE org_id = $1 ORDER BY id;

-- name: UpdateAgent :execrows
UPDATE agents SET name = $3, description = $4, instructions = $5, tools = $6, connections = $7, updated_at = $8
WHERE org_id = $1 AND id = $2;

-- name: DeleteAgent :execrows
DELETE FROM agents WHERE org_id = $1 AND id = $2;
