// Package writable takes out of what was read what the vendor refuses to write.
package writable

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// Minimums removes archived stores from minimums, because the vendor refuses to write them (fact M116).
func Minimums(ctx context.Context, r *msapi.Reader, minimums []*msapi.MinimumStock) error {
	q := msapi.ListQuery{Archived: msapi.ArchivedAlso}
	for _, m := range minimums {
		if m != nil {
			for _, s := range m.Stores {
				q.IDs = append(q.IDs, s.Store.ID)
			}
		}
	}
	slices.Sort(q.IDs)
	if q.IDs = slices.Compact(q.IDs); len(q.IDs) == 0 {
		return nil
	}
	archived := map[msapi.ID]bool{}
	for s, err := range r.Stores(ctx, q) {
		if msapi.IsForbidden(err) {
			return nil
		}
		if err != nil {
			return err
		}
		archived[s.ID] = s.Archived
	}
	for _, m := range minimums {
		if m != nil {
			m.Stores = slices.DeleteFunc(m.Stores, func(s msapi.StoreMinimum) bool { return archived[s.Store.ID] })
		}
	}
	return nil
}
