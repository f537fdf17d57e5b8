package agent

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
)

// How many unfinished runs an actor and an organization may have. Runs that are stored at the same moment may exceed
// it by a few.
const (
	maxRunsOfActor = 200
	maxRunsOfOrg   = 600
	runsRetryAfter = 10 * time.Second
)

// admit refuses a task with RATE_LIMITED while its actor or organization has too many unfinished runs.
func (a *Agent) admit(ctx context.Context, org stockhand.OrgID, actor string) error {
	ofOrg, ofActor, err := a.store.CountUnfinished(ctx, org, actor)
	if err != nil || ofOrg < maxRunsOfOrg && ofActor < maxRunsOfActor {
		return err
	}
	return &stockhand.Error{Code: stockhand.CodeRateLimited, RetryAfter: runsRetryAfter,
		Message: "too many tasks are unfinished", Hint: "Wait until some are finished, or cancel them.",
		RU: stockhand.Words{Message: "слишком много незаконченных задач",
			Hint: "Подождите, пока часть закончится, или отмените лишние."}}
}
