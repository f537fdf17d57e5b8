-- name: Reports :many
SELECT * FROM reports WHERE org_id = $1 ORDER BY id;

-- name: Report :one
SELECT * FROM reports WHERE org_id = $1 AND id = $2;

-- name: InsertReport :exec
INSERT INTO reports (org_id, id, connection_id, body, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: PutReportBody :execrows
UPDATE reports SET body = $3 WHERE org_id = $1 AND id = $2;

-- name: DeleteReport :execrows
DELETE FROM reports WHERE org_id = $1 AND id = $2;
