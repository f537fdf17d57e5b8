// Package audit keeps and verifies the audit log: one chain of entries per organization, and one for the installation.
//
// It guarantees:
//
//   - An entry's hash is an HMAC over the entry and the hash before it, under a key that a copy of the database does
//     not reveal (see [Key]). Who can write to the database but lacks the key cannot change, insert or reorder entries
//     without [Verify] naming the first that is wrong.
//   - Entries cut from the end are found by comparing a head that was kept elsewhere ([Heads]).
//   - Removing old entries after their retention time leaves an anchor in the chain, and [Verify] demands it.
//
// What changes the database is audited in the same transaction, by internal/store. What changes nothing (reads, refused
// requests) is collected in memory by a [Log] and written once a second: a process that crashes loses the last second
// of it, and no read waits for a write.
package audit

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
)

// Key derives the key of the hashes from the installation's pepper. The pepper is stored encrypted under the secret key
// ring and survives its rotation, and so does this key.
func Key(pepper []byte) ([]byte, error) {
	return hkdf.Key(sha256.New, pepper, nil, "stockhand audit log", sha256.Size)
}

// Store is the part of *store.DB that this package uses.
type Store interface {
	AuditEntries(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry, error)
	AuditHead(ctx context.Context, org stockhand.OrgID) (seq int64, hash string, err error)
}

// Verification is the result of verifying one chain.
type Verification struct {
	Org     stockhand.OrgID `json:"org_id"`
	First   int64           `json:"first,omitempty"` // number of the first entry; older ones were trimmed
	Entries int64           `json:"entries"`         // how many valid entries follow each other from there
	// hash of the last valid entry; a copy kept elsewhere proves that none changed or was cut off
	Head   string `json:"head"`
	Broken int64  `json:"broken,omitempty"` // number of the first invalid entry; 0 if all are valid
	Reason string `json:"reason,omitempty"` // why it is invalid
}

// Last returns the number of the last valid entry.
func (v Verification) Last() int64 { return v.First + v.Entries - 1 }

// Verify reads a chain from its first entry and reports the first entry that is missing, changed or not linked to its
// predecessor. It calls seen, which may be nil, for each valid entry, and again if it starts over because entries were
// trimmed before it read them.
func Verify(ctx context.Context, s Store, key []byte, org stockhand.OrgID, seen func(stockhand.AuditEntry)) (
	Verification, error) {
	for {
		v, err := verify(ctx, s, key, org, seen)
		if err != nil || v.Broken == 0 {
			return v, err
		}
		first, err := s.AuditEntries(ctx, org, 0, 1)
		if err != nil || len(first) == 0 || first[0].Seq <= v.First {
			return v, err
		}
	}
}

func verify(ctx context.Context, s Store, key []byte, org stockhand.OrgID, seen func(stockhand.AuditEntry)) (
	Verification, error) {
	v := Verification{Org: org, First: 1}
	end, head, err := s.AuditHead(ctx, org) // first, so that entries appended from now on are verified, too
	if err != nil {
		return v, err
	}
	var before, trimmed stockhand.AuditAnchor // what the first entry follows, and the last anchor up to there
	for {
		page, err := s.AuditEntries(ctx, org, v.Last(), 200)
		if err != nil {
			return v, err
		}
		for _, e := range page {
			if v.Entries == 0 {
				v.First, v.Head = e.Seq, e.Previous
				before = stockhand.AuditAnchor{Through: e.Seq - 1, Hash: e.Previous}
			}
			if reason := wrong(e, v, key); reason != "" {
				return v.broken(v.Last()+1, reason), nil
			}
			if e.Seq == end && e.Hash != head {
				return v.broken(e.Seq, "the entry is not the one that was noted as the last"), nil
			}
			if a, ok := anchor(e); ok && a.Through > trimmed.Through && a.Through <= before.Through {
				trimmed = a
			}
			v.Entries, v.Head = v.Entries+1, e.Hash
			if seen != nil {
				seen(e)
			}
		}
		if len(page) == 0 {
			break
		}
	}
	switch {
	case before != trimmed:
		v.Entries, v.Head = 0, ""
		return v.broken(trimmed.Through+1, "the entry is missing, and no anchor says that it was removed"), nil
	case v.Last() < end:
		return v.broken(v.Last()+1, fmt.Sprintf("the entry is missing; there were %d", end)), nil
	}
	return v, nil
}

func (v Verification) broken(seq int64, reason string) Verification {
	v.Broken, v.Reason = seq, reason
	return v
}

// wrong returns why an entry cannot follow the valid ones; empty if it can.
func wrong(e stockhand.AuditEntry, v Verification, key []byte) string {
	switch {
	case e.Seq != v.Last()+1:
		return fmt.Sprintf("the entry is missing; the next one is %d", e.Seq)
	case e.Previous != v.Head:
		return "the entry does not follow the one before it"
	case e.Hash != e.Digest(key):
		return "the entry is not what its hash was made of"
	}
	return ""
}

// anchor returns the anchor that an entry holds. Its hash was verified, so it was written with the key.
func anchor(e stockhand.AuditEntry) (a stockhand.AuditAnchor, ok bool) {
	return a, e.Action == stockhand.AuditTrimmed && json.Unmarshal(e.Detail, &a) == nil
}

var hash = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// Heads returns the heads in a text: a hash, what `stockhand audit verify` printed, or an exported log. The details of
// exported entries may contain other hashes, which are no heads.
func Heads(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		var e shown
		if json.Unmarshal([]byte(line), &e) == nil && e.Hash != "" {
			line = e.Hash
		}
		all = append(all, hash.FindAllString(line, -1)...)
	}
	return all
}

// Expected is heads that were kept elsewhere and that the log must contain.
type Expected struct{ missing map[string]bool }

// Expect returns the heads as expected.
func Expect(heads []string) *Expected {
	x := &Expected{map[string]bool{}}
	for _, h := range heads {
		x.missing[h] = true
	}
	return x
}

// Saw notes that the log contains an entry. Pass it to [Verify].
func (x *Expected) Saw(e stockhand.AuditEntry) {
	delete(x.missing, e.Hash)
	delete(x.missing, e.Previous) // the anchored end of what was trimmed
}

// Missing returns the heads that were not seen, sorted.
func (x *Expected) Missing() []string { return slices.Sorted(maps.Keys(x.missing)) }
