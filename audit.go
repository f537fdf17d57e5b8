package stockhand

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"time"
)

// AuditEntry is one line of an organization's audit log: append-only, each entry chained to the one before by its hash.
type AuditEntry struct {
	Org      OrgID
	Seq      int64 // from 1, without holes
	At       time.Time
	Actor    string // who
	Action   string // what: "draft.created", "draft.edited", "draft.confirmed", "document.applied", …
	Draft    DraftID
	Document DocumentID
	Version  int64           // which version of the draft
	External string          // which external document: its type and id
	Detail   json.RawMessage // what else the action has to say; never a secret
	Previous string          // hash of the entry before; empty for the first
	Hash     string          // of this entry and Previous
}

// Digest is the hash that the entry must have: SHA-256, in hexadecimal, over its fields in the order of the type, Hash
// left out. Texts are preceded by their length and numbers take eight bytes, so that two different entries never read
// alike; the time counts in microseconds, which is what the record keeps of it.
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

// Setting names something that an organization may decide for itself.
type Setting string

// The settings. Each is off until somebody turns it on, and every change is in the audit log.
const (
	// API keys may confirm drafts; without it only persons may (product.md, section 7)
	KeysMayConfirm Setting = "keys_may_confirm"
)
