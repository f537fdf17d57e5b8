package auth

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/stockhand/stockhand"
)

// MemberTokens returns user tokens that act in the actor's organization, with their owners: at most limit (1–200; 0
// means 50) that are older than before.
func (s *Service) MemberTokens(ctx context.Context, a stockhand.Actor, before stockhand.TokenID, limit int) (
	[]stockhand.MemberToken, error) {
	if err := administers(a, a.Org); err != nil {
		return nil, err
	}
	return s.Store.MemberTokens(ctx, a.Org, before, s.now(), limit)
}

// ExcludeToken ends a member's token in the actor's organization, and nowhere else. Only owners end those of owners.
func (s *Service) ExcludeToken(ctx context.Context, a stockhand.Actor, id stockhand.TokenID) (stockhand.MemberToken,
	error) {
	if err := s.manages(ctx, a, a.Org); err != nil {
		return stockhand.MemberToken{}, err
	}
	t, err := s.Store.MemberToken(ctx, a.Org, id)
	if err != nil {
		return stockhand.MemberToken{}, err
	}
	if err := gives(a, t.Role); err != nil {
		return stockhand.MemberToken{}, err
	}
	defer s.changed()
	return t, s.Store.ExcludeToken(ctx, a.Org, t.UserToken,
		s.entry(a, "token.excluded", about("token_id", string(id), "user_id", string(t.User))))
}

// DisableUser disables an account: its tokens and sign-ins stop working, and the person cannot sign in. Only for the
// operator.
func (s *Service) DisableUser(ctx context.Context, operator stockhand.Actor, of stockhand.UserID) error {
	return s.disable(ctx, operator, of, s.now(), "person.disabled")
}

// EnableUser enables a disabled account. Only for the operator.
func (s *Service) EnableUser(ctx context.Context, operator stockhand.Actor, of stockhand.UserID) error {
	return s.disable(ctx, operator, of, time.Time{}, "person.enabled")
}

func (s *Service) disable(ctx context.Context, operator stockhand.Actor, of stockhand.UserID, at time.Time,
	action string) error {
	if err := operates(operator); err != nil {
		return err
	}
	defer s.changed()
	return s.System.DisableUser(ctx, of, at, s.entry(operator, action, about("user_id", string(of))))
}

// EraseUser erases a person for the operator. See [Service.EraseSelf].
func (s *Service) EraseUser(ctx context.Context, operator stockhand.Actor, of stockhand.UserID) error {
	if err := operates(operator); err != nil {
		return err
	}
	return s.erase(ctx, operator, of)
}

// EraseSelf erases the person a.User, who must have proved who they are lately: their name, email, memberships, keys
// and everything by which they sign in. Records keep the person's ID, which then leads to no person. CONFLICT names the
// organization of which they are the last owner.
func (s *Service) EraseSelf(ctx context.Context, a stockhand.Actor) error {
	if err := s.Proven(a, ProvenFor); err != nil {
		return err
	}
	return s.erase(ctx, a, a.User)
}

func (s *Service) erase(ctx context.Context, a stockhand.Actor, of stockhand.UserID) error {
	defer s.changed()
	return s.System.EraseUser(ctx, of, s.entry(a, "person.erased", about("user_id", string(of))))
}

// pseudonym returns what the audit log has instead of an email: the same for the same email, and only with the
// installation's pepper can it be recognized.
func (s *Service) pseudonym(email string) string {
	return hex.EncodeToString(s.Derive("person", email)[:8])
}
