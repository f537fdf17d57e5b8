package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand"
)

// Fate is what is known about a request that returned no result.
type Fate int

// The fates of requests.
const (
	Unsent   Fate = iota // it never reached the server
	Declined             // the server did not start it
	Lost                 // it may have been executed
)

// Failure is why a request returned no result. It is in the chain of every error of a [Session] that the network or the
// server caused.
type Failure struct {
	Fate   Fate
	Status int    // HTTP status if it is the reason; 0 otherwise
	Words  string // the server's message, shortened; may be empty

	kind  kind
	cause error
}

// kind classifies failures for error messages.
type kind int

const (
	silent   kind = iota // no answer, or none in time
	private              // the address is not public
	open                 // it would be unencrypted over a public network
	rejected             // the token was rejected or is missing
	moved                // a redirect
	noServer             // nothing there speaks MCP
	busy                 // too many requests
	broken               // the server failed
	garbled              // the answer cannot be read
	tooLarge             // the answer is too large
	cut                  // the response ended early
	saidNo               // the server refused with a JSON-RPC error
)

func (f *Failure) Error() string {
	s := fmt.Sprintf("MCP request failed (kind %d, fate %d, HTTP %d)", f.kind, f.Fate, f.Status)
	if f.cause != nil {
		s += ": " + f.cause.Error()
	}
	return s
}

func (f *Failure) Unwrap() error { return f.cause }

// refusal returns the failure for an error status.
func refusal(status int) *Failure {
	f := &Failure{Fate: Declined, Status: status}
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.kind = rejected
	case status >= 300 && status < 400:
		f.kind, f.Fate = moved, Lost // the redirecting server may have executed it first
	case status == http.StatusTooManyRequests:
		f.kind = busy
	case status == http.StatusBadRequest, status == http.StatusNotFound, status == http.StatusMethodNotAllowed,
		status == http.StatusNotAcceptable,
		status == http.StatusRequestEntityTooLarge, status == http.StatusUnsupportedMediaType,
		status == http.StatusUnprocessableEntity, status == http.StatusGone:
		f.kind = noServer
	default:
		f.kind, f.Fate = broken, Lost
	}
	return f
}

// failure returns the error for a failure, with a code and a message for the user.
func (s *Session) failure(f *Failure, cause error) error {
	f.cause = cause
	if cause != nil && errors.Is(cause, context.Canceled) {
		return f.cause
	}
	name := s.server.Name
	if name == "" {
		name = s.url.Host
	}
	say := func(code stockhand.Code, en, ru, hintEN, hintRU string) error {
		fill := func(s string) string { return strings.ReplaceAll(s, "{server}", name) }
		return &stockhand.Error{Code: code, Message: fill(en), Hint: hintEN,
			RU: stockhand.Words{Message: fill(ru), Hint: hintRU}, Err: f}
	}
	again, againRU := "try again later", "повторите позже"
	switch f.kind {
	case open:
		e := badAddress("https is required outside the operator's own network",
			"за пределами собственной сети нужен https")
		if own, ok := errors.AsType[*stockhand.Error](e); ok {
			own.Err = f
		}
		return e
	case rejected:
		return say(stockhand.CodeTokenRejected, "the MCP server {server} rejected the token",
			"MCP-сервер {server} не принял токен",
			"check the token, or set one: PATCH /connections/{connection_id}",
			"проверьте токен или укажите его: PATCH /connections/{connection_id}")
	case moved:
		return say(stockhand.CodeExternalUnavailable,
			"the MCP server {server} redirects requests; redirects are not followed",
			"MCP-сервер {server} переадресует запросы; переадресации не выполняются",
			"connect the address that it redirects to, if you trust it",
			"подключите тот адрес, на который он ведёт, если доверяете ему")
	case noServer:
		return say(stockhand.CodeExternalUnavailable, "there is no MCP server at {server}",
			"по адресу {server} MCP-сервер не отвечает как положено",
			"check the address: it must be the Streamable HTTP endpoint, which often ends in /mcp",
			"проверьте адрес: нужен адрес Streamable HTTP, часто он оканчивается на /mcp")
	case busy:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} accepts no more requests now",
			"MCP-сервер {server} сейчас не принимает запросов", again, againRU)
	case garbled:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} sent an invalid response",
			"ответ MCP-сервера {server} не удалось прочитать", again, againRU)
	case tooLarge:
		return say(stockhand.CodeExternalUnavailable,
			"the MCP server {server} sent more than 4 MiB, which is the limit",
			"ответ MCP-сервера {server} больше 4 МиБ, такой не прочитать",
			"request less, if its arguments allow it", "запросите меньше, если аргументы это позволяют")
	case cut:
		return say(stockhand.CodeExternalUnavailable, "the response of the MCP server {server} was incomplete",
			"ответ MCP-сервера {server} оборвался", again, againRU)
	case saidNo:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} refused the request: “"+f.Words+
			"”", "MCP-сервер {server} отказал: «"+f.Words+"»",
			"correct the arguments, or ask the operator of that server",
			"исправьте аргументы или обратитесь к тем, кто ведёт этот сервер")
	case broken:
	case private, silent: // different messages would reveal the names of a private network
		again = "check the address and try again later; a private network has to be opened by the operator, with " +
			"STOCKHAND_MCP_PRIVATE"
		againRU = "проверьте адрес и повторите позже; внутреннюю сеть открывает администратор сервера " +
			"(STOCKHAND_MCP_PRIVATE)"
	}
	return say(stockhand.CodeExternalUnavailable, "the MCP server {server} did not answer",
		"MCP-сервер {server} не ответил", again, againRU)
}

// In translates an error if it has a Russian version.
func In(err error, l stockhand.Language) error {
	if e, ok := errors.AsType[*stockhand.Error](err); ok && l != stockhand.English && e.RU.Message != "" {
		own := *e
		own.Message, own.Hint = e.RU.Message, e.RU.Hint
		return &own
	}
	return err
}
