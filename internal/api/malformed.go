package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"github.com/stockhand/stockhand"
)

// Listener is a listener for an HTTPServer. What is not even HTTP never reaches a handler: net/http answers it itself,
// in plain text, and lets nobody have a say. On these connections that answer is put into the one shape of errors, like
// every other.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

type conn struct{ net.Conn }

// What net/http's own answers have in common: no handler's answer begins so.
var (
	ownBegins = []byte("HTTP/1.1 ")
	ownHeader = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	const most = 80 // of a status line
	if !bytes.HasPrefix(b, ownBegins) || !bytes.Contains(b[:min(len(b), most+len(ownHeader))], ownHeader) {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(malformed()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite is what net/http calls to let a caller read the answer before the connection is gone.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func malformed() []byte {
	id := stockhand.NewID[string]("req")
	f := failures[stockhand.CodeValidation]
	body, err := json.Marshal(ErrorBody{Detail: ErrorDetail{Code: stockhand.CodeValidation,
		Message: "the request is not well-formed HTTP, or its headers are too large", Hint: f.en, RequestID: id}})
	if err != nil {
		panic(err) // it is made of texts
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nX-Request-Id: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		f.status, http.StatusText(f.status), id, len(body), body)
}
