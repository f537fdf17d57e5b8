// Package known keeps the names of accounts, indexed, so that most tasks are understood without a request.
package known

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/limit"
)

const (
	// how long names are not read again even if a word of a task is none of them: a conversation sees a new warehouse
	fresh = 5 * time.Minute
	// how long names are used at all
	old = time.Hour
)

// Names holds the names of accounts by connection: two employees may see different ones.
type Names struct {
	mu       sync.Mutex
	accounts map[stockhand.ConnectionID]*Account
}

// Of returns what is known of an account, opened by a connection. Another opening of it, as after a change of rights,
// starts from nothing.
func (n *Names) Of(id stockhand.ConnectionID, a connector.Account) *Account {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(n.accounts, func(_ stockhand.ConnectionID, k *Account) bool { return now.Sub(k.used) > old })
	if n.accounts == nil {
		n.accounts = map[stockhand.ConnectionID]*Account{}
	}
	k := n.accounts[id]
	if k == nil || k.account != a {
		k = &Account{account: a, lists: map[connector.NameKind]list{}}
		n.accounts[id] = k
	}
	k.used = now
	return k
}

// Account is what is known of the names of an account.
type Account struct {
	account connector.Account
	used    time.Time // guarded by Names

	mu    sync.Mutex
	lists map[connector.NameKind]list
}

// list is the names of a kind.
type list struct {
	index *names.Index
	read  time.Time
	many  bool // there are too many to list
}

// Indexes returns the names that are known.
func (k *Account) Indexes() []*names.Index {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []*names.Index
	for _, kind := range slices.Sorted(maps.Keys(k.lists)) {
		if l := k.lists[kind]; l.index != nil && time.Since(l.read) < old {
			all = append(all, l.index)
		}
	}
	return all
}

// Missing returns which of some kinds are not known, or too old.
func (k *Account) Missing(kinds []connector.NameKind) []connector.NameKind {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(kinds), func(kind connector.NameKind) bool {
		l, ok := k.lists[kind]
		return ok && time.Since(l.read) < fresh
	})
}

// Many reports whether names of a kind are to be searched for, because there are too many to list.
func (k *Account) Many(kind connector.NameKind) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lists[kind].many
}

// Load lists the names of some kinds at once. It reports whether all could be listed within the requests that are
// allowed. Suppliers and other counterparties are one list of the account and known together: what a task means does
// not depend on what was asked before.
func (k *Account) Load(ctx context.Context, kinds []connector.NameKind) (all bool, err error) {
	supplier, counterparty := slices.Contains(kinds, connector.NameSupplier),
		slices.Contains(kinds, connector.NameCounterparty)
	switch {
	case supplier && !counterparty:
		kinds = append(slices.Clone(kinds), connector.NameCounterparty)
	case counterparty && !supplier:
		kinds = append(slices.Clone(kinds), connector.NameSupplier)
	}
	lists := make([]list, len(kinds))
	errs := make([]error, len(kinds))
	var work errgroup.Group
	for i, kind := range kinds {
		work.Go(func() error {
			found, err := k.account.Names(ctx, kind)
			switch {
			case errors.Is(err, connector.ErrTooMany):
				lists[i] = list{many: true, read: time.Now()}
			case err != nil:
				errs[i] = err
			default:
				lists[i] = list{index: names.New(found), read: time.Now()}
			}
			return nil
		})
	}
	_ = work.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	all = true
	for i, kind := range kinds {
		switch {
		case errors.Is(errs[i], limit.ErrCountSpent):
			all = false
		case errs[i] != nil:
			err = errs[i]
		default:
			k.lists[kind] = lists[i]
		}
	}
	return all, err
}

// Find searches for names of a kind that were too many to list.
func (k *Account) Find(ctx context.Context, kind connector.NameKind, words string, most int) ([]connector.Name, error) {
	return k.account.Find(ctx, kind, words, most)
}

// Typed returns the names of a kind that somebody who is typing may mean, and how many there are. Names that are too
// many to list are searched for in the account.
func (k *Account) Typed(ctx context.Context, kind connector.NameKind, words string, most int) ([]connector.Name, int,
	error) {
	if _, ok := k.listed(kind); !ok {
		if _, err := k.Load(ctx, []connector.NameKind{kind}); err != nil {
			return nil, 0, err
		}
	}
	l, ok := k.listed(kind)
	if !ok || l.many {
		found, err := k.Find(ctx, kind, words, most)
		return found, len(found), err
	}
	found, total := names.Typed(words, most, l.index)
	return found, total, nil
}

// Some returns up to most names of each kind, of those that can be listed.
func (k *Account) Some(ctx context.Context, most int, kinds ...connector.NameKind) (map[connector.NameKind][]string,
	error) {
	var missing []connector.NameKind
	for _, kind := range kinds {
		if _, ok := k.listed(kind); !ok {
			missing = append(missing, kind)
		}
	}
	_, err := k.Load(ctx, missing)
	all := map[connector.NameKind][]string{}
	for _, kind := range kinds {
		l, ok := k.listed(kind)
		if !ok || l.many || l.index == nil {
			continue
		}
		all[kind] = []string{}
		for n := range l.index.All(kind) {
			if len(all[kind]) == most {
				break
			}
			all[kind] = append(all[kind], n.Name)
		}
	}
	return all, err
}

// ByID returns the names of IDs that are known.
func (k *Account) ByID(ids []string) map[string]string {
	all := map[string]string{}
	for _, x := range k.Indexes() {
		for _, id := range ids {
			if found := x.ByID(id); len(found) > 0 {
				all[id] = found[0].Name
			}
		}
	}
	return all
}

// listed returns the names of a kind if they are not too old.
func (k *Account) listed(kind connector.NameKind) (list, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, ok := k.lists[kind]
	return l, ok && time.Since(l.read) < old
}
