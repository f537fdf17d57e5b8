package openai

import (
	"encoding/json"
	"errors"

	"github.com/stockhand/stockhand"
)

// Error is the error object of the OpenAI API. SDKs choose their exception by the HTTP status beside it.
type Error struct {
	Message string         `json:"message"`
	Type    string         `json:"type" example:"invalid_request_error"`
	Code    stockhand.Code `json:"code"`
	Param   *string        `json:"param" doc:"The invalid field, or null"`
}

// ErrorOf converts e to the OpenAI format.
func ErrorOf(e *stockhand.Error) *Error {
	out := &Error{Message: e.Message, Type: "invalid_request_error", Code: e.Code}
	if e.Hint != "" {
		out.Message += " (" + e.Hint + ")"
	}
	if len(e.Fields) > 0 {
		out.Param = &e.Fields[0].Field
	}
	switch e.Code {
	case stockhand.CodeTokenExpired:
		out.Type = "authentication_error"
	case stockhand.CodePermissionDenied:
		out.Type = "permission_error"
	case stockhand.CodeRateLimited:
		out.Type = "rate_limit_error"
	case stockhand.CodeInternal, stockhand.CodeModelUnavailable, stockhand.CodeExternalUnavailable,
		stockhand.CodeDatabaseUnavailable, stockhand.CodeServerStopping:
		out.Type = "server_error"
	default: // the request is at fault
	}
	return out
}

// errorEvent is the last event of a stream whose run failed after the stream began.
func errorEvent(err error) []byte {
	b, _ := json.Marshal(map[string]*Error{"error": publicError(err)}) // these types always encode
	return b
}

// publicError is an error after the stream has begun. The cause of an internal error stays in the log.
func publicError(err error) *Error {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "an internal error occurred",
			Hint: "Try again. The server's log has the details."}
	}
	return ErrorOf(e)
}
