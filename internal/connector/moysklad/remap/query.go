package remap

// Archived says what happens to archived things. By default every list leaves them out (reference, section 11, trap 5).
type Archived int

// The ways to treat archived things.
const (
	ArchivedDefault Archived = iota // not told: the API leaves them out
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
	IDs      []ID   // those alone, in as many requests as their number needs; an empty list that is not nil asks for nothing
	Search   string // the API's own search: beginnings of words (reference, section 3.6)
	Archived Archived
	Filter   Filter // further conditions
	First    int    // stop after so many rows; zero means all
}
