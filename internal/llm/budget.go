package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Ledger stores what models have used. See internal/store for what each method guarantees.
type Ledger interface {
	ReserveModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation, mostTokens,
		mostMoney int64) (bool, error)
	SettleModel(ctx context.Context, org stockhand.OrgID, r stockhand.ModelReservation,
		used stockhand.ModelUsage) error
	ModelBudget(ctx context.Context, org stockhand.OrgID, period string) (stockhand.ModelBudget, error)
}

// MonthLimits is what an organization's models may use in a calendar month (UTC).
type MonthLimits struct {
	// 0 means DefaultMonthTokens, a negative number no limit
	MonthTokens int             `json:"month_tokens,omitempty"`
	MonthMoney  decimal.Decimal `json:"month_money,omitzero"` // 0 or a negative number means no limit
}

// DefaultMonthTokens is the budget of an organization for which the operator sets none.
const DefaultMonthTokens = 10_000_000

// of returns the limits of an organization in tokens and millionths of money; 0 is no limit.
func (l Limits) of(org stockhand.OrgID) (tokens, money int64) {
	m, own := l.MonthLimits, l.Organizations[org]
	if own.MonthTokens != 0 {
		m.MonthTokens = own.MonthTokens
	}
	if !own.MonthMoney.IsZero() {
		m.MonthMoney = own.MonthMoney
	}
	return max(0, int64(cmp.Or(m.MonthTokens, DefaultMonthTokens))), max(0, Micros(m.MonthMoney))
}

// Budget limits what each organization's models may use in a calendar month. The maximum of a call is reserved before
// the call and replaced by the actual usage afterwards, so concurrent calls never exceed a limit together. A nil Budget
// has no limits.
type Budget struct {
	ledger Ledger
	limits Limits
	clock  func() time.Time
}

// NewBudget returns the budget for the month's limits. A nil clock means time.Now.
func NewBudget(l Ledger, limits Limits, clock func() time.Time) *Budget {
	if clock == nil {
		clock = time.Now
	}
	return &Budget{ledger: l, limits: limits, clock: clock}
}

// lease is how long a reservation is valid: longer than any call takes with its retries.
const lease = 30 * time.Minute

// Settle counts what a call used. Call it exactly once, whatever the outcome of the call, with a context that outlives
// the call.
type Settle func(ctx context.Context, model string, u Usage, cost int64) error

// Reserve reserves tokens and money (in millionths) for a call for an actor. It returns RATE_LIMITED if the budget is
// exhausted. Without limits it reserves nothing, but what is used is still counted (rule R388).
func (b *Budget) Reserve(ctx context.Context, org stockhand.OrgID, by string, tokens int, money int64) (Settle, error) {
	if b == nil {
		return func(context.Context, string, Usage, int64) error { return nil }, nil
	}
	mostTokens, mostMoney := b.limits.of(org)
	now := b.clock().UTC()
	var r stockhand.ModelReservation
	if mostTokens > 0 || mostMoney > 0 {
		r = stockhand.ModelReservation{
			ID: stockhand.NewID[string]("rsv"), Org: org, Period: now.Format("2006-01"), Tokens: int64(tokens),
			Money: money, Expires: time.Now().Add(lease),
		}
		won, err := b.ledger.ReserveModel(ctx, org, r, mostTokens, mostMoney)
		if err != nil {
			return nil, err
		}
		if !won {
			return nil, OverMonth()
		}
	}
	return func(ctx context.Context, model string, u Usage, cost int64) error {
		return b.ledger.SettleModel(ctx, org, r, stockhand.ModelUsage{Day: now.Format(time.DateOnly), By: by,
			Model: model, InputTokens: u.Input, OutputTokens: u.Output, Money: cost})
	}, nil
}

// Month is what an organization's models used in the present month, and what they may use.
type Month struct {
	stockhand.ModelBudget
	MaxTokens int64 // 0 is no limit
	MaxMoney  int64 // millionths; 0 is no limit
}

// Month returns what an organization's models used and may use this month.
func (b *Budget) Month(ctx context.Context, org stockhand.OrgID) (Month, error) {
	m := Month{}
	m.MaxTokens, m.MaxMoney = b.limits.of(org)
	var err error
	m.ModelBudget, err = b.ledger.ModelBudget(ctx, org, b.clock().UTC().Format("2006-01"))
	return m, err
}

// Left returns the tokens and the money (in millionths) that an organization may still reserve in this month.
func (b *Budget) Left(ctx context.Context, org stockhand.OrgID) (tokens, money int64, err error) {
	tokens, money = math.MaxInt64, math.MaxInt64
	if b == nil {
		return tokens, money, nil
	}
	mostTokens, mostMoney := b.limits.of(org)
	if mostTokens == 0 && mostMoney == 0 {
		return tokens, money, nil
	}
	used, err := b.ledger.ModelBudget(ctx, org, b.clock().UTC().Format("2006-01"))
	if mostTokens > 0 {
		tokens = max(0, mostTokens-used.TokensSpent-used.TokensReserved)
	}
	if mostMoney > 0 {
		money = max(0, mostMoney-used.MoneySpent-used.MoneyReserved)
	}
	return tokens, money, err
}

// IsOver reports whether an error means that a budget is exhausted.
func IsOver(err error) bool { return errors.Is(err, errOver) }

// IsOverMonth reports whether an error means that a month's budget is exhausted.
func IsOverMonth(err error) bool { return errors.Is(err, errOverMonth) }

var (
	errOver      = errors.New("over the budget of models")
	errOverMonth = fmt.Errorf("%w in a month", errOver)
)

// OverMonth returns the error of an organization that has used up the month's budget.
func OverMonth() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOverMonth,
		Message: "the organization has used up this month's budget for the language model",
		Hint: "ask the operator to raise it (month_tokens or month_money in STOCKHAND_LLM_FILE, or " +
			"STOCKHAND_LLM_MONTH_TOKENS), or wait for the next month; tools can still be called directly, without a model",
		RU: stockhand.Words{
			Message: "бюджет организации на языковую модель в этом месяце исчерпан",
			Hint: "попросите администратора сервера поднять его (month_tokens или month_money в STOCKHAND_LLM_FILE либо " +
				"STOCKHAND_LLM_MONTH_TOKENS) или дождитесь следующего месяца; инструменты можно вызывать и без модели",
		},
	}
}

// OverRun returns the error of a run that has reached its limit.
func OverRun() error {
	return &stockhand.Error{
		Code: stockhand.CodeRateLimited, Err: errOver,
		Message: "the task exceeds the language model limit of one run",
		Hint:    "ask for less at once, or ask the operator to raise STOCKHAND_LLM_RUN_TOKENS (run_money in the file)",
		RU: stockhand.Words{Message: "задача требует от языковой модели больше, чем разрешено на один ответ",
			Hint: "спросите о меньшем или попросите администратора сервера поднять STOCKHAND_LLM_RUN_TOKENS " +
				"(run_money в файле)"},
	}
}
