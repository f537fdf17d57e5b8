package cli

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/notes"
)

type orgsNotesCmd struct {
	Set *string `placeholder:"TEXT" help:"New notes, in place of the present ones; a note in a line."`
	inOrg
	printable
}

func (c *orgsNotesCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		kept := &notes.Service{Store: o.db}
		if c.Set != nil {
			if err := kept.Set(ctx, a, *c.Set); err != nil {
				return err
			}
		}
		text, err := kept.Text(ctx, a.Org)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, map[string]string{"notes": text})
		}
		if text != "" {
			fmt.Fprintln(o.streams.Out, text)
		}
		return nil
	})
}
