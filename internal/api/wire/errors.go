package wire

import "github.com/stockhand/stockhand"

// ErrorDetail describes an error.
type ErrorDetail struct {
	Code      stockhand.Code         `json:"code" doc:"Machine-readable code" example:"NOT_FOUND"`
	Message   string                 `json:"message" doc:"What happened, for people" example:"no such session in this organization"`
	Hint      string                 `json:"hint" doc:"What the caller can do" example:"Check the address and the ID."`
	RequestID string                 `json:"request_id" doc:"The request's ID, as in the X-Request-Id header" example:"req_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Errors    []stockhand.FieldError `json:"errors,omitempty" doc:"The invalid fields; values are never quoted"`
}
