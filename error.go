package stockhand

import (
	"errors"
	"fmt"
	"time"
)

// Code is the machine-readable name of a failure, as the API returns it (rule R46).
type Code string

// The codes of the API. Each has one HTTP status (rule R47).
const (
	CodeTokenExpired        Code = "AUTH_TOKEN_EXPIRED" //nolint:gosec // names of errors, not credentials
	CodePermissionDenied    Code = "AUTH_PERMISSION_DENIED"
	CodeSignInRefused       Code = "AUTH_SIGN_IN_REFUSED"
	CodeStepUpRequired      Code = "AUTH_STEP_UP_REQUIRED"
	CodeOrgRequired         Code = "ORG_REQUIRED"
	CodeNotFound            Code = "NOT_FOUND"
	CodeResultExpired       Code = "RESULT_EXPIRED"
	CodeQuotaExceeded       Code = "QUOTA_EXCEEDED"
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
	CodeServerStopping      Code = "SERVER_STOPPING"
	CodeInternal            Code = "INTERNAL"
)

// Error is a failure as a caller sees it: a code, a message for people and a hint about what to do. The cause is for
// the log only.
type Error struct {
	Code    Code
	Message string       // for people, in their language if it is known
	Hint    string       // what the caller can do
	Fields  []FieldError // the invalid inputs, for CodeValidation
	RU      Words        // the same in Russian, if the reader's language was unknown when the error was created; see In
	Err     error        // the cause; never shown to a caller

	// how long to wait before a retry; 0 if unknown
	RetryAfter time.Duration
}

// Words are the texts of an error.
type Words struct{ Message, Hint string }

// In returns the error's texts in the language, or in its own if there are none.
func (e *Error) In(l Language) Words {
	if l == Russian && e.RU.Message != "" {
		return e.RU
	}
	return Words{e.Message, e.Hint}
}

// FieldError names an invalid input. Message never quotes the value, which may be a secret in the wrong place.
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

// Errorf returns an Error with a formatted message. The argument of %w becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	wrapped := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: wrapped.Error(), Err: errors.Unwrap(wrapped)}
}

// WithHint returns e with the hint set.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// CodeOf returns the code of the first Error in err's chain, or CodeInternal.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}
