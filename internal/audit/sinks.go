package audit

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// Syslog sends each entry as a message of RFC 5424, framed by its length (RFC 6587). Syslog acknowledges nothing: what
// was written to a connection that then breaks may be lost.
type Syslog struct {
	to   *url.URL
	host string
	conn net.Conn
}

// NewSyslog returns a sink for tcp://host:port, tls://host:port or unix:///path of a stream socket.
func NewSyslog(address string) (*Syslog, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the syslog server: %w", err)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "-"
	}
	return &Syslog{to: u, host: strings.ReplaceAll(host, " ", "")}, nil
}

// priority is the facility "log audit" (13) with the severity "informational" (6).
const priority = 13*8 + 6

// Send writes the entries.
func (s *Syslog) Send(ctx context.Context, entries []stockhand.AuditEntry) (err error) {
	if s.conn == nil {
		if s.conn, err = s.dial(ctx); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	var b bytes.Buffer
	for _, e := range entries {
		line, err := Line(e)
		if err != nil {
			return err
		}
		message := fmt.Sprintf("<%d>1 %s %s stockhand - %.32s - %s", priority, e.At.UTC().Format(time.RFC3339Nano),
			s.host, e.Action, bytes.TrimSpace(line))
		fmt.Fprintf(&b, "%d %s", len(message), message)
	}
	deadline, _ := ctx.Deadline()
	if err := s.conn.SetDeadline(deadline); err != nil {
		return err
	}
	_, err = s.conn.Write(b.Bytes())
	return err
}

func (s *Syslog) dial(ctx context.Context) (net.Conn, error) {
	switch s.to.Scheme {
	case "unix":
		return new(net.Dialer).DialContext(ctx, "unix", s.to.Path)
	case "tls":
		return (&tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12}}).DialContext(ctx, "tcp", s.to.Host)
	default:
		return new(net.Dialer).DialContext(ctx, "tcp", s.to.Host)
	}
}

// Close closes the connection; the next Send opens another.
func (s *Syslog) Close() error {
	if s.conn == nil {
		return nil
	}
	err := s.conn.Close()
	s.conn = nil
	return err
}

// Webhook posts entries as JSON lines, signed as Standard Webhooks describe. The webhook-id names the log, the first
// and the last entry, so that equal batches have equal ids.
type Webhook struct {
	url    string
	secret []byte
	client *http.Client
}

// NewWebhook returns a sink for an address. The secret is whsec_ and base64, and dial opens connections: it decides
// which addresses may be reached. Redirects are not followed.
func NewWebhook(address, secret string, dial func(ctx context.Context, network, address string) (net.Conn, error)) (
	*Webhook, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 || !strings.HasPrefix(secret, "whsec_") {
		return nil, fmt.Errorf("the secret is not whsec_ and at least 24 bytes in base64")
	}
	return &Webhook{url: address, secret: key, client: &http.Client{
		Transport: &http.Transport{DialContext: dial, TLSHandshakeTimeout: sendTime},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}}, nil
}

// Send posts the entries, which are of one log, and returns an error unless the answer is 2xx.
func (w *Webhook) Send(ctx context.Context, entries []stockhand.AuditEntry) error {
	var body bytes.Buffer
	for _, e := range entries {
		line, err := Line(e)
		if err != nil {
			return err
		}
		body.Write(line)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body.Bytes()))
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%s-%d-%d", entries[0].Org, entries[0].Seq, entries[len(entries)-1].Seq)
	now := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, w.secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, now, body.Bytes())
	r.Header.Set("Content-Type", "application/x-ndjson")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", now)
	r.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	answer, err := w.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection is used again
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("the webhook answered %d", answer.StatusCode)
	}
	return nil
}

// Close closes idle connections.
func (w *Webhook) Close() error {
	w.client.CloseIdleConnections()
	return nil
}
