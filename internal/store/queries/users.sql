-- name: InsertUser :execrows
INSERT INTO users (id, email, name, created_at, disabled_at, email_proven_at) VALUES ($1, $2, $3, $4, 0, $5)
ON CONFLICT (email) DO NOTHING;

-- name: User :one
SELECT * FROM users WHERE id = $1;

-- name: UserByEmail :one
SELECT * FROM users WHERE email = $1;

-- name: UsersAfter :many
SELECT * FROM users WHERE id > $1
ORDER BY id LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: AnyMember :many
SELECT user_id FROM members LIMIT 1;

-- name: InsertUserToken :exec
INSERT INTO user_tokens (id, user_id, name, prefix, hash, org_id, created_at, since, expires_at, last_used_at, revoked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0);

-- name: UserTokensBefore :many
SELECT * FROM user_tokens WHERE user_id = $1 AND id < $2
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: UserToken :one
SELECT * FROM user_tokens WHERE user_id = $1 AND id = $2;

-- name: CountLiveUserTokens :one
SELECT COUNT(*) FROM user_tokens WHERE user_id = $1 AND revoked_at = 0 AND (expires_at = 0 OR expires_at > $2);

-- name: HoldUser :execrows
-- Locks the user's row until the transaction ends.
UPDATE users SET name = name WHERE id = $1;

-- name: HoldActiveUser :execrows
UPDATE users SET name = name WHERE id = $1 AND disabled_at = 0;

-- name: DisableUser :execrows
UPDATE users SET disabled_at = $2 WHERE id = $1;

-- name: DeleteUser :execrows
DELETE FROM users WHERE id = $1;

-- name: ForgetInvitationsTo :exec
DELETE FROM invitations WHERE email = $1;

-- name: RevokeUserToken :execrows
UPDATE user_tokens SET revoked_at = $3 WHERE user_id = $1 AND id = $2 AND revoked_at = 0;

-- name: TouchUserToken :exec
UPDATE user_tokens SET last_used_at = CAST(sqlc.arg(at) AS BIGINT)
WHERE user_id = $1 AND id = $2 AND last_used_at < CAST(sqlc.arg(at) AS BIGINT);

-- name: UserTokenCredential :one
-- A single statement, so that the version and the token come from the same snapshot. Memberships are read afterwards
-- and can only be newer than the version.
SELECT sqlc.embed(user_tokens), auth_version.version FROM user_tokens, users, auth_version
WHERE user_tokens.hash = $1 AND users.id = user_tokens.user_id AND users.disabled_at = 0 AND auth_version.id = 1;

-- name: ExcludedFrom :many
SELECT org_id FROM token_exclusions WHERE token_id = $1;

-- name: Memberships :many
SELECT sqlc.embed(organizations), members.role, members.home FROM members JOIN organizations ON organizations.id = members.org_id
WHERE members.user_id = $1 ORDER BY organizations.id;

-- name: PutInstallationSecret :execrows
INSERT INTO installation_secrets (name, sealed, created_at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO NOTHING;

-- name: ReplaceInstallationSecret :execrows
UPDATE installation_secrets SET sealed = sqlc.arg(sealed) WHERE name = $1 AND sealed = sqlc.arg(seen);

-- name: InstallationSecret :one
SELECT sealed FROM installation_secrets WHERE name = $1;
