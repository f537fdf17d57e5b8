package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// micros encodes a time as microseconds since 1970. The zero time stands for now.
func micros(t time.Time) int64 {
	if t.IsZero() {
		t = time.Now()
	}
	return t.UnixMicro()
}

// moment decodes a time column; 0 is the zero time.
func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// maybeMicros encodes a time as microseconds since 1970, and the zero time as 0.
func maybeMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// text removes characters that Postgres rejects but SQLite accepts: NUL and invalid UTF-8.
func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// object validates a JSON value for storage; an empty value becomes an empty object.
func object(what string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "{}", nil
	}
	if !json.Valid(raw) {
		return "", stockhand.Errorf(stockhand.CodeInternal, "%s is not JSON", what)
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD"), nil
}

// nullable returns NULL for an empty ID.
func nullable[T ~string](id T) sql.NullString {
	return sql.NullString{String: string(id), Valid: id != ""}
}

// The limits of lists (rule R41). maxLimit is one above the largest page, so that a caller can check for a next page.
const (
	defaultLimit = 50
	maxLimit     = 200 + 1
)

// bounded returns the SQL limit for a list; 0 or less means the default.
func bounded(limit int) int64 { return int64(min(cmp.Or(max(limit, 0), defaultLimit), maxLimit)) }

// orNew returns id, or a new ID if it is empty.
func orNew[T ~string](id T, prefix string) T { return cmp.Or(id, stockhand.NewID[T](prefix)) }
