package cli

import (
	"context"
	"errors"
	"io"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/replay"
)

type recordCmd struct{ replay.RecordCommand }

func (c *recordCmd) Run(ctx context.Context, e *env) error {
	return c.Record(ctx, e.getenv, e.streams.Out, writeFile)
}

// exportRunCmd is stockhand export-run.
type exportRunCmd struct {
	Message stockhand.MessageID `arg:"" help:"The message that the turn answers: msg_…"`
	File    string              `arg:"" type:"path" help:"The file to write; compressed if it ends with .gz."`
}

// Help adds to stockhand export-run --help.
func (exportRunCmd) Help() string {
	return "Reads the server's database, like stockhand drafts. The server must have kept the traffic of runs " +
		"(STOCKHAND_TRAFFIC). The file holds what was read of the account: keep it like the account's data."
}

func (c *exportRunCmd) Run(ctx context.Context, e *env) error {
	s, err := openLocal(ctx, e)
	if err != nil {
		return err
	}
	defer s.Close()
	m, err := s.Store.Message(ctx, s.Org, c.Message)
	if err != nil {
		return err
	}
	run, err := s.Store.Run(ctx, s.Org, m.Run)
	if err != nil {
		return err
	}
	return writeFile(c.File, 0o600, func(w io.Writer) error {
		return replay.Packed(w, c.File, func(w io.Writer) error { return s.Traffic.Export(ctx, w, run) })
	})
}

type replayCmd struct{ replay.PlayCommand }

func (c *replayCmd) Run(ctx context.Context, e *env) error {
	err := c.Play(ctx, e.getenv, e.streams.Out)
	if errors.Is(err, replay.ErrChanged) {
		return errReported
	}
	return err
}
