package msapi

import (
	"net/url"
	"slices"
)

// href returns the address of an entity for filters. It must be on the API's own host; others are rejected with code
// 1059 (fact M1).
func (r *Reader) href(kind string, id ID) string {
	if r.base == nil {
		return ""
	}
	return r.base.String() + "/entity/" + kind + "/" + string(id)
}

// are adds the condition that the field is one of the entities.
func (r *Reader) are(f Filter, field, kind string, ids []ID) Filter {
	return f.Where(field, Eq, r.hrefs(kind, ids)...)
}

// alternatives returns conditions that may be spread over several requests. They are sorted, so that the same question
// sends the same requests.
func alternatives(field string, values []string) []condition {
	conditions := make([]condition, len(values))
	for i, v := range slices.Sorted(slices.Values(values)) {
		conditions[i] = condition{field, Eq, v}
	}
	return conditions
}

func (r *Reader) hrefs(kind string, ids []ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = r.href(kind, id)
	}
	return texts
}

func texts(ids []ID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = string(id)
	}
	return list
}

// checkIDs rejects malformed IDs before they become part of a path or filter.
func checkIDs(lists ...[]ID) error {
	for _, ids := range lists {
		for _, id := range ids {
			if _, ok := ParseID(string(id)); !ok {
				return queryError("%q is not an ID", string(id))
			}
		}
	}
	return nil
}

// checkPeriod rejects a period without both ends, for which reports would choose a default.
func checkPeriod(p Period) error {
	switch {
	case p.From.IsZero() || p.To.IsZero():
		return queryError("a period needs both ends")
	case p.To.Before(p.From):
		return queryError("the period ends before it starts")
	}
	return nil
}

func (p Period) params() url.Values {
	return url.Values{"momentFrom": {FormatMoment(p.From)}, "momentTo": {FormatMoment(p.To)}}
}
