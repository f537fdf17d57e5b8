package msapi

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// Latest is what one request tells about a list of documents.
type Latest struct {
	Size int     // how many match
	Rows []Order // those that were changed last, the last one first
}

// Updated returns when one of the documents was changed last; zero if there is none.
func (l *Latest) Updated() time.Time {
	if len(l.Rows) == 0 {
		return time.Time{}
	}
	return l.Rows[0].Updated.Time
}

// LatestChange asks how many documents match, and which of them was changed last (fact M104).
func (r *Reader) LatestChange(ctx context.Context, document string, q OrderQuery) (Latest, error) {
	f, err := r.orderFilter(document, q)
	if err != nil {
		return Latest{}, err
	}
	page, err := r.changed(ctx, document, f, "updated,desc", 1, false)
	if err != nil {
		return Latest{}, err
	}
	return Latest{Size: *page.Meta.Size, Rows: latestFirst(page.Rows)}, nil
}

// LatestChanges asks how many documents of a type there are, and which were changed last. Those that were changed after
// a time have their positions, if that is not zero.
func (r *Reader) LatestChanges(ctx context.Context, document string, n int, positionsAfter time.Time) (Latest, error) {
	positions := !positionsAfter.IsZero()
	page, err := r.changed(ctx, document, Filter{}, "updated,desc", n, positions)
	if err != nil {
		return Latest{}, err
	}
	latest := Latest{Size: *page.Meta.Size, Rows: latestFirst(page.Rows)}
	for i := range latest.Rows {
		if !positions || !latest.Rows[i].Updated.After(positionsAfter) {
			break
		}
		if latest.Rows[i], err = page.Rows[i].order(ctx, r, document, true); err != nil {
			return Latest{}, err
		}
	}
	return latest, nil
}

func latestFirst(rows []wireOrder) []Order {
	list := make([]Order, len(rows))
	for i := range rows {
		if list[i] = rows[i].Order; list[i].Store.IsZero() {
			list[i].Store = rows[i].Source
		}
	}
	return list
}

// ErrManyChanges means that more documents were changed than [Reader.Changes] may read.
var ErrManyChanges = errors.New("more documents were changed than should be read")

// Changes returns the documents of a type that were changed since a time, posted or not, up to the given number. Each
// page begins where the one before ended, so that no document is missed because others move between pages. One that is
// changed meanwhile is returned again; the last version counts.
func (r *Reader) Changes(ctx context.Context, document string, since time.Time, positions bool,
	most int) ([]Order, error) {
	limit := maxPage
	if positions {
		limit = expandPage
	}
	var all []Order
	for {
		from := FormatMoment(since)
		page, err := r.changed(ctx, document, Filter{}.Where("updated", GreaterEq, from), "updated,asc", limit,
			positions)
		if err != nil {
			return nil, err
		}
		if len(all)+*page.Meta.Size > most {
			return nil, ErrManyChanges
		}
		for i := range page.Rows {
			o, err := page.Rows[i].order(ctx, r, document, positions)
			if err != nil {
				return nil, err
			}
			all = append(all, o)
		}
		if len(page.Rows) == *page.Meta.Size {
			return all, nil
		}
		if len(page.Rows) > 0 {
			since = page.Rows[len(page.Rows)-1].Updated.Time
		}
		if FormatMoment(since) == from { // more than a page in one second
			return nil, ErrManyChanges
		}
	}
}

// changed reads one page in an order that must not be ignored, unlike that of [list].
func (r *Reader) changed(ctx context.Context, document string, f Filter, order string, limit int,
	positions bool) (page rows[wireOrder], err error) {
	params := url.Values{"limit": {strconv.Itoa(limit)}, "order": {order}}
	filter, err := f.Build()
	if err != nil {
		return page, err
	}
	if filter != "" {
		params.Set("filter", filter)
	}
	if positions {
		params.Set("expand", "positions")
	}
	page, err = one[rows[wireOrder]](WithMemo(survey.Without(ctx), nil), r, "entity/"+document, params)
	if err == nil && page.Meta.Size == nil {
		err = errShape
	}
	return page, err
}
