-- name: AddRequest :exec
INSERT INTO api_requests (org_id, id, at, method, route, status, took, created_by, code, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: TrimRequests :exec
-- Keeps the latest ones: at most so many, and none that is older.
DELETE FROM api_requests WHERE api_requests.org_id = $1 AND (api_requests.at < sqlc.arg(since) OR api_requests.id < (
    SELECT r.id FROM api_requests AS r WHERE r.org_id = $1 ORDER BY r.id DESC
    LIMIT 1 OFFSET CAST(sqlc.arg(most) AS BIGINT)));

-- name: RequestsBefore :many
SELECT * FROM api_requests
WHERE org_id = $1 AND id < sqlc.arg(before) AND at >= sqlc.arg(since) AND status >= sqlc.arg(least)
  AND (CAST(sqlc.arg(actor) AS TEXT) = '' OR created_by = CAST(sqlc.arg(actor) AS TEXT))
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DeleteRequests :exec
DELETE FROM api_requests WHERE org_id = $1;
