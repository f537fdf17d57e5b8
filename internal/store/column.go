package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// micros is a time as a column holds it, the present moment for the zero time.
func micros(t time.Time) int64 {
	if t.IsZero() {
		t = time.Now()
	}
	return t.UnixMicro()
}

// moment is a time as a column holds it, read back; 0 is the zero time.
func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// maybeMicros is a time as a column holds it, 0 for the zero time.
func maybeMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// text makes words storable: Postgres refuses NUL and anything that is not UTF-8, and SQLite would keep it.
func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// object makes a JSON value storable; nothing becomes an empty object.
func object(what string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "{}", nil
	}
	if !json.Valid(raw) {
		return "", stockhand.Errorf(stockhand.CodeInternal, "%s is not JSON", what)
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD"), nil
}

// nullable is NULL for an empty id.
func nullable[T ~string](id T) sql.NullString {
	return sql.NullString{String: string(id), Valid: id != ""}
}

// The bounds of a list (rule R41). One more than a page may be asked for, which shows whether there is a next page.
const (
	defaultLimit = 50
	maxLimit     = 200 + 1
)

// bounded is a list's limit: 0 and less mean the default.
func bounded(limit int) int64 { return int64(min(cmp.Or(max(limit, 0), defaultLimit), maxLimit)) }

// orNew is the id, or a new one when it is empty.
func orNew[T ~string](id T, prefix string) T {
	if id == "" {
		return stockhand.NewID[T](prefix)
	}
	return id
}
