package remote

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
	for _, private := range []bool{false, true} {
		for want, addresses := range map[*[]string]bool{&always: true, &inside: private, &never: false} {
			for _, address := range *want {
				err := dialer(true, private).Control("tcp", address, nil)
				if (err == nil) != addresses {
					t.Errorf("%s, private %v: %v", address, private, err)
				}
			}
		}
	}
	if dialer(false, true).Control("tcp", "1.1.1.1:80", nil) == nil ||
		dialer(false, true).Control("tcp", "10.1.2.3:80", nil) != nil {
		t.Error("unencrypted, only the operator's own network is reached")
	}
	if own(netip.MustParseAddr("100.100.100.200")) {
		t.Error("the metadata address of a cloud counts as private")
	}
}
