package agent

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

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
