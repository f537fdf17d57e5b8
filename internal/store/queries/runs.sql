-- name: InsertRun :one
INSERT INTO runs (org_id, id, session_id, message_id, connection_id, state, generation, events, created_at, updated_at, created_by)
SELECT sessions.org_id, sqlc.arg(id), sessions.id, sqlc.arg(message_id), COALESCE(sessions.connection_id, ''), sqlc.arg(state), 0,
    sqlc.arg(events), sqlc.arg(created_at), sqlc.arg(created_at), sqlc.arg(created_by)
FROM sessions WHERE sessions.org_id = sqlc.arg(org_id) AND sessions.id = sqlc.arg(session_id)
RETURNING connection_id;

-- name: CountUnfinished :one
-- Of an organization, and of one of its actors.
SELECT COUNT(*) AS of_org, CAST(COALESCE(SUM(CASE WHEN created_by = $2 THEN 1 ELSE 0 END), 0) AS BIGINT) AS of_actor
FROM runs WHERE org_id = $1 AND state IN ('queued', 'running');

-- name: Run :one
SELECT * FROM runs WHERE org_id = $1 AND id = $2;

-- name: RunsOfSession :many
SELECT * FROM runs WHERE org_id = $1 AND session_id = $2 ORDER BY id;

-- name: UnfinishedRuns :many
SELECT * FROM runs WHERE state IN ('queued', 'running') AND updated_at < $1 ORDER BY updated_at, id;

-- name: SilentRuns :many
-- Excludes runs that wait for an earlier turn.
SELECT * FROM runs WHERE runs.state IN ('queued', 'running') AND runs.updated_at < $1
    AND NOT EXISTS (
        SELECT 1 FROM runs AS earlier
        JOIN messages AS asked ON asked.org_id = earlier.org_id AND asked.id = earlier.message_id
        JOIN messages AS own ON own.org_id = runs.org_id AND own.id = runs.message_id
        WHERE earlier.org_id = runs.org_id AND earlier.session_id = runs.session_id
            AND earlier.state IN ('queued', 'running') AND asked.seq < own.seq
    )
ORDER BY runs.updated_at LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: UnfinishedLogs :many
SELECT id, events FROM runs WHERE state IN ('queued', 'running');

-- name: ClaimRun :one
-- A compare-and-swap: of several workers that saw the same generation, one claims the run, and none while an earlier
-- turn of the session is unfinished. Message numbers are assigned under the session's row lock, so an earlier turn is
-- never stored after a later one was seen.
UPDATE runs SET state = 'running', generation = generation + 1, updated_at = $4
WHERE runs.org_id = $1 AND runs.id = $2 AND runs.generation = $3 AND runs.state IN ('queued', 'running')
    AND NOT EXISTS (
        SELECT 1 FROM runs AS earlier
        JOIN messages AS asked ON asked.org_id = earlier.org_id AND asked.id = earlier.message_id
        JOIN messages AS own ON own.org_id = runs.org_id AND own.id = runs.message_id
        WHERE earlier.org_id = runs.org_id AND earlier.session_id = runs.session_id
            AND earlier.state IN ('queued', 'running') AND asked.seq < own.seq
    )
RETURNING *;

-- name: ReleaseRun :execrows
UPDATE runs SET state = 'queued', updated_at = $4
WHERE org_id = $1 AND id = $2 AND generation = $3 AND state = 'running';

-- name: TouchQueuedRun :exec
UPDATE runs SET updated_at = $3 WHERE org_id = $1 AND id = $2 AND state = 'queued';

-- name: NextRun :one
SELECT * FROM runs WHERE runs.org_id = $1 AND runs.id = (
    SELECT unfinished.id FROM runs AS unfinished
    JOIN messages AS asked ON asked.org_id = unfinished.org_id AND asked.id = unfinished.message_id
    WHERE unfinished.org_id = $1 AND unfinished.session_id = $2 AND unfinished.state IN ('queued', 'running')
    ORDER BY asked.seq LIMIT 1
);

-- name: RunBefore :one
SELECT * FROM runs WHERE runs.org_id = $1 AND runs.id = (
    SELECT prior.run_id FROM messages AS prior
    JOIN messages AS own ON own.org_id = prior.org_id AND own.session_id = prior.session_id
    WHERE own.org_id = $1 AND own.id = $2 AND prior.author = 'user' AND prior.seq < own.seq
    ORDER BY prior.seq DESC LIMIT 1
);

-- name: ExtendRun :one
-- Every write by a worker starts here: it checks the generation, reserves the event numbers, and locks the row until
-- the transaction ends. It matches nothing for a worker that has lost the run.
UPDATE runs SET events = events + CAST(sqlc.arg(added) AS BIGINT), updated_at = sqlc.arg(at)
WHERE org_id = $1 AND id = $2 AND generation = $3 AND state = 'running'
RETURNING events;

-- name: FinishRun :one
UPDATE runs SET state = sqlc.arg(state), events = events + CAST(sqlc.arg(added) AS BIGINT), updated_at = sqlc.arg(at),
    requests = sqlc.arg(requests), input_tokens = sqlc.arg(input_tokens), output_tokens = sqlc.arg(output_tokens),
    cached_tokens = sqlc.arg(cached_tokens), cost = sqlc.arg(cost)
WHERE org_id = $1 AND id = $2 AND generation = $3 AND state = 'running'
RETURNING *;

-- name: UnfinishedRunsBy :many
SELECT id FROM runs WHERE org_id = $1 AND created_by = $2 AND state IN ('queued', 'running') ORDER BY id;

-- name: CancelRun :one
UPDATE runs SET state = 'cancelled', events = events + CAST(sqlc.arg(added) AS BIGINT), updated_at = sqlc.arg(at)
WHERE org_id = $1 AND id = $2 AND state IN ('queued', 'running')
RETURNING *;

-- name: InsertEvent :exec
INSERT INTO events (org_id, run_id, seq, type, data, at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: EventsAfter :many
SELECT * FROM events WHERE org_id = $1 AND run_id = $2 AND seq > $3
ORDER BY seq LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: BeginToolCall :execrows
-- A call that a crash interrupted starts again under its number; a finished one is not changed.
INSERT INTO tool_calls (org_id, run_id, seq, tool, arguments, done, error, result_id, requests, started_at, finished_at, step, call_id)
VALUES ($1, $2, $3, $4, $5, FALSE, '', '', 0, $6, 0, $7, $8)
ON CONFLICT (org_id, run_id, seq) DO UPDATE
SET tool = excluded.tool, arguments = excluded.arguments, started_at = excluded.started_at
WHERE tool_calls.done = FALSE;

-- name: FinishToolCall :execrows
UPDATE tool_calls SET done = TRUE, error = $4, result_id = $5, requests = $6, finished_at = $7
WHERE org_id = $1 AND run_id = $2 AND seq = $3 AND done = FALSE;

-- name: ToolCalls :many
SELECT * FROM tool_calls WHERE org_id = $1 AND run_id = $2 ORDER BY seq;

-- name: InsertResult :exec
INSERT INTO results (org_id, id, run_id, tool, head, row_count, stored, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: InsertResultPage :exec
INSERT INTO result_pages (org_id, result_id, first_row, row_count, size, encoding, body)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: Result :one
SELECT * FROM results WHERE org_id = $1 AND id = $2;

-- name: ResultPage :one
-- The page that contains a row, if it has one that far.
SELECT * FROM result_pages WHERE org_id = $1 AND result_id = $2 AND first_row <= $3 ORDER BY first_row DESC LIMIT 1;

-- name: EarlierResults :many
-- The results of the turns of a session before the one of a run, in the order of the calls.
SELECT calls.result_id FROM tool_calls AS calls
JOIN runs ON runs.org_id = calls.org_id AND runs.id = calls.run_id
JOIN messages AS tasks ON tasks.org_id = runs.org_id AND tasks.id = runs.message_id
WHERE runs.org_id = $1 AND runs.session_id = $2 AND calls.result_id <> '' AND tasks.seq < (
    SELECT own.seq FROM messages AS own JOIN runs AS current ON current.org_id = own.org_id AND current.message_id = own.id
    WHERE current.org_id = $1 AND current.id = $3
)
ORDER BY tasks.seq, calls.seq;

-- name: ResultsOfRun :many
SELECT * FROM results WHERE org_id = $1 AND run_id = $2 ORDER BY id;
