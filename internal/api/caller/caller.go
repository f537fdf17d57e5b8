// Package caller reads from a request where it comes from and with which token.
package caller

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of proxies whose X-Forwarded-For is trusted.
type Proxies []netip.Prefix

// Address returns the client's address: the last address in X-Forwarded-For that is not a trusted proxy, if trusted
// proxies sent the header. It is invalid, and so in no network, if a trusted proxy sends no address that can be read.
func (p Proxies) Address(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	ip := at.Addr().Unmap()
	if !p.contain(ip) {
		return ip
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		if ip = forwarded(strings.TrimSpace(hop)); !p.contain(ip) {
			return ip
		}
	}
	return ip
}

// forwarded reads an address as proxies write it: alone, in brackets, or with a port. It is invalid for any other text.
func forwarded(hop string) netip.Addr {
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr().Unmap()
	}
	if inner, ok := strings.CutPrefix(hop, "["); ok {
		hop = strings.TrimSuffix(inner, "]")
	}
	ip, _ := netip.ParseAddr(hop)
	return ip.Unmap()
}

func (p Proxies) contain(ip netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// Bearer returns the token of the only Authorization header, "Bearer sk-org-…". The scheme is case-insensitive.
func Bearer(h http.Header) (string, bool) {
	values := h["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}
