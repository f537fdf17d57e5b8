package llm

import (
	"context"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
)

// Ledger keeps what models have used; internal/store says what each method promises.
type Ledger interface {
	ReserveModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, mostTokens,
		mostMoney int64) (bool, error)
	SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, tokens, money int64) error
}

// Budget bounds what each organization's models may use in a calendar month. What a call may use at most is set aside
// before it is made, and what it used is counted after it, so that calls made at once do not overshoot together. Nil
// bounds nothing.
type Budget struct {
	ledger        Ledger
	tokens, money int64
	clock         func() time.Time
}

// NewBudget makes a budget of the month's limits; nil when they bound nothing. A nil clock is the real one.
func NewBudget(l Ledger, limits Limits, clock func() time.Time) *Budget {
	if limits.MonthTokens == 0 && limits.MonthMoney.IsZero() {
		return nil
	}
	if clock == nil {
		clock = time.Now
	}
	return &Budget{ledger: l, tokens: int64(limits.MonthTokens), money: Micros(limits.MonthMoney), clock: clock}
}

// lease is how long a call may hold what it reserved: longer than any call takes with its retries.
const lease = 30 * time.Minute

// Reserve sets aside so many tokens and so much money (in millionths) for a call. Without room for them it is
// RATE_LIMITED. The function it returns is to be called once, with what was used, whatever became of the call; give it
// a context that the end of the call does not end.
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

// IsOver reports whether an error is that of a budget without room.
func IsOver(err error) bool { return errors.Is(err, errOver) }

var errOver = errors.New("over the budget of models")

func overMonth() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOver,
		Message: "the organization's budget of the language model for this month is used up",
		Hint:    "ask the operator to raise the month's limit, or wait for the next month; questions that the reader without a model understands can still be asked as tools",
		RU: stockhand.Words{
			Message: "бюджет организации на языковую модель в этом месяце исчерпан",
			Hint:    "попросите администратора сервера поднять месячный лимит или дождитесь следующего месяца; инструменты можно вызывать и без модели",
		},
	}
}

// OverRun is the error of a run that has used up what one run may use.
func OverRun() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOver,
		Message: "the task needs more of the language model than one run may use",
		Hint:    "ask for less at once, or ask the operator to raise the run's limit",
		RU: stockhand.Words{Message: "задача требует от языковой модели больше, чем разрешено на один ответ",
			Hint: "спросите о меньшем или попросите администратора сервера поднять лимит на один ответ"},
	}
}
