package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/problem"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// errorBody converts err for the caller. Errors that are not ours become INTERNAL and are only logged (rule R48).
func errorBody(ctx context.Context, err error) *problem.ErrorBody {
	c := callOf(ctx)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		err = tooLarge(large.Limit) // a plain handler read the body
	}
	e, ok := errors.AsType[*stockhand.Error](err)
	if _, known := problem.Kinds[stockhand.CodeOf(err)]; !ok || !known || e.Code == stockhand.CodeInternal {
		c.log.ErrorContext(ctx, "request failed", "request_id", c.id, "route", c.route, "err", err)
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "an internal error occurred",
			RU: stockhand.Words{Message: "внутренняя ошибка"}}
	} else if e.Code == stockhand.CodeDatabaseUnavailable {
		c.log.ErrorContext(ctx, "database unavailable", "request_id", c.id, "route", c.route, "err", err)
	}
	c.code = e.Code
	return problem.Of(e, problem.Request{ID: c.id, Language: c.language(), OpenAI: c.openai})
}

// writeError writes an error as an ErrorBody. If a response has already started, it aborts the connection instead, so
// that the client does not consider it complete.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	c := callOf(ctx)
	if ctx.Err() != nil && (c.begun || errors.Is(err, context.Canceled)) {
		c.status = statusClientGone
		panic(http.ErrAbortHandler) // the client may have closed only its own side, and still read
	}
	b := errorBody(ctx, err)
	if c.begun {
		panic(http.ErrAbortHandler)
	}
	drain(w, r, c)
	for name, values := range b.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	for _, name := range []string{"ETag", "Content-Length", "Content-Disposition", "Content-Language"} {
		w.Header().Del(name) // they describe the response that failed
	}
	w.WriteHeader(b.GetStatus())
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(b) // the caller may have disconnected
}

// drain limits how long the client of a refused request may go on sending it. net/http reads up to 256 KiB of a
// refused request's body before it sends the response. If the connection is then closed, net/http reads nothing, and a
// client that is still writing gets a reset, so as much is read here.
func drain(w http.ResponseWriter, r *http.Request, c *call) {
	if c.read || r.ContentLength == 0 {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedTime))
	if r.Close {
		_, _ = io.CopyN(io.Discard, r.Body, 256<<10)
	}
}

// refusedTime is how long the client of a rejected request may take to send the rest of the body.
const refusedTime = time.Second

// statusClientGone is the logged status of a request whose client disconnected.
const statusClientGone = 499

// invalid returns the error of one invalid field. The message must not quote the value.
func invalid(field, message string) *stockhand.Error {
	return &stockhand.Error{Code: stockhand.CodeValidation,
		Message: "the request is not valid: " + field + ": " + message,
		RU:      stockhand.Words{Message: "запрос составлен неверно: " + field + ": " + wire.InRussian(message)},
		Fields:  []stockhand.FieldError{{Field: field, Message: message}}}
}
