-- name: AddUsage :exec
INSERT INTO usage (org_id, day, created_by, runs, requests, input_tokens, output_tokens, cached_tokens, cost)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (org_id, day, created_by) DO UPDATE
SET runs = usage.runs + excluded.runs, requests = usage.requests + excluded.requests,
    input_tokens = usage.input_tokens + excluded.input_tokens, output_tokens = usage.output_tokens + excluded.output_tokens,
    cached_tokens = usage.cached_tokens + excluded.cached_tokens, cost = usage.cost + excluded.cost;

-- name: UsageBetween :many
SELECT * FROM usage WHERE org_id = $1 AND day >= sqlc.arg(first_day) AND day <= sqlc.arg(last_day) ORDER BY day, created_by;
