package msapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// APIError is an error response of the API. It is in the chain of the errors of [Reader], below a *stockhand.Error with
// a message for users.
type APIError struct {
	Status    int    // HTTP status
	Code      int    // the API's error code, e.g. 1056; the status if the body has none (fact M4)
	Message   string // the server's message; may be empty
	Parameter string // the invalid field or parameter, if known
	Path      string // the requested path, without the query

	wait       time.Duration // the wait time that a 429 asks for
	remembered bool          // nothing was sent, because the same request had failed too often
}

func (e *APIError) Error() string {
	s := fmt.Sprintf("%s: HTTP %d", e.Path, e.Status)
	if e.Code != 0 && e.Code != e.Status {
		s += fmt.Sprintf(", code %d", e.Code)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Parameter != "" {
		s += " (" + e.Parameter + ")"
	}
	return s
}

// Incomplete is the last error of a list that could not be read completely: it changed during the read, or the server
// returned fewer rows than it announced. The rows read so far are valid; tools add a notice.
type Incomplete struct {
	Path string
	Got  int // distinct rows read
	Size int // rows announced by the last page's meta.size
}

func (e *Incomplete) Error() string {
	return fmt.Sprintf("%s: %d rows of %d could be read", e.Path, e.Got, e.Size)
}

// ErrQuery is in the chain of the error for a query that the API does not support; nothing was sent.
var ErrQuery = errors.New("MoySklad does not support this query")

func queryError(format string, args ...any) error {
	return &stockhand.Error{Code: stockhand.CodeValidation, Message: fmt.Sprintf(format, args...), Err: ErrQuery}
}

// errShape is in the chain of the error for a complete response with an unexpected structure; a retry would give the
// same.
var errShape = errors.New("unexpected structure")

func apiError(err error) (*APIError, bool) { return errors.AsType[*APIError](err) }

// IsAuth reports whether the token was rejected: it is wrong or revoked, or the user is blocked. Never retry it (fact
// M6).
func IsAuth(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Status == 401 || e.Code == 1056)
}

// IsForbidden reports whether the employee lacks a right: for the entity, the stock reports, or the API itself (facts
// M6 and M91). It does not cover the account's tariff; see [IsTariff].
func IsForbidden(err error) bool {
	e, ok := apiError(err)
	if !ok || IsTariff(err) {
		return false
	}
	switch e.Code {
	case 1016, 1017, 1061, 1075, 13003, 13004, 3046, 17023:
		return true
	}
	return e.Status == 403
}

// IsTariff reports whether the account's tariff does not include the requested data.
func IsTariff(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Code == 1043 || e.Code == 1070 || e.Code == 47000)
}

// IsNotFound reports whether the entity does not exist, was deleted, or is hidden from the employee.
func IsNotFound(err error) bool {
	e, ok := apiError(err)
	return ok && (e.Status == 404 || e.Code == 1021 || e.Code == 1008)
}

// IsLimit reports whether the vendor's rate limit rejected the request, after all retries.
func IsLimit(err error) bool {
	e, ok := apiError(err)
	return ok && e.Status == 429
}

// IsIncomplete reports whether err is an [*Incomplete], and returns it.
func IsIncomplete(err error) (*Incomplete, bool) { return errors.AsType[*Incomplete](err) }

// readError decodes an error response. Its body may be an object, an array with an object per element, an HTML page, or
// empty (fact M4).
func readError(resp *http.Response, path string) *APIError {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // a partial body is still useful, and the status remains
	e := parseError(body)
	e.Status, e.Path = resp.StatusCode, path
	if e.Code == 0 {
		e.Code = e.Status
	}
	e.wait = feedback(resp).Pause
	return e
}

type wireError struct {
	Error     string `json:"error"`
	Message   string `json:"error_message"`
	Code      int    `json:"code"`
	Parameter string `json:"parameter"`
}

type wireErrors struct {
	Errors []wireError `json:"errors"`
}

// parseError returns the first error in a body.
func parseError(body []byte) *APIError {
	var answers []wireErrors
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		_ = json.Unmarshal(body, &answers) // use whatever could be decoded; the body may not be JSON
	} else {
		var answer wireErrors
		_ = json.Unmarshal(body, &answer)
		answers = append(answers, answer)
	}
	for _, answer := range answers {
		if len(answer.Errors) == 0 {
			continue
		}
		w := answer.Errors[0]
		e := &APIError{Code: w.Code, Message: w.Error, Parameter: w.Parameter}
		if w.Message != "" && w.Message != w.Error {
			e.Message = strings.TrimPrefix(e.Message+": "+w.Message, ": ")
		}
		return e
	}
	return &APIError{}
}

// explain returns the error for a caller, in both languages, because the user's language is not known here. The cause
// stays in the chain for the predicates above and for the log.
func (r *Reader) explain(err error, q request) error {
	fail := func(code stockhand.Code, en, ru stockhand.Words) error {
		return &stockhand.Error{Code: code, Message: en.Message, Hint: en.Hint, RU: ru, Err: r.scrub(err)}
	}
	what := q.label()
	later := stockhand.Words{Message: "MoySklad did not answer", Hint: "try again in a minute"}
	laterRU := stockhand.Words{Message: "МойСклад не ответил", Hint: "повторите через минуту"}
	switch {
	case errors.Is(err, ErrQuery), errors.Is(err, context.Canceled):
		return err
	case IsAuth(err):
		return fail(stockhand.CodeTokenRejected,
			stockhand.Words{
				Message: "MoySklad rejected the token: it is wrong or revoked, or its employee is blocked",
				Hint:    "create a token for the employee in MoySklad and connect the account with it",
			},
			stockhand.Words{
				Message: "МойСклад не принял токен: он неверен или отозван, либо сотрудник заблокирован",
				Hint:    "создайте в МоёмСкладе новый токен сотрудника и подключите аккаунт с ним",
			})
	case IsTariff(err):
		return fail(stockhand.CodePermissionDenied,
			stockhand.Words{Message: "the account's MoySklad tariff does not include " + what,
				Hint: "change the tariff in MoySklad"},
			stockhand.Words{Message: "тариф аккаунта в МоёмСкладе не включает " + what,
				Hint: "тариф меняют в МоёмСкладе"})
	case IsForbidden(err):
		return fail(stockhand.CodePermissionDenied,
			stockhand.Words{
				Message: "the employee's role in MoySklad does not allow reading " + what,
				Hint:    "an administrator of the MoySklad account can add the right to the role",
			},
			stockhand.Words{
				Message: "роль сотрудника в МоёмСкладе не даёт читать " + what,
				Hint:    "право в роль может добавить администратор аккаунта в МоёмСкладе",
			})
	case IsNotFound(err):
		return fail(stockhand.CodeNotFound,
			stockhand.Words{Message: "not found in MoySklad: " + what,
				Hint: "it may be deleted, or hidden from the employee"},
			stockhand.Words{Message: "в МоёмСкладе такого нет: " + what,
				Hint: "возможно, это удалено или скрыто от сотрудника"})
	case IsLimit(err):
		return fail(stockhand.CodeExternalUnavailable,
			stockhand.Words{
				Message: "MoySklad responded that there are too many requests",
				Hint:    "other programs share its limits; try again in a minute",
			},
			stockhand.Words{
				Message: "МойСклад отвечает, что запросов слишком много",
				Hint:    "его лимиты делят и другие программы; повторите через минуту",
			})
	}
	if e, ok := apiError(err); ok && e.Status < 500 && e.Code != 1074 && e.Code != 1095 {
		// The API accepts all our requests, so there is a proxy in between, or the API has changed.
		return fail(stockhand.CodeExternalUnavailable,
			stockhand.Words{
				Message: fmt.Sprintf("MoySklad did not accept the request for %s (HTTP %d)", what, e.Status),
				Hint: "check the address of its API and any proxy in between (it must pass Accept-Encoding: " +
					"gzip); if both are right, its API has changed",
			},
			stockhand.Words{
				Message: fmt.Sprintf("МойСклад не принял запрос %s (HTTP %d)", what, e.Status),
				Hint: "проверьте адрес его API и прокси по дороге (он должен пропускать Accept-Encoding: gzip); " +
					"если они верны, изменился сам API",
			})
	}
	if errors.Is(err, errShape) || errors.Is(err, errRedirect) {
		return fail(stockhand.CodeExternalUnavailable,
			stockhand.Words{
				Message: "the answer for " + what + " is not from the MoySklad API",
				Hint: "check the address of its API and any proxy in between; if both are right, its API has " +
					"changed",
			},
			stockhand.Words{
				Message: "ответ на запрос " + what + " — не ответ API МоегоСклада",
				Hint:    "проверьте адрес его API и прокси по дороге; если они верны, изменился сам API",
			})
	}
	if errors.Is(err, errTooLarge) {
		return fail(stockhand.CodeExternalUnavailable,
			stockhand.Words{
				Message: "MoySklad's response for " + what + " is too large to be read",
				Hint:    "ask for less: a shorter period, one warehouse or one group of goods",
			},
			stockhand.Words{
				Message: "ответ МоегоСклада на запрос " + what + " слишком большой, прочитать его нельзя",
				Hint:    "спросите о меньшем: более коротком периоде, одном складе или одной группе товаров",
			})
	}
	if _, ok := errors.AsType[*brokenError](err); ok {
		later.Message, laterRU.Message = "MoySklad's response could not be read completely",
			"ответ МоегоСклада не удалось прочитать до конца"
	}
	return fail(stockhand.CodeExternalUnavailable, later, laterRU)
}

// scrub removes the token from the text of a server or library error.
func (r *Reader) scrub(err error) error {
	if r.config.Token == "" || !strings.Contains(err.Error(), r.config.Token) {
		return err
	}
	if e, ok := apiError(err); ok {
		clean := *e
		clean.Message = strings.ReplaceAll(e.Message, r.config.Token, "…")
		clean.Parameter = strings.ReplaceAll(e.Parameter, r.config.Token, "…")
		return &clean
	}
	return errors.New(strings.ReplaceAll(err.Error(), r.config.Token, "…"))
}
