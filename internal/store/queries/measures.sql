-- name: Measures :many
SELECT * FROM measures WHERE org_id = $1 ORDER BY name;

-- name: PutMeasure :exec
INSERT INTO measures (org_id, name, definition, updated_by, updated_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (org_id, name) DO UPDATE SET definition = excluded.definition, updated_by = excluded.updated_by,
    updated_at = excluded.updated_at;

-- name: DeleteMeasure :exec
DELETE FROM measures WHERE org_id = $1 AND name = $2;

-- name: DeleteMeasures :exec
DELETE FROM measures WHERE org_id = $1;
