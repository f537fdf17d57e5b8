-- name: InsertInvitation :exec
INSERT INTO invitations (org_id, id, email, role, hash, created_by, created_at, expires_at, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending');

-- name: ForgetInvitations :exec
DELETE FROM invitations WHERE org_id = $1 AND expires_at < $2;

-- name: ExpireInvitations :exec
UPDATE invitations SET state = 'revoked' WHERE org_id = $1 AND email = $2 AND state = 'pending' AND expires_at <= $3;

-- name: Invitation :one
SELECT * FROM invitations WHERE org_id = $1 AND id = $2;

-- name: PendingInvitations :many
SELECT * FROM invitations WHERE org_id = $1 AND id < $2 AND state = 'pending' AND expires_at > $3
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: CountPendingInvitations :one
SELECT COUNT(*) FROM invitations WHERE org_id = $1 AND state = 'pending' AND expires_at > $2;

-- name: CountPendingTo :one
SELECT COUNT(*) FROM invitations WHERE org_id = $1 AND email = $2 AND state = 'pending';

-- name: EndInvitation :execrows
UPDATE invitations SET state = $3
WHERE org_id = $1 AND id = $2 AND state = 'pending' AND expires_at > CAST(sqlc.arg(at) AS BIGINT);

-- name: EndInvitationsBy :exec
UPDATE invitations SET state = 'revoked' WHERE org_id = $1 AND created_by = $2 AND state = 'pending';

-- name: InvitationByHash :one
SELECT sqlc.embed(invitations), organizations.name FROM invitations
JOIN organizations ON organizations.id = invitations.org_id
WHERE hash = $1;

-- name: InvitationTo :one
SELECT * FROM invitations WHERE email = $1 AND id = $2;

-- name: InvitationsTo :many
SELECT sqlc.embed(invitations), organizations.name FROM invitations
JOIN organizations ON organizations.id = invitations.org_id
WHERE email = $1 AND invitations.id < $2 AND state = 'pending' AND expires_at > $3
ORDER BY invitations.id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);
