package known

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/talk"
	"github.com/stockhand/stockhand/internal/limit"
)

// The kinds of names, in the order in which they are loaded for a word that may be any of them. A word that is none of
// the first is not found; the others take part once they are loaded.
var (
	likelyNames = []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameStore,
		connector.NameCounterparty, connector.NameSupplier}
	otherNames = []connector.NameKind{connector.NameEmployee, connector.NameOrganization, connector.NameSalesChannel,
		connector.NameExpenseItem, connector.NamePriceType, connector.NameProject, connector.NameState}
)

// atOnce is how many lists of names are read before the task is read again.
const listsAtOnce = 3

// Task is a task that is read with the account's names.
type Task struct {
	Text    string
	Input   *language.Input
	Reading *language.Reading
}

// Know gives a reading the names that are known without a request.
func (k *Account) Know(in *language.Input) {
	in.Known = k.Indexes()
	in.Unsearched = len(k.Missing(slices.Concat(likelyNames, otherNames))) > 0 ||
		slices.ContainsFunc(likelyNames, k.Many)
}

// LookUp reads the task again with names from the account that its unknown phrases may refer to: first lists, which are
// kept for a while, then a search for each phrase still unknown where there are too many names to list. It reports
// whether the allowed requests were sufficient.
func (k *Account) LookUp(ctx context.Context, s Task) (complete bool, err error) {
	tried := map[connector.NameKind]bool{}
	for spent := false; !spent; {
		kinds := slices.DeleteFunc(k.Missing(s.wantedKinds()),
			func(kind connector.NameKind) bool { return tried[kind] })
		if len(kinds) == 0 {
			break
		}
		kinds = kinds[:min(listsAtOnce, len(kinds))]
		for _, kind := range kinds {
			tried[kind] = true
		}
		all, err := k.Load(ctx, kinds)
		if err != nil {
			return false, err
		}
		spent = !all
		s.Input.Known = k.Indexes()
		s.Input.Unsearched = len(k.Missing(likelyNames)) > 0
		*s.Reading = talk.Read(s.Text, *s.Input)
	}
	spent, err := k.search(ctx, s)
	if err != nil {
		return false, err
	}
	s.Input.Unsearched = false
	*s.Reading = talk.Read(s.Text, *s.Input)
	return !spent && len(k.Missing(s.neededKinds())) == 0, nil
}

// wantedKinds returns the kinds of names that the unknown phrases may be of, likeliest first.
func (s Task) wantedKinds() []connector.NameKind {
	if len(s.Reading.Unknown) == 0 {
		return nil
	}
	kinds := s.neededKinds()
	for _, kind := range slices.Concat(likelyNames, otherNames) {
		if !slices.Contains(kinds, kind) && !slices.ContainsFunc(s.Reading.Unknown, func(p language.Phrase) bool {
			return len(likelyKinds(p)) < len(p.Kinds)
		}) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// neededKinds returns the kinds without which a phrase cannot be said to be unknown.
func (s Task) neededKinds() (kinds []connector.NameKind) {
	for _, p := range s.Reading.Unknown {
		for i, kind := range likelyKinds(p) {
			if (i == 0 || slices.Contains(likelyNames, kind)) && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// likelyKinds returns the kinds of names to look up a phrase in: one if the task says which, as in "warehouse North".
func likelyKinds(p language.Phrase) []connector.NameKind {
	if p.Named && p.Kinds[0] != connector.NameProduct {
		return p.Kinds[:1]
	}
	return p.Kinds
}

// search looks for the phrases that are still unknown among the names that are too many to list. It reports whether
// the requests were spent.
func (k *Account) search(ctx context.Context, s Task) (spent bool, err error) {
	type query struct {
		kind  connector.NameKind
		words string
	}
	var queries []query
	for _, p := range s.Reading.Unknown {
		for _, kind := range likelyKinds(p) {
			if q := (query{kind, names.Query(p.Words)}); k.Many(kind) && !slices.Contains(queries, q) &&
				!slices.Contains(queries, query{connector.NameCounterparty, q.words}) {
				queries = append(queries, q)
			}
		}
	}
	var mu sync.Mutex
	work, inner := errgroup.WithContext(ctx)
	for _, q := range queries {
		work.Go(func() error {
			found, err := k.Find(inner, q.kind, q.words, mostFound)
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, limit.ErrCountSpent) {
				spent = true
				return nil
			}
			s.Input.Names = append(s.Input.Names, found...)
			return err
		})
	}
	return spent, work.Wait()
}

// mostFound is how many names a search returns.
const mostFound = 100
