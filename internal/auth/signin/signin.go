// Package signin verifies who a person is and signs them in: by a one-time link, a password with an optional second
// factor, a passkey or an OpenID provider (rules R113 to R122). What a sign-in may do is decided in internal/auth.
//
// It guarantees:
//
//   - A refusal does not tell whether there is a user with that email, and takes as long as any other.
//   - Guesses are limited by account and by address, and so is the memory that hashing passwords takes.
//   - Passwords are stored as Argon2id hashes, and one-time secrets as keyed hashes.
//   - Every sign-in, refusal and change is in the audit log of the person's organizations. A refusal is written right
//     after its answer, everything else with its change.
package signin

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
)

// System is the part of *store.System that this package uses.
type System interface {
	User(ctx context.Context, id stockhand.UserID) (stockhand.User, error)
	UserByEmail(ctx context.Context, email string) (stockhand.User, error)
	AuditPerson(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error

	ProveEmail(ctx context.Context, of stockhand.UserID, at time.Time, by string) error

	PutOneTime(ctx context.Context, o stockhand.OneTime, hash []byte, entry stockhand.AuditEntry) error
	TakeOneTime(ctx context.Context, purpose string, hash []byte, at time.Time) (stockhand.OneTime, error)

	TakeAttempts(ctx context.Context, at time.Time, all ...stockhand.Attempts) (full []byte, wait time.Duration,
		err error)
	ReturnAttempts(ctx context.Context, all ...stockhand.Attempts) error
	ForgetExpired(ctx context.Context, now time.Time) (more bool, err error)

	Password(ctx context.Context, of stockhand.UserID) (string, error)
	SetPassword(ctx context.Context, of stockhand.UserID, hash string, spared stockhand.SignInID,
		entry stockhand.AuditEntry) error

	SecondFactor(ctx context.Context, of stockhand.UserID) (stockhand.SecondFactor, error)
	PutSecondFactor(ctx context.Context, of stockhand.UserID, nonce string) error
	ConfirmSecondFactor(ctx context.Context, of stockhand.UserID, nonce string, at time.Time, codes [][]byte,
		entry stockhand.AuditEntry) error
	PutRecoveryCodes(ctx context.Context, of stockhand.UserID, codes [][]byte, entry stockhand.AuditEntry) error
	UseSecondFactor(ctx context.Context, of stockhand.UserID, nonce string, step int64) (first bool, err error)
	UseRecoveryCode(ctx context.Context, of stockhand.UserID, hash []byte, entry stockhand.AuditEntry) (bool, error)
	RemoveSecondFactor(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error

	AddPasskey(ctx context.Context, p stockhand.Passkey, mostHeld int, entry stockhand.AuditEntry) error
	Passkeys(ctx context.Context, of stockhand.UserID) ([]stockhand.Passkey, error)
	PasskeyByCredential(ctx context.Context, credential []byte) (stockhand.Passkey, error)
	UsePasskey(ctx context.Context, p stockhand.Passkey) (first bool, err error)
	RemovePasskey(ctx context.Context, of stockhand.UserID, id stockhand.PasskeyID, ways *stockhand.SignInWays,
		entry stockhand.AuditEntry) error

	Identities(ctx context.Context, of stockhand.UserID) ([]stockhand.Identity, error)
	RemoveIdentity(ctx context.Context, of stockhand.UserID, id stockhand.IdentityID, ways *stockhand.SignInWays,
		entry stockhand.AuditEntry) error
	Identity(ctx context.Context, issuer, subject string) (stockhand.UserID, error)
	LinkIdentity(ctx context.Context, issuer, subject string, u stockhand.User, entry stockhand.AuditEntry) (
		stockhand.UserID, error)
	InvitationsTo(ctx context.Context, email string, before stockhand.InvitationID, at time.Time, limit int) (
		[]stockhand.Invitation, error)
}

// Config is what a Service needs. Clock and Logger may be nil.
type Config struct {
	Auth   *auth.Service
	System System
	URL    string // of the server, for links
	// Provider is the OpenID provider; nil for none.
	Provider *Provider
	// Audit notes refusals of people who are not known; nil notes none.
	Audit  *audit.Log
	Clock  func() time.Time
	Logger *slog.Logger
}

// Service signs people in. Its methods are safe for concurrent use.
type Service struct {
	Config

	hashing chan struct{} // full while mostHashing passwords are hashed
	decoy   func() string // the hash of a random password
	guesses guesses

	refusals  sync.WaitGroup // that are being written to the audit log
	discovery discovery
	party     *webauthn.WebAuthn // nil if there are no passkeys
}

// New returns a service.
func New(c Config) *Service {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: c, hashing: make(chan struct{}, mostHashing), decoy: sync.OnceValue(decoy),
		party: relyingParty(c.URL)}
}

// Outcome is the result of a step of a sign-in: a sign-in, or the challenge of a second factor.
type Outcome struct {
	SignIn    stockhand.SignIn
	Cookie    string // the secret of the sign-in, shown only once
	Challenge string // not empty: complete the sign-in with this and a code, see [Service.ByCode]
}

// open signs a person in after they proved who they are.
func (s *Service) open(ctx context.Context, of stockhand.UserID, method stockhand.SignInMethod, from auth.Origin) (
	Outcome, error) {
	i, cookie, err := s.Auth.OpenSignIn(ctx, of, method, from)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound { // the account is disabled
		return Outcome{}, s.refuse(ctx, of, method, from)
	}
	return Outcome{SignIn: i, Cookie: cookie}, err
}

// auditTime limits the writing of a refusal.
const auditTime = 10 * time.Second

// refuse returns the one error of all refused sign-ins, and records it if the account exists. The answer does not wait
// for the database: the time would tell whether there is an account.
func (s *Service) refuse(ctx context.Context, of stockhand.UserID, method stockhand.SignInMethod,
	from auth.Origin) error {
	if of == "" {
		return errRefused
	}
	entry := s.Auth.Entry(of, "person.sign_in_refused", "method", string(method), "address", from.IP.String())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTime)
	s.refusals.Go(func() {
		defer cancel()
		if err := s.System.AuditPerson(ctx, of, entry); err != nil {
			s.Logger.ErrorContext(ctx, "a refused sign-in is missing in the audit log", "user", of, "err", err)
		}
	})
	return errRefused
}

// Wait returns when all refusals are in the audit log. Call it after the last request.
func (s *Service) Wait() { s.refusals.Wait() }

var (
	errRefused = &stockhand.Error{Code: stockhand.CodeSignInRefused,
		Message: "the sign-in was refused: the email, the password or the code is wrong",
		Hint:    "try again, or ask the operator of this installation for a sign-in link",
		RU: stockhand.Words{Message: "войти не удалось: неверны почта, пароль или код",
			Hint: "попробуйте ещё раз или попросите у оператора этой установки ссылку для входа"}}
	errLink = &stockhand.Error{Code: stockhand.CodeSignInRefused,
		Message: "the link is not valid: it was used already, has expired or was replaced by a newer one",
		Hint:    "ask the person who gave it to you for a new one; the operator creates one with: stockhand users link EMAIL",
		RU: stockhand.Words{Message: "ссылка недействительна: по ней уже вошли, она устарела или заменена новой",
			Hint: "попросите новую у того, кто её дал; оператор создаёт её командой: stockhand users link EMAIL"}}
)

func (s *Service) now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }
