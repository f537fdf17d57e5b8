// Package auth authenticates callers and authorizes their requests: API keys of organizations, people with their tokens
// and roles, and the check of scopes (rules R26 to R35 and R90 to R102).
//
// It guarantees:
//
//   - A secret is shown once and never stored. The database has its HMAC-SHA-256 under the installation's pepper (see
//     [Pepper]). A string that cannot be a token is rejected without a query.
//   - A key acts only in its own organization, and a person only where they are a member.
//   - A revoked key, token or membership stops working with the next request on the replica that revoked it, and within
//     a second on every other.
//   - Every change is audited in the same transaction.
//
// Callers are cached, and replicas do not notify each other of changes. One database row counts the changes that revoke
// rights. [Service.Run] reads it four times a second; a cached caller is valid only if it was read at the current count
// and the count was read less than a second ago. So a request needs no query, there are no messages to lose, and a
// replica that cannot read the count queries the database for each caller.
package auth

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// Store is the part of *store.DB that this package uses.
type Store interface {
	Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error)
	FoundOrganization(ctx context.Context, org stockhand.OrgID, name string, owner stockhand.UserID, mostOrgs int,
		entry stockhand.AuditEntry) (stockhand.Organization, error)
	RenameOrganization(ctx context.Context, org stockhand.OrgID, name string, entry stockhand.AuditEntry) (
		stockhand.Organization, error)

	EraseContents(ctx context.Context, org stockhand.OrgID, entry stockhand.AuditEntry) error

	ChangePolicy(ctx context.Context, org stockhand.OrgID, change func(*stockhand.Policy),
		entry stockhand.AuditEntry) (stockhand.Policy, error)

	CreateKey(ctx context.Context, org stockhand.OrgID, k stockhand.Key, hash []byte, mostLive int,
		entry stockhand.AuditEntry) error
	ReplaceKey(ctx context.Context, org stockhand.OrgID, ends time.Time, k stockhand.Key, hash []byte, mostLive int,
		entry stockhand.AuditEntry) error
	Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error)
	Keys(ctx context.Context, org stockhand.OrgID, before stockhand.KeyID, limit int) ([]stockhand.Key, error)
	LiveKeys(ctx context.Context, org stockhand.OrgID, at time.Time) ([]stockhand.Key, error)
	RevokeKey(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID, tree bool, entry stockhand.AuditEntry) (
		stockhand.Revocation, error)
	NoteKeyUses(ctx context.Context, org stockhand.OrgID, keys []stockhand.Key) error

	CreateInvitation(ctx context.Context, org stockhand.OrgID, i stockhand.Invitation, hash []byte, mostPending int,
		entry stockhand.AuditEntry) error
	Invitations(ctx context.Context, org stockhand.OrgID, before stockhand.InvitationID, at time.Time, limit int) (
		[]stockhand.Invitation, error)
	Invitation(ctx context.Context, org stockhand.OrgID, id stockhand.InvitationID) (stockhand.Invitation, error)
	EndInvitation(ctx context.Context, org stockhand.OrgID, id stockhand.InvitationID, at time.Time,
		state stockhand.InvitationState, entry stockhand.AuditEntry) error
	AcceptInvitation(ctx context.Context, org stockhand.OrgID, i stockhand.Invitation, of stockhand.UserID,
		most stockhand.MemberLimits, entry stockhand.AuditEntry) (stockhand.Member, error)

	MemberTokens(ctx context.Context, org stockhand.OrgID, before stockhand.TokenID, at time.Time, limit int) (
		[]stockhand.MemberToken, error)
	MemberToken(ctx context.Context, org stockhand.OrgID, id stockhand.TokenID) (stockhand.MemberToken, error)
	ExcludeToken(ctx context.Context, org stockhand.OrgID, t stockhand.UserToken, entry stockhand.AuditEntry) error

	AddMember(ctx context.Context, org stockhand.OrgID, m stockhand.Member, most stockhand.MemberLimits,
		entry stockhand.AuditEntry) (stockhand.Member, error)
	Member(ctx context.Context, org stockhand.OrgID, user stockhand.UserID) (stockhand.Member, error)
	Members(ctx context.Context, org stockhand.OrgID, after stockhand.UserID, limit int) ([]stockhand.Member, error)
	ChangeMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen, role stockhand.Role,
		entry stockhand.AuditEntry) error
	RemoveMember(ctx context.Context, org stockhand.OrgID, user stockhand.UserID, seen stockhand.Role, heir string,
		entry stockhand.AuditEntry) ([]stockhand.Key, error)
}

// System is the part of *store.System that this package uses: queries across organizations, for tokens, people and
// invitations.
type System interface {
	AuthVersion(ctx context.Context) (int64, error)
	KeyCredential(ctx context.Context, hash []byte) (stockhand.Credential, error)
	TokenCredential(ctx context.Context, hash []byte) (stockhand.Credential, error)
	Memberships(ctx context.Context, of stockhand.UserID) ([]stockhand.Membership, error)
	SetHome(ctx context.Context, of stockhand.UserID, org stockhand.OrgID) error
	InvitationByHash(ctx context.Context, hash []byte) (stockhand.Invitation, error)
	InvitationTo(ctx context.Context, email string, id stockhand.InvitationID) (stockhand.Invitation, error)
	InvitationsTo(ctx context.Context, email string, before stockhand.InvitationID, at time.Time, limit int) (
		[]stockhand.Invitation, error)

	CreateUser(ctx context.Context, u stockhand.User) error
	SignUp(ctx context.Context, u stockhand.SignUp, most stockhand.MemberLimits,
		created, joined, signedIn stockhand.AuditEntry) (done bool, err error)
	User(ctx context.Context, id stockhand.UserID) (stockhand.User, error)
	UserByEmail(ctx context.Context, email string) (stockhand.User, error)
	Users(ctx context.Context, after stockhand.UserID, limit int) ([]stockhand.User, error)
	DisableUser(ctx context.Context, of stockhand.UserID, at time.Time, entry stockhand.AuditEntry) error
	EraseUser(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error
	CreateToken(ctx context.Context, t stockhand.UserToken, with stockhand.TokenID, hash []byte, mostLive int,
		entry stockhand.AuditEntry) error
	Tokens(ctx context.Context, of stockhand.UserID, before stockhand.TokenID, limit int) ([]stockhand.UserToken, error)
	RevokeToken(ctx context.Context, of stockhand.UserID, id stockhand.TokenID, at time.Time,
		entry stockhand.AuditEntry) (stockhand.UserToken, error)
	NoteTokenUses(ctx context.Context, tokens []stockhand.UserToken) error
	Bootstrap(ctx context.Context, o stockhand.Organization, owner stockhand.User, entry stockhand.AuditEntry) (
		stockhand.Organization, stockhand.User, bool, error)

	CreateSignIn(ctx context.Context, i stockhand.SignIn, hash []byte, mostLive int, entry stockhand.AuditEntry) error
	SignInCredential(ctx context.Context, hash []byte) (stockhand.Credential, error)
	SignIns(ctx context.Context, of stockhand.UserID, before stockhand.SignInID, at time.Time, limit int) (
		[]stockhand.SignIn, error)
	EndSignIn(ctx context.Context, of stockhand.UserID, id stockhand.SignInID, entry stockhand.AuditEntry) error
	EndSignIns(ctx context.Context, of stockhand.UserID, spared stockhand.SignInID, entry stockhand.AuditEntry) (
		int, error)
	ProveSignIn(ctx context.Context, of stockhand.UserID, id stockhand.SignInID, at time.Time,
		entry stockhand.AuditEntry) error
	NoteSignInUses(ctx context.Context, all []stockhand.SignIn) error
}

// Config is what a Service needs. Clock and Logger may be nil.
type Config struct {
	Store  Store
	System System
	Pepper []byte // of the installation; see [Pepper]
	Clock  func() time.Time
	Logger *slog.Logger

	InvitationDays int  // how long an invitation can be accepted; 0 means [DefaultInvitationDays]
	AnyoneCreates  bool // people may create organizations; otherwise only the operator does
	InvitedSignUp  bool // invited people may create their account; otherwise only the operator does

	SignInIdle time.Duration // how long a sign-in may be unused; 0 means [DefaultSignInIdle]
	SignInLife time.Duration // how long a sign-in lasts; 0 means [DefaultSignInLife]
}

// Service authenticates callers and manages keys, people and memberships. Its methods are safe for concurrent use.
type Service struct {
	Config

	macs   sync.Pool // of hash.Hash keyed with the pepper
	memory memory
	asking chan struct{} // full while mostLookups callers are being looked up
	uses   uses
}

// mostLookups limits concurrent lookups of callers, so that guessed tokens, or a change that empties the cache, leave
// database connections for other work.
const mostLookups = 4

// minPepper is the minimum length of a pepper, in bytes.
const minPepper = 16

// New returns a service. It looks up every caller until [Service.Run] runs.
func New(c Config) *Service {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.InvitationDays = cmp.Or(c.InvitationDays, DefaultInvitationDays)
	c.SignInIdle = cmp.Or(c.SignInIdle, DefaultSignInIdle)
	c.SignInLife = cmp.Or(c.SignInLife, DefaultSignInLife)
	if len(c.Pepper) < minPepper {
		panic("auth: the pepper is too short") // a mistake of the program: Pepper makes longer ones
	}
	s := &Service{Config: c, memory: newMemory(remembered), asking: make(chan struct{}, mostLookups), uses: newUses()}
	s.Pepper = nil // what is printed by mistake does not show it
	s.macs.New = func() any { return hmac.New(sha256.New, c.Pepper) }
	return s
}

// digest is the keyed hash of a secret.
type digest [sha256.Size]byte

func (s *Service) digest(secret string) (d digest) {
	mac := s.macs.Get().(hash.Hash)
	mac.Reset()
	_, _ = mac.Write([]byte(secret)) // never fails
	mac.Sum(d[:0])
	s.macs.Put(mac)
	return d
}

// Intervals of the background work.
const (
	lookEvery   = 250 * time.Millisecond // at the number of changes in who may call
	lookHolds   = time.Second            // how long a look is good for: what was taken away is dead within it
	lookTimeout = 5 * time.Second
	tidyEvery   = time.Second // look for uses that are due to be written
)

// Run does the background work of a replica until ctx is done: it keeps the cache of callers valid and stores when keys
// and tokens were used. It stores the rest before it returns, so stop it after the last request.
func (s *Service) Run(ctx context.Context) error {
	var looking sync.WaitGroup
	looking.Go(func() { s.watch(ctx) })
	s.writeUses(ctx)
	looking.Wait()
	s.memory.forget(s.Clock())
	return nil
}

// watch reads the number of changes at regular intervals.
func (s *Service) watch(ctx context.Context) {
	pace := time.NewTicker(lookEvery)
	defer pace.Stop()
	blind := false
	for {
		err := s.look(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !blind {
			s.Logger.WarnContext(ctx, "cannot see whether keys were revoked; every caller is looked up until then",
				"err", err)
		} else if err == nil && blind {
			s.Logger.InfoContext(ctx, "callers are remembered again")
		}
		blind = err != nil
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
		}
	}
}

func (s *Service) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	at := s.Clock()
	version, err := s.System.AuthVersion(ctx)
	if err != nil {
		return err
	}
	s.memory.saw(version, at)
	return nil
}

// entry returns an audit entry.
func (s *Service) entry(a stockhand.Actor, action string, detail []byte) stockhand.AuditEntry {
	return stockhand.AuditEntry{At: s.Clock(), Actor: a.Name, Action: action, Detail: detail}
}
