package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/stockhand/stockhand"
)

// statuses are those of the table in product.md, section 2.
var statuses = map[stockhand.Code]int{
	stockhand.CodeTokenExpired:        http.StatusUnauthorized,
	stockhand.CodePermissionDenied:    http.StatusForbidden,
	stockhand.CodeOrgRequired:         http.StatusBadRequest,
	stockhand.CodeNotFound:            http.StatusNotFound,
	stockhand.CodeMethodNotAllowed:    http.StatusMethodNotAllowed,
	stockhand.CodeConflict:            http.StatusConflict,
	stockhand.CodeDraftChanged:        http.StatusConflict,
	stockhand.CodeIdempotencyMismatch: http.StatusConflict,
	stockhand.CodeAccountRequired:     http.StatusConflict,
	stockhand.CodeBodyTooLarge:        http.StatusRequestEntityTooLarge,
	stockhand.CodeUnsupportedMedia:    http.StatusUnsupportedMediaType,
	stockhand.CodeValidation:          http.StatusUnprocessableEntity,
	stockhand.CodeConsolidation:       http.StatusUnprocessableEntity,
	stockhand.CodeTokenRejected:       http.StatusUnprocessableEntity,
	stockhand.CodeRateLimited:         http.StatusTooManyRequests,
	stockhand.CodeExternalUnavailable: http.StatusBadGateway,
	stockhand.CodeModelUnavailable:    http.StatusServiceUnavailable,
	stockhand.CodeInternal:            http.StatusInternalServerError,
}

// detail is the body of every error (specification, section 7).
type detail struct {
	Code      stockhand.Code         `json:"code"`
	Message   string                 `json:"message"`
	Hint      string                 `json:"hint"`
	RequestID string                 `json:"request_id"`
	Errors    []stockhand.FieldError `json:"errors,omitempty"`
}

// writeError writes any error in the one shape.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		s.Logger.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "err", err)
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "something went wrong inside Stockhand", Hint: "try again; the server's log has the details"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(statuses[e.Code])
	_ = json.NewEncoder(w).Encode(map[string]detail{"detail": {Code: e.Code, Message: e.Message, Hint: e.Hint, Errors: e.Fields}})
}
