package draft

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
)

// Verification is what walking an organization's audit log came to.
type Verification struct {
	Entries int64 `json:"entries"` // how many are whole, from the first
	// the hash of the last whole one; note it elsewhere, and nothing before it can change unnoticed
	Head string `json:"head"`
	// the number of the first entry that is not as it was written; 0 when all are
	Broken int64  `json:"broken,omitempty"`
	Reason string `json:"reason,omitempty"` // what is wrong with it
}

// Verify walks an organization's audit log from its first entry and names the first that is missing, changed or out of
// its chain. Someone who can write to the database and knows the algorithm can make a new chain from any entry on;
// comparing the head with one noted before shows that.
func (s *Service) Verify(ctx context.Context, org stockhand.OrgID) (Verification, error) {
	var v Verification
	end, head, err := s.Store.AuditHead(ctx, org) // first: what is appended from here on is checked as well
	if err != nil {
		return v, err
	}
	broken := func(seq int64, reason string, args ...any) (Verification, error) {
		v.Broken, v.Reason = seq, fmt.Sprintf(reason, args...)
		return v, nil
	}
	for {
		page, err := s.Store.AuditEntries(ctx, org, v.Entries, 200)
		if err != nil {
			return v, err
		}
		for _, e := range page {
			switch {
			case e.Seq != v.Entries+1:
				return broken(v.Entries+1, "the entry is missing; the next one is %d", e.Seq)
			case e.Previous != v.Head:
				return broken(e.Seq, "the entry does not follow the one before it")
			case e.Hash != e.Digest():
				return broken(e.Seq, "the entry is not what its hash was made of")
			case e.Seq == end && e.Hash != head:
				return broken(e.Seq, "the entry is not the one that was noted as the last")
			}
			v.Entries, v.Head = e.Seq, e.Hash
		}
		if len(page) == 0 {
			break
		}
	}
	if v.Entries < end {
		return broken(v.Entries+1, "the entry is missing; there were %d", end)
	}
	return v, nil
}

// Audit lists an organization's audit log in its order: at most limit (1–200, 0 for 50) entries after that number.
func (s *Service) Audit(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry,
	error) {
	return s.Store.AuditEntries(ctx, org, after, limit)
}

const on = "on"

// KeysMayConfirm reports whether the organization lets API keys confirm drafts; the default is no.
func (s *Service) KeysMayConfirm(ctx context.Context, org stockhand.OrgID) (bool, error) {
	value, err := s.Store.Setting(ctx, org, stockhand.KeysMayConfirm)
	return value == on, err
}

// SetKeysMayConfirm changes that, which is audited. Anybody may turn it off; only a person may turn it on, or a key
// could let itself confirm. Whether the person administers the organization is for the caller to know.
func (s *Service) SetKeysMayConfirm(ctx context.Context, actor stockhand.Actor, may bool) error {
	if actor.Name == "" || (may && !actor.Person) {
		return stockhand.Errorf(stockhand.CodePermissionDenied, "only a person may turn %s on",
			stockhand.KeysMayConfirm).
			WithHint("let a person who administers the organization do it")
	}
	value := "off"
	if may {
		value = on
	}
	return s.Store.ChangeSetting(ctx, actor.Org, stockhand.KeysMayConfirm, value, stockhand.AuditEntry{
		At: s.Clock(), Actor: actor.Name, Action: "setting.changed",
		Detail: detail(map[string]any{"setting": stockhand.KeysMayConfirm, "value": value}),
	})
}
