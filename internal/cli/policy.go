package cli

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

type orgsPolicyCmd struct {
	MaxKeyDays        *int  `placeholder:"N" help:"API keys work at most so many days after their creation; 0 for no limit."`
	MaxTokenDays      *int  `placeholder:"N" help:"The same for user tokens in this organization."`
	KeysNeedAddresses *bool `negatable:"" help:"API keys work only if they have allowed addresses."`
	inOrg
	printable
}

func (c *orgsPolicyCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		p, err := o.auth.ChangePolicy(ctx, a, auth.PolicyChange{MaxKeyDays: c.MaxKeyDays,
			MaxTokenDays: c.MaxTokenDays, KeysNeedAddresses: c.KeysNeedAddresses})
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, p)
		}
		fmt.Fprintf(o.streams.Out, "API keys: %s, %s. User tokens: %s.\n", life(p.MaxKeyDays),
			map[bool]string{true: "only with allowed addresses", false: "from any address"}[p.KeysNeedAddresses],
			life(p.MaxTokenDays))
		return nil
	})
}

func life(days int) string {
	if days == 0 {
		return "no maximum life"
	}
	return fmt.Sprintf("at most %d days", days)
}
