// Package remote is the narrow client of a remote MCP server over Streamable HTTP: begin a session, list the tools,
// call one. Beside it stands what a connection keeps of such a server: its address, its token, and the tools as they
// were verified.
//
// It promises that a call is sent once or not at all, and says which: nothing here repeats one, and a [Failure] tells
// whether the server can have seen it. The token goes to the address that a person gave and nowhere else: redirects are
// not followed, and what an address leads to is looked at when it is dialled, so a name that changes its mind leads
// nowhere either. Times and sizes of everything are bounded.
//
// The surprising decision is that it is not the client of the official SDK, which the tests have at the other end. What
// a person confirms has to be what is sent, to the byte; numbers in an answer have to keep the digits that the server
// wrote; and nothing may ask again by itself when a stream breaks (decision 0016).
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
)

// The bounds of everything that a server sends, and of the time it may take.
const (
	maxAnswer  = 4 << 20          // bytes of one answer, unpacked
	maxPages   = 20               // of the list of tools
	maxTools   = 100              // that a connection keeps
	setUpTime  = 20 * time.Second // of each request but a call
	closeTime  = 3 * time.Second  // of ending a session, which a server forgets by itself as well
	maxWords   = 500              // characters of a server's own words in an error
	maxAddress = 1000             // characters
)

// Config says how a server is reached.
type Config struct {
	URL     string
	Token   string // sent to that server alone; empty sends none
	Private bool   // the operator lets users name servers in his own network
	Limiter limit.Limiter
	Logger  *slog.Logger

	// May is asked before each call, with the tool's name: its error is why the call is not sent. Nothing can be called
	// without it.
	May func(tool string) error

	// Apart gives each request a network connection of its own: nothing beneath can send one a second time on its own
	// account.
	Apart bool

	CallTime time.Duration // of one call, its answer included; a minute when 0
}

// Server is what a server says of itself, shortened.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ParseAddress reads the address of a server that a person gave, and the id that its account has here: host and path.
// The error names the field url and never quotes the value.
func ParseAddress(address string, private bool) (*url.URL, stockhand.AccountID, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case address == "":
		return nil, "", badAddress("required", "укажите адрес")
	case err != nil || len(address) > maxAddress || u.Hostname() == "" || u.Opaque != "" ||
		(u.Scheme != "https" && u.Scheme != "http"):
		return nil, "", badAddress("the address of an MCP server, as in https://mcp.example.com/mcp",
			"нужен адрес MCP-сервера, например https://mcp.example.com/mcp")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, "", badAddress("the address alone, without a login, parameters or a fragment: a secret goes into token", "нужен только адрес, без логина, параметров и якоря: секрет передаётся в поле token")
	case u.Scheme == "http" && !private:
		return nil, "", badAddress("https is required: a token would be readable on its way",
			"нужен https: иначе токен виден по пути")
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u, stockhand.AccountID(u.Host + strings.TrimRight(u.EscapedPath(), "/")), nil
}

func badAddress(en, ru string) error {
	e := &stockhand.Error{
		Code: stockhand.CodeValidation, Message: "url: " + en, Hint: "correct url and send it again",
		RU: stockhand.Words{Message: "url: " + ru, Hint: "исправьте url и отправьте ещё раз"},
	}
	e.Fields = []stockhand.FieldError{{Field: "url", Message: en}}
	return e
}

// Kept is what a connection keeps sealed in its token's place: how the server is reached, and what it was verified to
// be.
type Kept struct {
	URL     string       `json:"url"`
	Token   string       `json:"token,omitempty"`
	Server  Server       `json:"server"`
	Tools   []Definition `json:"tools"`
	Refused []Refused    `json:"refused,omitempty"`
}

// Refused is a tool that the server lists and that cannot be used here, and why.
type Refused struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// ReadKept reads what was sealed.
func ReadKept(s string) (Kept, error) {
	var k Kept
	if err := json.Unmarshal([]byte(s), &k); err != nil || k.URL == "" {
		// the cause would quote it
		return k, stockhand.Errorf(stockhand.CodeInternal, "the stored MCP connection is corrupt")
	}
	return k, nil
}

// Tool returns the kept definition of a tool.
func (k Kept) Tool(name string) (Definition, bool) {
	for _, d := range k.Tools {
		if d.Name == name {
			return d, true
		}
	}
	return Definition{}, false
}

// Words are a server's own words as they may be shown: one line, no more than so many characters, nothing in them that
// moves or hides what stands beside it.
func Words(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

func (c Config) client(u *url.URL) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // HTTP/2 repeats requests by its own rules
	return &http.Client{
		Transport: &http.Transport{
			// No proxy: the address dialled has to be the server's, or it could not be checked.
			DialContext:            dialer(u.Scheme == "https", c.Private).DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  max(c.CallTime, time.Minute),
			DisableKeepAlives:      c.Apart,
			Protocols:              protocols,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// acquire waits for a place in the account's limits.
func (c Config) acquire(ctx context.Context, account stockhand.AccountID) (func(limit.Feedback), error) {
	if c.Limiter == nil {
		return func(limit.Feedback) {}, ctx.Err()
	}
	id := "mcp " + string(account)
	return c.Limiter.Acquire(ctx, limit.Request{Account: id, Employee: id, Kind: "mcp"})
}

// AsFailure finds the failure in an error's chain.
func AsFailure(err error) (*Failure, bool) { return errors.AsType[*Failure](err) }
