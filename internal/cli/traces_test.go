package cli_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/stockhand/stockhand/internal/sandbox"
)

func TestTracesGoWhereTheStandardVariablesSayAndHoldNoSecrets(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var received []byte
	var exports []*tracepb.TracesData
	to := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/v1/traces" {
			received = append(received, b...)
			var export tracepb.TracesData
			if err := proto.Unmarshal(b, &export); err != nil {
				t.Error(err)
			}
			exports = append(exports, &export)
		}
	}))
	t.Cleanup(to.Close)
	shop, url := stand(t)
	p := launch(t, map[string]string{
		"STOCKHAND_DATA_DIR": t.TempDir(), "STOCKHAND_MOYSKLAD_URL": url, "OTEL_EXPORTER_OTLP_ENDPOINT": to.URL,
		"OTEL_SERVICE_NAME": "named-by-the-test",
	}, "serve")
	p.api("GET", "/me", p.ready.AdminToken, nil, nil)
	p.api("POST", "/connections", p.ready.AdminToken,
		map[string]string{"connector": sandbox.Connector, "token": shop.Accounts()[0].Tokens.Owner}, nil)
	p.api("POST", "/sessions/stream?wait=60", p.ready.AdminToken,
		map[string]string{"message": "сколько денег на счетах?"}, nil)
	p.api("POST", "/sessions/stream?wait=60", p.ready.AdminToken, map[string]string{"message": "hunter2-message"}, nil)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.log)
	}
	mu.Lock()
	defer mu.Unlock()
	text := string(received)
	if !strings.Contains(text, "named-by-the-test") || !strings.Contains(text, "/api/v1/sessions/stream") {
		t.Errorf("%d bytes of traces: %q", len(text), text)
	}
	oneTrace(t, exports)
	if strings.Contains(text, "hunter2") || strings.Contains(text, p.ready.AdminToken) {
		t.Error("a secret is in the traces")
	}
}

// oneTrace checks that what was done for the task is below the request that asked for it.
func oneTrace(t *testing.T, exports []*tracepb.TracesData) {
	t.Helper()
	var all []*tracepb.Span
	for _, e := range exports {
		for _, r := range e.GetResourceSpans() {
			for _, s := range r.GetScopeSpans() {
				all = append(all, s.GetSpans()...)
			}
		}
	}
	find := func(what string, fits func(*tracepb.Span) bool) *tracepb.Span {
		i := slices.IndexFunc(all, fits)
		if i < 0 {
			t.Fatalf("there is no span of %s among %d", what, len(all))
		}
		return all[i]
	}
	call := find("the tool", func(s *tracepb.Span) bool { return s.GetName() == "tool moysklad_money" })
	run := find("the run", func(s *tracepb.Span) bool { return bytes.Equal(s.GetSpanId(), call.GetParentSpanId()) })
	request := find("the request", func(s *tracepb.Span) bool {
		return bytes.Equal(s.GetSpanId(), run.GetParentSpanId())
	})
	if run.GetName() != "run" || request.GetName() != "POST /api/v1/sessions/stream" {
		t.Errorf("the call is below %s, which is below %s", run.GetName(), request.GetName())
	}
	for _, want := range []func(a *common.KeyValue) bool{
		func(a *common.KeyValue) bool {
			return a.GetKey() == "http.route" && a.GetValue().GetStringValue() == "/api/v1/sessions/stream"
		},
		func(a *common.KeyValue) bool {
			return a.GetKey() == "http.response.status_code" && a.GetValue().GetIntValue() == http.StatusOK
		},
	} {
		if !slices.ContainsFunc(request.GetAttributes(), want) {
			t.Errorf("the request's attributes are %v", request.GetAttributes())
		}
	}
	spans := 0
	for _, s := range all {
		if s.GetName() == "external request" && bytes.Equal(s.GetTraceId(), call.GetTraceId()) {
			spans++
		}
		if s.GetName() == "external request" && len(s.GetParentSpanId()) == 0 {
			t.Error("an external request is a trace of its own")
		}
	}
	if spans == 0 || !bytes.Equal(request.GetTraceId(), call.GetTraceId()) {
		t.Errorf("%d external requests in the trace of the call", spans)
	}
}
