// Package remote is a minimal client of a remote MCP server over Streamable HTTP: open a session, list the tools, call
// one. It also defines what a connection stores about such a server: its address, its token, and the tools as verified.
//
// A call is sent once or not at all: nothing here retries, and a [Failure] says whether the server may have received
// it. The token goes only to the address that a person gave: redirects are not followed, and addresses are checked when
// dialled, so a changed DNS record cannot redirect requests to a forbidden address. All times and sizes are limited.
//
// It is not the official SDK's client; the tests use that SDK for the server side. What a person confirms must be sent
// byte for byte, numbers in an answer must keep the server's digits, and a broken stream must not trigger a retry
// (decision 0016).
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/outbound"
)

// The limits of what a server sends and of how long it may take.
const (
	maxAnswer  = 4 << 20          // bytes of a response, decompressed
	maxPages   = 20               // of the list of tools
	maxTools   = 100              // stored per connection
	setUpTime  = 20 * time.Second // for each request except calls
	closeTime  = 3 * time.Second  // to end a session, which servers also expire themselves
	maxWords   = 500              // characters of a server's message in an error
	maxAddress = 1000             // characters
)

// Config configures how to reach a server.
type Config struct {
	URL     string
	Token   string         // sent to that server only; empty sends none
	Private []netip.Prefix // networks of the operator that users may choose servers in
	Limiter limit.Limiter
	Logger  *slog.Logger

	// May is called with the tool's name before each call, and returns an error to prevent the call. Without it, no
	// tool can be called.
	May func(tool string) error

	// Apart uses a new network connection for each request, so that the transport never retries one.
	Apart bool

	CallTime time.Duration // for one call with its response; 0 means a minute

	// what requests go through above the network; nil: nothing
	Transport func(next http.RoundTripper) http.RoundTripper
}

// Server is the server's description of itself, shortened.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ParseAddress parses a server address given by a person, and returns it with the ID that its account gets: host and
// path. The error names the field url and never quotes the value.
func ParseAddress(address string, private []netip.Prefix) (*url.URL, stockhand.AccountID, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case address == "":
		return nil, "", badAddress("required", "укажите адрес")
	case err != nil || len(address) > maxAddress || u.Hostname() == "" || u.Opaque != "" ||
		(u.Scheme != "https" && u.Scheme != "http"):
		return nil, "", badAddress("must be the address of an MCP server, such as https://mcp.example.com/mcp",
			"нужен адрес MCP-сервера, например https://mcp.example.com/mcp")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, "", badAddress("must not contain a login, parameters or a fragment; put a secret into "+
			"token", "нужен только адрес, без логина, параметров и якоря: секрет передаётся в поле token")
	case u.Scheme == "http" && len(private) == 0:
		return nil, "", badAddress("https is required, because the token would be sent unencrypted",
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

// SavedServer is what a connection stores encrypted instead of the token: how to reach the server, and its verified
// description and tools.
type SavedServer struct {
	URL     string       `json:"url"`
	Token   string       `json:"token,omitempty"`
	Server  Server       `json:"server"`
	Tools   []Definition `json:"tools"`
	Refused []Refused    `json:"refused,omitempty"`
}

// Refused is a listed tool that cannot be used, with the reason.
type Refused struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// ReadSavedServer decodes what a connection stored.
func ReadSavedServer(s string) (SavedServer, error) {
	var saved SavedServer
	if err := json.Unmarshal([]byte(s), &saved); err != nil || saved.URL == "" {
		// the cause would quote it
		return saved, stockhand.Errorf(stockhand.CodeInternal, "the stored MCP connection is corrupt")
	}
	return saved, nil
}

// Tool returns the stored definition of a tool.
func (s SavedServer) Tool(name string) (Definition, bool) {
	for _, d := range s.Tools {
		if d.Name == name {
			return d, true
		}
	}
	return Definition{}, false
}

// Words makes a server's text safe to display: one line, at most the given number of characters, and no characters that
// move or hide their neighbours.
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
	protocols.SetHTTP1(true) // HTTP/2 transports retry requests on their own
	var through http.RoundTripper = &http.Transport{
		// No proxy: the dialled address must be the server's, or it could not be checked.
		DialContext:            outbound.Dialer(u.Scheme == "https", c.Private).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  max(c.CallTime, time.Minute),
		DisableKeepAlives:      c.Apart,
		Protocols:              protocols,
		MaxResponseHeaderBytes: 64 << 10,
	}
	if c.Transport != nil {
		through = c.Transport(through)
	}
	return &http.Client{
		Transport:     through,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// acquire waits for a slot within the account's limits.
func (c Config) acquire(ctx context.Context, account stockhand.AccountID) (func(limit.Feedback), error) {
	if c.Limiter == nil {
		return func(limit.Feedback) {}, ctx.Err()
	}
	id := "mcp " + string(account)
	return c.Limiter.Acquire(ctx, limit.Request{Account: id, Employee: id, Kind: "mcp"})
}

// AsFailure returns the failure in an error's chain.
func AsFailure(err error) (*Failure, bool) { return errors.AsType[*Failure](err) }
