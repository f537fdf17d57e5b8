package draft

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
)

// Verification is the result of verifying an organization's audit log.
type Verification struct {
	Entries int64 `json:"entries"` // number of valid entries, from the first
	// hash of the last valid entry; a copy kept elsewhere proves that none changed
	Head   string `json:"head"`
	Broken int64  `json:"broken,omitempty"` // number of the first invalid entry; 0 if all are valid
	Reason string `json:"reason,omitempty"` // why it is invalid
}

// Verify reads an organization's audit log from the first entry and reports the first that is missing, changed or not
// linked to its predecessor. An attacker who can write to the database can rebuild the chain; only comparing the head
// with a copy kept elsewhere reveals that.
func (s *Service) Verify(ctx context.Context, org stockhand.OrgID) (Verification, error) {
	var v Verification
	end, head, err := s.Store.AuditHead(ctx, org) // first, so that entries appended from now on are verified, too
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

// Audit returns an organization's audit log in order: at most limit (1–200; 0 means 50) entries after a number.
func (s *Service) Audit(ctx context.Context, org stockhand.OrgID, after int64, limit int) ([]stockhand.AuditEntry,
	error) {
	return s.Store.AuditEntries(ctx, org, after, limit)
}

const on = "on"

// KeysMayConfirm reports whether the organization allows API keys to confirm drafts; the default is no.
func (s *Service) KeysMayConfirm(ctx context.Context, org stockhand.OrgID) (bool, error) {
	value, err := s.Store.Setting(ctx, org, stockhand.KeysMayConfirm)
	return value == on, err
}

// SetKeysMayConfirm changes the setting and audits it. Only a person may turn it on, or else a key could allow itself
// to confirm. The caller checks that the actor administers the organization.
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
