package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/strictjson"
)

const (
	maxBody = 1 << 20  // bytes of a request's body (product.md, section 2)
	maxChat = 20 << 20 // of a chat's: pictures travel inside it, to models that see them
	// of all bodies above maxBody that are held at once: a few callers must not take all memory from the others
	maxLarge  = 256 << 20
	maxHeader = 64 << 10
	maxQuery  = 16 << 10
	bodyTime  = 30 * time.Second // in which a body has to arrive
	restTime  = 2 * time.Second  // for the rest of a body that is too large
	restBytes = 8 << 20
	largeTime = 2 * time.Second // how long a large one waits for room
)

var (
	errTooLarge = &stockhand.Error{Code: stockhand.CodeBodyTooLarge, Message: "the request's body is larger than 1 MiB",
		RU: stockhand.Words{Message: "тело запроса больше 1 МиБ"}}
	errMediaType = &stockhand.Error{Code: stockhand.CodeUnsupportedMedia,
		Message: "the request's body is not JSON, or is compressed",
		RU:      stockhand.Words{Message: "тело запроса — не JSON или сжато"}}
)

// checkHeader refuses headers that no client of ours needs.
func checkHeader(h http.Header) error {
	size := 0
	for name, values := range h {
		for _, v := range values {
			size += len(name) + len(v)
		}
	}
	if size > maxHeader {
		return invalid("header", "is larger than "+strconv.Itoa(maxHeader>>10)+" KiB")
	}
	for _, name := range []string{"X-Org-Id", idempotentKey, "X-Dry-Run", "Content-Type", "Last-Event-Id"} {
		if len(h[name]) > 1 {
			return invalid(name, "is given more than once")
		}
	}
	return nil
}

// checkQuery refuses a query that cannot be read, names a parameter twice, or names one that the route does not know: a
// misspelt filter must not look like one that was applied. Nil as known lets every name pass.
func checkQuery(raw string, known []string) error {
	if raw == "" {
		return nil
	}
	if len(raw) > maxQuery {
		return invalid("query", "is longer than "+strconv.Itoa(maxQuery>>10)+" KiB")
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return invalid("query", "is not well-formed")
	}
	for name, values := range query {
		switch {
		case !readable(name):
			return invalid("query", "has a name that is not readable text")
		case known != nil && !slices.Contains(known, name):
			return invalid(fieldName(name), "unknown query parameter")
		case known != nil && len(values) > 1:
			return invalid(name, "is given more than once")
		case !readable(values...):
			return invalid(fieldName(name), "is not readable text")
		}
	}
	return nil
}

// checkPath refuses ids that cannot be one, before they reach a database that chokes on them.
func checkPath(r *http.Request, wildcards []string) error {
	for _, name := range wildcards {
		if !readable(r.PathValue(name)) {
			return errNoRoute
		}
	}
	return nil
}

// readable tells of UTF-8 without zero characters.
func readable(texts ...string) bool {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return false
		}
	}
	return true
}

// checkEncoding refuses compressed bodies: what a megabyte unpacks to is not known before it is unpacked.
func checkEncoding(r *http.Request) error {
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return errMediaType
	}
	return nil
}

// checkJSON refuses a body that says it is something else than JSON. A body that does not say is taken for JSON.
func checkJSON(r *http.Request) error {
	given := r.Header.Get("Content-Type")
	if given == "" {
		return nil
	}
	media, params, err := mime.ParseMediaType(given)
	if err != nil || media != "application/json" {
		return errMediaType
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return errMediaType
	}
	return nil
}

// holdLarge waits for room for a body that may be large. It returns how much was taken; small bodies need none.
func (s *Server) holdLarge(r *http.Request, most int64) (int64, error) {
	size := r.ContentLength
	if size < 0 || size > most {
		size = most
	}
	if size <= maxBody {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), largeTime)
	defer cancel()
	if s.large.Acquire(ctx, size) != nil {
		return 0, tooMany(largeTime)
	}
	return size, nil
}

// tooLarge is the refusal of a body, once a good part of its rest was let by: a connection that is closed while its
// sender still sends is reset, and the refusal is lost on the way.
func tooLarge(control *http.ResponseController, rest io.Reader) error {
	_ = control.SetReadDeadline(time.Now().Add(restTime))
	_, _ = io.CopyN(io.Discard, rest, restBytes) // what does not come is not waited for
	return errTooLarge
}

// readBody reads a body that may not be larger than most bytes, whatever its length is said to be.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	control := http.NewResponseController(w)
	if r.ContentLength > most {
		return nil, tooLarge(control, r.Body)
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge(control, r.Body)
	}
	if err != nil {
		return nil, invalid("body", "did not arrive whole")
	}
	_ = control.SetReadDeadline(time.Time{})
	callOf(r.Context()).read = true
	return body, nil
}

// readJSON reads and checks the body of a route whose input is a type, and puts it back for huma. A route that takes no
// body takes an empty object too, which many clients send.
func readJSON(w http.ResponseWriter, r *http.Request, wanted bool) ([]byte, error) {
	if !wanted && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		return nil, nil
	}
	if err := checkEncoding(r); err != nil {
		return nil, err
	}
	if r.ContentLength != 0 {
		if err := checkJSON(r); err != nil {
			return nil, err
		}
	}
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		if f := strictjson.JSON(body); f != nil {
			return nil, invalid(fieldName(f.Field), f.Message)
		}
	}
	if !wanted && len(body) > 0 && string(bytes.Join(bytes.Fields(body), nil)) != "{}" {
		return nil, invalid("body", "this request takes no body")
	}
	putBack(r, body)
	return body, nil
}

// putBack lets the handler read the body that was read before.
func putBack(r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
}
