package auth

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/stockhand/stockhand"
)

// Policy returns what the actor's organization requires of keys and user tokens.
func (s *Service) Policy(ctx context.Context, a stockhand.Actor) (stockhand.Policy, error) {
	o, err := s.Store.Organization(ctx, a.Org)
	return o.Policy, err
}

// PolicyChange is a change of a policy; nil fields do not change.
type PolicyChange struct {
	MaxKeyDays        *int  `json:"max_key_days,omitempty"`   // 1–365; 0 for no limit
	MaxTokenDays      *int  `json:"max_token_days,omitempty"` // 1–365; 0 for no limit
	KeysNeedAddresses *bool `json:"keys_need_addresses,omitempty"`
}

// ChangePolicy changes the policy of the actor's organization and returns the new one. Only people who administer the
// organization may: a stolen key must not lift its own limits.
func (s *Service) ChangePolicy(ctx context.Context, a stockhand.Actor, c PolicyChange) (stockhand.Policy, error) {
	if err := administers(a, a.Org); err != nil {
		return stockhand.Policy{}, err
	}
	if c == (PolicyChange{}) {
		return s.Policy(ctx, a)
	}
	if a.Key != "" {
		return stockhand.Policy{}, NeedPerson(a)
	}
	var wrong []stockhand.FieldError
	for field, days := range map[string]*int{"max_key_days": c.MaxKeyDays, "max_token_days": c.MaxTokenDays} {
		if days != nil && (*days < 0 || *days > MostDays) {
			wrong = append(wrong, stockhand.FieldError{Field: field, Message: "must be a whole number from 0 to 365"})
		}
	}
	if len(wrong) > 0 {
		return stockhand.Policy{}, invalid(wrong...)
	}
	detail, err := json.Marshal(c)
	if err != nil {
		return stockhand.Policy{}, err
	}
	now, err := s.Store.ChangePolicy(ctx, a.Org, c.apply, s.entry(a, "policy.changed", detail))
	s.changed()
	return now, err
}

func (c PolicyChange) apply(p *stockhand.Policy) {
	if c.MaxKeyDays != nil {
		p.MaxKeyDays = *c.MaxKeyDays
	}
	if c.MaxTokenDays != nil {
		p.MaxTokenDays = *c.MaxTokenDays
	}
	if c.KeysNeedAddresses != nil {
		p.KeysNeedAddresses = *c.KeysNeedAddresses
	}
}

// demanded returns what a new key violates of a policy.
func demanded(p stockhand.Policy, k stockhand.Key, days int) (wrong []stockhand.FieldError) {
	if p.MaxKeyDays > 0 && days > p.MaxKeyDays {
		wrong = append(wrong, stockhand.FieldError{Field: "expires_in_days",
			Message: fmt.Sprintf("must be at most %d: the organization's policy", p.MaxKeyDays)})
	}
	if p.KeysNeedAddresses && len(k.AllowedIPs) == 0 {
		wrong = append(wrong, stockhand.FieldError{Field: "allowed_ips",
			Message: "must name addresses: the organization's policy"})
	}
	return wrong
}
