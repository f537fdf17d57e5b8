package remap

import (
	"errors"
	"fmt"
)

// APIError is a failure that the API answered. Whatever a method of [Reader] returns has it in its chain, beneath a
// *stockhand.Error that says the same to people.
type APIError struct {
	Status    int    // of HTTP
	Code      int    // of the API, e.g. 1056; the status when the body named none (reference, section 2.1)
	Message   string // the server's own words; empty when the body held none
	Parameter string // the field or parameter at fault, when named
	Path      string // what was asked for, without its query
}

func (e *APIError) Error() string {
	s := fmt.Sprintf("%s: HTTP %d", e.Path, e.Status)
	if e.Code != 0 && e.Code != e.Status {
		s += fmt.Sprintf(", code %d", e.Code)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Parameter != "" {
		s += " (" + e.Parameter + ")"
	}
	return s
}

// Incomplete is the last error of a list that could not be read whole: it changed while it was read, or the server
// never gave all that it counted. The rows before it are good; a tool says so in a notice.
type Incomplete struct {
	Path string
	Got  int // different rows read
	Size int // rows that the last page's meta.size promised
}

func (e *Incomplete) Error() string {
	return fmt.Sprintf("%s: %d rows of %d could be read", e.Path, e.Got, e.Size)
}

// ErrQuery is the error of a query that the API cannot be asked: nothing was sent.
var ErrQuery = errors.New("the API cannot be asked this")

func apiError(err error) (*APIError, bool) { return errors.AsType[*APIError](err) }

// IsAuth tells whether the token was refused: wrong, revoked, or of a blocked user. It is never retried (reference,
// section 1.2).
func IsAuth(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Status == 401 || e.Code == 1056)
}

// IsForbidden tells whether the employee lacks a right: for the entity, the stock reports, or the API as such
// (reference, sections 2.3 and 7.2). A tariff's refusal is not one; see [IsTariff].
func IsForbidden(err error) bool {
	e, ok := apiError(err)
	if !ok || IsTariff(err) {
		return false
	}
	switch e.Code {
	case 1016, 1017, 1061, 1075, 13003, 13004, 3046, 17023:
		return true
	}
	return e.Status == 403
}

// IsTariff tells whether the account's tariff does not include what was asked for.
func IsTariff(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Code == 1043 || e.Code == 1070 || e.Code == 47000)
}

// IsNotFound tells whether the entity does not exist, was deleted, or may not be seen.
func IsNotFound(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Status == 404 || e.Code == 1021 || e.Code == 1008)
}

// IsLimit tells whether the vendor's limits refused the request, after every attempt.
func IsLimit(err error) bool {
	e, ok := apiError(err)
	return ok && e.Status == 429
}

// IsIncomplete tells whether err is an [*Incomplete], and returns it.
func IsIncomplete(err error) (*Incomplete, bool) { return errors.AsType[*Incomplete](err) }
