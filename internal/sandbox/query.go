package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Paging and expansion limits (facts M17, M18).
const (
	maxLimit       = 1000
	maxExpandLimit = 100
	maxExpandDepth = 3
)

// paging is the requested page.
type paging struct {
	limit, offset int
	explicit      bool // the limit was given: without it expand is ignored
}

func parsePaging(q url.Values) (paging, error) {
	p := paging{limit: maxLimit}
	if s := q.Get("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > maxLimit {
			return p, errParameter("limit", s)
		}
		p.limit, p.explicit = n, true
	}
	if s := q.Get("offset"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return p, errParameter("offset", s)
		}
		p.offset = n
	}
	return p, nil
}

// expands reports whether expand applies to a list with this page. It requires an explicit limit of at most 100, and is
// silently ignored otherwise.
func (p paging) expands() bool { return p.explicit && p.limit <= maxExpandLimit }

// bounds returns the half-open range of rows on the page.
func (p paging) bounds(size int) (from, to int) {
	from = min(p.offset, size)
	return from, min(from+p.limit, size)
}

// expansion lists the references to write in full, at each level; nil means none.
type expansion map[string]expansion

// expandText returns the expand parameter. Repeated parameters form one list.
func (c *call) expandText() string { return strings.Join(c.query["expand"], ",") }

func parseExpand(text string) (expansion, error) {
	root := expansion{}
	for path := range strings.SplitSeq(text, ",") {
		path = strings.TrimSpace(path)
		if path == "" {
			continue
		}
		parts := strings.Split(path, ".")
		if len(parts) > maxExpandDepth {
			return nil, errParameter("expand", path)
		}
		at := root
		for _, part := range parts {
			if at[part] == nil {
				at[part] = expansion{}
			}
			at = at[part]
		}
	}
	return root, nil
}

// parseFields parses the fields parameter: one of the values that the collection supports (fact M21).
func parseFields(text string, allowed []string) (string, error) {
	switch {
	case text == "":
		return "", nil
	case strings.Contains(text, ","):
		return "", refuse(http.StatusPreconditionFailed, 3042,
			"Ошибка: в параметре 'fields' передано больше одного значения")
	case !slices.Contains(allowed, text):
		return "", refuse(http.StatusPreconditionFailed, 3043,
			"Ошибка: значение '%s' параметра 'fields' не поддерживается", text)
	}
	return text, nil
}

// sorting is one key of an order parameter.
type sorting struct {
	field string
	desc  bool
}

func parseOrder(text string) ([]sorting, error) {
	var keys []sorting
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		field, direction, _ := strings.Cut(part, ",")
		if direction != "" && direction != "asc" && direction != "desc" {
			return nil, refuse(http.StatusPreconditionFailed, 1042,
				"Ошибка сортировки: неверное направление '%s'", direction)
		}
		keys = append(keys, sorting{field: field, desc: direction == "desc"})
	}
	return keys, nil
}

// searchStyle is how an entity matches a search (fact M27).
type searchStyle int

const (
	byWords     searchStyle = iota // every word of the search is a prefix of a word in some searched field
	bySubstring                    // the search is a substring of some searched field
)

// searcher returns a function that matches a search against the texts of a row.
func searcher(search string, style searchStyle) func(texts []string) bool {
	search = strings.ToLower(strings.TrimSpace(search))
	if style == bySubstring {
		return func(texts []string) bool {
			return slices.ContainsFunc(texts, func(t string) bool {
				return strings.Contains(strings.ToLower(t), search)
			})
		}
	}
	words := strings.Fields(search)
	return func(texts []string) bool {
		for _, word := range words {
			if !slices.ContainsFunc(texts, func(t string) bool { return beginsWord(strings.ToLower(t), word) }) {
				return false
			}
		}
		return true
	}
}

// beginsWord reports whether word is a prefix of a word in t.
func beginsWord(t, word string) bool {
	for from := 0; ; {
		at := strings.Index(t[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(t[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
		from = at + 1
	}
}
