-- name: HoldLease :execrows
INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
WHERE leases.holder = excluded.holder OR leases.expires_at < CAST(sqlc.arg(now) AS BIGINT);

-- name: ReleaseLease :exec
DELETE FROM leases WHERE name = $1 AND holder = $2;

-- name: DueResults :many
-- Results from before a time with rows that no unfinished run and no open draft of their session may need.
SELECT results.id, results.stored FROM results
JOIN runs ON runs.org_id = results.org_id AND runs.id = results.run_id
WHERE results.org_id = $1 AND results.rows_state = 'stored' AND results.created_at < CAST(sqlc.arg(before) AS BIGINT)
    AND NOT EXISTS (
        SELECT 1 FROM runs AS unfinished
        WHERE unfinished.org_id = runs.org_id AND unfinished.session_id = runs.session_id
            AND unfinished.state IN ('queued', 'running')
    ) AND NOT EXISTS (
        SELECT 1 FROM drafts JOIN draft_documents AS d ON d.org_id = drafts.org_id AND d.draft_id = drafts.id
        WHERE drafts.org_id = runs.org_id AND drafts.session_id = runs.session_id
            AND (d.state IN ('confirmed', 'applying', 'unknown')
                OR d.state = 'pending' AND drafts.expires_at > CAST(sqlc.arg(now) AS BIGINT))
    )
ORDER BY results.created_at LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DueSessions :many
-- Sessions without a message since a time, an unfinished run or an open draft.
SELECT sessions.id, sessions.created_by FROM sessions
WHERE sessions.org_id = $1 AND sessions.updated_at < CAST(sqlc.arg(before) AS BIGINT)
    AND NOT EXISTS (
        SELECT 1 FROM runs AS unfinished
        WHERE unfinished.org_id = sessions.org_id AND unfinished.session_id = sessions.id
            AND unfinished.state IN ('queued', 'running')
    ) AND NOT EXISTS (
        SELECT 1 FROM drafts JOIN draft_documents AS d ON d.org_id = drafts.org_id AND d.draft_id = drafts.id
        WHERE drafts.org_id = sessions.org_id AND drafts.session_id = sessions.id
            AND (d.state IN ('confirmed', 'applying', 'unknown')
                OR d.state = 'pending' AND drafts.expires_at > CAST(sqlc.arg(now) AS BIGINT))
    )
ORDER BY sessions.updated_at LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DeleteSessionBefore :execrows
-- Repeats the time, so that a session that continues meanwhile stays.
DELETE FROM sessions WHERE org_id = $1 AND id = $2 AND updated_at < CAST(sqlc.arg(before) AS BIGINT);

-- name: StoredResultsOfSession :many
SELECT results.id FROM results JOIN runs ON runs.org_id = results.org_id AND runs.id = results.run_id
WHERE runs.org_id = $1 AND runs.session_id = $2 AND results.rows_state = 'stored'
ORDER BY results.id LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: ExpireResult :exec
UPDATE results SET rows_state = 'expiring' WHERE org_id = $1 AND id = $2 AND rows_state = 'stored';

-- name: ExpiringResults :many
SELECT id FROM results WHERE org_id = $1 AND rows_state = 'expiring' ORDER BY id LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: DeleteResultPages :many
-- Deletes the first pages of a result and returns their sizes in bytes as stored.
DELETE FROM result_pages WHERE result_pages.org_id = $1 AND result_pages.result_id = $2 AND result_pages.first_row IN (
    SELECT p.first_row FROM result_pages AS p WHERE p.org_id = $1 AND p.result_id = $2
    ORDER BY p.first_row LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)
) RETURNING CAST(LENGTH(body) AS BIGINT);

-- name: ShrinkResult :exec
UPDATE results SET stored = stored - CAST(sqlc.arg(removed) AS BIGINT), rows_state = $3 WHERE org_id = $1 AND id = $2;

-- name: Storage :one
SELECT CAST(COALESCE(SUM(stored), 0) AS BIGINT) AS bytes,
    (SELECT COUNT(*) FROM sessions WHERE sessions.org_id = $1) AS sessions,
    (SELECT COUNT(*) FROM messages WHERE messages.org_id = $1) AS messages,
    (SELECT COUNT(*) FROM drafts WHERE drafts.org_id = $1) AS drafts
FROM results WHERE results.org_id = $1;
