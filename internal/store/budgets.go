package store

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
func (db *DB) ReserveModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, mostTokens,
	mostMoney int64) (won bool, err error) {
	if err := belongs(org, r.Org); err != nil {
		return false, err
	}
	err = db.write(ctx, "reserve from the model's budget", func(q *sqlc.Queries) error {
		won = false
		if err := q.OpenModelBudget(ctx, sqlc.OpenModelBudgetParams{OrgID: string(org), Period: r.Period}); err != nil {
			return err
		}
		old, err := q.ExpiredModelReservations(ctx,
			sqlc.ExpiredModelReservationsParams{OrgID: string(org), ExpiresAt: micros(time.Now())})
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
			ExpiresAt: micros(r.Expires),
		})
	})
	return won && err == nil, err
}

// SettleModel replaces a reservation with what was actually used. If the reservation has expired meanwhile, the usage
// is still counted. Call it once: a second call counts the usage again.
func (db *DB) SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, tokens,
	money int64) error {
	return db.write(ctx, "settle the model's budget", func(q *sqlc.Queries) error {
		return settle(ctx, q, org, r, tokens, money)
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
func (db *DB) ModelBudget(ctx context.Context, org stockhand.OrgID, period string) (stockhand.ModelBudget, error) {
	row, err := db.read.ModelBudget(ctx, sqlc.ModelBudgetParams{OrgID: string(org), Period: period})
	if errors.Is(err, sql.ErrNoRows) {
		return stockhand.ModelBudget{Org: org, Period: period}, nil
	}
	return one(db, "model's budget", row, err, func(row sqlc.ModelBudget) stockhand.ModelBudget {
		return stockhand.ModelBudget{
			Org: org, Period: row.Period, TokensSpent: row.TokensSpent, TokensReserved: row.TokensReserved,
			MoneySpent: row.MoneySpent, MoneyReserved: row.MoneyReserved,
		}
	})
}
