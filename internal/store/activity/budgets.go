package activity

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// ReserveModel reserves tokens and money for a model call if the month's limits allow it; a limit of 0 means unlimited.
// It reports whether it reserved them. Concurrent reservations never exceed a limit together. The organization's
// expired reservations are released first.
func (s *Store) ReserveModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, mostTokens,
	mostMoney int64) (won bool, err error) {
	err = s.write(ctx, "reserve from the model's budget", func(q *sqlc.Queries) error {
		won = false
		if err := q.OpenModelBudget(ctx, sqlc.OpenModelBudgetParams{OrgID: string(org), Period: r.Period}); err != nil {
			return err
		}
		old, err := q.ExpiredModelReservations(ctx,
			sqlc.ExpiredModelReservationsParams{OrgID: string(org), ExpiresAt: time.Now().UnixMicro()})
		if err != nil {
			return err
		}
		for _, o := range old {
			if err := settle(ctx, q, org, stockhand.ModelReservation{ID: o.ID, Period: o.Period}, 0, 0); err != nil {
				return err
			}
		}
		rows, err := q.ReserveModelBudget(ctx, sqlc.ReserveModelBudgetParams{
			OrgID: string(org), Period: r.Period, Tokens: r.Tokens, Money: r.Money, MostTokens: mostTokens,
			MostMoney: mostMoney,
		})
		if err != nil || rows == 0 {
			return err
		}
		won = true
		return q.InsertModelReservation(ctx, sqlc.InsertModelReservationParams{
			OrgID: string(org), ID: r.ID, Period: r.Period, Tokens: r.Tokens, Money: r.Money,
			ExpiresAt: r.Expires.UnixMicro(),
		})
	})
	return won && err == nil, err
}

// SettleModel replaces a reservation with what was actually used. If the reservation has expired meanwhile, the usage
// is still counted. Call it once: a second call counts the usage again. The usage is also added to that of the actor,
// the model and the day. A reservation without an ID settles nothing: the organization has no limit.
func (s *Store) SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation,
	used stockhand.ModelUsage) error {
	return s.write(ctx, "settle the model's budget", func(q *sqlc.Queries) error {
		if r.ID != "" {
			if err := settle(ctx, q, org, r, int64(used.Tokens()), used.Money); err != nil {
				return err
			}
		}
		if used.Tokens() == 0 && used.Money == 0 {
			return nil
		}
		return q.AddModelUsage(ctx, sqlc.AddModelUsageParams{
			OrgID: string(org), Day: used.Day, CreatedBy: used.By, Model: used.Model,
			InputTokens: int64(used.InputTokens), OutputTokens: int64(used.OutputTokens), Money: used.Money,
		})
	})
}

func settle(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, r stockhand.ModelReservation, tokens,
	money int64) error {
	row, err := q.DeleteModelReservation(ctx, sqlc.DeleteModelReservationParams{OrgID: string(org), ID: r.ID})
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // no row: nothing to release
		return err
	}
	return q.SpendModelBudget(ctx, sqlc.SpendModelBudgetParams{
		OrgID: string(org), Period: r.Period, Tokens: row.Tokens, Money: row.Money, UsedTokens: tokens,
		UsedMoney: money,
	})
}

// ModelBudget returns what an organization's models used in a month; all zero if they made no calls.
func (s *Store) ModelBudget(ctx context.Context, org stockhand.OrgID, period string) (stockhand.ModelBudget, error) {
	row, err := s.read.ModelBudget(ctx, sqlc.ModelBudgetParams{OrgID: string(org), Period: period})
	b := stockhand.ModelBudget{Org: org, Period: period}
	if errors.Is(err, sql.ErrNoRows) {
		return b, nil
	}
	b.TokensSpent, b.TokensReserved, b.MoneySpent, b.MoneyReserved = row.TokensSpent, row.TokensReserved,
		row.MoneySpent, row.MoneyReserved
	return b, s.base.Fail("read the model's budget", err)
}

func (s *Store) write(ctx context.Context, doing string, do func(q *sqlc.Queries) error) error {
	return s.base.Transact(ctx, doing, func(tx *sql.Tx) error { return do(sqlc.New(tx)) })
}
