-- name: InsertModelStep :execrows
-- The first answer of a step is kept.
INSERT INTO model_steps (org_id, run_id, seq, message, model, input_tokens, output_tokens, cached_tokens, cost, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (org_id, run_id, seq) DO NOTHING;

-- name: ModelSteps :many
SELECT * FROM model_steps WHERE org_id = $1 AND run_id = $2 ORDER BY seq;

-- name: OpenModelBudget :exec
INSERT INTO model_budgets (org_id, period, tokens_spent, tokens_reserved, money_spent, money_reserved)
VALUES ($1, $2, 0, 0, 0, 0)
ON CONFLICT (org_id, period) DO NOTHING;

-- name: ReserveModelBudget :execrows
-- Matches nothing if the reservation would exceed a limit, so concurrent reservations stay within it together. A limit
-- of 0 means unlimited.
UPDATE model_budgets
SET tokens_reserved = tokens_reserved + CAST(sqlc.arg(tokens) AS BIGINT), money_reserved = money_reserved + CAST(sqlc.arg(money) AS BIGINT)
WHERE org_id = $1 AND period = $2
  AND (CAST(sqlc.arg(most_tokens) AS BIGINT) = 0 OR tokens_spent + tokens_reserved + CAST(sqlc.arg(tokens) AS BIGINT) <= CAST(sqlc.arg(most_tokens) AS BIGINT))
  AND (CAST(sqlc.arg(most_money) AS BIGINT) = 0 OR money_spent + money_reserved + CAST(sqlc.arg(money) AS BIGINT) <= CAST(sqlc.arg(most_money) AS BIGINT));

-- name: InsertModelReservation :exec
INSERT INTO model_reservations (org_id, id, period, tokens, money, expires_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: DeleteModelReservation :one
DELETE FROM model_reservations WHERE org_id = $1 AND id = $2 RETURNING *;

-- name: ExpiredModelReservations :many
SELECT * FROM model_reservations WHERE org_id = $1 AND expires_at < $2 ORDER BY id;

-- name: SpendModelBudget :exec
-- Releases the reservation and adds the actual usage.
UPDATE model_budgets
SET tokens_reserved = tokens_reserved - CAST(sqlc.arg(tokens) AS BIGINT), money_reserved = money_reserved - CAST(sqlc.arg(money) AS BIGINT),
    tokens_spent = tokens_spent + CAST(sqlc.arg(used_tokens) AS BIGINT), money_spent = money_spent + CAST(sqlc.arg(used_money) AS BIGINT)
WHERE org_id = $1 AND period = $2;

-- name: ModelBudget :one
SELECT * FROM model_budgets WHERE org_id = $1 AND period = $2;
