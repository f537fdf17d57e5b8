package auth

import (
	"cmp"
	"context"
	"crypto/hmac"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// Caller is what a request contains about its sender.
type Caller struct {
	Bearer string          // the token of the Authorization header; empty if there is none
	Cookie string          // the cookie of a sign-in; only used without Bearer
	Org    stockhand.OrgID // the X-Org-Id header; empty if there is none
	IP     netip.Addr      // the client's address
	// MayLookUp returns an error if a token that is not known here must not be looked up; nil allows it
	MayLookUp func() error
}

// record is a cached caller. It is immutable.
type record struct {
	version int64     // the number of changes when it was read
	expires time.Time // zero for never
	revoked bool
	use     used      // whose use is stored
	idle    *idleness // of a sign-in

	// of a key
	key      stockhand.Actor
	unlisted bool           // it has no address list, but the organization requires one
	allowed  []netip.Prefix // where it may be used from; empty means anywhere

	// of a person
	memberships []stockhand.Actor // the actor in each organization that the token acts in
	home        stockhand.OrgID   // for requests without X-Org-Id; may be empty
	person      stockhand.Actor   // the actor without an organization
}

// Authenticate returns the caller. Its errors are:
//
//   - AUTH_TOKEN_EXPIRED: the token or cookie is missing, malformed, unknown, expired or revoked;
//   - AUTH_PERMISSION_DENIED: the caller does not belong to the organization, or the key may not be used from that
//     address;
//   - ORG_REQUIRED: a person without a home organization named none. The actor is returned as well, without an
//     organization and scopes, for requests that need none.
//
// A person's request without X-Org-Id goes to the organization that the token is bound to, or else to the person's
// home; other memberships do not change that (rule R91). A person without memberships is an actor without an
// organization.
func (s *Service) Authenticate(ctx context.Context, c Caller) (stockhand.Actor, error) {
	secret := cmp.Or(c.Bearer, c.Cookie)
	begins, ok := parse(secret)
	if expected := []string{keyBegins, tokenBegins}; !ok ||
		(c.Bearer != "" && !slices.Contains(expected, begins)) || (c.Bearer == "" && begins != signInBegins) {
		return stockhand.Actor{}, malformed(secret)
	}
	d := s.digest(secret)
	now := s.Clock()
	r := s.memory.recall(d, now)
	if r == nil || r.idle.over(now) { // the person may have used the sign-in on another replica
		var err error
		if c.MayLookUp != nil && !s.memory.knows(d) {
			if err := c.MayLookUp(); err != nil {
				return stockhand.Actor{}, err
			}
		}
		if r, err = s.find(ctx, begins, d); err != nil {
			return stockhand.Actor{}, err
		}
		s.memory.keep(d, r)
	}
	switch {
	case r.revoked:
		return stockhand.Actor{}, r.ended(unusable("the token was revoked", "токен отозван"))
	case !r.expires.IsZero() && !now.Before(r.expires):
		return stockhand.Actor{}, r.ended(unusable("the token has expired", "срок действия токена истёк"))
	case r.idle.over(now):
		return stockhand.Actor{}, unusable("the sign-in has ended: it was not used for too long",
			"вход завершён: им давно не пользовались")
	}
	actor, err := r.actor(c)
	if err == nil && !actor.Expires.IsZero() && !now.Before(actor.Expires) {
		return stockhand.Actor{}, unusable("the token is older than the organization's policy allows",
			"токен старше, чем разрешает политика организации")
	}
	if err == nil {
		s.uses.note(r.use, now)
		r.idle.use(now)
	}
	return actor, err
}

// Ended is the error for a key that was revoked or has expired.
type Ended struct {
	error

	Key stockhand.Actor // who called with it until then
}

// Unwrap returns the error without the key.
func (e Ended) Unwrap() error { return e.error }

// ended adds to an error which key it is about; other secrets belong to no single organization.
func (r *record) ended(err error) error {
	if r.key.Key == "" {
		return err
	}
	return Ended{err, r.key}
}

// find looks a secret up in the database.
func (s *Service) find(ctx context.Context, begins string, d digest) (*record, error) {
	look := s.System.KeyCredential
	switch begins {
	case tokenBegins:
		look = s.System.TokenCredential
	case signInBegins:
		look = s.System.SignInCredential
	}
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	found, err := look(ctx, d[:])
	if stockhand.CodeOf(err) == stockhand.CodeNotFound || (err == nil && !hmac.Equal(found.Hash, d[:])) {
		return nil, unusable("the token is unknown", "такого токена нет")
	}
	if err != nil {
		return nil, err
	}
	switch {
	case found.Key != nil:
		return keyRecord(found)
	case found.SignIn != nil:
		return signInRecord(found, s.SignInIdle), nil
	}
	return tokenRecord(found), nil
}

func keyRecord(c stockhand.Credential) (*record, error) {
	k := c.Key
	expires := until(k.Created, c.Policy.MaxKeyDays, k.Expires)
	r := &record{
		version: c.Version, expires: expires, revoked: !k.Revoked.IsZero(), use: used{org: k.Org, key: k.ID},
		key: stockhand.Actor{Org: k.Org, Name: "key:" + string(k.ID), Key: k.ID, Binding: k.Binding,
			Scopes:  slices.Clip(k.Scopes),
			Expires: expires},
		unlisted: c.Policy.KeysNeedAddresses && len(k.AllowedIPs) == 0,
	}
	for _, text := range k.AllowedIPs {
		p, ok := addresses(text)
		if !ok { // an unreadable list must not mean "anywhere"
			return nil, stockhand.Errorf(stockhand.CodeInternal, "the addresses of key %s cannot be read", k.ID)
		}
		r.allowed = append(r.allowed, p)
	}
	return r, nil
}

// until returns when something expires that an organization limits to a number of days; 0 days means no limit.
func until(created time.Time, days int, otherwise time.Time) time.Time {
	if days == 0 {
		return otherwise
	}
	return earlier(otherwise, created.Add(time.Duration(days)*day))
}

func tokenRecord(c stockhand.Credential) *record {
	t := c.Token
	r := &record{
		version: c.Version, expires: t.Expires, revoked: !t.Revoked.IsZero(), use: used{user: t.User, token: t.ID},
		person: stockhand.Actor{Name: "user:" + string(t.User), Person: true, User: t.User, Token: t.ID,
			Bound: t.Org, Expires: t.Expires, Since: t.Since},
	}
	for _, m := range c.Orgs {
		if t.Org != "" && m.ID != t.Org {
			continue
		}
		a := r.person
		a.Expires = until(t.Since, m.Policy.MaxTokenDays, t.Expires)
		r.join(m, a)
		if t.Org != "" {
			r.home = m.ID
		}
	}
	return r
}

// join adds an organization in which a person acts.
func (r *record) join(m stockhand.Membership, as stockhand.Actor) {
	as.Org, as.Role, as.Scopes = m.ID, m.Role, slices.Clip(m.Role.Scopes())
	r.memberships = append(r.memberships, as)
	if m.Home {
		r.home = m.ID
	}
}

// actor returns the caller in the organization of the request.
func (r *record) actor(c Caller) (stockhand.Actor, error) {
	if r.key.Key != "" {
		if c.Org != "" && c.Org != r.key.Org {
			return stockhand.Actor{}, notYours("an API key acts in its own organization only, which is "+
				string(r.key.Org),
				"ключ действует только в своей организации: "+string(r.key.Org))
		}
		if r.unlisted {
			return stockhand.Actor{}, denied(
				stockhand.Words{Message: "the organization demands keys with allowed_ips, and this one has none",
					Hint: "create a key with allowed_ips"},
				stockhand.Words{Message: "организация требует ключи, привязанные к адресам, а этот не привязан",
					Hint: "выпустите ключ с allowed_ips"})
		}
		from := c.IP.Unmap().WithZone("")
		if len(r.allowed) > 0 && !slices.ContainsFunc(r.allowed,
			func(p netip.Prefix) bool { return p.Contains(from) }) {
			return stockhand.Actor{}, denied(
				stockhand.Words{Message: "this key may not be used from this address",
					Hint: "call from an address in the key's allowed_ips, or create a key that allows this one"},
				stockhand.Words{Message: "с этого адреса ключ использовать нельзя",
					Hint: "обратитесь с адреса из allowed_ips ключа или создайте ключ, которому разрешён этот"})
		}
		return r.key, nil
	}
	org := cmp.Or(c.Org, r.home)
	for _, a := range r.memberships {
		if a.Org == org {
			return a, nil
		}
	}
	switch {
	case org != "":
		return stockhand.Actor{}, notYours("GET /api/v1/organizations lists those you belong to",
			"ваши организации перечисляет GET /api/v1/organizations")
	case len(r.memberships) == 0:
		return r.person, nil
	}
	e := stockhand.Errorf(stockhand.CodeOrgRequired, "you have no home organization and the request names none").
		WithHint("send the header X-Org-Id with one of: %s; or make one of them your home with PATCH /api/v1/me",
			r.list())
	e.RU = stockhand.Words{Message: "у вас нет основной организации, а запрос не называет никакой",
		Hint: "передайте в заголовке X-Org-Id одну из: " + r.list() +
			"; или сделайте одну из них основной: PATCH /api/v1/me"}
	return r.person, e
}

// listed is how many organizations a hint lists.
const listed = 20

// list lists the person's organizations by their IDs. Names are omitted: other people choose them.
func (r *record) list() string {
	var ids []string
	for _, a := range r.memberships {
		ids = append(ids, string(a.Org))
	}
	if len(ids) > listed {
		ids = append(ids[:listed], "…")
	}
	return strings.Join(ids, ", ")
}

// Allow checks whether an actor has a scope; no other code does. Admin passes every check (rule R30). The error is
// AUTH_PERMISSION_DENIED and its hint names the scope. A passed check counts as a use of the scope.
func (s *Service) Allow(a stockhand.Actor, scope stockhand.Scope) error {
	if !a.May(scope) {
		return lacks(a, scope)
	}
	if a.Key != "" {
		s.uses.noteScope(used{org: a.Org, key: a.Key}, scope, slices.Contains(a.Scopes, scope), s.Clock())
	}
	return nil
}

func lacks(a stockhand.Actor, scope stockhand.Scope) error {
	switch {
	case !a.Person:
		return denied(
			stockhand.Words{Message: "the key lacks the scope " + string(scope), Hint: "this needs the scope " +
				string(scope) + ": use a key that has it, or have one created"},
			stockhand.Words{Message: "у ключа нет права " + string(scope), Hint: "нужно право " + string(scope) +
				": возьмите ключ, у которого оно есть, или попросите создать такой"})
	case a.Org == "":
		return denied(
			stockhand.Words{Message: "you act in no organization", Hint: "this needs the scope " + string(scope) +
				" in an organization: name one of yours in the header X-Org-Id (GET /api/v1/organizations lists " +
				"them), or create one"},
			stockhand.Words{Message: "организация не выбрана", Hint: "нужно право " + string(scope) +
				" в организации: назовите свою в заголовке X-Org-Id (список: GET /api/v1/organizations) или " +
				"создайте новую"})
	}
	return denied(
		stockhand.Words{Message: "your role, " + string(a.Role) + ", does not give the scope " + string(scope),
			Hint: "this needs the scope " + string(scope) +
				": ask an owner or admin of the organization for another role"},
		stockhand.Words{Message: "ваша роль, " + string(a.Role) + ", не даёт права " + string(scope),
			Hint: "нужно право " + string(scope) +
				": попросите у владельца или администратора организации другую роль"})
}

func malformed(bearer string) error {
	if bearer == "" {
		return unusable("the request carries no token", "в запросе нет токена")
	}
	if strings.HasPrefix(bearer, signInBegins) {
		return unusable("a sign-in is sent as its cookie, not as a token", "вход передаётся в cookie, а не токеном")
	}
	return unusable("the token is not one of Stockhand's, or was mistyped",
		"это не токен Stockhand, или в нём опечатка")
}

func unusable(problem, ru string) error {
	return &stockhand.Error{
		Code: stockhand.CodeTokenExpired, Message: problem,
		Hint: "generate a new token and send it in the header Authorization: Bearer <token>",
		RU: stockhand.Words{Message: ru,
			Hint: "получите новый токен и передайте его в заголовке Authorization: Bearer <токен>"},
	}
}

func notYours(hint, ru string) error {
	return denied(stockhand.Words{Message: "the organization is not yours", Hint: hint},
		stockhand.Words{Message: "это не ваша организация", Hint: ru})
}

func denied(en, ru stockhand.Words) error {
	return &stockhand.Error{Code: stockhand.CodePermissionDenied, Message: en.Message, Hint: en.Hint, RU: ru}
}
