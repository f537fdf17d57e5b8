-- name: InsertMember :execrows
-- A person's first organization becomes their home.
INSERT INTO members (org_id, user_id, role, created_at, home)
VALUES ($1, $2, $3, $4, NOT EXISTS (SELECT 1 FROM members WHERE user_id = $2))
ON CONFLICT (org_id, user_id) DO NOTHING;

-- name: Member :one
SELECT sqlc.embed(members), sqlc.embed(users) FROM members JOIN users ON users.id = members.user_id
WHERE org_id = $1 AND user_id = $2;

-- name: MembersAfter :many
SELECT sqlc.embed(members), sqlc.embed(users) FROM members JOIN users ON users.id = members.user_id
WHERE org_id = $1 AND user_id > $2
ORDER BY user_id LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: ChangeMember :execrows
UPDATE members SET role = sqlc.arg(role) WHERE org_id = $1 AND user_id = $2 AND role = sqlc.arg(seen);

-- name: RemoveMember :execrows
DELETE FROM members WHERE org_id = $1 AND user_id = $2 AND role = sqlc.arg(seen);

-- name: CountMembers :one
SELECT COUNT(*) FROM members WHERE org_id = $1;

-- name: MemberByEmail :many
SELECT user_id FROM members JOIN users ON users.id = members.user_id WHERE members.org_id = $1 AND users.email = $2;

-- name: LeaveHome :exec
UPDATE members SET home = FALSE WHERE user_id = $1 AND home;

-- name: SetHome :execrows
UPDATE members SET home = TRUE WHERE org_id = $1 AND user_id = $2;

-- name: CountOwners :one
SELECT COUNT(*) FROM members WHERE org_id = $1 AND role = 'owner';

-- name: RenameOrganization :execrows
UPDATE organizations SET name = $2 WHERE id = $1;

-- name: MemberTokens :many
-- The tokens that act in the organization.
SELECT sqlc.embed(user_tokens), sqlc.embed(users), members.role FROM members
JOIN users ON users.id = members.user_id JOIN user_tokens ON user_tokens.user_id = members.user_id
WHERE members.org_id = $1 AND user_tokens.id < $2 AND user_tokens.org_id IN ('', $1) AND user_tokens.revoked_at = 0
  AND (user_tokens.expires_at = 0 OR user_tokens.expires_at > $3)
  AND NOT EXISTS (SELECT 1 FROM token_exclusions WHERE token_exclusions.org_id = $1 AND token_id = user_tokens.id)
ORDER BY user_tokens.id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: MemberToken :one
SELECT sqlc.embed(user_tokens), sqlc.embed(users), members.role FROM members
JOIN users ON users.id = members.user_id JOIN user_tokens ON user_tokens.user_id = members.user_id
WHERE members.org_id = $1 AND user_tokens.id = $2 AND user_tokens.org_id IN ('', $1);

-- name: ExcludeToken :execrows
INSERT INTO token_exclusions (org_id, token_id) VALUES ($1, $2) ON CONFLICT (org_id, token_id) DO NOTHING;
