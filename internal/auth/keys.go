package auth

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
)

// The limits of keys (rule R29). Days are of 24 hours.
const (
	DefaultDays = 90
	MostDays    = 365
	MostKeys    = 200 // valid keys of one organization
	mostRanges  = 50  // entries of an address list

	DefaultOverlap = 24 * time.Hour
	MostOverlap    = 30 * 24 * time.Hour
)

const day = 24 * time.Hour

// NewKey describes a key to create.
type NewKey struct {
	Name          string            // 1–100 characters
	Scopes        []stockhand.Scope // nil means write:tools; empty is an error
	ExpiresInDays int               // 1–365; 0 means 90
	AllowedIPs    []string          // addresses or CIDR ranges that it may be used from; empty means any
	Binding       stockhand.Binding // the caller checks that what it names exists
}

// CreateKey creates a key in the actor's organization and returns its secret, which cannot be shown again. A caller who
// may manage keys may grant any scope. A key created by another is limited to the other's addresses and expires no
// later. VALIDATION_FAILED names the invalid fields; CONFLICT if the organization already has [MostKeys].
func (s *Service) CreateKey(ctx context.Context, a stockhand.Actor, n NewKey) (k stockhand.Key, secret string,
	err error) {
	if err := administers(a, a.Org); err != nil {
		return k, "", err
	}
	if k, err = n.key(); err != nil {
		return k, "", err
	}
	own, err := s.own(ctx, a)
	if err != nil {
		return stockhand.Key{}, "", err
	}
	if len(k.AllowedIPs) == 0 {
		k.AllowedIPs = own.AllowedIPs
	}
	p, err := s.Policy(ctx, a)
	if err != nil {
		return stockhand.Key{}, "", err
	}
	if n.ExpiresInDays == 0 && p.MaxKeyDays > 0 {
		n.ExpiresInDays = min(DefaultDays, p.MaxKeyDays)
	}
	if wrong := demanded(p, k, n.days()); len(wrong) > 0 {
		return stockhand.Key{}, "", invalid(wrong...)
	}
	if err := within(own, k.AllowedIPs); err != nil {
		return stockhand.Key{}, "", err
	}
	now := s.now()
	k.Org, k.By, k.Created, k.Parent = a.Org, a.Name, now, own.ID
	k.Expires = earlier(now.Add(time.Duration(n.days())*day), own.Expires)
	secret, hash := s.fresh(&k)
	if err := s.Store.CreateKey(ctx, a.Org, k, hash, MostKeys, s.entry(a, "key.created", aboutKey(k))); err != nil {
		return stockhand.Key{}, "", err
	}
	return k, secret, nil
}

// RotateKey creates a replacement for a key, with the same name, scopes, addresses and lifetime. A replacement created
// by a key expires no later than that key, so only people can extend a lifetime. The old key expires after the overlap
// (at most 30 days; 0 means 24 hours) or at its own expiry, whichever is earlier. CONFLICT if it is no longer valid or
// already has a valid replacement.
func (s *Service) RotateKey(ctx context.Context, a stockhand.Actor, id stockhand.KeyID, overlap time.Duration) (
	k stockhand.Key, secret string, err error) {
	if err := administers(a, a.Org); err != nil {
		return k, "", err
	}
	if overlap < 0 || overlap > MostOverlap {
		return k, "", invalid(stockhand.FieldError{Field: "overlap_hours", Message: "must be from 1 hour to 30 days"})
	}
	if overlap == 0 {
		overlap = DefaultOverlap
	}
	old, err := s.Store.Key(ctx, a.Org, id)
	if err != nil {
		return k, "", err
	}
	own, err := s.own(ctx, a)
	if err == nil {
		err = within(own, old.AllowedIPs)
	}
	if err != nil {
		return k, "", err
	}
	p, err := s.Policy(ctx, a)
	if err != nil {
		return stockhand.Key{}, "", err
	}
	now := s.now()
	days := int((old.Expires.Sub(old.Created) + day - 1) / day)
	if p.MaxKeyDays > 0 {
		days = min(days, p.MaxKeyDays)
	}
	if wrong := demanded(p, old, days); len(wrong) > 0 {
		return stockhand.Key{}, "", invalid(wrong...)
	}
	k = stockhand.Key{
		Org: a.Org, Name: old.Name, Scopes: old.Scopes, AllowedIPs: old.AllowedIPs, Binding: old.Binding, By: a.Name,
		Replaces: old.ID,
		Parent:   own.ID, Created: now,
		Expires: earlier(now.Add(time.Duration(min(max(days, 1), MostDays))*day), own.Expires),
	}
	secret, hash := s.fresh(&k)
	err = s.Store.ReplaceKey(ctx, a.Org, now.Add(overlap), k, hash, MostKeys, s.entry(a, "key.rotated", aboutKey(k)))
	s.changed()
	if err != nil {
		return stockhand.Key{}, "", err
	}
	return k, secret, nil
}

// own returns the calling key, or none if a person is calling.
func (s *Service) own(ctx context.Context, a stockhand.Actor) (stockhand.Key, error) {
	if a.Key == "" {
		return stockhand.Key{}, nil
	}
	return s.Store.Key(ctx, a.Org, a.Key)
}

// within rejects a key that may be used from addresses where the calling one may not. Otherwise a stolen key could
// create one that the thief can use, or revoke the keys of others.
func within(own stockhand.Key, list []string) error {
	if len(own.AllowedIPs) == 0 {
		return nil
	}
	inside := func(text string) bool {
		p, ok := addresses(text)
		return ok && slices.ContainsFunc(own.AllowedIPs, func(text string) bool {
			o, ok := addresses(text)
			return ok && o.Bits() <= p.Bits() && o.Contains(p.Addr())
		})
	}
	if len(list) > 0 && !slices.ContainsFunc(list, func(text string) bool { return !inside(text) }) {
		return nil
	}
	return denied(
		stockhand.Words{Message: "this key may not manage one that can be used where it cannot itself",
			Hint: "stay within the key's own allowed_ips, or let a person do it with a user token"},
		stockhand.Words{Message: "этот ключ не может управлять ключом для адресов, с которых нельзя пользоваться им " +
			"самим", Hint: "оставайтесь в пределах его allowed_ips или сделайте это с токеном пользователя"})
}

// fresh sets a key's ID and prefix, and returns the secret and its hash.
func (s *Service) fresh(k *stockhand.Key) (secret string, hash []byte) {
	secret, k.Prefix = newSecret(keyBegins)
	k.ID = stockhand.NewID[stockhand.KeyID]("key")
	d := s.digest(secret)
	return secret, d[:]
}

// Keys returns keys of the actor's organization, newest first: at most limit (1–200; 0 means 50) that are older than
// before, or the newest if it is empty.
func (s *Service) Keys(ctx context.Context, a stockhand.Actor, before stockhand.KeyID, limit int) ([]stockhand.Key,
	error) {
	if err := administers(a, a.Org); err != nil {
		return nil, err
	}
	return s.Store.Keys(ctx, a.Org, before, limit)
}

// Key returns one key of the actor's organization.
func (s *Service) Key(ctx context.Context, a stockhand.Actor, id stockhand.KeyID) (stockhand.Key, error) {
	if err := administers(a, a.Org); err != nil {
		return stockhand.Key{}, err
	}
	return s.Store.Key(ctx, a.Org, id)
}

// Self returns the calling key.
func (s *Service) Self(ctx context.Context, a stockhand.Actor) (stockhand.Key, error) {
	return s.Store.Key(ctx, a.Org, a.Key)
}

// RevokeKey revokes a key, with tree also the keys that it created, and cancels their unfinished runs. Keys that were
// revoked before do not change. When it returns, this replica rejects these keys; the others do within a second.
func (s *Service) RevokeKey(ctx context.Context, a stockhand.Actor, id stockhand.KeyID, tree bool) (
	stockhand.Revocation, error) {
	if err := administers(a, a.Org); err != nil {
		return stockhand.Revocation{}, err
	}
	own, err := s.own(ctx, a)
	if err != nil {
		return stockhand.Revocation{}, err
	}
	if len(own.AllowedIPs) > 0 {
		k, err := s.Store.Key(ctx, a.Org, id)
		if err == nil {
			err = within(own, k.AllowedIPs)
		}
		if err != nil {
			return stockhand.Revocation{}, err
		}
	}
	ended, err := s.Store.RevokeKey(ctx, a.Org, id, tree, s.entry(a, "key.revoked", nil))
	s.changed()
	return ended, err
}

// The thresholds of a report.
const (
	unusedFor   = 30 * day // since the last use of a scope
	expiresSoon = 14 * day
)

// KeyReport lists keys that an administrator should review.
type KeyReport struct {
	Unused   []UnusedScopes  // keys with scopes that were never used, or not for 30 days; the newest key first
	Expiring []stockhand.Key // keys that expire within 14 days, the soonest first
}

// UnusedScopes are scopes that a key does not seem to need. The key says when each was last used.
type UnusedScopes struct {
	Key    stockhand.Key
	Scopes []stockhand.Scope
}

// Report reviews the valid keys of the actor's organization.
func (s *Service) Report(ctx context.Context, a stockhand.Actor) (KeyReport, error) {
	if err := administers(a, a.Org); err != nil {
		return KeyReport{}, err
	}
	now := s.now()
	keys, err := s.Store.LiveKeys(ctx, a.Org, now)
	var r KeyReport
	for _, k := range keys {
		unused := slices.DeleteFunc(slices.Clone(k.Scopes),
			func(scope stockhand.Scope) bool { return now.Sub(k.Used[scope]) < unusedFor })
		if len(unused) > 0 {
			r.Unused = append(r.Unused, UnusedScopes{Key: k, Scopes: unused})
		}
		if k.Expires.Sub(now) <= expiresSoon {
			r.Expiring = append(r.Expiring, k)
		}
	}
	slices.SortFunc(r.Expiring, func(a, b stockhand.Key) int { return a.Expires.Compare(b.Expires) })
	return r, err
}

func (n NewKey) days() int {
	if n.ExpiresInDays == 0 {
		return DefaultDays
	}
	return n.ExpiresInDays
}

// key validates and normalizes the request.
func (n NewKey) key() (stockhand.Key, error) {
	k := stockhand.Key{Name: n.Name, Scopes: []stockhand.Scope{stockhand.ScopeWriteTools}, Binding: n.Binding}
	wrong := named(n.Name)
	if n.Scopes != nil {
		var problem string
		if k.Scopes, problem = ordered(n.Scopes); problem != "" {
			wrong = append(wrong, stockhand.FieldError{Field: "scopes", Message: problem})
		}
	}
	if n.Binding.Some() && slices.ContainsFunc(k.Scopes,
		func(scope stockhand.Scope) bool { return !slices.Contains(n.Binding.Scopes(), scope) }) {
		wrong = append(wrong, stockhand.FieldError{Field: "scopes",
			Message: "of a bound key must be of read:tools, write:tools, chat, connector:gateway"})
	}
	if d := n.days(); d < 1 || d > MostDays {
		wrong = append(wrong, stockhand.FieldError{Field: "expires_in_days",
			Message: "must be a whole number from 1 to 365"})
	}
	var problem string
	if k.AllowedIPs, problem = ranges(n.AllowedIPs); problem != "" {
		wrong = append(wrong, stockhand.FieldError{Field: "allowed_ips", Message: problem})
	}
	if len(wrong) > 0 {
		return stockhand.Key{}, invalid(wrong...)
	}
	return k, nil
}

// ordered sorts scopes into their fixed order and removes duplicates.
func ordered(scopes []stockhand.Scope) (list []stockhand.Scope, problem string) {
	if len(scopes) == 0 {
		return nil, "must name a scope, or be left out for write:tools"
	}
	all := stockhand.Scopes()
	for _, scope := range scopes {
		if !slices.Contains(all, scope) {
			return nil, "must be of read:tools, write:tools, read:data, chat, connector:gateway, admin"
		}
	}
	return slices.DeleteFunc(all, func(scope stockhand.Scope) bool { return !slices.Contains(scopes, scope) }), ""
}

// ranges normalizes a list of addresses and CIDR ranges and removes duplicates.
func ranges(texts []string) (list []string, problem string) {
	if len(texts) > mostRanges {
		return nil, "must have at most 50 entries"
	}
	for _, text := range texts {
		p, ok := addresses(text)
		if !ok {
			return nil, "must be addresses such as 192.0.2.1 or ranges such as 192.0.2.0/24 or 2001:db8::/32"
		}
		text = p.String()
		if p.IsSingleIP() {
			text = p.Addr().String()
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list, ""
}

// addresses parses an address or range. IPv4-mapped IPv6 counts as IPv4.
func addresses(text string) (netip.Prefix, bool) {
	p, err := netip.ParsePrefix(text)
	if err != nil {
		one, err := netip.ParseAddr(text)
		if err != nil || one.Zone() != "" {
			return netip.Prefix{}, false
		}
		p = netip.PrefixFrom(one, one.BitLen())
	}
	if p.Addr().Is4In6() {
		if p.Bits() < 96 { // it would include IPv6 addresses
			return netip.Prefix{}, false
		}
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), true
}

func aboutKey(k stockhand.Key) []byte {
	b, _ := json.Marshal(struct { // texts and times always marshal
		ID       stockhand.KeyID   `json:"key_id"`
		Name     string            `json:"name"`
		Prefix   string            `json:"prefix"`
		Scopes   []stockhand.Scope `json:"scopes"`
		IPs      []string          `json:"allowed_ips,omitempty"`
		Binding  stockhand.Binding `json:"bound_to,omitzero"`
		Expires  time.Time         `json:"expires_at"`
		Replaces stockhand.KeyID   `json:"replaces,omitempty"`
		Parent   stockhand.KeyID   `json:"parent,omitempty"`
	}{k.ID, k.Name, k.Prefix, k.Scopes, k.AllowedIPs, k.Binding, k.Expires, k.Replaces, k.Parent})
	return b
}
