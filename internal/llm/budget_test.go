package llm

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

func TestEveryOrganizationHasABudget(t *testing.T) {
	limits := func(tokens, other int) Limits {
		return Limits{MonthLimits: MonthLimits{MonthTokens: tokens, MonthMoney: decimal.FromInt(1)},
			Organizations: map[stockhand.OrgID]MonthLimits{"org_other": {MonthTokens: other}}}
	}
	for name, c := range map[string]struct {
		limits     Limits
		one, other int64
	}{
		"by default":             {limits(0, 0), DefaultMonthTokens, DefaultMonthTokens},
		"no limit":               {limits(-1, 0), 0, 0},
		"one has more":           {limits(5, 9), 5, 9},
		"one has no limit":       {limits(5, -1), 5, 0},
		"one has no other limit": {limits(-1, 5), 0, 5},
	} {
		one, money := c.limits.of("org_one")
		other, otherMoney := c.limits.of("org_other")
		if one != c.one || other != c.other || money != 1_000_000 || otherMoney != money {
			t.Errorf("%s: %d tokens and %d, %d tokens and %d", name, one, money, other, otherMoney)
		}
	}
}
