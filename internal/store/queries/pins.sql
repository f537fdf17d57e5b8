-- name: PinnedSessions :many
-- Those pinned for an actor, last pinned first.
SELECT sessions.* FROM session_pins
JOIN sessions ON sessions.org_id = session_pins.org_id AND sessions.id = session_pins.session_id
WHERE session_pins.org_id = $1 AND session_pins.actor = $2
ORDER BY session_pins.pinned_at DESC, session_pins.session_id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: PinSession :exec
INSERT INTO session_pins (org_id, session_id, actor, pinned_at)
SELECT sessions.org_id, sessions.id, sqlc.arg(actor), sqlc.arg(pinned_at) FROM sessions
WHERE sessions.org_id = $1 AND sessions.id = $2
ON CONFLICT (org_id, session_id, actor) DO NOTHING;

-- name: UnpinSession :exec
DELETE FROM session_pins WHERE org_id = $1 AND session_id = $2 AND actor = $3;

-- name: SessionPins :many
-- Those of an actor and everyone's.
SELECT actor FROM session_pins WHERE org_id = $1 AND session_id = $2 AND actor IN ('', sqlc.arg(actor));
