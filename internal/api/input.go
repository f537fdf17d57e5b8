package api

import (
	"bytes"
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
	"github.com/stockhand/stockhand/internal/api/decode"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/strictjson"
)

const (
	maxBody = 1 << 20  // bytes of a request body (rule R44)
	maxChat = 20 << 20 // bytes of a chat completion request, which may contain images
	// bytes of all bodies above maxBody in memory at once, so that a few callers cannot use up the memory
	maxLarge  = 256 << 20
	maxHeader = 64 << 10
	maxQuery  = 16 << 10
	bodyTime  = 30 * time.Second // to read a body
	restTime  = 2 * time.Second  // to discard the rest of a body that is too large
	restBytes = 2 * maxChat      // how much of it to discard
)

var errMediaType = &stockhand.Error{Code: stockhand.CodeUnsupportedMedia,
	Message: "the request body is not JSON, or is compressed",
	RU:      stockhand.Words{Message: "тело запроса — не JSON или сжато"}}

// tooLarge returns the error for a body of more than limit bytes.
func tooLarge(limit int64) *stockhand.Error {
	size := strconv.FormatInt(limit>>20, 10)
	return &stockhand.Error{Code: stockhand.CodeBodyTooLarge,
		Message: "the request body is larger than " + size + " MiB", Hint: "Send at most " + size + " MiB.",
		RU: stockhand.Words{Message: "тело запроса больше " + size + " МиБ",
			Hint: "Отправляйте не больше " + size + " МиБ."}}
}

// checkHeader rejects oversized and repeated headers.
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
	for _, name := range []string{"X-Org-Id", idempotency.Header, "X-Dry-Run", "Content-Type", "Last-Event-Id"} {
		if len(h[name]) > 1 {
			return invalid(name, "is given more than once")
		}
	}
	return nil
}

// checkQuery rejects a malformed query, repeated parameters, and parameters that the route does not have: a misspelt
// filter must not look like one that was applied. A nil known accepts every parameter.
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
			return invalid("query", "has a parameter name that is not valid text")
		case known != nil && !slices.Contains(known, name):
			return invalid(decode.FieldName(name), "unknown query parameter")
		case known != nil && len(values) > 1:
			return invalid(name, "is given more than once")
		case !readable(values...):
			return invalid(decode.FieldName(name), "is not valid text")
		}
	}
	return nil
}

// checkPath rejects path parameters that the database cannot store.
func checkPath(r *http.Request, wildcards []string) error {
	for _, name := range wildcards {
		if !readable(r.PathValue(name)) {
			return errNoRoute
		}
	}
	return nil
}

// readable reports whether the strings are UTF-8 without NUL.
func readable(texts ...string) bool {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return false
		}
	}
	return true
}

// checkEncoding rejects compressed bodies, whose decompressed size is unknown.
func checkEncoding(r *http.Request) error {
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return errMediaType
	}
	return nil
}

// checkJSON rejects a Content-Type other than JSON. Without one, the body is assumed to be JSON.
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

// discardRest reads up to restBytes of an oversized body, so that the client can read the 413: closing a connection
// that the client is still writing to would reset it.
func discardRest(control *http.ResponseController, rest io.Reader) {
	_ = control.SetReadDeadline(time.Now().Add(restTime))
	_, _ = io.CopyN(io.Discard, rest, restBytes)
}

// readBody reads a body of at most limit bytes, regardless of its Content-Length.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	control := http.NewResponseController(w)
	if r.ContentLength > limit {
		discardRest(control, r.Body)
		return nil, tooLarge(limit)
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		discardRest(control, r.Body)
		return nil, tooLarge(limit)
	}
	if stockhand.CodeOf(err) == stockhand.CodeRateLimited {
		discardRest(control, r.Body)
		return nil, err
	}
	if err != nil {
		return nil, invalid("body", "the request body was cut off or timed out")
	}
	_ = control.SetReadDeadline(time.Time{})
	callOf(r.Context()).read = true
	return body, nil
}

// readJSON reads and validates the body of a typed route, and puts it back for huma. A route without a body also
// accepts an empty object, which many clients send.
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
			return nil, invalid(decode.FieldName(f.Field), f.Message)
		}
	}
	if !wanted && len(body) > 0 && string(bytes.Join(bytes.Fields(body), nil)) != "{}" {
		return nil, invalid("body", "this request takes no body")
	}
	putBack(r, body)
	return body, nil
}

// putBack lets the handler read a body that was already read.
func putBack(r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
}
