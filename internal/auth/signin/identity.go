package signin

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// ways returns what this installation accepts at sign-in.
func (s *Service) ways() *stockhand.SignInWays {
	w := &stockhand.SignInWays{Passkeys: s.HasPasskeys()}
	if s.Provider != nil {
		w.Issuer = s.Provider.Issuer
	}
	return w
}

// Identities returns the accounts at OpenID providers that are linked to the person a.User, newest first.
func (s *Service) Identities(ctx context.Context, a stockhand.Actor) ([]stockhand.Identity, error) {
	if err := auth.NeedPerson(a); err != nil {
		return nil, err
	}
	return s.System.Identities(ctx, a.User)
}

// RemoveIdentity unlinks an account at an OpenID provider from the person a.User, who must have proved who they are
// lately. CONFLICT if it is their last way to sign in. The next sign-in there links it again if the email allows it.
func (s *Service) RemoveIdentity(ctx context.Context, a stockhand.Actor, id stockhand.IdentityID) error {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return err
	}
	return s.System.RemoveIdentity(ctx, a.User, id, s.ways(),
		s.Auth.Entry(a.User, "person.identity_removed", "identity_id", string(id)))
}

// UnlinkIdentity is RemoveIdentity for the operator, whom by names. The person may have no way to sign in afterwards
// but a link of the operator.
func (s *Service) UnlinkIdentity(ctx context.Context, by stockhand.Actor, of stockhand.UserID,
	id stockhand.IdentityID) error {
	entry := s.Auth.Entry(of, "person.identity_removed", "user_id", string(of), "identity_id", string(id))
	entry.Actor = by.Name
	return s.System.RemoveIdentity(ctx, of, id, nil, entry)
}
