package stockhand

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"time"
)

// AuditEntry is an entry of an organization's audit log. The log is append-only, and each entry contains the hash of
// the previous one (rule R63).
type AuditEntry struct {
	Org      OrgID
	Seq      int64 // from 1, without holes
	At       time.Time
	Actor    string // the name of the actor
	Action   string // such as "draft.created", "draft.edited", "draft.confirmed", "document.applied", …
	Draft    DraftID
	Document DocumentID
	Version  int64           // of the draft
	External string          // type and ID of the external document
	Detail   json.RawMessage // more about the action; never a secret
	Previous string          // hash of the previous entry; empty for the first
	Hash     string          // of this entry and Previous, under the installation's audit key
}

// Installation stands for the whole installation where an audit entry belongs to no organization: refused callers
// without a valid token, and what its operator does. It is no organization and has no members.
const Installation OrgID = "installation"

// AuditTrimmed is the action of the entry that remains when older entries are removed after their retention time. Its
// detail is an [AuditAnchor].
const AuditTrimmed = "audit.trimmed"

// AuditAnchor names the last entry that was removed, so that the first remaining one is known to follow it.
type AuditAnchor struct {
	Through int64  `json:"through"` // number of the last removed entry
	Hash    string `json:"hash"`    // its hash
}

// AuditBacklog is an audit log of which not everything was streamed.
type AuditBacklog struct {
	Org  OrgID
	Head int64 // number of the last entry
	Sent int64 // number of the last entry sent; 0 for none
}

// Digest returns the hash that the entry must have: HMAC-SHA-256 in hexadecimal under the key, over its fields in the
// order of the type, without Hash. Strings are prefixed with their length and numbers take eight bytes, so different
// entries never have the same encoding. The time is in microseconds, as it is stored. Only who has the key can write an
// entry that verifies.
func (e AuditEntry) Digest(key []byte) string {
	b := []byte("stockhand audit 2\n")
	text := func(s string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	text(string(e.Org))
	number(e.Seq)
	number(e.At.UnixMicro())
	text(e.Actor)
	text(e.Action)
	text(string(e.Draft))
	text(string(e.Document))
	number(e.Version)
	text(e.External)
	text(string(e.Detail))
	text(e.Previous)
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write(b) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// Setting names a setting of an organization.
type Setting string

// The settings. Each is off by default, and every change is in the audit log.
const (
	// API keys may confirm drafts; otherwise only persons may (rule R60)
	KeysMayConfirm Setting = "keys_may_confirm"
	// what drafts must meet to be confirmed: an internal/draft.Rules as JSON (rule R103)
	DraftRules Setting = "draft_rules"
	// how long what is stored is kept: an internal/retention.Days as JSON (rule R126)
	Retention Setting = "retention"
	// the IANA name of the time zone that people are shown times in; empty for the accounts' (rule R448)
	TimeZone Setting = "time_zone"
	// what the organization's agent should know, for models (rule R473)
	Notes Setting = "notes"
	// how much may be stored: what the operator set for the organization, as JSON (rule R181)
	Quota Setting = "quota"
)
