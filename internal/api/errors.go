package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/openai"
)

// failure is the status of an error code, and the default hint.
type failure struct {
	status int
	en, ru string
}

// failures gives each code its one status (rule R47).
var failures = map[stockhand.Code]failure{
	stockhand.CodeTokenExpired: {http.StatusUnauthorized,
		"Generate a new token and send it as Authorization: Bearer <token>.",
		"Получите новый токен и передайте его в заголовке Authorization: Bearer <токен>."},
	stockhand.CodePermissionDenied: {http.StatusForbidden,
		"Use a key of this organization that has the required scope.",
		"Используйте ключ этой организации с нужным правом."},
	stockhand.CodeOrgRequired: {http.StatusBadRequest,
		"Name one of your organizations in the X-Org-Id header. GET /api/v1/organizations lists them.",
		"Укажите организацию в заголовке X-Org-Id. Список: GET /api/v1/organizations."},
	stockhand.CodeNotFound: {http.StatusNotFound,
		"Check the address and the ID. /docs lists all endpoints.",
		"Проверьте адрес и идентификатор. Все адреса перечислены в /docs."},
	stockhand.CodeMethodNotAllowed: {http.StatusMethodNotAllowed,
		"Use one of the methods in the Allow header.",
		"Используйте один из методов заголовка Allow."},
	stockhand.CodeConflict: {http.StatusConflict,
		"Fetch the latest version and retry. Nothing was changed.",
		"Обновите данные и повторите. Ничего не изменено."},
	stockhand.CodeDraftChanged: {http.StatusConflict,
		"Fetch the draft again and send the version that you saw. Nothing was changed.",
		"Откройте черновик заново и укажите версию, которую видели. Ничего не изменено."},
	stockhand.CodeIdempotencyMismatch: {http.StatusConflict,
		"Use a new Idempotency-Key for a new request. Nothing was changed.",
		"Для нового запроса нужен новый Idempotency-Key. Ничего не изменено."},
	stockhand.CodeAccountRequired: {http.StatusConflict,
		"Name one connection in connection_id.",
		"Укажите одно подключение в connection_id."},
	stockhand.CodeBodyTooLarge: {http.StatusRequestEntityTooLarge,
		"Send a smaller request.",
		"Отправьте запрос поменьше."},
	stockhand.CodeUnsupportedMedia: {http.StatusUnsupportedMediaType,
		"Send uncompressed JSON with Content-Type: application/json.",
		"Отправляйте JSON без сжатия с Content-Type: application/json."},
	stockhand.CodeValidation: {http.StatusUnprocessableEntity,
		"Correct the fields listed in errors. /docs describes the request.",
		"Исправьте поля, перечисленные в errors. Описание запроса — в /docs."},
	stockhand.CodeConsolidation: {http.StatusUnprocessableEntity,
		"Ask about one account at a time.",
		"Спрашивайте об одном аккаунте за раз."},
	stockhand.CodeTokenRejected: {http.StatusUnprocessableEntity,
		"Create a new token in the external system.",
		"Создайте новый токен во внешней системе."},
	stockhand.CodeRateLimited: {http.StatusTooManyRequests,
		"Retry after the number of seconds in Retry-After.",
		"Повторите через столько секунд, сколько указано в Retry-After."},
	stockhand.CodeExternalUnavailable: {http.StatusBadGateway,
		"Try again later.",
		"Повторите позже."},
	stockhand.CodeModelUnavailable: {http.StatusServiceUnavailable,
		"Try again later.",
		"Повторите позже."},
	stockhand.CodeDatabaseUnavailable: {http.StatusServiceUnavailable,
		"Retry after the number of seconds in Retry-After.",
		"Повторите через столько секунд, сколько указано в Retry-After."},
	stockhand.CodeServerStopping: {http.StatusServiceUnavailable,
		"Read the answer in a few seconds: another replica finishes the work.",
		"Прочитайте ответ через несколько секунд: работу закончит другой сервер."},
	stockhand.CodeInternal: {http.StatusInternalServerError,
		"Try again. The server's log has the details under this request_id.",
		"Повторите. Подробности — в журнале сервера под этим request_id."},
}

// ErrorBody is the body of every error (rule R46).
type ErrorBody struct {
	Detail wire.ErrorDetail `json:"detail"`
	OpenAI *openai.Error    `json:"error,omitempty" doc:"On OpenAI paths only, so that OpenAI clients raise their typed exceptions"`

	status int
	header http.Header
}

func (e *ErrorBody) Error() string { return string(e.Detail.Code) + ": " + e.Detail.Message }

// GetStatus implements huma.StatusError.
func (e *ErrorBody) GetStatus() int { return e.status }

// problem converts err to an ErrorBody. Errors that are not ours become INTERNAL and are only logged (rule R48).
func problem(ctx context.Context, err error) *ErrorBody {
	c := callOf(ctx)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		err = tooLarge(large.Limit) // a plain handler read the body
	}
	e, ok := errors.AsType[*stockhand.Error](err)
	if _, known := failures[stockhand.CodeOf(err)]; !ok || !known || e.Code == stockhand.CodeInternal {
		c.log.ErrorContext(ctx, "request failed", "request_id", c.id, "route", c.route, "err", err)
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "an internal error occurred",
			RU: stockhand.Words{Message: "внутренняя ошибка"}}
	} else if e.Code == stockhand.CodeDatabaseUnavailable {
		c.log.ErrorContext(ctx, "database unavailable", "request_id", c.id, "route", c.route, "err", err)
	}
	known := failures[e.Code]
	words := e.In(c.language())
	if words.Hint == "" {
		words.Hint = c.language().Pick(known.ru, known.en)
	}
	fields := e.Fields
	if c.language() == stockhand.Russian {
		fields = slices.Clone(fields)
		for i := range fields {
			fields[i].Message = wire.InRussian(fields[i].Message)
		}
	}
	b := &ErrorBody{
		Detail: wire.ErrorDetail{
			Code: e.Code, Message: words.Message, Hint: words.Hint, RequestID: c.id, Errors: fields,
		},
		status: known.status,
		header: http.Header{},
	}
	switch known.status {
	case http.StatusUnauthorized:
		b.header.Set("WWW-Authenticate", `Bearer realm="stockhand", error="invalid_token"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		b.header.Set("Retry-After", ratelimit.Seconds(max(e.RetryAfter, time.Second)))
	}
	if c.openai {
		b.OpenAI = openai.ErrorOf(&stockhand.Error{Code: e.Code, Message: words.Message, Hint: words.Hint,
			Fields: e.Fields})
	}
	return b
}

// writeError writes an error as an ErrorBody. If a response has already started, it aborts the connection instead, so
// that the client does not consider it complete.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	c := callOf(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		c.status = statusClientGone
		return
	}
	b := problem(ctx, err)
	if c.begun {
		panic(http.ErrAbortHandler)
	}
	// net/http reads up to 256 KiB of a rejected request's body before it sends the response, so limit the time for
	// that. If the connection is then closed, net/http reads nothing, and a client that is still writing gets a reset,
	// so read as much here.
	if !c.read && r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedTime))
		if r.Close {
			_, _ = io.CopyN(io.Discard, r.Body, 256<<10)
		}
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
	_ = encoder.Encode(b) // the caller may have disconnected
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
