package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestTracesGoWhereTheStandardVariablesSayAndHoldNoSecrets(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var received []byte
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/v1/traces" {
			received = append(received, b...)
		}
	}))
	t.Cleanup(collector.Close)
	_, url := stand(t)
	p := launch(t, map[string]string{
		"STOCKHAND_DATA_DIR": t.TempDir(), "STOCKHAND_MOYSKLAD_URL": url, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL,
		"OTEL_SERVICE_NAME": "named-by-the-test",
	}, "serve")
	p.api("GET", "/me", p.ready.AdminToken, nil, nil)
	p.api("POST", "/sessions/stream?wait=30", p.ready.AdminToken, map[string]string{"message": "hunter2-message"}, nil)
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
	if strings.Contains(text, "hunter2") || strings.Contains(text, p.ready.AdminToken) {
		t.Error("a secret is in the traces")
	}
}
