-- name: RequestPlaces :one
SELECT version, places FROM request_places WHERE server = $1 AND account = $2;

-- name: AllRequestPlaces :many
SELECT account, places FROM request_places WHERE server = $1;

-- name: FirstRequestPlaces :execrows
INSERT INTO request_places (server, account, version, places, updated_at) VALUES ($1, $2, 1, $3, $4)
ON CONFLICT (server, account) DO NOTHING;

-- name: MoveRequestPlaces :execrows
UPDATE request_places SET version = version + 1, places = $4, updated_at = $5
WHERE server = $1 AND account = $2 AND version = $3;

-- name: CountUnfinishedRuns :many
SELECT state, COUNT(*) AS n FROM runs WHERE state IN ('queued', 'running') GROUP BY state;
