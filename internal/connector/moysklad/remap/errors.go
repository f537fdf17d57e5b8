package remap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// APIError is a failure that the API answered. Whatever a method of [Reader] returns has it in its chain, beneath a
// *stockhand.Error that says the same to people.
type APIError struct {
	Status    int    // of HTTP
	Code      int    // of the API, e.g. 1056; the status when the body named none (reference, section 2.1)
	Message   string // the server's own words; empty when the body held none
	Parameter string // the field or parameter at fault, when named
	Path      string // what was asked for, without its query

	wait       time.Duration // how long a 429 told us to wait
	remembered bool          // nothing was sent: the same request had failed too often
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

// ErrQuery is in the chain of the error of a query that the API cannot be asked; nothing was sent.
var ErrQuery = errors.New("MoySklad cannot be asked this")

func queryError(format string, args ...any) error {
	return &stockhand.Error{Code: stockhand.CodeValidation, Message: fmt.Sprintf(format, args...), Err: ErrQuery}
}

// errShape is in the chain of an answer that is whole and is not of the expected form: asking again gives the same.
var errShape = errors.New("unexpected form")

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

// readError makes an error of an answer that is not a success. Its body may be an object, an array with an object for
// each element, a page of HTML, or nothing (reference, section 2.1).
func readError(resp *http.Response, path string) *APIError {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // half a body still has its status
	e := parseError(body)
	e.Status, e.Path = resp.StatusCode, path
	if e.Code == 0 {
		e.Code = e.Status
	}
	e.wait = feedback(resp).Pause
	return e
}

type wireError struct {
	Error     string `json:"error"`
	Message   string `json:"error_message"`
	Code      int    `json:"code"`
	Parameter string `json:"parameter"`
}

type wireErrors struct {
	Errors []wireError `json:"errors"`
}

// parseError takes the first error that a body names.
func parseError(body []byte) *APIError {
	var answers []wireErrors
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		_ = json.Unmarshal(body, &answers) // whatever could be read is used; not being JSON is expected here
	} else {
		var answer wireErrors
		_ = json.Unmarshal(body, &answer)
		answers = append(answers, answer)
	}
	for _, answer := range answers {
		for _, w := range answer.Errors {
			e := &APIError{Code: w.Code, Message: w.Error, Parameter: w.Parameter}
			if w.Message != "" && w.Message != w.Error {
				e.Message = strings.TrimPrefix(e.Message+": "+w.Message, ": ")
			}
			return e
		}
	}
	return &APIError{}
}

// explain makes of a failure what a caller is told. The cause stays in the chain for the predicates above and for
// the log.
func (r *Reader) explain(err error, q request) error {
	fail := func(code stockhand.Code, message, hint string) error {
		return &stockhand.Error{Code: code, Message: message, Hint: hint, Err: r.scrub(err)}
	}
	switch {
	case errors.Is(err, ErrQuery), errors.Is(err, context.Canceled):
		return err
	case IsAuth(err):
		return fail(stockhand.CodeTokenRejected, "MoySklad refused the token: it is wrong or revoked, or its employee is blocked",
			"create a token for the employee in MoySklad and connect the account with it")
	case IsTariff(err):
		return fail(stockhand.CodePermissionDenied, "the account's MoySklad tariff does not include "+q.label(),
			"the tariff is changed in MoySklad")
	case IsForbidden(err):
		return fail(stockhand.CodePermissionDenied, "the employee's role in MoySklad does not allow reading "+q.label(),
			"an administrator of the MoySklad account can add the right to the role")
	case IsNotFound(err):
		return fail(stockhand.CodeNotFound, "MoySklad has no such thing: "+q.label(), "it may be deleted, or hidden from the employee")
	case IsLimit(err):
		return fail(stockhand.CodeExternalUnavailable, "MoySklad answers that there are too many requests",
			"other programs share its limits; try again in a minute")
	}
	if e, ok := apiError(err); ok && e.Status < 500 {
		return fail(stockhand.CodeInternal, "MoySklad did not accept the request for "+q.label(), "")
	}
	if _, ok := errors.AsType[*brokenError](err); ok {
		return fail(stockhand.CodeExternalUnavailable, "MoySklad's answer could not be read to its end", "try again in a minute")
	}
	return fail(stockhand.CodeExternalUnavailable, "MoySklad did not answer", "try again in a minute")
}

// scrub takes the token out of a server's or a library's words, should it be there.
func (r *Reader) scrub(err error) error {
	if r.config.Token == "" || !strings.Contains(err.Error(), r.config.Token) {
		return err
	}
	if e, ok := apiError(err); ok {
		clean := *e
		clean.Message = strings.ReplaceAll(e.Message, r.config.Token, "…")
		clean.Parameter = strings.ReplaceAll(e.Parameter, r.config.Token, "…")
		return &clean
	}
	return errors.New(strings.ReplaceAll(err.Error(), r.config.Token, "…"))
}
