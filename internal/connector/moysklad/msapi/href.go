package msapi

import "net/url"

// href is an entity's address as filters compare it: on the API's own host, because another one is refused with 1059
// (fact M1).
func (r *Reader) href(kind string, id ID) string {
	if r.base == nil {
		return ""
	}
	return r.base.String() + "/entity/" + kind + "/" + string(id)
}

// are adds "field = one of them".
func (r *Reader) are(f Filter, field, kind string, ids []ID) Filter {
	return f.Where(field, Eq, r.hrefs(kind, ids)...)
}

// alternatives are conditions that may be spread over several requests.
func alternatives(field string, values []string) []condition {
	conditions := make([]condition, len(values))
	for i, v := range values {
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

// checkIDs refuses ids of another form before they become part of a path or a filter.
func checkIDs(lists ...[]ID) error {
	for _, ids := range lists {
		for _, id := range ids {
			if _, ok := ParseID(string(id)); !ok {
				return queryError("%q is no id", string(id))
			}
		}
	}
	return nil
}

// checkPeriod refuses a period without both ends: reports would choose the other by themselves.
func checkPeriod(p Period) error {
	switch {
	case p.From.IsZero() || p.To.IsZero():
		return queryError("a period needs both ends")
	case p.To.Before(p.From):
		return queryError("the period ends before it begins")
	}
	return nil
}

func (p Period) params() url.Values {
	return url.Values{"momentFrom": {FormatMoment(p.From)}, "momentTo": {FormatMoment(p.To)}}
}
