// Package otlp sends spans to a trace collector over OTLP/HTTP, as the standard OpenTelemetry variables say. The
// exporter of the OpenTelemetry project links gRPC, which takes 2.1 MB of the binary and which Stockhand does not use:
// docs/decisions/0042-what-the-binary-leaves-out.md.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

const (
	maxResponse = 64 << 10 // bytes of a response that are read
	maxMessage  = 500      // bytes of a collector's message that are reported
)

// Client sends spans to one collector. It is an otlptrace.Client and safe for concurrent use.
type Client struct {
	settings settings
	http     *http.Client
	backoff  func() backoff.BackOff
}

// New returns the client that the variables describe. An error names the variable that is wrong.
func New(getenv func(string) string) (*Client, error) {
	s, err := read(getenv)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: s.tls, ForceAttemptHTTP2: true,
		IdleConnTimeout: time.Minute}
	// A redirect would carry the headers, which may contain a key, to another server.
	client := &http.Client{Transport: transport, Timeout: s.timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Client{settings: s, http: client,
		backoff: func() backoff.BackOff { return backoff.NewExponentialBackOff() }}, nil
}

// Start does nothing: connections are opened when spans are sent.
func (c *Client) Start(context.Context) error { return nil }

// Stop closes the connections that are not in use.
func (c *Client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces sends spans. While the collector cannot be reached or is overloaded, it tries again until ctx ends. It
// also returns an error if the collector accepted only a part of the spans.
func (c *Client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// TracesData is encoded like the collector's request, whose Go package imports gRPC.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if c.settings.gzip {
		if body, err = compress(body); err != nil {
			return err
		}
	}
	var last error
	_, err = backoff.Retry(ctx, func() (struct{}, error) {
		var again error
		last, again = c.send(ctx, body)
		return struct{}{}, again
	}, backoff.WithBackOff(c.backoff()), backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil && last != nil {
		return errors.Join(last, ctx.Err())
	}
	return err
}

// send makes one request. It returns what failed, and the same as an error that tells backoff whether and when to
// repeat the request.
func (c *Client) send(ctx context.Context, body []byte) (failed, again error) {
	permanent := func(err error) (error, error) { return err, backoff.Permanent(err) }
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.settings.url, bytes.NewReader(body))
	if err != nil {
		return permanent(err)
	}
	r.Header = c.settings.headers.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "stockhand")
	if c.settings.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	response, err := c.http.Do(r)
	if err != nil {
		return err, err
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxResponse)) // only tells more about the status
	failed = fmt.Errorf("the trace collector answered %s", response.Status)
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		if err := rejected(text); err != nil {
			return permanent(err)
		}
		return nil, nil
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		if after := retryAfter(response.Header); after > 0 {
			return failed, &backoff.RetryAfterError{Duration: after}
		}
		return failed, failed
	default:
		return permanent(failed)
	}
}

// retryAfter returns how long the collector asks to wait; 0 if it does not say.
func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.Atoi(v); err == nil {
		return time.Duration(min(s, 3600)) * time.Second
	}
	if at, err := http.ParseTime(v); err == nil {
		return time.Until(at)
	}
	return 0
}

// rejected returns an error if an ExportTraceServiceResponse says that spans were rejected: its first field,
// partial_success, contains their number (1) and a message (2). What cannot be parsed says nothing.
func rejected(response []byte) error {
	partial, _ := protowire.ConsumeBytes(field(response, 1, protowire.BytesType))
	number, _ := protowire.ConsumeVarint(field(partial, 1, protowire.VarintType))
	message, _ := protowire.ConsumeBytes(field(partial, 2, protowire.BytesType))
	if number == 0 {
		return nil
	}
	return fmt.Errorf("the trace collector rejected %d spans: %q", number, message[:min(len(message), maxMessage)])
}

// field returns what follows the tag of a field of a message, or nil.
func field(message []byte, want protowire.Number, of protowire.Type) []byte {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return nil
		}
		message = message[n:]
		if number == want && kind == of {
			return message
		}
		if n = protowire.ConsumeFieldValue(number, kind, message); n < 0 {
			return nil
		}
		message = message[n:]
	}
	return nil
}

func compress(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
