package msapi

import (
	"context"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
	"github.com/stockhand/stockhand/internal/limit"
)

// noteWhole notes a response that is requested once, whatever its size.
func noteWhole(s *survey.Survey, q request) {
	s.Add(survey.Reading{Path: q.label(), Filter: q.filter, Rows: -1, Requests: 1, Exact: true})
}

// noteList notes a list.
func noteList(ctx context.Context, s *survey.Survey, r *Reader, l listing, chunks []*chunk) error {
	page := l.pageSize()
	for _, c := range chunks {
		q := request{path: l.path, filter: c.label}
		noted := survey.Reading{Path: q.label(), Filter: c.label, Rows: -1, Requests: 1}
		if len(l.split) > 0 { // its size is at most the number of alternatives
			s.Add(noted)
			continue
		}
		size, exact, err := askSize(ctx, s, r, l, c)
		if err != nil {
			return err
		}
		if size >= 0 {
			noted.Rows = size
			if l.first > 0 {
				noted.Rows = min(size, l.first)
			}
			noted.Requests, noted.Exact = max(1, (noted.Rows+page-1)/page), exact
			if err := sizedAs(ctx, l.path, size); err != nil {
				return err
			}
		}
		s.Add(noted)
	}
	return nil
}

// askSize asks for the number of rows; it is not exact if it is that of an earlier reading of the same report.
func askSize(ctx context.Context, s *survey.Survey, r *Reader, l listing, c *chunk) (size int, exact bool, err error) {
	smallest := l
	smallest.params, smallest.page, smallest.first, smallest.order = l.unexpanded(), 0, 1, ""
	ask := func() (int, error) {
		p := &pager[struct{}]{ctx: ctx, reader: r, listing: smallest}
		meter.Of(ctx).Plan(1, StockReport(l.path))
		got, err := p.fetch(task{chunk: c})
		if err != nil || got.meta.Size == nil {
			return -1, err
		}
		return *got.meta.Size, nil
	}
	if strings.HasPrefix(l.path, "report/") {
		return s.Report(l.path, ask)
	}
	size, err = ask()
	return size, true, err
}

// Prices returns the vendor's budget for one employee and the units that requests cost at a time (facts M9 and M10).
func Prices(at time.Time) limit.Vendor {
	v := limit.Vendor{Limit: 45, Interval: 3 * time.Second, Light: 2, Heavy: maxHeavyUnits}
	for _, month := range []time.Month{time.September, time.December} {
		if !at.Before(time.Date(2026, month, 1, 0, 0, 0, 0, Moscow)) {
			v.Light++
		}
	}
	return v
}

// Duration returns how long an idle account's limits make requests take at least, stock of them stock reports.
func Duration(requests, stock int, at time.Time) time.Duration {
	return limit.Bound(requests, stock, limit.Config{}, Prices(at))
}

type sizesKey struct{}

// WithSizes returns a context whose lists pass their size to f when the first page reports it, before the next page is
// requested. An error of f ends the reading. f may be called concurrently.
func WithSizes(ctx context.Context, f func(path string, size int) error) context.Context {
	return context.WithValue(ctx, sizesKey{}, f)
}

// sizedAs passes the size of a list on.
func sizedAs(ctx context.Context, path string, size int) error {
	if f, ok := ctx.Value(sizesKey{}).(func(string, int) error); ok {
		return f(path, size)
	}
	return nil
}
