package auth

import (
	"net/netip"

	"github.com/stockhand/stockhand"
)

// Caller is what a request says of who sends it.
type Caller struct {
	Bearer string          // the token of the Authorization header; empty when there is none
	Org    stockhand.OrgID // the X-Org-Id header; empty when there is none
	IP     netip.Addr
}
