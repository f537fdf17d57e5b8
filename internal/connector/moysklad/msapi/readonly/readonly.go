// Package readonly has a transport that cannot write.
package readonly

import (
	"fmt"
	"net/http"
)

// Error is the error for a request that must not be sent: a method other than GET, or another host.
type Error struct{ Method, Host string }

func (e *Error) Error() string {
	return fmt.Sprintf("refused to send: %s to %s: this client only reads, and only from its own host", e.Method,
		e.Host)
}

// Transport returns a transport that forwards GET requests to the scheme and host, and rejects all others with a
// [*Error] before anything is sent.
func Transport(next http.RoundTripper, scheme, host string) http.RoundTripper {
	return &readOnly{next, scheme, host}
}

type readOnly struct {
	next         http.RoundTripper
	scheme, host string
}

func (t *readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet || req.URL.Scheme != t.scheme || req.URL.Host != t.host || req.Host != "" &&
		req.Host != t.host {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, &Error{Method: req.Method, Host: req.URL.Host}
	}
	return t.next.RoundTrip(req)
}
