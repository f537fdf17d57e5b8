package msapi

import (
	"context"
	"iter"
	"net/url"
)

// Archived is whether to include archived objects. By default, every list excludes them (fact M26).
type Archived int

// The options for archived objects.
const (
	ArchivedDefault Archived = iota // not sent: the API excludes them
	ArchivedAlso                    // include them
	ArchivedOnly                    // only archived objects
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

// ListQuery restricts a list of entities. The zero ListQuery selects all that are not archived.
type ListQuery struct {
	// only these, in as many requests as needed; an empty non-nil list selects nothing
	IDs      []ID
	Search   string // the API's search: prefixes of words (fact M27)
	Archived Archived
	Filter   Filter // further conditions
	First    int    // maximum number of rows; zero means all
}

// entities lists an entity type, sorted by ID, which all entities support (fact M17).
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
			l.order = "" // only the search's own order puts the best matches first
		}
	}
	return l, nil
}
