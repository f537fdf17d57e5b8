package auth

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
)

// The limits of sign-ins (rule R113).
const (
	DefaultSignInIdle = 12 * time.Hour
	DefaultSignInLife = 7 * 24 * time.Hour
	mostSignIns       = 50  // of one person; the oldest end
	mostBrowser       = 200 // bytes of a User-Agent header that are kept
)

// ProvenFor is how long after a person proved who they are they may change how they sign in and create tokens: a
// browser that somebody else finds open must not give them more than the browser (rule R113).
const ProvenFor = 15 * time.Minute

// Origin is where a sign-in began.
type Origin struct {
	IP      netip.Addr
	Browser string // the User-Agent header
}

// OpenSignIn starts a sign-in and returns its cookie's value, which cannot be shown again. The caller has verified who
// the person is.
func (s *Service) OpenSignIn(ctx context.Context, of stockhand.UserID, method stockhand.SignInMethod,
	from Origin) (i stockhand.SignIn, cookie string, err error) {
	i, cookie, hash := s.newSignIn(of, method, from)
	return i, cookie, s.System.CreateSignIn(ctx, i, hash, mostSignIns, s.aboutSignIn(i))
}

// newSignIn returns a sign-in that is not stored yet, with its cookie and the cookie's hash.
func (s *Service) newSignIn(of stockhand.UserID, method stockhand.SignInMethod, from Origin) (i stockhand.SignIn,
	cookie string, hash []byte) {
	now := s.now()
	if len(from.Browser) > mostBrowser {
		from.Browser = from.Browser[:mostBrowser]
	}
	i = stockhand.SignIn{ID: stockhand.NewID[stockhand.SignInID]("sig"), User: of, Method: method,
		Address: from.IP.String(), Browser: from.Browser, Created: now, Proven: now, LastUsed: now,
		Expires: now.Add(s.SignInLife)}
	cookie, _ = newSecret(signInBegins)
	d := s.digest(cookie)
	return i, cookie, d[:]
}

func (s *Service) aboutSignIn(i stockhand.SignIn) stockhand.AuditEntry {
	return s.Entry(i.User, "person.signed_in", "sign_in_id", string(i.ID), "method", string(i.Method),
		"address", i.Address)
}

// SignIns returns sign-ins of the person a.User, newest first: at most limit (1–200; 0 means 50) that are older than
// before.
func (s *Service) SignIns(ctx context.Context, a stockhand.Actor, before stockhand.SignInID,
	limit int) ([]stockhand.SignIn, error) {
	if err := unbound(a); err != nil {
		return nil, err
	}
	return s.System.SignIns(ctx, a.User, before, s.now(), limit)
}

// EndSignIn ends a sign-in of the person a.User; the person's own one is a.SignIn.
func (s *Service) EndSignIn(ctx context.Context, a stockhand.Actor, id stockhand.SignInID) error {
	if err := unbound(a); err != nil {
		return err
	}
	err := s.System.EndSignIn(ctx, a.User, id, s.entry(a, "person.signed_out", about("sign_in_id", string(id))))
	if stockhand.CodeOf(err) != stockhand.CodeNotFound {
		s.changed()
	}
	return err
}

// EndSignIns ends all sign-ins of the person a.User but the spared one, which may be empty, and returns how many.
func (s *Service) EndSignIns(ctx context.Context, a stockhand.Actor, spared stockhand.SignInID) (int, error) {
	if err := unbound(a); err != nil {
		return 0, err
	}
	defer s.changed()
	return s.System.EndSignIns(ctx, a.User, spared,
		s.entry(a, "person.signed_out", about("sign_in_id", "all", "spared", string(spared))))
}

// ProveSignIn records that the person of the sign-in a.SignIn proved again who they are. The caller has verified it.
func (s *Service) ProveSignIn(ctx context.Context, a stockhand.Actor, how string) error {
	defer s.changed()
	return s.System.ProveSignIn(ctx, a.User, a.SignIn, s.now(),
		s.entry(a, "person.proved", about("sign_in_id", string(a.SignIn), "method", how)))
}

// Proven returns an error unless the caller has a sign-in and proved who they are within d.
func (s *Service) Proven(a stockhand.Actor, d time.Duration) error {
	switch {
	case a.ProvenWithin(d, s.Clock()):
		return nil
	case a.SignIn == "":
		if err := NeedPerson(a); err != nil {
			return err
		}
		return &stockhand.Error{Code: stockhand.CodeStepUpRequired,
			Message: "this needs a sign-in, and a user token is calling",
			Hint:    "sign in, for example with POST /api/v1/sign-in/password, and send the cookie instead of the token",
			RU: stockhand.Words{Message: "для этого нужно войти, а запрос пришёл с токеном",
				Hint: "войдите, например через POST /api/v1/sign-in/password, и передайте cookie вместо токена"}}
	}
	return &stockhand.Error{Code: stockhand.CodeStepUpRequired,
		Message: "confirm that it is you: your last proof is too long ago",
		Hint:    "POST /api/v1/me/step-up with your password or a one-time code, or sign in again; then repeat this",
		RU: stockhand.Words{Message: "подтвердите, что это вы: вы давно не подтверждали вход",
			Hint: "отправьте пароль или одноразовый код в POST /api/v1/me/step-up или войдите заново, затем повторите"}}
}

// NewOneTime returns a new one-time secret and the hash to store.
func (s *Service) NewOneTime() (secret string, hash []byte) {
	secret, _ = newSecret(oneTimeBegins)
	d := s.digest(secret)
	return secret, d[:]
}

// OneTimeHash returns the stored hash of a one-time secret, or false for a string that cannot be one.
func (s *Service) OneTimeHash(secret string) (hash []byte, ok bool) {
	if begins, ok := parse(secret); !ok || begins != oneTimeBegins {
		return nil, false
	}
	d := s.digest(secret)
	return d[:], true
}

// NewUser returns a person with that email who is not stored yet.
func (s *Service) NewUser(email string) (stockhand.User, error) { return s.newUser(email, "") }

// Derive returns a secret of 32 bytes for the purpose, which only this installation can compute.
func (s *Service) Derive(purpose, from string) []byte {
	d := s.digest(purpose + ":" + from) // no secret of this package has a colon
	return d[:]
}

// Entry returns an audit entry about a person, with names and values of its details in turn.
func (s *Service) Entry(of stockhand.UserID, action string, details ...string) stockhand.AuditEntry {
	return s.entry(stockhand.Actor{Name: "user:" + string(of)}, action, about(details...))
}

// Changed makes this replica look up all callers again. Call it after a change of what a person may do.
func (s *Service) Changed() { s.changed() }

// idleness is when a cached sign-in was last used and how long it may be unused; nil for keys and tokens.
type idleness struct {
	most time.Duration
	used atomic.Int64 // in microseconds
}

// over reports whether the sign-in has been unused for too long.
func (i *idleness) over(now time.Time) bool {
	return i != nil && now.Sub(time.UnixMicro(i.used.Load())) >= i.most
}

func (i *idleness) use(now time.Time) {
	if i != nil {
		i.used.Store(now.UnixMicro())
	}
}

// signInRecord returns the cached form of a sign-in. It never narrows what the person may do: a policy about tokens
// does not hold for people who sign in.
func signInRecord(c stockhand.Credential, idle time.Duration) *record {
	i := c.SignIn
	r := &record{version: c.Version, expires: i.Expires, use: used{user: i.User, signIn: i.ID},
		person: stockhand.Actor{Name: "user:" + string(i.User), Person: true, User: i.User, SignIn: i.ID,
			Proven: i.Proven},
		idle: &idleness{most: idle}}
	r.idle.use(i.LastUsed)
	for _, m := range c.Orgs {
		r.join(m, r.person)
	}
	return r
}
