package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand"
)

// Fate says what is known of a request that brought no result.
type Fate int

// The fates of requests.
const (
	Unsent   Fate = iota // it never reached the server
	Declined             // the server did not begin with it
	Lost                 // it may have done what was asked
)

// Failure is why a request brought no result. It is in the chain of every error of a [Session] that the network or the
// server has caused.
type Failure struct {
	Fate   Fate
	Status int    // of HTTP, where it says why; 0 otherwise
	Words  string // the server's own, shortened; empty for none

	kind  kind
	cause error
}

// kind is what a failure is to people.
type kind int

const (
	silent   kind = iota // no answer, or none in time
	private              // the address is not public
	open                 // it would go unencrypted over the open network
	rejected             // the token, or its absence
	moved                // a redirect
	noServer             // nothing there speaks the protocol
	busy                 // too many requests
	broken               // the server failed
	garbled              // the answer cannot be read
	tooLarge             // the answer is too large
	cut                  // the answer ended in the middle
	saidNo               // the server refused in the protocol's terms
)

func (f *Failure) Error() string {
	s := fmt.Sprintf("MCP request failed (kind %d, fate %d, HTTP %d)", f.kind, f.Fate, f.Status)
	if f.cause != nil {
		s += ": " + f.cause.Error()
	}
	return s
}

func (f *Failure) Unwrap() error { return f.cause }

// refusal reads a status that is no success.
func refusal(status int) *Failure {
	f := &Failure{Fate: Declined, Status: status}
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.kind = rejected
	case status >= 300 && status < 400:
		f.kind, f.Fate = moved, Lost // the server that redirected may have done it first
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

// failure is a failure in words for people, with its code.
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
	case private, open:
		en, ru := "the address leads into a private network, where users may not send requests",
			"адрес ведёт во внутреннюю сеть, запросы туда не разрешены"
		if f.kind == open {
			en, ru = "https is required outside the operator's own network", "за пределами собственной сети нужен https"
		}
		e := badAddress(en, ru)
		own, _ := errors.AsType[*stockhand.Error](e)
		own.Err = f
		own.Hint, own.RU.Hint = "give the server's public address, or let the operator set STOCKHAND_MCP_PRIVATE=1",
			"укажите публичный адрес сервера или попросите администратора задать STOCKHAND_MCP_PRIVATE=1"
		return own
	case rejected:
		return say(stockhand.CodeTokenRejected, "the MCP server {server} refused the token",
			"MCP-сервер {server} не принял токен",
			"check the token, or give one: PATCH /connections/{connection_id}",
			"проверьте токен или укажите его: PATCH /connections/{connection_id}")
	case moved:
		return say(stockhand.CodeExternalUnavailable,
			"the MCP server {server} sends requests elsewhere; redirects are not followed",
			"MCP-сервер {server} переадресует запросы; переадресации не выполняются",
			"connect the address that it leads to, if you trust it",
			"подключите тот адрес, на который он ведёт, если доверяете ему")
	case noServer:
		return say(stockhand.CodeExternalUnavailable, "there is no MCP server that can be spoken to at {server}",
			"по адресу {server} MCP-сервер не отвечает как положено",
			"check the address: it is that of the Streamable HTTP endpoint, often ending in /mcp",
			"проверьте адрес: нужен адрес Streamable HTTP, часто он оканчивается на /mcp")
	case busy:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} takes no more requests now",
			"MCP-сервер {server} сейчас не принимает запросов", again, againRU)
	case garbled:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} answered something that cannot be read",
			"ответ MCP-сервера {server} не удалось прочитать", again, againRU)
	case tooLarge:
		return say(stockhand.CodeExternalUnavailable,
			"the MCP server {server} answered with more than 4 MiB, which is not read",
			"ответ MCP-сервера {server} больше 4 МиБ, такой не прочитать",
			"ask for less, where its arguments allow it", "запросите меньше, если аргументы это позволяют")
	case cut:
		return say(stockhand.CodeExternalUnavailable, "the answer of the MCP server {server} was cut off",
			"ответ MCP-сервера {server} оборвался", again, againRU)
	case saidNo:
		return say(stockhand.CodeExternalUnavailable, "the MCP server {server} refused, in its own words: “"+f.Words+
			"”", "MCP-сервер {server} отказал: «"+f.Words+"»",
			"correct the arguments, or ask the operator of that server",
			"исправьте аргументы или обратитесь к тем, кто ведёт этот сервер")
	case broken, silent:
	}
	return say(stockhand.CodeExternalUnavailable, "the MCP server {server} did not answer",
		"MCP-сервер {server} не ответил", again, againRU)
}

// In puts an error into a language, where it has words in it.
func In(err error, l stockhand.Language) error {
	if e, ok := errors.AsType[*stockhand.Error](err); ok && l != stockhand.English && e.RU.Message != "" {
		own := *e
		own.Message, own.Hint = e.RU.Message, e.RU.Hint
		return &own
	}
	return err
}
