package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// evaluation is a running service whose model is evaluated.
type evaluation struct {
	*app.Service
	model llm.Model
}

func open(ctx context.Context, c app.Config, token string) (*evaluation, error) {
	models, err := llm.Load(c.LLM, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	c.Model = models.Model()
	s, err := app.OpenLocal(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := s.Connect(ctx, sandbox.Connector, token, ""); err != nil {
		s.Close()
		return nil, err
	}
	return &evaluation{s, c.Model}, nil
}

// ask asks the turns of a task in a session of its own, and judges the last answer.
func (e *evaluation) ask(ctx context.Context, t task) (s score, answer string, err error) {
	var session stockhand.SessionID
	var last *agent.Finished
	var used llm.Usage
	steps, began := 0, time.Now()
	for _, text := range t.turns {
		turn, err := e.Agent.Start(ctx, e.Org, agent.Task{Text: text, Session: session})
		if err != nil {
			return s, "", err
		}
		session = turn.Session
		for _, err := range e.Agent.Follow(ctx, e.Org, turn.Run, 0) {
			if err != nil {
				return s, "", e.Agent.GiveUp(ctx, e.Org, turn, err)
			}
		}
		if last, err = e.Agent.Finished(ctx, e.Org, turn.Run); err != nil {
			return s, "", err
		}
		made, err := e.Store.ModelSteps(ctx, e.Org, turn.Run)
		if err != nil {
			return s, "", err
		}
		steps += len(made)
		used = used.Plus(llm.Usage{Input: last.InputTokens, Output: last.OutputTokens})
	}
	s = judge(t, last)
	s.steps, s.input, s.output, s.seconds = steps, used.Input, used.Output, time.Since(began).Seconds()
	s.cost = e.model.Cost(used)
	answer = last.FinalResponse
	if last.Failure != nil {
		answer = last.Failure.Message
	}
	return s, answer, nil
}

// unlimited never delays a request to the sandbox.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}
