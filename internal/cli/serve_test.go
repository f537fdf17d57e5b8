package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/client"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// program is the variable that makes this test binary the program itself, so that it can be killed.
const program = "STOCKHAND_TEST_PROGRAM"

// process is the program running on its own.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	log   *apptest.Buffer
	out   *apptest.Buffer
	whole []byte // the ready file
	ready struct {
		BaseURL    string `json:"base_url"`
		AdminToken string `json:"admin_token"` // of serve: made by launch
		SignInURL  string `json:"sign_in_url"`
		OrgID      string `json:"org_id"`
	}
}

// launch starts the program with those arguments and waits until it is ready.
func launch(t *testing.T, environment map[string]string, args ...string) *process {
	t.Helper()
	p := &process{t: t, log: &apptest.Buffer{}, out: &apptest.Buffer{}}
	file := filepath.Join(t.TempDir(), "ready.json")
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0],
		append(args, "--addr", "127.0.0.1:0", "--ready-file", file)...)
	p.cmd.Env = []string{program + "=1", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	for k, v := range environment {
		p.cmd.Env = append(p.cmd.Env, k+"="+v)
	}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.log
	err := p.cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	eventually(t, "the ready file", func() bool {
		p.whole, err = os.ReadFile(file)
		return err == nil && json.Unmarshal(p.whole, &p.ready) == nil
	})
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the ready file is %v, %v", info.Mode(), err)
	}
	if p.ready.AdminToken == "" && p.ready.SignInURL != "" {
		p.signIn()
	}
	return p
}

// signIn uses the owner's link, as a person's browser does, and makes a token.
func (p *process) signIn() {
	p.t.Helper()
	link, err := url.Parse(p.ready.SignInURL)
	if err != nil {
		p.t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	send := func(address, media, body string, status int) []byte {
		r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, address, strings.NewReader(body))
		if err != nil {
			p.t.Fatal(err)
		}
		r.Header.Set("Content-Type", media)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		answer, err := browser.Do(r)
		if err != nil {
			p.t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		b, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != status {
			p.t.Fatalf("POST %s: %d %s %v", address, answer.StatusCode, b, err)
		}
		return b
	}
	send(link.Scheme+"://"+link.Host+link.Path+"/link", "application/x-www-form-urlencoded", link.RawQuery,
		http.StatusOK) // of the page that it leads to
	var made struct{ Secret string }
	if err := json.Unmarshal(send(p.ready.BaseURL+"/me/tokens", "application/json", `{"name": "test"}`,
		http.StatusCreated), &made); err != nil || made.Secret == "" {
		p.t.Fatal(err)
	}
	p.ready.AdminToken = made.Secret
}

// kill is SIGKILL; a process that has ended is left alone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// eventually waits for something that another process does.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// stand is a sandbox that the processes share.
func stand(t *testing.T) (*sandbox.Server, string) {
	t.Helper()
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 60, Days: 60}, Accounts: 1,
		NoLimits: true})
	url, err := sandbox.Listen(context.WithoutCancel(t.Context()), "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	return server, url
}

// api calls a process and fails on any answer but a good one.
func (p *process) api(method, path, token string, body, into any) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.ready.BaseURL+path, bytes.NewReader(raw))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		p.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, b, err)
	}
	if into != nil {
		if err := json.Unmarshal(b, into); err != nil {
			p.t.Fatal(err)
		}
	}
}

// interrupted starts a run at one server, has that server ended in the middle of a tool call whose requests take that
// long, and checks what a reader sees who goes on at another: each event once and in order, the run finished, no tool
// call that was finished made again.
func interrupted(t *testing.T, shop *sandbox.Server, first *process, token string, delayMS int, end func(),
	next func() *process) {
	t.Helper()
	var connection struct{ ID stockhand.ConnectionID }
	first.api("POST", "/connections", token,
		map[string]string{"connector": "moysklad", "token": shop.Accounts()[0].Tokens.Owner}, &connection)
	before := len(shop.Requests())
	if err := shop.Fail(sandbox.Fault{Path: "report/", Method: "GET", Count: 3, DelayMS: delayMS}); err != nil {
		t.Fatal(err)
	}
	at, err := client.New(first.ready.BaseURL, token, "")
	if err != nil {
		t.Fatal(err)
	}
	turn, err := at.Start(t.Context(), client.Task{Message: "прибыльность по товарам за прошлый месяц",
		Connection: connection.ID})
	if err != nil {
		t.Fatal(err)
	}
	var seen []client.Event
	for e, err := range at.Follow(t.Context(), turn, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq > 0 {
			seen = append(seen, e)
		}
		if e.Type == stockhand.EventToolStarted {
			break
		}
	}
	eventually(t, "a request of the tool", func() bool { return len(shop.Requests()) > before })
	end()
	other := next()
	if at, err = client.New(other.ready.BaseURL, token, ""); err != nil {
		t.Fatal(err)
	}
	for e, err := range at.Follow(t.Context(), turn, seen[len(seen)-1].Seq) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq > 0 {
			seen = append(seen, e)
		}
	}
	completed := 0
	for i, e := range seen {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has number %d", i+1, e.Seq)
		}
		if e.Type == stockhand.EventToolCompleted {
			completed++
		}
	}
	if last := seen[len(seen)-1].Type; last != stockhand.EventComplete || completed != 1 {
		t.Errorf("ended with %s after %d finished tool calls; log of the second: %s", last, completed, other.log)
	}
	whole := 0
	for e, err := range at.Follow(t.Context(), turn, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq > 0 {
			whole++
		}
	}
	if whole != len(seen) {
		t.Errorf("the log has %d events and the reader saw %d", whole, len(seen))
	}
}

func TestAServerKilledDuringARunContinuesItAfterTheRestart(t *testing.T) {
	t.Parallel()
	shop, url := stand(t)
	environment := map[string]string{"STOCKHAND_DATA_DIR": t.TempDir(), "STOCKHAND_MOYSKLAD_URL": url}
	first := launch(t, environment, "serve")
	interrupted(t, shop, first, first.ready.AdminToken, 700, first.kill, func() *process {
		again := launch(t, environment, "serve")
		if again.ready.AdminToken != "" || again.ready.OrgID != first.ready.OrgID {
			t.Errorf("after the restart: organization %s, a token of %d characters", again.ready.OrgID,
				len(again.ready.AdminToken))
		}
		return again
	})
}

func TestARunOfAKilledReplicaIsFinishedByAnother(t *testing.T) {
	t.Parallel()
	shop, url := stand(t)
	environment := map[string]string{
		"STOCKHAND_DATABASE_URL": storetest.Postgres(t), "STOCKHAND_NATS_URL": worktest.New(t).URL(),
		"STOCKHAND_SECRET_KEY": strings.Repeat("5eed", 16), "STOCKHAND_MOYSKLAD_URL": url,
	}
	first := launch(t, environment, "serve")
	second := launch(t, environment, "serve")
	interrupted(t, shop, first, first.ready.AdminToken, 700, first.kill, func() *process { return second })
}

func TestAStoppingServerReleasesItsRuns(t *testing.T) {
	t.Parallel()
	shop, url := stand(t)
	environment := map[string]string{"STOCKHAND_DATA_DIR": t.TempDir(), "STOCKHAND_MOYSKLAD_URL": url}
	first := launch(t, environment, "serve")
	stop := func() {
		if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := first.cmd.Wait(); err != nil || !strings.Contains(first.log.String(), "stopped") {
			t.Errorf("%v: %s", err, first.log)
		}
		shop.Reset() // what was delayed is over
	}
	interrupted(t, shop, first, first.ready.AdminToken, 20_000, stop,
		func() *process { return launch(t, environment, "serve") })
}

func TestSIGTERMEndsAServerInOrder(t *testing.T) {
	t.Parallel()
	_, url := stand(t)
	p := launch(t, map[string]string{"STOCKHAND_DATA_DIR": t.TempDir(), "STOCKHAND_MOYSKLAD_URL": url}, "serve")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.log)
	}
	if !strings.Contains(p.log.String(), "stopped") || !strings.Contains(p.out.String(), p.ready.SignInURL) ||
		strings.Contains(p.log.String(), p.ready.SignInURL) {
		t.Errorf("out %s\nlog %s", p.out, p.log)
	}
}

func TestServeSaysWhyItCannotStart(t *testing.T) {
	t.Parallel()
	taken := launch(t, map[string]string{"STOCKHAND_DATA_DIR": t.TempDir()}, "serve")
	address := strings.TrimSuffix(strings.TrimPrefix(taken.ready.BaseURL, "http://"), "/api/v1")
	newer := storetest.SQLite(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		environment map[string]string
		args        []string
		says        string
	}{
		"the port is taken": {map[string]string{}, []string{"--addr", address}, "in use by another program"},
		"no such address":   {map[string]string{}, []string{"--addr", "nonsense"}, "--addr"},
		"Postgres without a key": {map[string]string{"STOCKHAND_DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/db"},
			nil, "STOCKHAND_SECRET_KEY_FILE"},
		"Postgres out of reach": {map[string]string{"STOCKHAND_DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/db",
			"STOCKHAND_SECRET_KEY": strings.Repeat("ab", 32)}, nil, "cannot be reached"},
		"NATS out of reach": {map[string]string{"STOCKHAND_NATS_URL": "nats://u:hunter2@127.0.0.1:1"}, nil,
			"NATS"},
		"not the address of NATS": {map[string]string{"STOCKHAND_NATS_URL": "hunter2"}, nil, "STOCKHAND_NATS_URL"},
		"the database does not exist": {map[string]string{"STOCKHAND_DATABASE_URL": "mysql://u:hunter2@127.0.0.1/db"},
			nil, "STOCKHAND_DATABASE_URL"},
		"no place for the key": {map[string]string{"STOCKHAND_SECRET_KEY_FILE": filepath.Join(file,
			"secret.key")}, nil, "STOCKHAND_SECRET_KEY_FILE"},
		"no network": {map[string]string{"STOCKHAND_MCP_PRIVATE": "hunter2"}, nil,
			"STOCKHAND_MCP_PRIVATE"},
		"wrong counts": {map[string]string{"STOCKHAND_STARTED_RUNS": "16:24:hunter2:256"}, nil,
			"STOCKHAND_STARTED_RUNS"},
		"fewer of an organization than of an actor": {map[string]string{"STOCKHAND_MAX_RUNS": "600:200"}, nil,
			"STOCKHAND_MAX_RUNS"},
		"a wrong rate": {map[string]string{"STOCKHAND_RATE_LIMIT": "hunter2"}, nil,
			"STOCKHAND_RATE_LIMIT"},
		"a wrong origin": {map[string]string{"STOCKHAND_CORS_ORIGINS": "hunter2"}, nil,
			"STOCKHAND_CORS_ORIGINS"},
		"a wrong proxy": {map[string]string{"STOCKHAND_TRUSTED_PROXIES": "hunter2"}, nil,
			"STOCKHAND_TRUSTED_PROXIES"},
		"a certificate without key": {map[string]string{"STOCKHAND_TLS_CERT_FILE": file}, nil,
			"STOCKHAND_TLS_KEY_FILE"},
		"a certificate that is none": {map[string]string{"STOCKHAND_TLS_CERT_FILE": file,
			"STOCKHAND_TLS_KEY_FILE": file}, nil, "certificate"},
		"a key that is none":      {map[string]string{"STOCKHAND_SECRET_KEY": "hunter2"}, nil, "openssl rand"},
		"a folder that is a file": {map[string]string{"STOCKHAND_DATA_DIR": file}, nil, "STOCKHAND_DATA_DIR"},
		"a model without a name": {map[string]string{"STOCKHAND_LLM_BASE_URL": "http://127.0.0.1:1/v1"}, nil,
			"STOCKHAND_LLM_MODEL"},
		"a model without a server": {map[string]string{"STOCKHAND_LLM_MODEL": "qwen3"}, nil,
			"STOCKHAND_LLM_BASE_URL"},
		"an owner without an address": {map[string]string{"STOCKHAND_OWNER_EMAIL": "hunter2",
			"STOCKHAND_DATABASE_URL": newer}, nil, "STOCKHAND_OWNER_EMAIL"},
		"no place for traces": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": ":::hunter2"}, nil,
			"OTEL_EXPORTER_OTLP_ENDPOINT"},
		"traces sent otherwise": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
			"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, nil, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		"no such level": {map[string]string{"STOCKHAND_LOG_LEVEL": "hunter2"}, nil,
			"STOCKHAND_LOG_LEVEL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environment := map[string]string{"STOCKHAND_DATA_DIR": t.TempDir()}
			for k, v := range c.environment {
				environment[k] = v
			}
			r := run(t, environment, append([]string{"serve", "--addr", "127.0.0.1:0"}, c.args...)...)
			if r.code != 1 || !strings.Contains(r.err, c.says) || strings.Contains(r.err, "hunter2") {
				t.Errorf("%d %s", r.code, r.err)
			}
		})
	}
}

// Decision 12: while NATS is away each replica works on what it publishes itself, so requests should still be sent to
// it.
func TestAReplicaThatLostNATSStaysReadyAndAnswers(t *testing.T) {
	t.Parallel()
	line := worktest.New(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) { c.NATS = line.URL() }})
	line.Stop()
	eventually(t, "the loss in the metrics", func() bool {
		return strings.Contains(s.Metrics(), "stockhand_work_engine_up 0")
	})
	if a := s.Do("GET", "/readyz", "", nil); a.Status != 200 {
		t.Errorf("/readyz: %d %s", a.Status, a.Body)
	}
	if a := s.Do("POST", "/sessions/stream?wait=60", s.AdminToken,
		map[string]any{"message": "сколько денег на счетах?"}); a.Status != 200 {
		t.Errorf("a task: %d %s", a.Status, a.Body)
	}
}
