package openai

import (
	"encoding/json"
	"errors"

	"github.com/stockhand/stockhand"
)

// Error is the format's own error object, from which its SDKs make their typed exceptions together with the HTTP
// status.
type Error struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Code    string  `json:"code"`
	Param   *string `json:"param"` // the field at fault; null when it is none
}

// ErrorOf says an error in the format.
func ErrorOf(e *stockhand.Error) Error {
	out := Error{Message: e.Message, Type: "invalid_request_error", Code: string(e.Code)}
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
	case stockhand.CodeInternal, stockhand.CodeModelUnavailable, stockhand.CodeExternalUnavailable:
		out.Type = "server_error"
	default: // the request's own fault
	}
	return out
}

// errorEvent is a stream's last event when the work failed after the stream began.
func errorEvent(err error) []byte {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "something went wrong inside Stockhand",
			Hint: "try again; the server's log has the details"}
	}
	b, _ := json.Marshal(map[string]Error{"error": ErrorOf(e)}) // its types hold nothing that cannot be written
	return b
}
