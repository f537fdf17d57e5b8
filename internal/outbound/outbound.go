// Package outbound dials addresses that people name, such as connected servers and webhooks, and refuses those that
// would reach into the operator's network.
package outbound

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// ForbiddenError is the error for an address that users may not reach.
type ForbiddenError struct {
	Unencrypted bool // the connection would be unencrypted over a public network
}

func (e *ForbiddenError) Error() string {
	if e.Unencrypted {
		return "refused to send anything unencrypted outside the operator's network"
	}
	return "refused to dial an address that is not public"
}

// Dialer returns a dialer that reaches public addresses over TLS, and addresses in the operator's networks, encrypted
// or not. It checks the address actually dialled, because a second DNS lookup may give another one.
func Dialer(encrypted bool, private []netip.Prefix) *net.Dialer {
	return &net.Dialer{
		Timeout: 10 * time.Second,
		Control: func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("read the dialled address: %w", err)
			}
			switch {
			case listed(at.Addr(), private):
			case !public(at.Addr()):
				return &ForbiddenError{}
			case !encrypted:
				return &ForbiddenError{Unencrypted: true}
			}
			return nil
		},
	}
}

// listed reports whether an address is in one of the operator's networks. A network that only contains special
// addresses among others does not open them: 0.0.0.0/0 is not meant to open a cloud's metadata service.
func listed(a netip.Addr, networks []netip.Prefix) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool {
		return n.Contains(a) && !slices.ContainsFunc(special, func(s netip.Prefix) bool {
			return s.Contains(a) && (s.Bits() > n.Bits() || !s.Contains(n.Addr()))
		})
	})
}

// shared is the address range between providers and their customers (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// special are the addresses that only a network within them opens: this host and its network, cloud metadata services,
// documentation, multicast, and ranges that embed another address.
var special = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("224.0.0.0/4"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("fec0::/10"), netip.MustParsePrefix("ff00::/8"),
	netip.MustParsePrefix("100.100.100.200/32"), netip.MustParsePrefix("fd00:ec2::254/128"),
}

// public reports whether an address is on the public Internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsGlobalUnicast() && !a.IsPrivate() && !shared.Contains(a) &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}
