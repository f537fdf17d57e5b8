package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// shop says what company the sandbox generates.
type shop struct {
	Seed     uint64 `default:"1" help:"The seed: the same seed makes the same company."`
	Products int    `default:"300" help:"How many products; up to a million."`
	Stores   int    `default:"3" help:"How many warehouses."`
	Days     int    `default:"180" help:"How many days of history."`
}

func (s shop) options() (company.Options, error) {
	for name, v := range map[string]struct{ is, least, most int }{
		"--products": {s.Products, 1, 1_000_000}, "--stores": {s.Stores, 1, 100}, "--days": {s.Days, 1, 3650},
	} {
		if v.is < v.least || v.is > v.most {
			return company.Options{}, fmt.Errorf("%w: %s takes %d to %d", errUsage, name, v.least, v.most)
		}
	}
	return company.Options{Seed: s.Seed, Products: s.Products, Stores: s.Stores, Days: s.Days}, nil
}

type sandboxCmd struct {
	shop

	Addr      string        `default:"127.0.0.1:8099" help:"Loopback address to listen on; port 0 picks a free one."`
	Accounts  int           `default:"2" enum:"1,2" help:"How many accounts."`
	Latency   time.Duration `default:"0s" help:"Time added to every answer, e.g. 50ms."`
	NoLimits  bool          `help:"Do not refuse requests for their rate."`
	ReadyFile string        `placeholder:"PATH" type:"path" help:"Write a JSON object with addresses and tokens there once the server answers."`
}

// Help is what stockhand sandbox --help adds.
func (sandboxCmd) Help() string {
	return "Besides the API it answers, without a token: GET /_sandbox/requests (what it received), POST and DELETE /_sandbox/faults " +
		"(make requests fail), POST /_sandbox/reset (start over)."
}

func (c *sandboxCmd) Run(ctx context.Context, e *env) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	began := time.Now()
	server := sandbox.New(sandbox.Options{Company: options, Accounts: c.Accounts, Latency: c.Latency,
		NoLimits: c.NoLimits})
	url, err := sandbox.Listen(ctx, c.Addr, server)
	if err != nil {
		return err
	}
	if c.ReadyFile != "" {
		if err := writeReady(c.ReadyFile,
			ready{Sandbox: &readySandbox{URL: url + sandbox.APIPath, Accounts: server.Accounts()}}); err != nil {
			return err
		}
	}
	fmt.Fprintf(e.streams.Out, "Sandbox of the MoySklad JSON API 1.2, ready in %s:\n  %s=%s%s\n",
		time.Since(began).Round(time.Millisecond), app.Variable(sandbox.Connector, "URL"), url, sandbox.APIPath)
	for _, a := range server.Accounts() {
		fmt.Fprintf(e.streams.Out, "%s, account %s\n  owner        %s\n  storekeeper  %s\n  sales        %s\n  revoked      %s\n",
			a.Label, a.AccountID, a.Tokens.Owner, a.Tokens.Storekeeper, a.Tokens.Sales, a.Tokens.Revoked)
	}
	fmt.Fprintln(e.streams.Out, "Stop it with Ctrl-C.")
	<-ctx.Done()
	return nil
}
