package msapi

import (
	"context"
	"iter"
	"net/url"
)

// Archived says what happens to archived things. By default every list leaves them out (fact M26).
type Archived int

// The ways to treat archived things.
const (
	ArchivedDefault Archived = iota // not sent: the API leaves them out
	ArchivedAlso                    // with them
	ArchivedOnly                    // nothing else
)

func (a Archived) filter() Filter {
	switch a {
	case ArchivedAlso:
		return Filter{}.Where("archived", Eq, "true", "false")
	case ArchivedOnly:
		return Filter{}.Where("archived", Eq, "true")
	case ArchivedDefault:
	}
	return Filter{}
}

// ListQuery narrows a list of entities. The zero ListQuery asks for all of them that are not archived.
type ListQuery struct {
	// those alone, in as many requests as their number needs; an empty list that is not nil asks for nothing
	IDs      []ID
	Search   string // the API's own search: beginnings of words (fact M27)
	Archived Archived
	Filter   Filter // further conditions
	First    int    // stop after so many rows; zero means all
}

// entities lists an entity type by id, which all of them can be sorted by (fact M17).
func entities[T any](ctx context.Context, r *Reader, path string, q ListQuery) iter.Seq2[T, error] {
	l, err := q.listing(path)
	if err != nil {
		return failed[T](err)
	}
	return list[T](ctx, r, l)
}

func (q ListQuery) listing(path string) (listing, error) {
	if err := checkIDs(q.IDs); err != nil {
		return listing{}, err
	}
	l := listing{path: path, params: url.Values{}, filter: q.Archived.filter().And(q.Filter), order: "id",
		first: q.First}
	l.only(q.IDs)
	if q.Search != "" {
		l.params.Set("search", q.Search)
		if q.First > 0 {
			l.order = "" // the best come first only in the search's own order
		}
	}
	return l, nil
}
