package otlp

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

var sent = []*tracepb.ResourceSpans{{SchemaUrl: "of the test"}}

// upload sends spans to a collector and returns the requests that it received.
func upload(t *testing.T, ctx context.Context, vars map[string]string, answer http.HandlerFunc) (int, error) {
	t.Helper()
	requests := 0
	to := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		answer(w, r)
	}))
	defer to.Close()
	c, err := New(func(name string) string {
		if name == "OTEL_EXPORTER_OTLP_ENDPOINT" {
			return to.URL + "/base"
		}
		return vars[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	c.backoff = func() backoff.BackOff { return backoff.NewConstantBackOff(time.Millisecond) }
	err = c.UploadTraces(ctx, sent)
	if err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	return requests, err
}

func TestSpansArriveWithTheHeadersOfTheVariables(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x = y",
		"OTEL_EXPORTER_OTLP_TRACES_COMPRESSION": "gzip"}
	n, err := upload(t, t.Context(), vars, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" ||
			r.Header.Get("Api-Key") != "a b" || r.Header.Get("X") != "y" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		body, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		b, _ := io.ReadAll(body)
		var got tracepb.TracesData
		if err := proto.Unmarshal(b, &got); err != nil || len(got.GetResourceSpans()) != 1 ||
			got.GetResourceSpans()[0].GetSchemaUrl() != sent[0].GetSchemaUrl() {
			t.Error(&got, err)
		}
	})
	if n != 1 || err != nil {
		t.Error(n, err)
	}
}

func TestAnOverloadedCollectorIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 502, 503, 504} {
		first := true
		n, err := upload(t, t.Context(), nil, func(w http.ResponseWriter, _ *http.Request) {
			if first {
				w.WriteHeader(status)
			}
			first = false
		})
		if n != 2 || err != nil {
			t.Errorf("%d: %d requests, %v", status, n, err)
		}
	}
}

func TestACollectorThatRefusesIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	for _, status := range []int{307, 400, 401, 404, 500} {
		n, err := upload(t, t.Context(), nil, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", r.URL.Path)
			w.WriteHeader(status)
		})
		if n != 1 || err == nil || !strings.Contains(err.Error(), http.StatusText(status)) {
			t.Errorf("%d: %d requests, %v", status, n, err)
		}
	}
}

func TestAnUploadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	n, err := upload(t, ctx, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
		time.AfterFunc(20*time.Millisecond, stop)
	})
	if n != 1 || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "503") {
		t.Error(n, err)
	}
}

func TestRejectedSpansAreReported(t *testing.T) {
	t.Parallel()
	partial := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3)
	partial = protowire.AppendString(protowire.AppendTag(partial, 2, protowire.BytesType), "too old")
	response := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
	for want, body := range map[string][]byte{"": nil, "3 spans: \"too old\"": response} {
		_, err := upload(t, t.Context(), nil, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for n := range response { // what was cut off says nothing, or the same
		_ = rejected(response[:n])
	}
	if err := rejected([]byte("<html>an answer of a proxy</html>")); err != nil {
		t.Error(err)
	}
}

func TestACollectorIsTrustedByItsCertificateFile(t *testing.T) {
	t.Parallel()
	to := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer to.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: to.Certificate().Raw})
	if err := os.WriteFile(file, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := New(func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": to.URL,
			"OTEL_EXPORTER_OTLP_CERTIFICATE": file}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTraces(t.Context(), sent); err != nil {
		t.Error(err)
	}
}

func TestAWrongVariableIsNamed(t *testing.T) {
	t.Parallel()
	const p = "OTEL_EXPORTER_OTLP_"
	for _, vars := range []map[string]string{
		{p + "ENDPOINT": "127.0.0.1:4318"},
		{p + "TRACES_ENDPOINT": ":::hunter2"},
		{p + "PROTOCOL": "grpc"},
		{p + "HEADERS": "hunter2"},
		{p + "HEADERS": "key=%zzhunter2"},
		{p + "HEADERS": "a b=hunter2"},
		{p + "HEADERS": "key=hunter2%0A"},
		{p + "HEADERS": "ключ=hunter2"},
		{p + "TIMEOUT": "10s"},
		{p + "TRACES_TIMEOUT": "-1"},
		{p + "COMPRESSION": "zstd"},
		{p + "CERTIFICATE": "/nowhere/ca.pem"},
		{p + "CERTIFICATE": "otlp_test.go"},
		{p + "CLIENT_KEY": "otlp_test.go"},
		{p + "CLIENT_CERTIFICATE": "otlp_test.go", p + "CLIENT_KEY": "otlp_test.go"},
	} {
		_, err := New(func(name string) string { return vars[name] })
		for name := range vars {
			if err == nil || !strings.Contains(err.Error(), name) && !strings.Contains(err.Error(), "CLIENT_") ||
				strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v: %v", vars, err)
			}
		}
	}
	c, err := New(func(string) string { return "" })
	if err != nil || c.settings.url != "http://localhost:4318/v1/traces" || c.settings.timeout != 10*time.Second {
		t.Error(c, err)
	}
}
