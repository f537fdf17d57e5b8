package auth

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// used names whose use is noted: a key or a person's token.
type used struct {
	org   stockhand.OrgID
	key   stockhand.KeyID
	user  stockhand.UserID
	token stockhand.TokenID
}

// id is of the key or of the token; the two begin differently.
func (u used) id() string {
	if u.key != "" {
		return string(u.key)
	}
	return string(u.token)
}

// use is when something was used, and how much of that is in the record.
type use struct {
	who     used
	last    time.Time
	scopes  map[stockhand.Scope]time.Time // of a key; nil until one was used
	stored  time.Time                     // the last use that is in the record
	written time.Time                     // when it was written last
}

// uses collects what was used between two writes: one for each key and minute, however many requests there are.
type uses struct {
	mu  sync.Mutex
	all map[string]*use // by id, of those that called lately, so it is bounded by the keys there are
}

// The pace of writing.
const (
	writeEvery = time.Minute // at most, for one key: last_used_at is right to the minute
	idleAfter  = 5 * time.Minute
)

func newUses() uses { return uses{all: map[string]*use{}} }

func (u *uses) note(who used, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.of(who).last = now
}

// noteScope notes that a scope was asked for. Where only admin let it pass, admin was used as well.
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

// due returns what is to be written now, by organization (none for people's tokens), and lets go of who has not called
// for long. With all it is everything that the record does not have.
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

// noted is a use on its way to the record.
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

// batch is how many uses one transaction writes.
const batch = 200

// writeUses writes down what was used until the context ends, and the rest then.
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
				s.Logger.WarnContext(ctx, "cannot note what was used; it is tried again in a minute", "org", org, "err",
					err)
				continue
			}
			s.uses.wrote(some)
		}
	}
}

// writeDown stores uses in the order of their ids: replicas that write at once must not wait for each other in a
// circle.
func (s *Service) writeDown(ctx context.Context, org stockhand.OrgID, some []noted) error {
	if org == "" {
		var tokens []stockhand.UserToken
		for _, n := range some {
			tokens = append(tokens, stockhand.UserToken{ID: n.who.token, User: n.who.user, LastUsed: n.last})
		}
		slices.SortFunc(tokens, func(a, b stockhand.UserToken) int { return cmp.Compare(a.ID, b.ID) })
		return s.System.NoteTokenUses(ctx, tokens)
	}
	var keys []stockhand.Key
	for _, n := range some {
		keys = append(keys, stockhand.Key{ID: n.who.key, LastUsed: n.last, Used: n.scopes})
	}
	slices.SortFunc(keys, func(a, b stockhand.Key) int { return cmp.Compare(a.ID, b.ID) })
	return s.Store.NoteKeyUses(ctx, org, keys)
}
