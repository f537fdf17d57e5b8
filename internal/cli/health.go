package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// healthCmd checks whether the server on this machine is ready, for container health checks.
type healthCmd struct {
	Addr string `placeholder:"HOST:PORT" help:"The server's address (default: STOCKHAND_ADDR, or 127.0.0.1:8080)."`
}

func (c *healthCmd) Run(ctx context.Context, e *env) error {
	host, port, err := net.SplitHostPort(cmp.Or(c.Addr, e.getenv("STOCKHAND_ADDR"), defaultAddr))
	if err != nil {
		return fmt.Errorf("%w: --addr: %w", errUsage, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	url := "http://" + net.JoinHostPort(host, port) + "/readyz"
	transport := &http.Transport{}
	if e.getenv("STOCKHAND_TLS_CERT_FILE") != "" {
		url = "https" + strings.TrimPrefix(url, "http")
		// The certificate is for the public host. Nothing secret is sent here.
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} //nolint:gosec // see above
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return stockhand.Errorf(stockhand.CodeInternal, "the server does not answer: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return stockhand.Errorf(stockhand.CodeInternal, "the server is not ready: %s %s", resp.Status,
			strings.TrimSpace(string(body)))
	}
	_, err = fmt.Fprintln(e.streams.Out, strings.TrimSpace(string(body)))
	return err
}
