package connection

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
)

// With opens the connection for an actor and passes it to f, whose requests it counts.
func (s *Service) With(ctx context.Context, c stockhand.Connection, a stockhand.Actor,
	f func(context.Context, connector.Account) error) (requests int, err error) {
	account, err := s.Open(ctx, c)
	if err != nil {
		return 0, err
	}
	var sent limit.Counter
	err = f(limit.WithCounter(ctx, &sent), account)
	s.count(ctx, c.Org, a, sent.Requests())
	return sent.Requests(), err
}

// Operate executes a raw operation of the connection's connector for an actor and counts its requests. Operations only
// read.
func (s *Service) Operate(ctx context.Context, c stockhand.Connection, operation string, arguments json.RawMessage,
	a stockhand.Actor) (out connector.Reading, requests int, err error) {
	began := time.Now()
	requests, err = s.With(ctx, c, a, func(ctx context.Context, account connector.Account) (err error) {
		operator, ok := account.(connector.Operator)
		if !ok {
			return stockhand.Errorf(stockhand.CodeNotFound, "%s has no raw operations", c.Connector)
		}
		out, err = operator.Operate(ctx, operation, arguments)
		return err
	})
	s.Logger.InfoContext(ctx, "operation", "connection", c.ID, "operation", operation, "requests", requests,
		"took", time.Since(began), "code", codeOf(err))
	return out, requests, err
}

// count adds requests to the actor's usage. A storage failure is logged and does not fail the answer.
func (s *Service) count(ctx context.Context, org stockhand.OrgID, a stockhand.Actor, requests int) {
	if requests == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.Store.AddUsage(ctx, org,
		stockhand.Usage{Org: org, By: a.Name, Used: stockhand.Used{Requests: requests}}); err != nil {
		s.Logger.ErrorContext(ctx, "usage was not counted", "requests", requests, "err", err)
	}
}

// codeOf returns an error's code for the log, or an empty code for nil.
func codeOf(err error) stockhand.Code {
	if err == nil {
		return ""
	}
	return stockhand.CodeOf(err)
}
