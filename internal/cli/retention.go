package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/retention"
)

type orgsRetentionCmd struct {
	Sessions *string `name:"sessions-days" placeholder:"DAYS" help:"Delete sessions so many days after their last message; none for the installation's time."`
	Results  *string `name:"results-days" placeholder:"DAYS" help:"Delete the rows of results after so many days; none for the installation's time."`
	Audit    *string `name:"audit-days" placeholder:"DAYS" help:"Remove audit entries after so many days; none for the installation's time."`
	Answers  *string `name:"answers-days" placeholder:"DAYS" help:"Repeat the response to a request with an Idempotency-Key for so many days, 1 to 7; none for the installation's time."`
	inOrg
	printable
}

func (c *orgsRetentionCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		d, err := o.keep.OwnDays(ctx, a.Org)
		if err != nil {
			return err
		}
		changed := false
		for _, x := range []struct {
			flag  string
			given *string
			to    **int
		}{{"--sessions-days", c.Sessions, &d.Sessions}, {"--results-days", c.Results, &d.Results},
			{"--audit-days", c.Audit, &d.Audit}, {"--answers-days", c.Answers, &d.Answers}} {
			if x.given == nil {
				continue
			}
			changed, *x.to = true, nil
			if *x.given == "none" {
				continue
			}
			n, err := strconv.Atoi(*x.given)
			if err != nil || n < 1 || n > retention.MostDays {
				return fmt.Errorf("%w: %s must be a number of days from 1 to %d, or none", errUsage, x.flag,
					retention.MostDays)
			}
			*x.to = &n
		}
		if changed {
			if err := o.keep.SetDays(ctx, a, d); err != nil {
				return err
			}
		}
		if d, err = o.keep.Days(ctx, a.Org); err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, d)
		}
		days := func(n *int) string {
			switch {
			case n == nil:
				return "for good"
			case *n == 1:
				return "1 day"
			}
			return strconv.Itoa(*n) + " days"
		}
		fmt.Fprintf(o.streams.Out, "sessions  %s\nresults   %s\naudit     %s\nanswers   %s\n", days(d.Sessions),
			days(d.Results), days(d.Audit), days(d.Answers))
		return nil
	})
}

type orgsUsageCmd struct {
	inOrg
	printable
}

func (c *orgsUsageCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		return showUsage(ctx, o, a.Org, c.printable)
	})
}

type orgsQuotaCmd struct {
	Limits string `arg:"" help:"MiB of results and numbers of sessions, messages and drafts, as in results=2048,sessions=50000; off for no limit, none for the installation's."`
	inOrg
	printable
}

func (c *orgsQuotaCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		own, err := o.keep.OwnQuota(ctx, a.Org)
		if err != nil {
			return err
		}
		own, ok := own.Change(c.Limits)
		if !ok {
			return fmt.Errorf("%w: limits are like results=2048,sessions=50000,messages=off,drafts=none", errUsage)
		}
		if err := o.keep.SetQuota(ctx, a, own); err != nil {
			return err
		}
		return showUsage(ctx, o, a.Org, c.printable)
	})
}

// showUsage prints what an organization stores and may store.
func showUsage(ctx context.Context, o *operator, org stockhand.OrgID, p printable) error {
	u, err := o.keep.Usage(ctx, org)
	if err != nil {
		return err
	}
	if p.JSON {
		return printJSON(o.streams.Out, u)
	}
	for _, x := range []struct {
		what string
		n    int64
		most *int64
	}{{"bytes of results", u.Bytes, u.MaxBytes}, {"sessions", u.Sessions, u.MaxSessions},
		{"messages", u.Messages, u.MaxMessages}, {"drafts", u.Drafts, u.MaxDrafts}} {
		most := "any number"
		if x.most != nil {
			most = strconv.FormatInt(*x.most, 10)
		}
		fmt.Fprintf(o.streams.Out, "%-16s  %d of %s\n", x.what, x.n, most)
	}
	return nil
}

type housekeepingCmd struct {
	DryRun bool `help:"Remove nothing, and print what would be removed."`
	printable
}

func (c *housekeepingCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		if c.DryRun {
			due, err := o.keep.Plan(ctx)
			if err != nil {
				return err
			}
			return rows(o, c.printable, due, "Nothing is past its retention time.",
				[]string{"ORGANIZATION", "SESSIONS", "RESULTS", "BYTES"}, func(d retention.Due) []string {
					return []string{string(d.Org), fmt.Sprint(d.Sessions), fmt.Sprint(d.Results), fmt.Sprint(d.Bytes)}
				})
		}
		done, err := o.keep.Housekeep(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, done)
		}
		fmt.Fprintf(o.streams.Out, "Removed %d sessions, the rows of %d results (%d bytes) and %d audit entries.\n",
			done.Sessions, done.Results, done.Bytes, done.Entries)
		return nil
	})
}
