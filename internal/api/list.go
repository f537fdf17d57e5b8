package api

import (
	"encoding/base64"
	"slices"
)

// Page is embedded in the input of every list (rule R41).
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The maximum number of entries to return"`
	Cursor string `query:"cursor" maxLength:"300" doc:"next_cursor of the previous page; omit it for the first page"`
}

// after returns the position after which the page starts; empty for the first page. Its meaning is up to the handler
// that passed it to listOf.
func (p Page) after() (string, error) {
	if p.Cursor == "" {
		return "", nil
	}
	position, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil || len(position) == 0 || !readable(string(position)) {
		return "", invalid("cursor", "is not a cursor of this list")
	}
	return string(position), nil
}

// List is a page of a list.
type List[T any] struct {
	Body struct {
		Data       []T     `json:"data"`
		NextCursor *string `json:"next_cursor" doc:"The cursor of the next page; null on the last page"`
	}
}

// listOf returns a page of found, which contains one entry more than limit if there is a next page. position returns
// the cursor position of an entry.
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

// pageOf reads a page of a list. find returns the entries after a position, which is an ID and empty for the first
// page; it need not return more than the given maximum.
func pageOf[From, To any, ID ~string](p Page, position func(From) ID, show func(From) To,
	find func(after ID, most int) ([]From, error)) (*List[To], error) {
	after, err := p.after()
	if err != nil {
		return nil, err
	}
	found, err := find(ID(after), p.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(found, p.Limit, func(v From) string { return string(position(v)) }, show), nil
}

// Answer is a response with one resource.
type Answer[T any] struct{ Body T }

// answerOf returns a response with one resource.
func answerOf[T any](v T) (*Answer[T], error) { return &Answer[T]{Body: v}, nil }

// answerAs converts the result of a domain call to a response, unless it is an error:
//
//	return answerAs(wire.KeyOf)(s.Auth.Key(ctx, actor, id))
func answerAs[From, To any](show func(From) To) func(From, error) (*Answer[To], error) {
	return func(v From, err error) (*Answer[To], error) {
		if err != nil {
			return nil, err
		}
		return answerOf(show(v))
	}
}
