// Package problem describes the API's errors: the status, meaning and hint of each code, and the body with them.
package problem

import (
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/openai"
)

// Kind is what all errors of a code have in common.
type Kind struct {
	Status  int
	Meaning string // for the OpenAPI document
	// Default hints, for errors without one.
	Hint, HintRU string
}

// Kinds gives each code its one status (rule R47).
var Kinds = map[stockhand.Code]Kind{
	stockhand.CodeTokenExpired: {http.StatusUnauthorized,
		"The token is missing, malformed, unknown, expired or revoked.",
		"Generate a new token and send it as Authorization: Bearer <token>.",
		"Получите новый токен и передайте его в заголовке Authorization: Bearer <токен>."},
	stockhand.CodePermissionDenied: {http.StatusForbidden,
		"The scope is missing, or the organization is not the caller's.",
		"Use a key of this organization that has the required scope.",
		"Используйте ключ этой организации с нужным правом."},
	stockhand.CodeSignInRefused: {http.StatusUnauthorized,
		"The email, the password, the code or the link is wrong.",
		"Try again, or ask the operator for a sign-in link.",
		"Попробуйте ещё раз или попросите у оператора ссылку для входа."},
	stockhand.CodeStepUpRequired: {http.StatusForbidden,
		"The person must first prove again who they are.",
		"Prove that it is you with POST /api/v1/me/step-up, or sign in again; then repeat the request.",
		"Подтвердите, что это вы, через POST /api/v1/me/step-up или войдите заново и повторите запрос."},
	stockhand.CodeOrgRequired: {http.StatusBadRequest,
		"The caller belongs to several organizations and sent no X-Org-Id.",
		"Name one of your organizations in the X-Org-Id header. GET /api/v1/organizations lists them.",
		"Укажите организацию в заголовке X-Org-Id. Список: GET /api/v1/organizations."},
	stockhand.CodeNotFound: {http.StatusNotFound,
		"The organization has no such resource.",
		"Check the address and the ID. /docs lists all endpoints.",
		"Проверьте адрес и идентификатор. Все адреса перечислены в /docs."},
	stockhand.CodeMethodNotAllowed: {http.StatusMethodNotAllowed,
		"The address does not support this method.",
		"Use one of the methods in the Allow header.",
		"Используйте один из методов заголовка Allow."},
	stockhand.CodeQuotaExceeded: {http.StatusConflict,
		"The organization stores as much as it may. No new task was stored.",
		"Delete sessions, set a shorter retention time in the settings, or ask the operator for more.",
		"Удалите ненужные диалоги, уменьшите срок хранения в настройках или попросите место у оператора."},
	stockhand.CodeResultExpired: {http.StatusGone,
		"The rows of the result were deleted after the organization's retention time.",
		stockhand.ErrResultExpired.Hint, stockhand.ErrResultExpired.RU.Hint},
	stockhand.CodeConflict: {http.StatusConflict,
		"The resource's state does not allow this. Nothing was changed.",
		"Fetch the latest version and retry. Nothing was changed.",
		"Обновите данные и повторите. Ничего не изменено."},
	stockhand.CodeDraftChanged: {http.StatusConflict,
		"The draft has a newer version. Nothing was changed.",
		"Fetch the draft again and send the version that you saw. Nothing was changed.",
		"Откройте черновик заново и укажите версию, которую видели. Ничего не изменено."},
	stockhand.CodeIdempotencyMismatch: {http.StatusConflict,
		"This Idempotency-Key was used for a different request. Nothing was changed.",
		"Use a new Idempotency-Key for a new request. Nothing was changed.",
		"Для нового запроса нужен новый Idempotency-Key. Ничего не изменено."},
	stockhand.CodeAccountRequired: {http.StatusConflict,
		"Several accounts are connected and the request names none; the hint lists them.",
		"Name one connection in connection_id.",
		"Укажите одно подключение в connection_id."},
	stockhand.CodeBodyTooLarge: {http.StatusRequestEntityTooLarge,
		"The request body is too large.",
		"Send a smaller request.",
		"Отправьте запрос поменьше."},
	stockhand.CodeUnsupportedMedia: {http.StatusUnsupportedMediaType,
		"The request body is not JSON, or is compressed.",
		"Send uncompressed JSON with Content-Type: application/json.",
		"Отправляйте JSON без сжатия с Content-Type: application/json."},
	stockhand.CodeValidation: {http.StatusUnprocessableEntity,
		"The request is invalid; `errors` names the fields.",
		"Correct the fields listed in errors. /docs describes the request.",
		"Исправьте поля, перечисленные в errors. Описание запроса — в /docs."},
	stockhand.CodeConsolidation: {http.StatusUnprocessableEntity,
		"The task asks for several accounts in one answer.",
		"Ask about one account at a time.",
		"Спрашивайте об одном аккаунте за раз."},
	stockhand.CodeTokenRejected: {http.StatusUnprocessableEntity,
		"The external system refused the token.",
		"Create a new token in the external system.",
		"Создайте новый токен во внешней системе."},
	stockhand.CodeRateLimited: {http.StatusTooManyRequests,
		"Too many requests; Retry-After says when to retry.",
		"Retry after the number of seconds in Retry-After.",
		"Повторите через столько секунд, сколько указано в Retry-After."},
	stockhand.CodeExternalUnavailable: {http.StatusBadGateway,
		"The external system did not answer.",
		"Try again later.",
		"Повторите позже."},
	stockhand.CodeModelUnavailable: {http.StatusServiceUnavailable,
		"The model did not answer.",
		"Try again later.",
		"Повторите позже."},
	stockhand.CodeDatabaseUnavailable: {http.StatusServiceUnavailable,
		"The service cannot reach its database; Retry-After says when to retry.",
		"Retry after the number of seconds in Retry-After.",
		"Повторите через столько секунд, сколько указано в Retry-After."},
	stockhand.CodeServerStopping: {http.StatusServiceUnavailable,
		"This replica is stopping; another one finishes the run.",
		"Read the answer in a few seconds: another replica finishes the work.",
		"Прочитайте ответ через несколько секунд: работу закончит другой сервер."},
	stockhand.CodeInternal: {http.StatusInternalServerError,
		"An internal error. The server's log has the details.",
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

// Header returns the response headers that belong to the error, such as Retry-After.
func (e *ErrorBody) Header() http.Header { return e.header }

// GetStatus implements huma.StatusError.
func (e *ErrorBody) GetStatus() int { return e.status }

// New returns a body with a status and a message only. huma needs the type for the document, and asks for no other.
func New(status int, message string) *ErrorBody {
	return &ErrorBody{status: status, Detail: wire.ErrorDetail{Message: message}}
}

// Request is what an error's body says about the request.
type Request struct {
	ID       string
	Language stockhand.Language
	OpenAI   bool // answer with an OpenAI error too
}

// maxFields is how many faults an error lists: the caller chose how many there are.
const maxFields = 20

// Of returns the body for an error whose code is one of Kinds.
func Of(e *stockhand.Error, r Request) *ErrorBody {
	kind := Kinds[e.Code]
	words := e.In(r.Language)
	if words.Hint == "" {
		words.Hint = r.Language.Pick(kind.HintRU, kind.Hint)
	}
	fields := e.Fields[:min(len(e.Fields), maxFields)]
	if r.Language == stockhand.Russian {
		fields = slices.Clone(fields)
		for i := range fields {
			fields[i].Message = wire.InRussian(fields[i].Message)
		}
	}
	b := &ErrorBody{
		Detail: wire.ErrorDetail{
			Code: e.Code, Message: words.Message, Hint: words.Hint, RequestID: r.ID, Errors: fields,
		},
		status: kind.Status,
		header: http.Header{},
	}
	switch kind.Status {
	case http.StatusUnauthorized:
		b.header.Set("WWW-Authenticate", `Bearer realm="stockhand", error="invalid_token"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		b.header.Set("Retry-After", ratelimit.Seconds(max(e.RetryAfter, time.Second)))
	}
	if r.OpenAI {
		b.OpenAI = openai.ErrorOf(&stockhand.Error{Code: e.Code, Message: words.Message, Hint: words.Hint,
			Fields: e.Fields[:min(len(e.Fields), maxFields)]})
	}
	return b
}
