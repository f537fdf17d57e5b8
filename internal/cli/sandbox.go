package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// shop configures the company that the sandbox generates.
type shop struct {
	Seed     uint64 `default:"1" help:"Seed of the generated company; the same seed gives the same company."`
	Products int    `default:"300" help:"How many products; up to a million."`
	Stores   int    `default:"3" help:"How many warehouses."`
	Days     int    `default:"180" help:"How many days of history."`
}

func (s shop) options() (company.Options, error) {
	for name, v := range map[string]struct{ is, least, most int }{
		"--products": {s.Products, 1, 1_000_000}, "--stores": {s.Stores, 1, 100}, "--days": {s.Days, 1, 3650},
	} {
		if v.is < v.least || v.is > v.most {
			return company.Options{}, fmt.Errorf("%w: %s must be %d to %d", errUsage, name, v.least, v.most)
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
	TLS       bool          `name:"tls" help:"Serve over HTTPS with a self-signed certificate; the file of its authority is printed."`
	TLSCert   string        `name:"tls-cert" type:"path" placeholder:"PATH" help:"PEM file of a certificate to serve over HTTPS with, with --tls-key."`
	TLSKey    string        `name:"tls-key" type:"path" placeholder:"PATH" help:"PEM file of the private key of --tls-cert."`
	CheckShip bool          `name:"check-stock" help:"The accounts refuse to ship or move more than is in stock."`
	ReadyFile string        `placeholder:"PATH" type:"path" help:"Write a JSON object with addresses and tokens there once the server answers."`
}

// Help adds to stockhand sandbox --help.
func (sandboxCmd) Help() string {
	return "Besides the API it answers, without a token: GET /_sandbox/requests (what it received), POST and DELETE /_sandbox/faults " +
		"(make requests fail), POST /_sandbox/reset (start over)."
}

func (c *sandboxCmd) Run(ctx context.Context, e *env) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	options.CheckShippingStock = c.CheckShip
	began := time.Now()
	server := sandbox.New(sandbox.Options{Company: options, Accounts: c.Accounts, Latency: c.Latency,
		NoLimits: c.NoLimits})
	url, authority, err := c.listen(ctx, server)
	if err != nil {
		return err
	}
	if authority != "" {
		defer func() { _ = os.Remove(authority) }()
	}
	if c.ReadyFile != "" {
		if err := writeReady(c.ReadyFile,
			ready{Sandbox: &readySandbox{URL: url + sandbox.APIPath, CAFile: authority,
				Accounts: server.Accounts()}}); err != nil {
			return err
		}
	}
	fmt.Fprintf(e.streams.Out, "Sandbox of the MoySklad JSON API 1.2, ready in %s:\n  %s=%s%s\n",
		time.Since(began).Round(time.Millisecond), app.Variable(sandbox.Connector, "URL"), url, sandbox.APIPath)
	if authority != "" {
		fmt.Fprintf(e.streams.Out, "  NODE_EXTRA_CA_CERTS=%s\n", authority)
	}
	for _, a := range server.Accounts() {
		fmt.Fprintf(e.streams.Out, "%s, account %s\n  owner        %s\n  storekeeper  %s\n  sales        %s\n  revoked      %s\n",
			a.Label, a.AccountID, a.Tokens.Owner, a.Tokens.Storekeeper, a.Tokens.Sales, a.Tokens.Revoked)
	}
	fmt.Fprintln(e.streams.Out, "Stop it with Ctrl-C.")
	<-ctx.Done()
	return nil
}

// listen serves HTTP, or HTTPS if a flag asks for it. The authority is the file of a certificate created for this run.
func (c *sandboxCmd) listen(ctx context.Context, server *sandbox.Server) (url, authority string, err error) {
	if c.TLSCert != "" || c.TLSKey != "" {
		certificate, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return "", "", fmt.Errorf("%w: --tls-cert and --tls-key: %w", errUsage, err)
		}
		url, err = sandbox.ListenTLS(ctx, c.Addr, server, certificate)
		return url, "", err
	}
	if !c.TLS {
		url, err = sandbox.Listen(ctx, c.Addr, server)
		return url, "", err
	}
	certificate, pem, err := sandbox.SelfSigned()
	if err != nil {
		return "", "", err
	}
	f, err := os.CreateTemp("", "stockhand-sandbox-*.pem")
	if err != nil {
		return "", "", err
	}
	_, err = f.Write(pem)
	if err = errors.Join(err, f.Close()); err == nil {
		url, err = sandbox.ListenTLS(ctx, c.Addr, server, certificate)
	}
	return url, f.Name(), err
}
