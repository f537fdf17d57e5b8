package api

import (
	"encoding/base64"
	"slices"
)

// Page is embedded in the input of every list.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many entries to return at most"`
	Cursor string `query:"cursor" maxLength:"300" doc:"next_cursor of the page before; left out for the first page"`
}

// after is the position that the page begins after; empty for the first page. It is what the list's handler gave to
// listOf, and only that handler knows what it means.
func (p Page) after() (string, error) {
	if p.Cursor == "" {
		return "", nil
	}
	position, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil || len(position) == 0 || !readable(string(position)) {
		return "", invalid("cursor", "is not a cursor that this list gave")
	}
	return string(position), nil
}

// List is the answer of every list.
type List[T any] struct {
	Body struct {
		Data       []T     `json:"data" nullable:"false"`
		NextCursor *string `json:"next_cursor" doc:"Give it as cursor to read on; null on the last page"`
	}
}

// listOf makes the answer of a list. The handler has asked its store for one entry more than the page's limit: that one
// is cut off and tells that there is more. The position is of the page's last entry.
func listOf[From, To any](found []From, limit int, position func(From) string, show func(From) To) *List[To] {
	out := &List[To]{}
	if len(found) > limit {
		found = found[:limit]
		next := base64.RawURLEncoding.EncodeToString([]byte(position(found[limit-1])))
		out.Body.NextCursor = &next
	}
	out.Body.Data = make([]To, 0, len(found))
	for v := range slices.Values(found) {
		out.Body.Data = append(out.Body.Data, show(v))
	}
	return out
}

// Answer is the answer of everything that is one thing.
type Answer[T any] struct{ Body T }

// answerOf makes an answer of one thing.
func answerOf[T any](v T) (*Answer[T], error) { return &Answer[T]{Body: v}, nil }
