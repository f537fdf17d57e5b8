-- name: PutReplica :exec
INSERT INTO replicas (id, name, version, started_at, seen_at, memory, working, queue)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, memory = excluded.memory, working = excluded.working,
    queue = excluded.queue;

-- name: AllReplicas :many
SELECT * FROM replicas WHERE seen_at >= sqlc.arg(since) ORDER BY started_at, id;

-- name: DeleteReplica :exec
DELETE FROM replicas WHERE id = $1;

-- name: ForgetReplicas :exec
DELETE FROM replicas WHERE seen_at < $1;
