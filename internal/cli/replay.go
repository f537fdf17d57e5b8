package cli

import (
	"context"
	"errors"

	"github.com/stockhand/stockhand/internal/replay"
)

type recordCmd struct{ replay.RecordCommand }

func (c *recordCmd) Run(ctx context.Context, e *env) error {
	return c.Record(ctx, e.getenv, e.streams.Out, writeFile)
}

type replayCmd struct{ replay.PlayCommand }

func (c *replayCmd) Run(ctx context.Context, e *env) error {
	err := c.Play(ctx, e.getenv, e.streams.Out)
	if errors.Is(err, replay.ErrChanged) {
		return errReported
	}
	return err
}
