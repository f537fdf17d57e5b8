package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
)

// auditCmd verifies and exports the audit log.
type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check that no entry of the audit log was changed, removed or inserted."`
	Export auditExportCmd `cmd:"" aliases:"list" help:"Print the audit log, a JSON object a line."`
}

// inLog selects audit logs.
type inLog struct {
	Org string `placeholder:"ID" help:"Only the log of this organization, by id or name, or of the installation: installation."`
}

// each runs fn for each selected log, the installation's last.
func (in inLog) each(ctx context.Context, o *operator, fn func(org stockhand.OrgID) error) error {
	if in.Org == string(stockhand.Installation) {
		return fn(stockhand.Installation)
	}
	if in.Org != "" {
		a, err := o.actor(ctx, inOrg(in))
		if err != nil {
			return err
		}
		return fn(a.Org)
	}
	all, err := o.db.System().Organizations(ctx)
	if err != nil {
		return err
	}
	for _, org := range all {
		if err := fn(org.ID); err != nil {
			return err
		}
	}
	return fn(stockhand.Installation)
}

type auditVerifyCmd struct {
	inLog

	Head string `placeholder:"FILE|HASH" help:"A head that was kept elsewhere, or a file with what verify or export printed: fails if the log does not contain each of its hashes, because entries were cut from its end."`
	printable
}

func (c *auditVerifyCmd) Run(ctx context.Context, e *env) error {
	expected, err := c.expected()
	if err != nil {
		return err
	}
	return operate(ctx, e, func(o *operator) error {
		key, err := audit.Key(o.pepper)
		if err != nil {
			return err
		}
		entries, broken := int64(0), false
		err = c.each(ctx, o, func(org stockhand.OrgID) error {
			v, err := audit.Verify(ctx, o.db, key, org, expected.Saw)
			entries, broken = entries+v.Entries, broken || v.Broken > 0
			if err == nil && (v.Entries > 0 || v.Broken > 0) {
				err = c.show(o, v)
			}
			return err
		})
		if err != nil {
			return err
		}
		missing := expected.Missing()
		for _, h := range missing {
			fmt.Fprintf(o.streams.Err, "no entry has the hash %s: entries were cut off or replaced, "+
				"or it is of another log or older than the kept part\n", h)
		}
		if broken || len(missing) > 0 {
			return errReported
		}
		if entries == 0 && !c.JSON {
			fmt.Fprintln(o.streams.Out, "The audit log has no entries yet.")
		}
		return nil
	})
}

// expected reads the heads that the log must contain.
func (c *auditVerifyCmd) expected() (*audit.Expected, error) {
	if c.Head == "" {
		return audit.Expect(nil), nil
	}
	heads := audit.Heads(c.Head)
	if len(heads) != 1 || heads[0] != c.Head {
		text, err := os.ReadFile(c.Head)
		if err != nil {
			return nil, fmt.Errorf("%w: --head is neither a hash nor a file: %w", errUsage, err)
		}
		heads = audit.Heads(string(text))
	}
	if len(heads) == 0 {
		return nil, fmt.Errorf("%w: there is no hash in %s", errUsage, c.Head)
	}
	return audit.Expect(heads), nil
}

func (c *auditVerifyCmd) show(o *operator, v audit.Verification) error {
	if c.JSON {
		return printJSON(o.streams.Out, v)
	}
	fmt.Fprintln(o.streams.Out, v.Org)
	if v.Broken > 0 {
		fmt.Fprintf(o.streams.Out, "  broken at entry %d: %s\n  %d entries before it are intact\n", v.Broken, v.Reason,
			v.Entries)
		return nil
	}
	if v.First > 1 {
		fmt.Fprintf(o.streams.Out, "  entries 1 to %d were removed after their retention time\n", v.First-1)
	}
	fmt.Fprintf(o.streams.Out, "  %d entries, all intact\n  head %s\n", v.Entries, v.Head)
	return nil
}

type auditExportCmd struct {
	inLog

	After int64 `placeholder:"N" help:"Only entries after that number."`
}

func (c *auditExportCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		if err := o.did(ctx, "audit.exported", map[string]any{"org_id": c.Org}); err != nil {
			return err
		}
		return c.each(ctx, o, func(org stockhand.OrgID) error {
			for after := c.After; ; {
				entries, err := o.db.AuditEntries(ctx, org, after, 200)
				if err != nil || len(entries) == 0 {
					return err
				}
				for _, x := range entries {
					line, err := audit.Line(x)
					if err != nil {
						return err
					}
					if _, err := o.streams.Out.Write(line); err != nil {
						return err
					}
					after = x.Seq
				}
			}
		})
	})
}
