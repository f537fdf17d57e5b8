package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

func model(t *testing.T, c llm.Config) llm.Model {
	t.Helper()
	all, err := llm.Load(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all.Model()
}

// heard puts together what was passed on, as a reader of the stream does.
type heard struct{ text []rune }

func (h *heard) on(offset int, text string) {
	h.text = append(h.text[:min(offset, len(h.text))], []rune(text)...)
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Content: text}}}
}

func TestAReplyComesInPiecesWithItsUsageAndCost(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: "Остаток: 12 шт.", Piece: 3,
		Usage: &llm.Usage{Input: 1000, Output: 100}}))
	c := s.Config()
	if err := json.Unmarshal([]byte(`{"name":"scripted","input_price":"0.4","output_price":1.6}`),
		&c.Providers[0].Models[0]); err != nil {
		t.Fatal(err)
	}
	m := model(t, c)
	var h heard
	reply, err := m.Complete(t.Context(), ask("остаток?"), h.on)
	if err != nil || reply.Message.Content != "Остаток: 12 шт." || string(h.text) != reply.Message.Content ||
		reply.Model != "test/scripted" {
		t.Fatalf("%+v, heard %q, %v", reply, string(h.text), err)
	}
	if reply.Usage != (llm.Usage{Input: 1000, Output: 100}) || reply.Cost != 560 {
		t.Errorf("usage %+v, cost %d; want 1000 × 0.4 + 100 × 1.6 = 560 millionths", reply.Usage, reply.Cost)
	}
	r := s.Requests()[0]
	if r.Model != "scripted" || r.Header.Get("Authorization") != "Bearer test-key" || !r.Stream {
		t.Errorf("asked %q with %q", r.Model, r.Header.Get("Authorization"))
	}
}

func TestInputFromTheProvidersCacheHasItsOwnPrice(t *testing.T) { // rule R374
	for name, test := range map[string]struct {
		model  string
		cached int
		want   int64
	}{
		"own price":     {`{"name":"scripted","input_price":"0.4","output_price":"1.6","cached_price":"0.1"}`, 900, 290},
		"free":          {`{"name":"scripted","input_price":"0.4","output_price":"1.6","cached_price":"0"}`, 900, 200},
		"no price":      {`{"name":"scripted","input_price":"0.4","output_price":"1.6"}`, 900, 560},
		"more than all": {`{"name":"scripted","input_price":"0.4","output_price":"1.6","cached_price":"0"}`, 5000, 160},
		"less than 0":   {`{"name":"scripted","input_price":"0.4","output_price":"1.6","cached_price":"0"}`, -5, 560},
	} {
		s := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: "Да.",
			Usage: &llm.Usage{Input: 1000, Output: 100, Cached: test.cached}}))
		c := s.Config()
		if err := json.Unmarshal([]byte(test.model), &c.Providers[0].Models[0]); err != nil {
			t.Fatal(err)
		}
		reply, err := model(t, c).Complete(t.Context(), ask("да?"), nil)
		if cached := min(max(test.cached, 0), 1000); err != nil || reply.Cost != test.want ||
			reply.Usage.Cached != cached {
			t.Errorf("%s: %+v costs %d, want %d; %v", name, reply.Usage, reply.Cost, test.want, err)
		}
	}
	c := llm.Config{Providers: []llm.ProviderConfig{{Name: "a", BaseURL: "http://127.0.0.1:1/v1"}}}
	if err := json.Unmarshal([]byte(`[{"name":"m","input_price":"1","cached_price":"2"}]`),
		&c.Providers[0].Models); err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Load(c, nil); err == nil { // what is reserved would be less than what may be paid
		t.Error("cached input is dearer than other input")
	}
}

func TestAModelsReasoningIsNotPartOfItsAnswer(t *testing.T) {
	for said, want := range map[string]string{
		"<think>посчитаю: 2+2</think>\n\nОтвет: 4": "Ответ: 4", "\n<think></think>Да": "Да", "<think>и не закончу": "",
		"<thi": "<thi",
		"Нет, <think>это</think> текст": "Нет, <think>это</think> текст", "  да": "  да",
	} {
		for _, piece := range []int{1, 3, 100} {
			s := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: said, Piece: piece}))
			var h heard
			reply, err := model(t, s.Config()).Complete(t.Context(), ask("x"), h.on)
			if err != nil || reply.Message.Content != want || string(h.text) != want {
				t.Errorf("%q in pieces of %d: %q, heard %q, %v", said, piece, reply.Message.Content, string(h.text),
					err)
			}
		}
	}
}

func TestParallelCallsWithTheSameIndexAreKeptApart(t *testing.T) {
	for _, same := range []bool{false, true} {
		a := llmtest.CallTools(llmtest.Call("a", "one", `{"x":"первый"}`), llmtest.Call("b", "two", `{"y":2}`))
		a.SameIndex, a.Piece = same, 2
		s := llmtest.New(t, llmtest.Always(a))
		reply, err := model(t, s.Config()).Complete(t.Context(), ask("x"), nil)
		if err != nil || len(reply.Message.Calls) != 2 || reply.Message.Calls[0] != a.Calls[0] ||
			reply.Message.Calls[1] != a.Calls[1] {
			t.Errorf("same index %t: %+v, %v", same, reply.Message.Calls, err)
		}
	}
}

func TestA429IsRetriedAfterTheRequestedDelay(t *testing.T) {
	s := llmtest.New(t, llmtest.Turns(llmtest.Answer{Status: 429, RetryAfter: "1"}, llmtest.Say("ok")))
	began := time.Now()
	reply, err := model(t, s.Config()).Complete(t.Context(), ask("x"), nil)
	if err != nil || reply.Message.Content != "ok" {
		t.Fatal(reply, err)
	}
	if waited := time.Since(began); waited < time.Second { // never sooner; how much later is not asserted
		t.Errorf("asked again after %s; the provider wanted a second", waited)
	}
}

func TestALongDelaySwitchesToTheNextProvider(t *testing.T) {
	first := llmtest.New(t, llmtest.Always(llmtest.Answer{Status: 429, RetryAfter: "3600"}))
	second := llmtest.New(t, llmtest.Always(llmtest.Say("from the second")))
	c := first.Config()
	other := second.Config().Providers[0]
	other.Name = "other"
	c.Providers = append(c.Providers, other)
	m := model(t, c)
	for range 3 {
		reply, err := m.Complete(t.Context(), ask("x"), nil)
		if err != nil || reply.Message.Content != "from the second" || reply.Model != "other/scripted" {
			t.Fatal(reply, err)
		}
	}
	if n := len(first.Requests()); n != 1 {
		t.Errorf("the first provider was asked %d times within the hour it wanted to be left alone", n)
	}
	// Alone, it is reported at once instead of being waited for.
	if _, err := model(t, first.Config()).Complete(t.Context(), ask("x"), nil); stockhand.CodeOf(
		err) != stockhand.CodeModelUnavailable {
		t.Error(err)
	}
}

func TestAnInterruptedStreamIsRequestedOnceMore(t *testing.T) {
	cut := llmtest.Answer{Text: "Остаток тринадцать штук на складе", Piece: 4, CutAfter: 4}
	s := llmtest.New(t, llmtest.Turns(cut, llmtest.Say("Остаток двенадцать")))
	var h heard
	reply, err := model(t, s.Config()).Complete(t.Context(), ask("x"), h.on)
	if err != nil || reply.Message.Content != "Остаток двенадцать" || string(h.text) != reply.Message.Content {
		t.Fatalf("%q, heard %q, %v", reply.Message.Content, string(h.text), err)
	}
	s = llmtest.New(t, llmtest.Always(cut))
	reply, err = model(t, s.Config()).Complete(t.Context(), ask("x"), nil)
	if stockhand.CodeOf(err) != stockhand.CodeModelUnavailable || len(s.Requests()) != 2 {
		t.Errorf("%d requests, %v", len(s.Requests()), err)
	}
	if reply.Usage.Output == 0 {
		t.Error("what was said before the cut is not counted")
	}
}

func TestAReplyWithoutAnEndMarkIsAccepted(t *testing.T) {
	for name, a := range map[string]llmtest.Answer{"cut": {Text: "x", CutAfter: 3},
		"stalled": {Text: "x", StallAfter: 3}} {
		s := llmtest.New(t, llmtest.Always(a))
		c := s.Config()
		c.Providers[0].IdleTimeout = llm.Duration(50 * time.Millisecond)
		reply, err := model(t, c).Complete(t.Context(), ask("x"), nil)
		if err != nil || reply.Message.Content != "x" || reply.Usage.Input == 0 || len(s.Requests()) != 1 {
			t.Errorf("%s: %+v, %v, %d requests", name, reply, err, len(s.Requests()))
		}
	}
}

func TestAStalledModelTimesOut(t *testing.T) {
	for name, a := range map[string]llmtest.Answer{
		"in the middle": {Text: strings.Repeat("слово ", 50), StallAfter: 3},
		"at the start":  {Text: "x", Delay: time.Hour},
	} {
		s := llmtest.New(t, llmtest.Always(a))
		c := s.Config()
		c.Providers[0].FirstTimeout, c.Providers[0].IdleTimeout = llm.Duration(50*time.Millisecond),
			llm.Duration(50*time.Millisecond)
		if _, err := model(t, c).Complete(t.Context(), ask("x"), nil); stockhand.CodeOf(
			err) != stockhand.CodeModelUnavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnEndlessReplyIsStopped(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.CallTool("x", `{"a":"`+strings.Repeat("я", 1<<20)+`"}`)))
	if _, err := model(t, s.Config()).Complete(t.Context(), ask("x"), nil); stockhand.CodeOf(
		err) != stockhand.CodeModelUnavailable {
		t.Error(err)
	}
}

func TestPermanentFailuresAreNotRetried(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 422} {
		s := llmtest.New(t, llmtest.Always(llmtest.Answer{Status: status}))
		_, err := model(t, s.Config()).Complete(t.Context(), ask("x"), nil)
		if stockhand.CodeOf(err) != stockhand.CodeModelUnavailable || len(s.Requests()) != 1 {
			t.Errorf("%d: %d requests, %v", status, len(s.Requests()), err)
		}
	}
}

func TestCancellingEndsImmediately(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: "x", StallAfter: 1}))
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("a person cancelled")
	go func() {
		for len(s.Requests()) == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel(why)
	}()
	if _, err := model(t, s.Config()).Complete(ctx, ask("x"), nil); !errors.Is(err, why) {
		t.Error(err)
	}
}

// The provider has been asked and charges for it: cancelling in time must not make runs free.
func TestACancelledRequestIsChargedForItsInput(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: "hello", Delay: 5 * time.Second}))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	reply, err := model(t, s.Config()).Complete(ctx, ask("how much is there?"), nil)
	if err == nil || reply.Usage.Input == 0 || reply.Usage.Output != 0 {
		t.Errorf("%+v, %v", reply.Usage, err)
	}
}

func TestNoErrorOrLogContainsTheKey(t *testing.T) {
	const key = "sk-very-secret-0123456789"
	log := &strings.Builder{}
	for name, a := range map[string]llmtest.Answer{
		"quoted in an error": {Status: 401, Body: `{"error":{"message":"Incorrect API key provided: ` + key +
			`","type":"` + key + `","code":"` + key + `"}}`},
		"quoted in no JSON":   {Status: 500, Body: key},
		"quoted in a stream":  {Text: key, CutAfter: 2},
		"in a stalled stream": {Text: key, StallAfter: 2},
	} {
		s := llmtest.New(t, llmtest.Always(a))
		c := s.Config()
		c.Providers[0].APIKey, c.Providers[0].IdleTimeout = key, llm.Duration(20*time.Millisecond)
		all, err := llm.Load(c, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		if err != nil {
			t.Fatal(err)
		}
		_, err = all.Model().Complete(t.Context(), ask("x"), nil)
		p, _, _ := all.Passes("test/scripted")
		for _, said := range []string{err.Error(), fmt.Sprintf("%v %+v %q", p, p, p.LogValue()), log.String()} {
			if strings.Contains(said, key) {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}

func TestAKeyIsExchangedForATokenAndARejectedTokenReplaced(t *testing.T) {
	var exchanged atomic.Int32
	oauth := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Basic a2V5" || r.Header.Get("RqUID") == "" ||
			string(body) != "scope=GIGACHAT_API_CORP" {
			t.Errorf("asked for a token with %q, %q", r.Header.Get("Authorization"), body)
		}
		fmt.Fprintf(w, `{"access_token":"token-%d","expires_at":%d}`, exchanged.Add(1),
			time.Now().Add(30*time.Minute).UnixMilli())
	}))
	t.Cleanup(oauth.Close)
	s := llmtest.New(t, func(_ int, r llmtest.Request) llmtest.Answer {
		if r.Header.Get("Authorization") == "Bearer token-1" && exchanged.Load() == 1 && len(r.Messages) == 2 {
			return llmtest.Answer{Status: 401}
		}
		return llmtest.Say(r.Header.Get("Authorization"))
	})
	c := s.Config()
	c.Providers[0].APIKey, c.Providers[0].Auth = "a2V5",
		&llm.AuthConfig{Type: "gigachat", URL: oauth.URL, Scope: "GIGACHAT_API_CORP"}
	m := model(t, c)
	for i, want := range []string{"Bearer token-1", "Bearer token-1", "Bearer token-2"} {
		r := ask("x")
		if i == 2 { // this one is refused
			r.Messages = append(r.Messages, r.Messages...)
		}
		reply, err := m.Complete(t.Context(), r, nil)
		if err != nil || reply.Message.Content != want {
			t.Errorf("request %d was made with %q, want %q, %v", i, reply.Message.Content, want, err)
		}
	}
}

func TestTLSIsVerifiedAndAPrivateAuthorityIsAddedByFile(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	c := llm.Config{Providers: []llm.ProviderConfig{{Name: "test", BaseURL: s.URL,
		Models: []llm.ModelConfig{{Name: "m"}}}}}
	if _, err := model(t, c).Complete(t.Context(), ask("x"), nil); stockhand.CodeOf(
		err) != stockhand.CodeModelUnavailable {
		t.Errorf("an unknown authority was trusted: %v", err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	pem := pemOf(s)
	if err := os.WriteFile(file, pem, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Providers[0].CAFile = file
	if reply, err := model(t, c).Complete(t.Context(), ask("x"), nil); err != nil || reply.Message.Content != "ok" {
		t.Error(reply, err)
	}
}

func TestModelsAreConfiguredByEnvironmentOrFile(t *testing.T) {
	read := func(env map[string]string) (llm.Config, error) {
		return llm.ReadConfig(func(k string) string { return env[k] })
	}
	if c, err := read(nil); err != nil || len(c.Providers) != 0 {
		t.Error(c, err)
	}
	if all, err := llm.Load(llm.Config{}, nil); err != nil || all.Model() != nil {
		t.Error("without models there is one", err)
	}
	c, err := read(map[string]string{"STOCKHAND_LLM_BASE_URL": "http://127.0.0.1:11434/v1",
		"STOCKHAND_LLM_MODEL": "qwen3", "STOCKHAND_LLM_RUN_TOKENS": "5000"})
	if err != nil || c.Providers[0].Models[0].Name != "qwen3" || c.Limits.RunTokens != 5000 {
		t.Error(c, err)
	}
	file := filepath.Join(t.TempDir(), "models.json")
	write := func(s string) {
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"providers":[{"name":"a","base_url":"https://a.example/v1","api_key_env":"A_KEY","models":[{"name":"m","input_price":"1.5"}],"timeout":"90s"},
		{"name":"b","base_url":"https://b.example/v1","models":[{"name":"org/large"}]}],"agent":["b/org/large","a/m"],"pass_through":["b/org/large"],"limits":{"month_money":"100"}}`)
	c, err = read(map[string]string{"STOCKHAND_LLM_FILE": file, "A_KEY": "secret"})
	if err != nil || c.Providers[0].APIKey != "secret" {
		t.Fatal(c.Agent, err)
	}
	all, err := llm.Load(c, nil)
	if err != nil || all.Model().Name() != "b/org/large" || llm.Micros(all.Limits().MonthMoney) != 100_000_000 {
		t.Error(err)
	}
	if p, name, ok := all.Passes("b/org/large"); !ok || name != "org/large" || p.Name != "b" {
		t.Error(name, ok)
	}
	if _, _, ok := all.Passes("a/m"); ok {
		t.Error("a model that is not listed is passed through")
	}
	for name, body := range map[string]string{
		"no JSON":                  `{"providers":[`,
		"an unknown field":         `{"providerz":[]}`,
		"no models":                `{"providers":[{"name":"a","base_url":"https://a.example"}]}`,
		"a login in it":            `{"providers":[{"name":"a","base_url":"https://u:p@a.example","models":[{"name":"m"}]}]}`,
		"an unknown agent":         `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}]}],"agent":["a/other"]}`,
		"a missing key":            `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}],"api_key_env":"NONE"}]}`,
		"a price below 0":          `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m","input_price":"-1"}]}]}`,
		"too many steps":           `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}]}],"limits":{"max_iterations":51}}`,
		"no budget":                `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}]}],"pass_through":["a/m"]}`,
		"passing a stranger":       `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}]}],"pass_through":["a/other"],"limits":{"month_tokens":1}}`,
		"neither price nor tokens": `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}]}],"pass_through":["a/m"],"limits":{"month_tokens":-1,"month_money":"1"}}`,
		"an unknown switch":        `{"providers":[{"name":"a","base_url":"https://a.example","models":[{"name":"m"}],"insecure_skip_verify":true}]}`,
	} {
		write(body)
		c, err := read(map[string]string{"STOCKHAND_LLM_FILE": file})
		if err == nil {
			_, err = llm.Load(c, nil)
		}
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheDocumentedFileIsValid(t *testing.T) {
	doc, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "\n    {\n")
	body, _, ok := strings.Cut(rest, "\n    }\n")
	if !ok {
		t.Fatal("the document has no example")
	}
	file := filepath.Join(t.TempDir(), "models.json")
	// that file is the operator's
	body = strings.ReplaceAll("{"+body+"}", "/etc/stockhand/russian-trusted-root.pem", "")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"STOCKHAND_LLM_FILE": file, "OPENAI_API_KEY": "x", "GIGACHAT_KEY": "x", "YANDEX_KEY": "x"}
	c, err := llm.ReadConfig(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	all, err := llm.Load(c, nil)
	if err != nil || all.Model().Name() != "openai/gpt-4.1-mini" || len(all.Names()) != 4 {
		t.Error(err)
	}
}

func TestTheDocumentedVariablesAreValid(t *testing.T) {
	doc, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for line := range strings.Lines(string(doc)) {
		line, _, _ = strings.Cut(line, " #")
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && strings.HasPrefix(name, "STOCKHAND_") {
			env[name] = strings.Trim(value, " …")
		}
	}
	c, err := llm.ReadConfig(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	all, err := llm.Load(c, nil)
	if err != nil || all.Model().Name() != "default/qwen3" ||
		!slices.Equal(all.PassThrough(), []string{"default/qwen3"}) ||
		all.Limits().MonthTokens != 20_000_000 {
		t.Error(c, err)
	}
}
