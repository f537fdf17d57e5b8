package caller

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestClientAddressesComeFromTrustedProxies(t *testing.T) {
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:5", "203.0.113.9", "192.0.2.1"}, // not a trusted proxy
		{"10.0.0.1:5", "", "invalid IP"},            // the proxy does not say
		{"10.0.0.1:5", "unknown", "invalid IP"},
		{"10.0.0.1:5", "203.0.113.9:51234", "203.0.113.9"},
		{"10.0.0.1:5", "[2001:db8::1]:443", "2001:db8::1"},
		{"10.0.0.1:5", "[2001:db8::1]", "2001:db8::1"},
		{"10.0.0.1:5", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:5", "198.51.100.7, 203.0.113.9, 10.0.0.2", "203.0.113.9"}, // the client wrote the first
		{"10.0.0.1:5", "198.51.100.7, nonsense, 10.0.0.2", "invalid IP"},
		{"[::1]:5", "2001:db8::1", "2001:db8::1"},
		{"[::ffff:10.0.0.1]:5", "::ffff:203.0.113.9", "203.0.113.9"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": {c.forwarded}}}
		if got := proxies.Address(r); got.String() != c.want {
			t.Errorf("%s, %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}
