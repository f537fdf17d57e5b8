-- name: InsertSignIn :exec
INSERT INTO sign_ins (id, user_id, method, hash, address, browser, created_at, proven_at, last_used_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8);

-- name: ForgetSignIns :exec
DELETE FROM sign_ins WHERE user_id = $1 AND expires_at <= $2;

-- name: SignInsBefore :many
SELECT * FROM sign_ins WHERE user_id = $1 AND id < $2 AND expires_at > $3
ORDER BY id DESC LIMIT CAST(sqlc.arg(max_rows) AS BIGINT);

-- name: SignInsOf :many
SELECT id FROM sign_ins WHERE user_id = $1 ORDER BY id DESC;

-- name: DeleteSignIn :execrows
DELETE FROM sign_ins WHERE user_id = $1 AND id = $2;

-- name: DeleteSignIns :execrows
DELETE FROM sign_ins WHERE user_id = $1 AND id <> sqlc.arg(spared);

-- name: ProveSignIn :execrows
UPDATE sign_ins SET proven_at = $3 WHERE user_id = $1 AND id = $2;

-- name: TouchSignIn :exec
UPDATE sign_ins SET last_used_at = CAST(sqlc.arg(at) AS BIGINT)
WHERE user_id = $1 AND id = $2 AND last_used_at < CAST(sqlc.arg(at) AS BIGINT);

-- name: SignInCredential :one
-- See UserTokenCredential.
SELECT sqlc.embed(sign_ins), auth_version.version FROM sign_ins, users, auth_version
WHERE sign_ins.hash = $1 AND users.id = sign_ins.user_id AND users.disabled_at = 0 AND auth_version.id = 1;

-- name: PutPassword :exec
INSERT INTO passwords (user_id, hash, changed_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at;

-- name: Password :one
SELECT hash FROM passwords WHERE user_id = $1;

-- name: InsertOneTimeSecret :exec
INSERT INTO one_time_secrets (hash, purpose, user_id, data, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: ForgetOneTimeSecrets :exec
DELETE FROM one_time_secrets WHERE expires_at <= $1;

-- name: ForgetOneTimesOf :exec
DELETE FROM one_time_secrets WHERE user_id = $1;

-- name: ForgetOneTimesFor :exec
DELETE FROM one_time_secrets WHERE user_id = $1 AND purpose = $2;

-- name: TakeOneTimeSecret :one
-- Reading and deleting are one statement, so that of two requests at once only one gets it.
DELETE FROM one_time_secrets WHERE hash = $1 AND purpose = $2 AND expires_at > CAST(sqlc.arg(at) AS BIGINT)
RETURNING *;

-- name: SecondFactor :one
SELECT * FROM second_factors WHERE user_id = $1;

-- name: PutSecondFactor :execrows
-- Replaces one that was never confirmed.
INSERT INTO second_factors (user_id, nonce, confirmed_at, last_step) VALUES ($1, $2, 0, 0)
ON CONFLICT (user_id) DO UPDATE SET nonce = excluded.nonce, last_step = 0 WHERE second_factors.confirmed_at = 0;

-- name: ConfirmSecondFactor :execrows
UPDATE second_factors SET confirmed_at = $3 WHERE user_id = $1 AND nonce = $2 AND confirmed_at = 0;

-- name: UseSecondFactor :execrows
-- Of two requests with the same code only one gets it.
UPDATE second_factors SET last_step = sqlc.arg(step) WHERE user_id = $1 AND nonce = $2 AND last_step < sqlc.arg(step);

-- name: RemoveSecondFactor :execrows
DELETE FROM second_factors WHERE user_id = $1;

-- name: ForgetRecoveryCodes :exec
DELETE FROM recovery_codes WHERE user_id = $1;

-- name: InsertRecoveryCode :exec
INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2);

-- name: UseRecoveryCode :execrows
DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2;

-- name: CountRecoveryCodes :one
SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1;

-- name: Identity :one
SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2;

-- name: InsertIdentity :execrows
INSERT INTO identities (id, issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (issuer, subject) DO NOTHING;

-- name: Identities :many
SELECT * FROM identities WHERE user_id = $1 ORDER BY id DESC;

-- name: DeleteIdentity :execrows
DELETE FROM identities WHERE user_id = $1 AND id = $2;

-- name: InsertPasskey :execrows
INSERT INTO passkeys (id, user_id, name, credential, public_key, uses, synced, created_at, last_used_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)
ON CONFLICT (credential) DO NOTHING;

-- name: Passkeys :many
SELECT * FROM passkeys WHERE user_id = $1 ORDER BY id DESC;

-- name: PasskeyByCredential :one
SELECT * FROM passkeys WHERE credential = $1;

-- name: UsePasskey :execrows
-- Of two requests with the same count only one gets it, and a copy of the key that counts on its own is noticed.
UPDATE passkeys SET uses = sqlc.arg(uses), last_used_at = sqlc.arg(at)
WHERE id = $1 AND (uses < sqlc.arg(uses) OR (uses = 0 AND sqlc.arg(uses) = 0));

-- name: DeletePasskey :execrows
DELETE FROM passkeys WHERE user_id = $1 AND id = $2;

-- name: ProveEmail :execrows
UPDATE users SET email_proven_at = CAST(sqlc.arg(at) AS BIGINT) WHERE id = $1 AND email_proven_at = 0;

-- name: ForgetPassword :exec
DELETE FROM passwords WHERE user_id = $1;

-- name: ForgetPasskeys :exec
DELETE FROM passkeys WHERE user_id = $1;

-- name: ForgetIdentities :exec
DELETE FROM identities WHERE user_id = $1;

-- name: RevokeUserTokens :exec
UPDATE user_tokens SET revoked_at = CAST(sqlc.arg(at) AS BIGINT) WHERE user_id = $1 AND revoked_at = 0;

-- name: TakeAttempt :execrows
-- Moves free_at on by the time that an attempt counts, unless it would be more than the limit ahead of now. Of attempts
-- at once, also at several replicas, each waits for the one before it.
INSERT INTO attempts (name, free_at) VALUES ($1, CAST(sqlc.arg(now) AS BIGINT) + CAST(sqlc.arg(step) AS BIGINT))
ON CONFLICT (name) DO UPDATE
SET free_at = CASE WHEN attempts.free_at > CAST(sqlc.arg(now) AS BIGINT) THEN attempts.free_at
    ELSE CAST(sqlc.arg(now) AS BIGINT) END + CAST(sqlc.arg(step) AS BIGINT)
WHERE attempts.free_at + CAST(sqlc.arg(step) AS BIGINT) <= CAST(sqlc.arg(latest) AS BIGINT);

-- name: AttemptsFreeAt :one
SELECT free_at FROM attempts WHERE name = $1;

-- name: ReturnAttempt :exec
UPDATE attempts SET free_at = free_at - CAST(sqlc.arg(step) AS BIGINT) WHERE name = $1;

-- Another transaction may count an attempt between the two comparisons.
-- name: ForgetAttempts :execrows
DELETE FROM attempts WHERE free_at <= CAST(sqlc.arg(now) AS BIGINT) AND name IN (
    SELECT old.name FROM attempts AS old
    WHERE old.free_at <= CAST(sqlc.arg(now) AS BIGINT)
    LIMIT CAST(sqlc.arg(max_rows) AS BIGINT)
);
