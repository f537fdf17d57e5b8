package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
)

// drafts returns the service for settings; it cannot write to an external system.
func (o *operator) drafts() *draft.Service { return draft.New(draft.Config{Store: o.db}) }

type orgsRulesCmd struct {
	MaxOrderTotal             *string `placeholder:"AMOUNT" help:"Largest total of one supplier order, in the currency of the account; none for no limit."`
	MaxPriceChange            *string `placeholder:"PERCENT" help:"Largest change of a price up or down; none for no limit."`
	NoPriceBelowCost          *bool   `negatable:"" name:"price-above-cost" help:"No price becomes lower than the cost."`
	SecondApproverAbove       *string `placeholder:"AMOUNT" help:"Two people confirm if the supplier orders of a draft together exceed this; none for never."`
	SecondApproverPriceChange *string `placeholder:"PERCENT" help:"Two people confirm larger changes of a price; none for never."`
	ProposerMayNotConfirm     *bool   `negatable:"" name:"other-confirms" help:"Those who proposed or edited a draft do not confirm it."`
	QuietHours                *string `placeholder:"22:00-08:00" help:"When nothing is confirmed, in the time zone of the account; none for never."`
	inOrg
	printable
}

func (c *orgsRulesCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		rules, err := o.drafts().Rules(ctx, a.Org)
		if err != nil {
			return err
		}
		changed, err := c.apply(&rules)
		if err == nil && changed {
			err = o.drafts().SetRules(ctx, a, rules)
		}
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, rules)
		}
		amount := func(m decimal.Maybe) string {
			if !m.Known {
				return "none"
			}
			return m.String()
		}
		quiet := "none"
		if q := rules.QuietHours; q != nil {
			quiet = q.From + "-" + q.To
		}
		for _, x := range []struct {
			name  string
			value any
		}{
			{"max_order_total", amount(rules.MaxOrderTotal)}, {"max_price_change", amount(rules.MaxPriceChange)},
			{"no_price_below_cost", rules.NoPriceBelowCost},
			{"second_approver_above", amount(rules.SecondApproverAbove)},
			{"second_approver_price_change", amount(rules.SecondApproverPriceChange)},
			{"proposer_may_not_confirm", rules.ProposerMayNotConfirm}, {"quiet_hours", quiet},
		} {
			fmt.Fprintf(o.streams.Out, "%-28s  %v\n", x.name, x.value)
		}
		return nil
	})
}

// apply changes the rules that were given as flags.
func (c *orgsRulesCmd) apply(r *draft.Rules) (changed bool, err error) {
	for _, x := range []struct {
		flag  string
		given *string
		to    *decimal.Maybe
	}{
		{"--max-order-total", c.MaxOrderTotal, &r.MaxOrderTotal},
		{"--max-price-change", c.MaxPriceChange, &r.MaxPriceChange},
		{"--second-approver-above", c.SecondApproverAbove, &r.SecondApproverAbove},
		{"--second-approver-price-change", c.SecondApproverPriceChange, &r.SecondApproverPriceChange},
	} {
		if x.given == nil {
			continue
		}
		*x.to, changed = decimal.Maybe{}, true
		if *x.given == "none" {
			continue
		}
		n, err := decimal.Parse(*x.given)
		if err != nil {
			return false, fmt.Errorf("%w: %s must be a number such as 100000.00, or none", errUsage, x.flag)
		}
		*x.to = decimal.Some(n)
	}
	for given, to := range map[*bool]*bool{c.NoPriceBelowCost: &r.NoPriceBelowCost,
		c.ProposerMayNotConfirm: &r.ProposerMayNotConfirm} {
		if given != nil {
			*to, changed = *given, true
		}
	}
	if c.QuietHours != nil {
		r.QuietHours, changed = nil, true
		if *c.QuietHours != "none" {
			from, to, _ := strings.Cut(*c.QuietHours, "-")
			r.QuietHours = &draft.QuietHours{From: from, To: to}
		}
	}
	return changed, nil
}

// writesCmd stops all writes to external systems and allows them again. It holds at once, on every replica.
type writesCmd struct {
	Show  writesShowCmd  `cmd:"" help:"Show whether writes are stopped."`
	Stop  writesStopCmd  `cmd:"" help:"Stop all writes to external systems at once, on every replica."`
	Allow writesAllowCmd `cmd:"" help:"Allow writes again."`
}

// writesOf selects what a command stops.
type writesOf struct {
	Org string `placeholder:"ID" help:"Only this organization, by id or name (default: the whole installation)."`
	printable
}

type (
	writesShowCmd  struct{ writesOf }
	writesStopCmd  struct{ writesOf }
	writesAllowCmd struct{ writesOf }
)

func (c *writesShowCmd) Run(ctx context.Context, e *env) error  { return c.change(ctx, e, nil) }
func (c *writesStopCmd) Run(ctx context.Context, e *env) error  { return c.change(ctx, e, new(true)) }
func (c *writesAllowCmd) Run(ctx context.Context, e *env) error { return c.change(ctx, e, new(false)) }

// change stops or allows writes, unless stop is nil, and prints what holds then.
func (c writesOf) change(ctx context.Context, e *env, stop *bool) error {
	return operate(ctx, e, func(o *operator) error {
		now, err := c.stopped(ctx, o, stop)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, map[string]any{"write_stop": wire.WriteStopOf(now)})
		}
		if now.By == "" {
			fmt.Fprintln(o.streams.Out, "Writes are allowed.")
			return nil
		}
		what := "in this organization"
		if now.Everywhere {
			what = "in the whole installation"
		}
		fmt.Fprintf(o.streams.Out, "Writes are stopped %s, by %s at %s.\n", what, table.OneLine(now.By),
			shownTime(now.At))
		return nil
	})
}

func (c writesOf) stopped(ctx context.Context, o *operator, stop *bool) (stockhand.WriteStop, error) {
	if c.Org == "" {
		all := o.db.System()
		if stop != nil {
			action := map[bool]string{true: "writes.stopped", false: "writes.allowed"}[*stop]
			if err := all.ChangeWriteStop(ctx, *stop, stockhand.AuditEntry{At: time.Now(), Actor: "cli:" + o.login,
				Action: action, Detail: []byte(`{"installation":true}`)}); err != nil {
				return stockhand.WriteStop{}, err
			}
		}
		return all.WriteStop(ctx)
	}
	a, err := o.actor(ctx, inOrg{Org: c.Org})
	if err != nil {
		return stockhand.WriteStop{}, err
	}
	if stop != nil {
		if err := o.drafts().StopWrites(ctx, a, *stop); err != nil {
			return stockhand.WriteStop{}, err
		}
	}
	return o.drafts().WriteStop(ctx, a.Org)
}
