package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// ReserveModel sets aside what a call of a model may use, if the month's bounds leave room for it; a bound of 0 is
// none. It returns whether they did: of several that reserve at once, only as many win as there is room for.
// Reservations of the organization that have expired are given back first.
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

// SettleModel gives a reservation back and counts what was used instead. One that had expired meanwhile is only
// counted; one that was settled already is counted again, so it is to be settled once.
func (db *DB) SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, tokens,
	money int64) error {
	return db.write(ctx, "settle the model's budget", func(q *sqlc.Queries) error {
		return settle(ctx, q, org, r, tokens, money)
	})
}

func settle(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, r stockhand.ModelReservation, tokens,
	money int64) error {
	row, err := q.DeleteModelReservation(ctx, sqlc.DeleteModelReservationParams{OrgID: string(org), ID: r.ID})
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // without a row there is nothing to give back
		return err
	}
	return q.SpendModelBudget(ctx, sqlc.SpendModelBudgetParams{
		OrgID: string(org), Period: r.Period, Tokens: row.Tokens, Money: row.Money, UsedTokens: tokens,
		UsedMoney: money,
	})
}

// ModelBudget returns what an organization's models have used in a month: nothing, for a month in which they were not
// asked.
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
