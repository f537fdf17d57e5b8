package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/cli"
)

// desktop starts the program as a desktop assistant does and returns the official client's session with it.
func desktop(t *testing.T, environment map[string]string, args ...string) *sdk.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan int, 1)
	var errs strings.Builder
	go func() {
		ended <- cli.Run(t.Context(), append([]string{"mcp"}, args...),
			func(name string) string { return environment[name] }, cli.Streams{In: inR, Out: outW, Err: &errs})
		_ = outW.Close()
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = inW.Close()
		if code := <-ended; code != 0 {
			t.Errorf("the program ended with %d: %s", code, errs.String())
		}
	})
	return session
}

func askOver(t *testing.T, session *sdk.ClientSession, name string, arguments map[string]any) string {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if got.IsError {
		t.Errorf("%s failed: %+v", name, got.Content)
	}
	if x, ok := got.Content[0].(*sdk.TextContent); ok {
		return x.Text
	}
	return ""
}

func TestMCPOverStdioServesAnAccountOfTheEnvironment(t *testing.T) {
	session := desktop(t, map[string]string{}, "--demo")
	if text := askOver(t, session, "ask", map[string]any{"task": "сколько денег на счетах?"}); !strings.Contains(text,
		"₽") {
		t.Errorf("answered %s", text)
	}
}

func TestMCPOverStdioPassesOnToAServer(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	session := desktop(t, map[string]string{"STOCKHAND_URL": s.URL,
		"STOCKHAND_API_KEY": s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools)})
	if text := askOver(t, session, "moysklad_money", nil); !strings.Contains(text, "₽") {
		t.Errorf("answered %s", text)
	}
	resources, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(resources.ResourceTemplates) != 2 {
		t.Errorf("%d templates, %v", len(resources.ResourceTemplates), err)
	}
}

func TestMCPOverStdioReportsAWrongKeyImmediately(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	var errs strings.Builder
	environment := map[string]string{"STOCKHAND_URL": s.URL, "STOCKHAND_API_KEY": "sk-org-nonsense"}
	code := cli.Run(t.Context(), []string{"mcp"}, func(name string) string { return environment[name] },
		cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
	if code != 1 || !strings.Contains(errs.String(), "new token") {
		t.Errorf("ended with %d: %s", code, errs.String())
	}
}

// Review L2: the key went with the redirect of /mcp to another host.
func TestAttackMCPOverStdioFollowsNoRedirect(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	var arrived atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(elsewhere.Close)
	server, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(server)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			http.Redirect(w, r, elsewhere.URL+"/stolen", http.StatusTemporaryRedirect)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(between.Close)
	environment := map[string]string{"STOCKHAND_URL": between.URL, "STOCKHAND_API_KEY": s.Key(stockhand.ScopeReadTools)}
	var out, errs strings.Builder
	code := cli.Run(t.Context(), []string{"mcp"}, func(name string) string { return environment[name] },
		cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code == 0 || arrived.Load() != 0 {
		t.Errorf("ended with %d, %d requests followed: %s", code, arrived.Load(), errs.String())
	}
}
