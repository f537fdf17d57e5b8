package cli_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthAnswersForTheServerOnThisMachine(t *testing.T) {
	t.Parallel()
	ready := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL)
		}
		w.WriteHeader(ready)
	}))
	defer server.Close()
	addr := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := net.SplitHostPort(addr)
	check := func(code int, environment map[string]string, args ...string) {
		t.Helper()
		if r := run(t, environment, append([]string{"health"}, args...)...); r.code != code {
			t.Errorf("%v %v: %+v", environment, args, r)
		}
	}
	check(0, nil, "--addr", addr)
	check(0, map[string]string{"STOCKHAND_ADDR": "0.0.0.0:" + port}) // as in a container
	check(2, nil, "--addr", "nowhere")
	ready = http.StatusServiceUnavailable
	check(1, nil, "--addr", addr)
	server.Close()
	check(1, nil, "--addr", addr)

	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	addr = strings.TrimPrefix(secure.URL, "https://")
	r := run(t, map[string]string{"STOCKHAND_TLS_CERT_FILE": "x", "STOCKHAND_ADDR": addr}, "health")
	if r.code != 1 || !strings.Contains(r.err, "404") {
		t.Errorf("over TLS: %+v", r)
	}
}
