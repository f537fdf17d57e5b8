package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/limit"
)

// maxLookUps is the maximum number of requests to understand a task (rule R75).
const maxLookUps = 6

// lookUp reads the task again with names from the account that its unknown phrases may refer to: first complete lists,
// which are short and cached, then a search for goods for each phrase still unknown. It reports whether the allowed
// requests were sufficient.
func (s *subject) lookUp(ctx context.Context) (complete bool, err error) {
	unknown := s.reading.Unknown
	var lists []connector.NameKind
	for _, p := range unknown {
		for _, k := range likelyKinds(p) {
			if k != connector.NameProduct && !slices.Contains(lists, k) {
				lists = append(lists, k)
			}
		}
	}
	complete, err = s.addNames(ctx, len(lists), func(ctx context.Context, i int) ([]connector.Name, error) {
		return s.account.Names(ctx, lists[i])
	})
	if err != nil {
		return complete, err
	}
	if s.reading.Skill.Calls() { // otherwise the whole task may be just the name of a product
		unknown = s.reading.Unknown
	}
	var goods []string
	for _, p := range unknown {
		if slices.Contains(likelyKinds(p), connector.NameProduct) && !slices.Contains(goods, p.Words) {
			goods = append(goods, p.Words)
		}
	}
	found, err := s.addNames(ctx, len(goods), func(ctx context.Context, i int) ([]connector.Name, error) {
		return s.account.FindGoods(ctx, goods[i], 20)
	})
	return complete && found, err
}

// likelyKinds returns the kinds of names to look up a phrase in: one if the task says which, as in "warehouse North".
func likelyKinds(p language.Phrase) []connector.NameKind {
	if p.Named && p.Kinds[0] != connector.NameProduct {
		return p.Kinds[:1]
	}
	return p.Kinds
}

// addNames loads n lists of names concurrently and reads the task again with them.
func (s *subject) addNames(ctx context.Context, n int,
	load func(ctx context.Context, i int) ([]connector.Name, error)) (
	complete bool, err error) {
	complete = true
	lists := make([][]connector.Name, n)
	var spent atomic.Bool
	work, inner := errgroup.WithContext(ctx)
	for i := range lists {
		work.Go(func() (err error) {
			if lists[i], err = load(inner, i); errors.Is(err, limit.ErrCountSpent) {
				spent.Store(true)
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil || n == 0 {
		return complete, err
	}
	s.input.Names = append(s.input.Names, slices.Concat(lists...)...)
	s.reading = language.Read(s.task, s.input)
	return !spent.Load(), nil
}

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

// notFound returns a question that says that a name is not in the account and offers the existing names.
func notFound(l stockhand.Language, p language.Phrase, names []connector.Name) *Question {
	what := map[connector.NameKind]string{
		connector.NameStore: l.Pick("склада", "warehouse"), connector.NameSupplier: l.Pick("поставщика", "supplier"),
		connector.NameCounterparty: l.Pick("контрагента", "counterparty"),
		connector.NameGroup:        l.Pick("группы", "group"),
		connector.NameProduct:      l.Pick("товара", "product"),
		connector.NameEmployee:     l.Pick("сотрудника", "employee"),
		connector.NameSalesChannel: l.Pick("канала продаж", "sales channel"),
		connector.NamePriceType:    l.Pick("типа цены", "price type"),
		connector.NameOrganization: l.Pick("юрлица", "legal entity"),
	}[p.Kinds[0]]
	q := &Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».", "I see no %s “%s” in the account."), what,
		p.Words), Options: []Option{}}
	var known []string
	for _, n := range names {
		if n.Kind == p.Kinds[0] {
			known = append(known, n.Name)
		}
	}
	const most = 10
	switch {
	case len(known) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(known[:most], ", "), len(known)-most)
	case len(known) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(known, ", "))
	}
	q.Text += l.Pick(" Уточните название.", " Please use the account's own name for it.")
	return q
}
