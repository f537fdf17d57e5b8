-- name: InsertOrganization :exec
INSERT INTO organizations (id, name, created_at, policy) VALUES ($1, $2, $3, '{}');

-- name: PutOrganizationPolicy :execrows
UPDATE organizations SET policy = $2 WHERE id = $1;

-- name: Organization :one
SELECT * FROM organizations WHERE id = $1;

-- name: AllOrganizations :many
SELECT * FROM organizations ORDER BY id;
