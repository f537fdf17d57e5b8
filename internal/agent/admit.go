package agent

import (
	"cmp"
	"context"
	"time"

	"github.com/stockhand/stockhand"
)

// The default of MaxUnfinished.
const (
	DefaultUnfinishedOfActor = 200
	DefaultUnfinishedOfOrg   = 600
)

// MaxUnfinished is how many unfinished runs an actor and an organization may have; 0 means the default. Runs that are
// stored at the same moment may exceed it by a few.
type MaxUnfinished struct{ OfActor, OfOrg int }

func (m MaxUnfinished) orDefaults() MaxUnfinished {
	return MaxUnfinished{cmp.Or(m.OfActor, DefaultUnfinishedOfActor), cmp.Or(m.OfOrg, DefaultUnfinishedOfOrg)}
}

const runsRetryAfter = 10 * time.Second

// Admit refuses a task with RATE_LIMITED while its actor or organization has too many unfinished runs, and when the
// organization may store no more.
func (a *Agent) Admit(ctx context.Context, org stockhand.OrgID, actor string) error {
	if a.quota != nil {
		if err := a.quota(ctx, org); err != nil {
			return err
		}
	}
	ofOrg, ofActor, err := a.store.CountUnfinished(ctx, org, actor)
	if err != nil || ofOrg < a.maxRuns.OfOrg && ofActor < a.maxRuns.OfActor {
		return err
	}
	return &stockhand.Error{Code: stockhand.CodeRateLimited, RetryAfter: runsRetryAfter,
		Message: "too many tasks are unfinished", Hint: "Wait until some are finished, or cancel them.",
		RU: stockhand.Words{Message: "слишком много незаконченных задач",
			Hint: "Подождите, пока часть закончится, или отмените лишние."}}
}
