package llm

import (
	"context"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
)

// Ledger stores what models have used. See internal/store for what each method guarantees.
type Ledger interface {
	ReserveModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, mostTokens,
		mostMoney int64) (bool, error)
	SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, tokens, money int64) error
}

// Budget limits what each organization's models may use in a calendar month. The maximum of a call is reserved before
// the call and replaced by the actual usage afterwards, so concurrent calls never exceed a limit together. A nil Budget
// has no limits.
type Budget struct {
	ledger        Ledger
	tokens, money int64
	clock         func() time.Time
}

// NewBudget returns the budget for the month's limits, or nil if there are none. A nil clock means time.Now.
func NewBudget(l Ledger, limits Limits, clock func() time.Time) *Budget {
	if limits.MonthTokens == 0 && limits.MonthMoney.IsZero() {
		return nil
	}
	if clock == nil {
		clock = time.Now
	}
	return &Budget{ledger: l, tokens: int64(limits.MonthTokens), money: Micros(limits.MonthMoney), clock: clock}
}

// lease is how long a reservation is valid: longer than any call takes with its retries.
const lease = 30 * time.Minute

// Reserve reserves tokens and money (in millionths) for a call. It returns RATE_LIMITED if the budget is exhausted.
// Call settle exactly once with the actual usage, whatever the outcome of the call, and with a context that outlives
// the call.
func (b *Budget) Reserve(ctx context.Context, org stockhand.OrgID, tokens int,
	money int64) (settle func(ctx context.Context, u Usage, cost int64) error, err error) {
	if b == nil {
		return func(context.Context, Usage, int64) error { return nil }, nil
	}
	now := b.clock().UTC()
	r := stockhand.ModelReservation{
		ID: stockhand.NewID[string]("rsv"), Org: org, Period: now.Format("2006-01"), Tokens: int64(tokens),
		Money: money, Expires: time.Now().Add(lease),
	}
	won, err := b.ledger.ReserveModel(ctx, org, r, b.tokens, b.money)
	if err != nil {
		return nil, err
	}
	if !won {
		return nil, overMonth()
	}
	return func(ctx context.Context, u Usage, cost int64) error {
		return b.ledger.SettleModel(ctx, org, r, int64(u.Total()), cost)
	}, nil
}

// IsOver reports whether an error means that a budget is exhausted.
func IsOver(err error) bool { return errors.Is(err, errOver) }

var errOver = errors.New("over the budget of models")

func overMonth() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOver,
		Message: "the organization has used up this month's budget for the language model",
		Hint: "ask the operator to raise the monthly limit, or wait for the next month; tools can still be called " +
			"directly, without a model",
		RU: stockhand.Words{
			Message: "бюджет организации на языковую модель в этом месяце исчерпан",
			Hint:    "попросите администратора сервера поднять месячный лимит или дождитесь следующего месяца; инструменты можно вызывать и без модели",
		},
	}
}

// OverRun returns the error of a run that has reached its limit.
func OverRun() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOver,
		Message: "the task exceeds the language model limit of one run",
		Hint:    "ask for less at once, or ask the operator to raise the limit per run",
		RU: stockhand.Words{Message: "задача требует от языковой модели больше, чем разрешено на один ответ",
			Hint: "спросите о меньшем или попросите администратора сервера поднять лимит на один ответ"},
	}
}
