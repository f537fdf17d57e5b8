-- name: RunTraffic :one
SELECT * FROM run_traffic WHERE org_id = $1 AND run_id = $2;

-- name: InsertRunTraffic :exec
INSERT INTO run_traffic (org_id, run_id, body, size, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: SizesOfRunTraffic :many
SELECT run_id, size FROM run_traffic WHERE org_id = $1 ORDER BY created_at DESC, run_id DESC;

-- name: DeleteRunTraffic :exec
DELETE FROM run_traffic WHERE org_id = $1 AND run_id = $2;

-- name: ForgetRunTraffic :execrows
DELETE FROM run_traffic WHERE (org_id, run_id) IN (
    SELECT old.org_id, old.run_id FROM run_traffic AS old WHERE old.created_at <= CAST(sqlc.arg(before) AS BIGINT)
    LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)
);
