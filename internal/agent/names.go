package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/known"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/limit"
)

// maxLookUps is the maximum number of requests to understand a task (rule R75).
const maxLookUps = 6

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

// know gives the reading the names that are known without a request.
func (s *subject) know(k *known.Account) {
	s.input.Known = k.Indexes()
	s.input.Unsearched = len(k.Missing(slices.Concat(likelyNames, otherNames))) > 0 ||
		slices.ContainsFunc(likelyNames, k.Many)
}

// lookUp reads the task again with names from the account that its unknown phrases may refer to: first lists, which are
// kept for a while, then a search for each phrase still unknown where there are too many names to list. It reports
// whether the allowed requests were sufficient.
func (s *subject) lookUp(ctx context.Context, k *known.Account) (complete bool, err error) {
	tried := map[connector.NameKind]bool{}
	for spent := false; !spent; {
		kinds := slices.DeleteFunc(k.Missing(s.wantedKinds()), func(kind connector.NameKind) bool { return tried[kind] })
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
		s.input.Known = k.Indexes()
		s.input.Unsearched = len(k.Missing(likelyNames)) > 0
		s.reading = language.Read(s.task, s.input)
	}
	spent, err := s.search(ctx, k)
	if err != nil {
		return false, err
	}
	s.input.Unsearched = false
	s.reading = language.Read(s.task, s.input)
	return !spent && len(k.Missing(s.neededKinds())) == 0, nil
}

// wantedKinds returns the kinds of names that the unknown phrases may be of, likeliest first.
func (s *subject) wantedKinds() []connector.NameKind {
	if len(s.reading.Unknown) == 0 {
		return nil
	}
	kinds := s.neededKinds()
	for _, kind := range slices.Concat(likelyNames, otherNames) {
		if !slices.Contains(kinds, kind) && !slices.ContainsFunc(s.reading.Unknown, func(p language.Phrase) bool {
			return len(likelyKinds(p)) < len(p.Kinds)
		}) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// neededKinds returns the kinds without which a phrase cannot be said to be unknown.
func (s *subject) neededKinds() (kinds []connector.NameKind) {
	for _, p := range s.reading.Unknown {
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
func (s *subject) search(ctx context.Context, k *known.Account) (spent bool, err error) {
	type query struct {
		kind  connector.NameKind
		words string
	}
	var queries []query
	for _, p := range s.reading.Unknown {
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
			s.input.Names = append(s.input.Names, found...)
			return err
		})
	}
	return spent, work.Wait()
}

// mostFound is how many names a search returns.
const mostFound = 100

// notLookedUp returns the reply to a task with more unknown words than may be looked up.
func notLookedUp(l stockhand.Language, phrases []language.Phrase) string {
	const most = 5
	var unknown []string
	for _, p := range phrases[:min(most, len(phrases))] {
		unknown = append(unknown, "«"+p.Words+"»")
	}
	return fmt.Sprintf(l.Pick("Не удалось проверить все названия: %s. Спросите короче, об одном товаре или складе.",
		"I could not look up all of these names: %s. Ask a shorter question, about one product or warehouse."),
		strings.Join(unknown, ", "))
}

// likeNames returns the phrases that look like names, in quotes; empty for none.
func likeNames(phrases []language.Phrase) string {
	var list []string
	for _, p := range phrases {
		if len([]rune(p.Words)) > 3 {
			list = append(list, "«"+p.Words+"»")
		}
	}
	return strings.Join(list, ", ")
}

// notFound returns a question that says that a name is not in the account and offers the existing names.
func notFound(l stockhand.Language, p language.Phrase, all []connector.Name) *Question {
	what := map[connector.NameKind]string{
		connector.NameStore: l.Pick("склада", "warehouse"), connector.NameSupplier: l.Pick("поставщика", "supplier"),
		connector.NameCounterparty: l.Pick("контрагента", "counterparty"),
		connector.NameGroup:        l.Pick("группы", "group"),
		connector.NameProduct:      l.Pick("товара", "product"),
		connector.NameEmployee:     l.Pick("сотрудника", "employee"),
		connector.NameSalesChannel: l.Pick("канала продаж", "sales channel"),
		connector.NamePriceType:    l.Pick("типа цены", "price type"),
		connector.NameOrganization: l.Pick("юрлица", "legal entity"),
		connector.NameProject:      l.Pick("проекта", "project"),
		connector.NameState:        l.Pick("статуса", "state"),
		connector.NameExpenseItem:  l.Pick("статьи расходов", "expense item"),
	}[p.Kinds[0]]
	q := &Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».", "I see no %s “%s” in the account."), what,
		p.Words), Options: []Option{}}
	var exist []string
	for _, n := range all {
		exist = append(exist, n.Name)
	}
	const most = 10
	switch {
	case len(exist) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(exist[:most], ", "), len(exist)-most)
	case len(exist) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(exist, ", "))
	}
	q.Text += l.Pick(" Уточните название.", " Please use the account's own name for it.")
	return q
}
