package connection

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// Operate executes a raw operation of the connection's connector for an actor and counts its requests. Operations only
// read.
func (s *Service) Operate(ctx context.Context, c stockhand.Connection, operation string, arguments json.RawMessage,
	a stockhand.Actor) (out connector.Reading, requests int, err error) {
	account, err := s.Open(ctx, c)
	if err != nil {
		return out, 0, err
	}
	operator, ok := account.(connector.Operator)
	if !ok {
		return out, 0, stockhand.Errorf(stockhand.CodeNotFound, "%s has no raw operations", c.Connector)
	}
	var sent limit.Counter
	began := time.Now()
	out, err = operator.Operate(limit.WithCounter(ctx, &sent), operation, arguments)
	s.Logger.InfoContext(ctx, "operation", "connection", c.ID, "operation", operation, "requests", sent.Requests(),
		"took", time.Since(began), "code", codeOf(err))
	s.count(ctx, c.Org, a, sent.Requests())
	return out, sent.Requests(), err
}

// Plan returns what a call of a tool would read, for an actor, and counts the requests that it took to find out. It
// reads no facts.
func (s *Service) Plan(ctx context.Context, c stockhand.Connection, name string, arguments json.RawMessage,
	l stockhand.Language, a stockhand.Actor) (*tool.Plan, error) {
	account, err := s.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	tools := account.Tools()
	at := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	if at < 0 {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "the connection has no tool %s", name)
	}
	var sent limit.Counter
	plan, err := tools[at].Plan(limit.WithCounter(ctx, &sent), tool.Env{Language: l}, arguments)
	s.count(ctx, c.Org, a, sent.Requests())
	return plan, err
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
