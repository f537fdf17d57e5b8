package app

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
)

// checkNATS rejects NATS servers on other hosts without a login or TLS.
func (c Config) checkNATS() error {
	if c.NATS == "" {
		return nil
	}
	for server := range strings.SplitSeq(c.NATS, ",") {
		u, err := url.Parse(strings.TrimSpace(server))
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return badValue(envNATS, "the address of a NATS server with JetStream, as in "+
				"tls://user:password@nats.example.org:4222")
		}
		if c.TrustedNetwork || loopback(u.Hostname()) {
			continue
		}
		if u.User.String() == "" {
			return unsafe(envNATS, "has no login", "tls://user:password@nats.example.org:4222")
		}
		if u.Scheme != "tls" && u.Scheme != "wss" {
			return unsafe(envNATS, "is not encrypted", "tls://user:password@nats.example.org:4222")
		}
	}
	return nil
}

// checkPostgres rejects a Postgres server on another host without a login or TLS.
func (c Config) checkPostgres() error {
	if c.TrustedNetwork || !c.onPostgres() {
		return nil
	}
	access, err := database.PostgresAccess(c.Database)
	if err != nil {
		return err
	}
	//nolint:gosec // an example
	const example = "postgres://user:password@db.example.org:5432/stockhand?sslmode=verify-full"
	for _, a := range access {
		switch {
		case strings.HasPrefix(a.Host, "/") || loopback(a.Host): // a socket, or this machine
		case !a.TLS:
			return unsafe(envDatabase, "does not insist on encryption", example)
		case !a.Login:
			return unsafe(envDatabase, "has no password and no client certificate", example)
		}
	}
	return nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

func unsafe(variable, fault, example string) error {
	return stockhand.Errorf(stockhand.CodeValidation, "%s %s, and the server is on another host", variable, fault).
		WithHint("use %s; or set %s=1 if nothing else can reach or overhear that network", example, envTrusted)
}
