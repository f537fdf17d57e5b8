package stockhand

import (
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
	Hash     string          // of this entry and Previous
}

// Digest returns the hash that the entry must have: SHA-256 in hexadecimal over its fields in the order of the type,
// without Hash. Strings are prefixed with their length and numbers take eight bytes, so different entries never have
// the same encoding. The time is in microseconds, as it is stored.
func (e AuditEntry) Digest() string {
	b := []byte("stockhand audit 1\n")
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
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Setting names a setting of an organization.
type Setting string

// The settings. Each is off by default, and every change is in the audit log.
const (
	// API keys may confirm drafts; otherwise only persons may (rule R60)
	KeysMayConfirm Setting = "keys_may_confirm"
)
