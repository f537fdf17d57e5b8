package auth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// used identifies a key, or a person's token or sign-in.
type used struct {
	org    stockhand.OrgID
	key    stockhand.KeyID
	user   stockhand.UserID
	token  stockhand.TokenID
	signIn stockhand.SignInID
}

// id returns the ID of the key, the token or the sign-in; their prefixes differ.
func (u used) id() string { return string(u.key) + string(u.token) + string(u.signIn) }

// use is when a key or token was last used, and what of that is stored.
type use struct {
	who     used
	last    time.Time
	scopes  map[stockhand.Scope]time.Time // last use of each scope of a key
	stored  time.Time                     // the last use that is in the database
	written time.Time                     // time of the last write
}

// uses collects uses between writes. There is at most one write per key and minute, however many requests there are.
type uses struct {
	mu  sync.Mutex
	all map[string]*use // by ID; recent callers only, so it is bounded by the number of keys
}

const (
	writeEvery = time.Minute // per key: last_used_at is accurate to the minute
	idleAfter  = 5 * time.Minute
)

func newUses() uses { return uses{all: map[string]*use{}} }

func (u *uses) note(who used, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.of(who).last = now
}

// noteScope records that a scope was required. Unless the key has the scope itself, admin was used as well.
func (u *uses) noteScope(who used, scope stockhand.Scope, own bool, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	of := u.of(who)
	of.last = now
	if of.scopes == nil {
		of.scopes = map[stockhand.Scope]time.Time{}
	}
	of.scopes[scope] = now
	if !own {
		of.scopes[stockhand.ScopeAdmin] = now
	}
}

func (u *uses) of(who used) *use {
	of := u.all[who.id()]
	if of == nil {
		of = &use{who: who}
		u.all[who.id()] = of
	}
	return of
}

// due returns the uses to write now by organization (empty for user tokens), and forgets callers that have been idle
// for long. With all it returns every use that is not stored.
func (u *uses) due(now time.Time, all bool) map[stockhand.OrgID][]noted {
	u.mu.Lock()
	defer u.mu.Unlock()
	due := map[stockhand.OrgID][]noted{}
	for id, of := range u.all {
		switch {
		case !of.last.After(of.stored):
			if now.Sub(of.last) > idleAfter {
				delete(u.all, id)
			}
		case all || now.Sub(of.written) >= writeEvery:
			of.written = now
			n := noted{who: of.who, last: of.last, scopes: make(map[stockhand.Scope]time.Time, len(of.scopes))}
			for scope, at := range of.scopes {
				if at.After(of.stored) {
					n.scopes[scope] = at
				}
			}
			due[of.who.org] = append(due[of.who.org], n)
		}
	}
	return due
}

// noted is a use that is being written.
type noted struct {
	who    used
	last   time.Time
	scopes map[stockhand.Scope]time.Time
}

func (u *uses) wrote(batch []noted) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, n := range batch {
		if of := u.all[n.who.id()]; of != nil {
			of.stored = n.last
		}
	}
}

// batch is how many uses are written in one transaction.
const batch = 200

// writeUses writes uses until ctx is done, and then the rest.
func (s *Service) writeUses(ctx context.Context) {
	pace := time.NewTicker(tidyEvery)
	defer pace.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
			defer cancel()
			s.flush(last, true)
			return
		case <-pace.C:
			s.flush(ctx, false)
		}
	}
}

func (s *Service) flush(ctx context.Context, all bool) {
	for org, due := range s.uses.due(s.Clock(), all) {
		for some := range slices.Chunk(due, batch) {
			if err := s.writeDown(ctx, org, some); err != nil {
				s.Logger.WarnContext(ctx, "cannot store when keys were used; will retry in a minute", "org", org, "err",
					err)
				continue
			}
			s.uses.wrote(some)
		}
	}
}

// writeDown stores uses in the order of their IDs, so that concurrent replicas do not deadlock.
func (s *Service) writeDown(ctx context.Context, org stockhand.OrgID, some []noted) error {
	if org == "" {
		return s.writePeople(ctx, some)
	}
	var keys []stockhand.Key
	for _, n := range some {
		keys = append(keys, stockhand.Key{ID: n.who.key, LastUsed: n.last, Used: n.scopes})
	}
	slices.SortFunc(keys, func(a, b stockhand.Key) int { return cmp.Compare(a.ID, b.ID) })
	return s.Store.NoteKeyUses(ctx, org, keys)
}

// writePeople stores uses of people's tokens and sign-ins.
func (s *Service) writePeople(ctx context.Context, some []noted) error {
	slices.SortFunc(some, func(a, b noted) int { return cmp.Compare(a.who.id(), b.who.id()) })
	var tokens []stockhand.UserToken
	var signIns []stockhand.SignIn
	for _, n := range some {
		if n.who.token != "" {
			tokens = append(tokens, stockhand.UserToken{ID: n.who.token, User: n.who.user, LastUsed: n.last})
		} else {
			signIns = append(signIns, stockhand.SignIn{ID: n.who.signIn, User: n.who.user, LastUsed: n.last})
		}
	}
	return errors.Join(s.System.NoteTokenUses(ctx, tokens), s.System.NoteSignInUses(ctx, signIns))
}
