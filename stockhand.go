// Package stockhand contains the domain types: organizations with their people and API keys, connections to external
// accounts, sessions, runs and drafts, and the one error type.
//
// It imports the standard library only, and every package may import it, so values cross package boundaries without
// conversion. It contains types and their state transitions. The work is done in internal/agent (runs),
// internal/connector (external systems), internal/draft (writes) and internal/store (database).
package stockhand

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// IDs have a type prefix and sort by creation time (rule R40).
type (
	OrgID        string // org_…
	UserID       string // usr_…
	KeyID        string // key_…
	ConnectionID string // con_…
	SessionID    string // ses_…
	MessageID    string // msg_…
	RunID        string // run_…
	ResultID     string // res_…
	ResponseID   string // resp_…
	DraftID      string // drf_…
	DocumentID   string // doc_…
	TokenID      string // tok_…, of a user token
	InvitationID string // inv_…
	SignInID     string // sig_…
	PasskeyID    string // pky_…
	IdentityID   string // idn_…, of an account at an OpenID provider
	APIRequestID string // api_…, of an entry of the request log
	ReportID     string // rep_…, of a saved report
	AgentID      string // agt_…, of an agent profile; "stockhand" is the built-in agent
)

// AccountID is the external system's ID of an account. It identifies the account; names do not (rule R4).
type AccountID string

// idAlphabet is Crockford's base 32 in lower case. Its characters sort in the order of their values.
var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns prefix, an underscore and 26 characters: 48 bits of Unix milliseconds, 16 bits of the part of the
// millisecond that has passed, and 64 random bits. IDs sort by the time they were made at.
func NewID[T ~string](prefix string) T { return idAt[T](prefix, time.Now()) }

func idAt[T ~string](prefix string, at time.Time) T {
	var b [16]byte
	_, _ = rand.Read(b[8:]) // never fails since Go 1.24
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(b[:6], ms[2:])
	passed := at.Nanosecond() % int(time.Millisecond)
	binary.BigEndian.PutUint16(b[6:8], uint16(passed<<16/int(time.Millisecond)))
	return T(prefix + "_" + idAlphabet.EncodeToString(b[:]))
}

// ValidID reports whether s has the form of an ID made by [NewID] with the prefix.
func ValidID(s, prefix string) bool {
	rest, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(rest) != 26 {
		return false
	}
	_, err := idAlphabet.DecodeString(rest)
	return err == nil
}

// Language is the language of an answer.
type Language string

// The languages that Stockhand understands and answers in.
const (
	Russian Language = "ru"
	English Language = "en"
)

// Pick returns en for English and ru otherwise.
func (l Language) Pick(ru, en string) string {
	if l == English {
		return en
	}
	return ru
}
