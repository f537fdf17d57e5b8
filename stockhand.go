// Package stockhand holds the words of the product: organizations and the people and keys that act for them,
// connections to external accounts, sessions and the runs that answer them, and the one error type.
//
// It imports the standard library alone and everything else may import it, so that a type crosses package lines
// as itself and nothing is converted in the middle. It holds values and their legal moves; it does no work:
// the work is in internal/agent (runs), internal/connector (external systems) and internal/store (the record).
package stockhand

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// Ids carry a type prefix and sort by the time of their making (product.md, section 2).
type (
	OrgID        string // org_…
	UserID       string // usr_…
	KeyID        string // key_…
	ConnectionID string // con_…
	SessionID    string // ses_…
	MessageID    string // msg_…
	RunID        string // run_…
	ResultID     string // res_…
	DraftID      string // drf_…
	DocumentID   string // doc_…
	TokenID      string // tok_… of a user token
	AgentID      string // agt_… of an agent profile; "stockhand" is the system's own
)

// AccountID is the external tenant's own identifier. Accounts are told apart by it and never by a name
// (specification, section 1, rule 7).
type AccountID string

// idAlphabet is Crockford's base 32 in lower case: its digits and letters sort as their values do.
var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns prefix, an underscore and 26 characters: 48 bits of Unix milliseconds, then 80 random bits.
func NewID[T ~string](prefix string) T { return idAt[T](prefix, time.Now()) }

func idAt[T ~string](prefix string, at time.Time) T {
	var b [16]byte
	_, _ = rand.Read(b[6:]) // never fails since Go 1.24
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(b[:6], ms[2:])
	return T(prefix + "_" + idAlphabet.EncodeToString(b[:]))
}

// ValidID tells whether s could have been made by [NewID] with that prefix.
func ValidID(s, prefix string) bool {
	rest, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(rest) != 26 {
		return false
	}
	_, err := idAlphabet.DecodeString(rest)
	return err == nil
}

// Language is the language a person is answered in.
type Language string

// The languages Stockhand reads and answers in.
const (
	Russian Language = "ru"
	English Language = "en"
)

// Pick returns ru or en, whichever the language asks for; Russian is the default.
func (l Language) Pick(ru, en string) string {
	if l == English {
		return en
	}
	return ru
}
