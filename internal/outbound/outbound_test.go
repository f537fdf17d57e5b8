package outbound

import (
	"net/netip"
	"testing"
)

// What is dialled is judged by its address, whatever its name said.
func TestWhatUsersMayHaveDialled(t *testing.T) {
	always := []string{"1.1.1.1:443", "[2606:4700::1111]:443"}
	inside := []string{"127.0.0.1:443", "[::1]:443", "10.1.2.3:443", "172.16.0.1:443", "192.168.1.1:443",
		"100.64.0.1:443", "[fd12::1]:443", "[::ffff:10.1.2.3]:443"}
	never := []string{
		"0.0.0.0:443", "169.254.169.254:443", "[::ffff:169.254.169.254]:443", "100.100.100.200:443",
		"[fd00:ec2::254]:443", "[fe80::1]:443", "224.0.0.1:443",
		"255.255.255.255:443", "198.18.0.1:443", "192.0.2.1:443", "[64:ff9b::a00:1]:443", "[2002:a00:1::]:443",
		"[::]:443", "[ff02::1]:443", "nonsense",
	}
	var networks []netip.Prefix
	for _, n := range []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
		"100.64.0.0/10", "fc00::/7", "0.0.0.0/0", "::/0"} { // the last two open no special address
		networks = append(networks, netip.MustParsePrefix(n))
	}
	for _, private := range [][]netip.Prefix{nil, networks} {
		for want, addresses := range map[*[]string]bool{&always: true, &inside: private != nil, &never: false} {
			for _, address := range *want {
				err := Dialer(true, private).Control("tcp", address, nil)
				if (err == nil) != addresses {
					t.Errorf("%s, networks %v: %v", address, private, err)
				}
			}
		}
	}
}

// Finding L17: one setting opened every private network and loopback, to every organization.
func TestAttackAPrivateNetworkThatIsNotListed(t *testing.T) {
	dials := func(address, network string) bool {
		return Dialer(false, []netip.Prefix{netip.MustParsePrefix(network)}).Control("tcp", address, nil) == nil
	}
	for _, c := range []struct {
		address, network string
		want             bool
	}{
		{"10.1.2.3:80", "10.1.0.0/16", true}, {"10.2.2.3:80", "10.1.0.0/16", false},
		{"1.1.1.1:80", "10.0.0.0/8", false},
		{"127.0.0.1:80", "10.0.0.0/8", false}, {"127.0.0.1:80", "0.0.0.0/0", false},
		{"127.0.0.1:80", "127.0.0.1/32", true}, {"127.0.0.2:80", "127.0.0.1/32", false},
		{"169.254.169.254:80", "169.0.0.0/8", false}, {"169.254.169.254:80", "169.254.169.254/32", true},
		{"100.100.100.200:80", "100.64.0.0/10", false}, {"[fd00:ec2::254]:80", "fd00::/8", false},
		{"[fd00:ec2::253]:80", "fd00::/8", true}, {"[64:ff9b::a00:1]:80", "::/0", false},
	} {
		if got := dials(c.address, c.network); got != c.want {
			t.Errorf("%s with %s: %v", c.address, c.network, got)
		}
	}
}
