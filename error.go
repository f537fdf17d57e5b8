package stockhand

import (
	"errors"
	"fmt"
	"time"
)

// Code is the machine-readable name of a failure, as the API answers it (product.md, section 2).
type Code string

// The codes of the API. One status belongs to each; see the table in product.md, section 2.
const (
	CodeTokenExpired        Code = "AUTH_TOKEN_EXPIRED" //nolint:gosec // names of errors, not credentials
	CodePermissionDenied    Code = "AUTH_PERMISSION_DENIED"
	CodeOrgRequired         Code = "ORG_REQUIRED"
	CodeNotFound            Code = "NOT_FOUND"
	CodeConflict            Code = "CONFLICT"
	CodeDraftChanged        Code = "DRAFT_CHANGED"
	CodeIdempotencyMismatch Code = "IDEMPOTENCY_MISMATCH"
	CodeValidation          Code = "VALIDATION_FAILED"
	CodeAccountRequired     Code = "ACCOUNT_REQUIRED"
	CodeConsolidation       Code = "CONSOLIDATION_REFUSED"
	CodeTokenRejected       Code = "EXTERNAL_TOKEN_REJECTED"
	CodeExternalUnavailable Code = "EXTERNAL_UNAVAILABLE"
	CodeModelUnavailable    Code = "MODEL_UNAVAILABLE"
	CodeBodyTooLarge        Code = "BODY_TOO_LARGE"
	CodeUnsupportedMedia    Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeMethodNotAllowed    Code = "METHOD_NOT_ALLOWED"
	CodeRateLimited         Code = "RATE_LIMITED"
	CodeDatabaseUnavailable Code = "DATABASE_UNAVAILABLE"
	CodeInternal            Code = "INTERNAL"
)

// Error is what Stockhand tells a caller about a failure: what kind it is, what happened in words for people,
// and what the caller can do about it. The cause stays inside, for the log.
type Error struct {
	Code    Code
	Message string       // for people, in their language where it is known
	Hint    string       // what the caller can do; specification section 7 calls it detail.hint
	Fields  []FieldError // which inputs were at fault, for CodeValidation
	RU      Words        // the same in Russian, of an error made where nobody knows who will read it; see In
	Err     error        // the cause; never shown to a caller

	// when it is worth trying again, where that is known: of RATE_LIMITED and MODEL_UNAVAILABLE
	RetryAfter time.Duration
}

// Words are what a person reads of an error.
type Words struct{ Message, Hint string }

// In returns the error's words in that language where it has them, and its own otherwise.
func (e *Error) In(l Language) Words {
	if l == Russian && e.RU.Message != "" {
		return e.RU
	}
	return Words{e.Message, e.Hint}
}

// FieldError names one bad input. Message never quotes the value: it may be a secret put in the wrong place.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error with a formatted message. An argument given for %w becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	wrapped := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: wrapped.Error(), Err: errors.Unwrap(wrapped)}
}

// WithHint returns e with the hint set.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// CodeOf returns the code of the first Error in err's chain, and CodeInternal for any other failure.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}
