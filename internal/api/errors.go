package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
)

// failure is what belongs to a code: the status of its answers, and what to advise where the error itself does not say.
type failure struct {
	status int
	en, ru string
}

// failures is the table of product.md, section 2. A code has one status, here and nowhere else.
var failures = map[stockhand.Code]failure{
	stockhand.CodeTokenExpired: {http.StatusUnauthorized,
		"generate a new token and send it as Authorization: Bearer <token>",
		"получите новый токен и передайте его в заголовке Authorization: Bearer <токен>"},
	stockhand.CodePermissionDenied: {http.StatusForbidden,
		"use a key that has the scope, of this organization",
		"возьмите ключ этой организации с нужным правом"},
	stockhand.CodeOrgRequired: {http.StatusBadRequest,
		"name one of your organizations in the header X-Org-Id; GET /api/v1/organizations lists them",
		"назовите организацию в заголовке X-Org-Id; список: GET /api/v1/organizations"},
	stockhand.CodeNotFound: {http.StatusNotFound,
		"check the address and the id; /docs lists what there is",
		"проверьте адрес и идентификатор; всё, что есть, перечислено в /docs"},
	stockhand.CodeMethodNotAllowed: {http.StatusMethodNotAllowed,
		"use one of the methods of the Allow header",
		"используйте один из методов заголовка Allow"},
	stockhand.CodeConflict: {http.StatusConflict,
		"read it again and decide anew; nothing was done",
		"прочитайте ещё раз и решите заново; ничего не сделано"},
	stockhand.CodeDraftChanged: {http.StatusConflict,
		"read the draft again and name the version that you saw; nothing was done",
		"прочитайте черновик ещё раз и назовите версию, которую видели; ничего не сделано"},
	stockhand.CodeIdempotencyMismatch: {http.StatusConflict,
		"use a new Idempotency-Key for a new request; nothing was done",
		"для нового запроса нужен новый Idempotency-Key; ничего не сделано"},
	stockhand.CodeAccountRequired: {http.StatusConflict,
		"name one connection in connection_id",
		"назовите одно подключение в connection_id"},
	stockhand.CodeBodyTooLarge: {http.StatusRequestEntityTooLarge,
		"send at most 1 MiB",
		"отправляйте не больше 1 МиБ"},
	stockhand.CodeUnsupportedMedia: {http.StatusUnsupportedMediaType,
		"send JSON as it is, with Content-Type: application/json",
		"отправляйте JSON без сжатия с Content-Type: application/json"},
	stockhand.CodeValidation: {http.StatusUnprocessableEntity,
		"correct what errors names; /docs says what is expected",
		"исправьте то, что перечислено в errors; что ожидается, написано в /docs"},
	stockhand.CodeConsolidation: {http.StatusUnprocessableEntity,
		"ask about one account at a time",
		"спрашивайте об одном аккаунте за раз"},
	stockhand.CodeTokenRejected: {http.StatusUnprocessableEntity,
		"issue a new token in the external system",
		"выпустите новый токен во внешней системе"},
	stockhand.CodeRateLimited: {http.StatusTooManyRequests,
		"wait as long as Retry-After says",
		"подождите столько секунд, сколько указано в Retry-After"},
	stockhand.CodeExternalUnavailable: {http.StatusBadGateway,
		"try again later",
		"повторите позже"},
	stockhand.CodeModelUnavailable: {http.StatusServiceUnavailable,
		"try again later",
		"повторите позже"},
	stockhand.CodeDatabaseUnavailable: {http.StatusServiceUnavailable,
		"Retry after the delay in Retry-After. Nothing was changed.",
		"Повторите через время, указанное в Retry-After. Ничего не изменено."},
	stockhand.CodeInternal: {http.StatusInternalServerError,
		"try again; the server's log has the details under this request_id",
		"повторите; подробности — в журнале сервера под этим request_id"},
}

// ErrorBody is the body of every error (specification, section 7; product.md, section 2).
type ErrorBody struct {
	Detail ErrorDetail  `json:"detail"`
	OpenAI *OpenAIError `json:"error,omitempty" doc:"On the OpenAI paths alone, so that OpenAI clients raise their own exceptions"`

	status int
	header http.Header
}

// ErrorDetail says what went wrong.
type ErrorDetail struct {
	Code      stockhand.Code         `json:"code" doc:"Machine-readable code" example:"NOT_FOUND"`
	Message   string                 `json:"message" doc:"What happened, for people" example:"no such session in this organization"`
	Hint      string                 `json:"hint" doc:"What the caller can do" example:"check the address and the id"`
	RequestID string                 `json:"request_id" doc:"The request's id, as in the header X-Request-Id" example:"req_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Errors    []stockhand.FieldError `json:"errors,omitempty" doc:"Which inputs were at fault; values are never quoted"`
}

// OpenAIError is an error in the words of the OpenAI API.
type OpenAIError struct {
	Message string         `json:"message"`
	Type    string         `json:"type" example:"invalid_request_error"`
	Code    stockhand.Code `json:"code"`
	Param   *string        `json:"param" doc:"The input at fault, or null"`
}

func (e *ErrorBody) Error() string { return string(e.Detail.Code) + ": " + e.Detail.Message }

// GetStatus implements huma.StatusError.
func (e *ErrorBody) GetStatus() int { return e.status }

// problem says an error in the one shape, and logs what stays inside. Whatever is not an error of ours is INTERNAL, and
// of that nothing is told (libraries.md: never echo raw errors).
func problem(ctx context.Context, err error) *ErrorBody {
	c := callOf(ctx)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		err = errTooLarge // a plain handler read a body to its bound
	}
	e, ok := errors.AsType[*stockhand.Error](err)
	known := failures[stockhand.CodeInternal]
	if ok && e.Code != stockhand.CodeInternal {
		known, ok = failures[e.Code]
	} else {
		ok = false
	}
	if !ok {
		c.log.ErrorContext(ctx, "request failed", "request_id", c.id, "route", c.route, "err", err)
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "something went wrong inside Stockhand",
			RU: stockhand.Words{Message: "внутри Stockhand что-то сломалось"}}
	}
	language := c.language()
	words := e.In(language)
	if words.Hint == "" {
		words.Hint = language.Pick(known.ru, known.en)
	}
	b := &ErrorBody{
		Detail: ErrorDetail{Code: e.Code, Message: words.Message, Hint: words.Hint, RequestID: c.id, Errors: e.Fields},
		status: known.status,
		header: http.Header{},
	}
	switch known.status {
	case http.StatusUnauthorized:
		b.header.Set("WWW-Authenticate", `Bearer realm="stockhand", error="invalid_token"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		b.header.Set("Retry-After", seconds(max(e.RetryAfter, time.Second)))
	}
	if c.openai {
		b.OpenAI = inOpenAIWords(known.status, b.Detail)
	}
	return b
}

// inOpenAIWords says the same to OpenAI clients. They choose their exception by the status; type is for those who read
// it.
func inOpenAIWords(status int, d ErrorDetail) *OpenAIError {
	e := &OpenAIError{Message: d.Message + " (" + d.Hint + ")", Code: d.Code, Type: "invalid_request_error"}
	switch {
	case status == http.StatusUnauthorized:
		e.Type = "authentication_error"
	case status == http.StatusForbidden:
		e.Type = "permission_error"
	case status == http.StatusTooManyRequests:
		e.Type = "rate_limit_error"
	case status >= http.StatusInternalServerError:
		e.Type = "server_error"
	}
	if len(d.Errors) > 0 {
		e.Param = &d.Errors[0].Field
	}
	return e
}

// writeError writes any error in the one shape. An answer that has begun cannot become an error any more: it is cut
// off, so that nobody takes it for whole.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	c := callOf(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		c.status = statusGone // nobody reads it
		return
	}
	b := problem(ctx, err)
	if c.begun {
		panic(http.ErrAbortHandler)
	}
	// net/http waits for the body of a refused request before it answers: not for long
	if !c.read && r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedTime))
	}
	for name, values := range b.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Del("ETag")
	w.Header().Del("Content-Length")
	w.WriteHeader(b.status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(b) // a caller who went away needs no answer
}

// refusedTime is how long the rest of a body may take that nobody is going to read.
const refusedTime = time.Second

// statusGone is what the log says of a request whose caller did not wait.
const statusGone = 499

// seconds is a duration for a header: whole seconds, rounded up.
func seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }

// invalid is the error of one bad input. The message must not quote the value.
func invalid(field, message string) *stockhand.Error {
	return &stockhand.Error{Code: stockhand.CodeValidation, Message: "the request is not valid: " + field + ": " +
		message,
		RU:     stockhand.Words{Message: "запрос составлен неверно: " + field},
		Fields: []stockhand.FieldError{{Field: field, Message: message}}}
}
