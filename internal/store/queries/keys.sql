-- name: InsertKey :exec
INSERT INTO api_keys (org_id, id, name, prefix, hash, scopes, allowed_ips, binding, created_by, created_at, expires_at, last_used_at, revoked_at, replaces, used_scopes, parent)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: Key :one
SELECT * FROM api_keys WHERE org_id = $1 AND id = $2;

-- name: KeysBefore :many
SELECT * FROM api_keys WHERE org_id = $1 AND id < $2
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: LiveKeys :many
SELECT * FROM api_keys WHERE org_id = $1 AND revoked_at = 0 AND expires_at > $2 ORDER BY id DESC;

-- name: CountLiveKeys :one
SELECT COUNT(*) FROM api_keys WHERE org_id = $1 AND revoked_at = 0 AND expires_at > $2;

-- name: RevokeKey :execrows
UPDATE api_keys SET revoked_at = $3 WHERE org_id = $1 AND id = $2 AND revoked_at = 0;

-- name: ChildKeys :many
SELECT id FROM api_keys WHERE org_id = $1 AND parent = $2 ORDER BY id;

-- name: HoldLiveKey :execrows
-- Keeps the key's row locked until the transaction ends: who revokes it waits, and then sees what it made.
UPDATE api_keys SET name = name WHERE org_id = $1 AND id = $2 AND revoked_at = 0 AND expires_at > $3;

-- name: LiveKeysBy :many
SELECT * FROM api_keys WHERE org_id = $1 AND created_by = $2 AND revoked_at = 0 AND expires_at > $3 ORDER BY id;

-- name: TransferKey :exec
UPDATE api_keys SET created_by = $3 WHERE org_id = $1 AND id = $2;

-- name: EndKey :execrows
-- Matches nothing if the key is revoked or expired. Otherwise it limits the key's expiry and locks the row until the
-- transaction ends.
UPDATE api_keys SET expires_at = CASE WHEN expires_at < CAST(sqlc.arg(ends_at) AS BIGINT) THEN expires_at ELSE CAST(sqlc.arg(ends_at) AS BIGINT) END
WHERE org_id = $1 AND id = $2 AND revoked_at = 0 AND expires_at > CAST(sqlc.arg(at) AS BIGINT);

-- name: LiveReplacements :many
SELECT id FROM api_keys WHERE org_id = $1 AND replaces = $2 AND revoked_at = 0 AND expires_at > $3 ORDER BY id;

-- name: TouchKey :many
-- Locks the row until the transaction ends, so that the scope uses reported by several replicas can be merged.
UPDATE api_keys SET last_used_at = CASE WHEN last_used_at > CAST(sqlc.arg(at) AS BIGINT) THEN last_used_at ELSE CAST(sqlc.arg(at) AS BIGINT) END
WHERE org_id = $1 AND id = $2
RETURNING used_scopes;

-- name: SetKeyScopeUses :exec
UPDATE api_keys SET used_scopes = $3 WHERE org_id = $1 AND id = $2;

-- name: KeyCredential :one
-- One statement sees one moment: the version is that of the key as it is returned.
SELECT sqlc.embed(api_keys), organizations.policy, auth_version.version FROM api_keys, organizations, auth_version
WHERE api_keys.hash = $1 AND organizations.id = api_keys.org_id AND auth_version.id = 1;

-- name: AuthVersion :one
SELECT version FROM auth_version WHERE id = 1;

-- name: RaiseAuthVersion :exec
UPDATE auth_version SET version = version + 1 WHERE id = 1;
