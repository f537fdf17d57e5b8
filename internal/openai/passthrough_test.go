package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// withModel runs the service with a scripted provider "test".
func withModel(t *testing.T, script llmtest.Script, change ...func(*llm.Config)) (*apptest.Service, *llmtest.Server) {
	t.Helper()
	model := llmtest.New(t, script)
	config := model.Config()
	for _, f := range change {
		f(&config)
	}
	return apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) { c.LLM = config }}), model
}

func passing(text string) sdk.ChatCompletionNewParams {
	q := ask(text)
	q.Model = "test/scripted"
	return q
}

func TestProvidersModelIsPassedThroughAsItIs(t *testing.T) {
	s, model := withModel(t, llmtest.Always(
		llmtest.Answer{Calls: []llm.Call{llmtest.Call("call_1", "weather", `{"city":"Perm"}`)},
			Usage: &llm.Usage{Input: 11, Output: 7}}))
	q := passing("what is the weather?")
	q.Tools = []sdk.ChatCompletionToolUnionParam{sdk.ChatCompletionFunctionTool(
		sdk.FunctionDefinitionParam{Name: "weather"})}
	c := client(s, s.Key(stockhand.ScopeChat))
	got, err := c.Chat.Completions.New(t.Context(), q, option.WithJSONSet("x_unknown", map[string]any{"kept": true}))
	if err != nil {
		t.Fatal(err)
	}
	if calls := got.Choices[0].Message.ToolCalls; len(calls) != 1 || calls[0].Function.Name != "weather" ||
		got.Usage.PromptTokens != 11 {
		t.Errorf("got %s", got.RawJSON())
	}
	sent := model.Requests()[0]
	if sent.Model != "scripted" || !slices.Equal(sent.Tools, []string{"weather"}) ||
		!strings.Contains(string(sent.Body), `"x_unknown":{"kept":true}`) {
		t.Errorf("the provider was sent %s", sent.Body)
	}
	if a := sent.Header.Get("Authorization"); strings.Contains(a, "sk-org-") {
		t.Error("the caller's key went to the provider")
	}
}

func TestAttackABoundKeyUsesAProvidersModel(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Say("hello")))
	for name, b := range map[string]stockhand.Binding{
		"connections": {Connections: []stockhand.ConnectionID{s.Connections[0].ID}},
		"tools":       {Tools: []string{"moysklad_stock"}},
		"agents":      {Agents: []stockhand.AgentID{stockhand.SystemAgent}},
	} {
		_, secret := s.NewKey(s.OrgID, auth.NewKey{Name: "bound", Scopes: []stockhand.Scope{stockhand.ScopeChat},
			Binding: b})
		c := client(s, secret)
		var refused *sdk.Error
		if _, err := c.Chat.Completions.New(t.Context(), passing("hi")); !errors.As(err, &refused) ||
			refused.StatusCode != http.StatusForbidden {
			t.Errorf("bound to %s: %v", name, err)
		}
		list, err := c.Models.List(t.Context())
		if err != nil || len(list.Data) != 1 || list.Data[0].ID != string(stockhand.SystemAgent) {
			t.Errorf("bound to %s: %v, %v", name, list, err)
		}
	}
	if n := len(model.Requests()); n != 0 {
		t.Errorf("%d requests to the provider", n)
	}
}

func TestPassedThroughChatIsMetered(t *testing.T) {
	s, _ := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello",
		Usage: &llm.Usage{Input: 20, Output: 5, Cached: 8}}), func(c *llm.Config) {
		m := &c.Providers[0].Models[0]
		m.InputPrice, m.OutputPrice, m.CachedPrice = decimal.FromInt(2), decimal.FromInt(3), new(decimal.FromInt(1))
	})
	c := client(s, s.Key(stockhand.ScopeChat))
	if _, err := c.Chat.Completions.New(t.Context(), passing("hi")); err != nil {
		t.Fatal(err)
	}
	stream := c.Chat.Completions.NewStreaming(t.Context(), passing("hi"))
	chunks := 0
	for stream.Next() {
		chunks++
		if len(stream.Current().Choices) == 0 {
			t.Errorf("a usage chunk that was not asked for: %s", stream.Current().RawJSON())
		}
	}
	if stream.Err() != nil || chunks == 0 {
		t.Fatal(chunks, stream.Err())
	}
	day := time.Now().UTC().Format(time.DateOnly)
	var in, out, cached int
	var cost int64
	// it is booked once the answer is over
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) &&
		in < 40; time.Sleep(5 * time.Millisecond) {
		used, err := s.Store.Usage(t.Context(), s.OrgID, day, day)
		if err != nil {
			t.Fatal(err)
		}
		in, out, cached, cost = 0, 0, 0, 0
		for _, u := range used {
			in, out, cached, cost = in+u.InputTokens, out+u.OutputTokens, cached+u.CachedTokens, cost+u.Cost
		}
	}
	if in != 40 || out != 10 || cached != 16 || cost != 2*(12*2+8*1+5*3) {
		t.Errorf("booked %d and %d tokens, %d cached, for %d", in, out, cached, cost)
	}
}

func TestUsageChunkReachesWhoAsksForIt(t *testing.T) {
	s, _ := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello", Usage: &llm.Usage{Input: 20, Output: 5}}))
	got := s.Do(http.MethodPost, "/v1/chat/completions", s.Key(stockhand.ScopeChat), map[string]any{
		"model": "test/scripted", "stream": true, "stream_options": map[string]any{"include_usage": true},
		"messages": []any{map[string]any{"role": "user", "content": "hi"}},
	})
	if !strings.Contains(string(got.Body), `"prompt_tokens":20`) ||
		!strings.HasSuffix(string(got.Body), "data: [DONE]\n\n") {
		t.Errorf("%s", got.Body)
	}
}

func TestProvidersErrorsComeBackAsTheyAreButNotItsRefusalOfOurKey(t *testing.T) {
	for _, c := range []struct{ theirs, ours int }{{429, 429}, {400, 400}, {500, 500}, {401, 503}} {
		s, _ := withModel(t, llmtest.Always(llmtest.Answer{Status: c.theirs, RetryAfter: "7"}))
		got := s.Do(http.MethodPost, "/v1/chat/completions", s.Key(stockhand.ScopeChat), map[string]any{
			"model": "test/scripted", "messages": []any{map[string]any{"role": "user", "content": "hi"}},
		})
		if got.Status != c.ours {
			t.Errorf("the provider's %d is %d here: %s", c.theirs, got.Status, got.Body)
		}
		if c.theirs == 429 && got.Header.Get("Retry-After") != "7" {
			t.Errorf("Retry-After is %q", got.Header.Get("Retry-After"))
		}
	}
}

func TestBudgetIsNotOvershotByRequestsAtOnce(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello", Usage: &llm.Usage{Input: 20, Output: 100},
		Delay: 50 * time.Millisecond}),
		func(c *llm.Config) { c.Limits.MonthTokens = 1000 })
	c := client(s, s.Key(stockhand.ScopeChat))
	q := passing("hi")
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := c.Chat.Completions.New(t.Context(), q, option.WithJSONSet("max_tokens", 100))
			if e, ok := errors.AsType[*sdk.Error](err); err != nil &&
				(!ok || e.StatusCode != http.StatusTooManyRequests || e.Code != "RATE_LIMITED") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(model.Requests()); n == 0 || n*120 > 1000 {
		t.Errorf("%d requests of 120 tokens within a budget of 1000", n)
	}
}

// The provider has been asked and charges for it: hanging up in time must not make chats free.
func TestACallerThatHangsUpIsChargedForWhatWasAsked(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello", Delay: 2 * time.Second}))
	c, q := client(s, s.Key(stockhand.ScopeChat)), passing("hi")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := c.Chat.Completions.New(ctx, q, option.WithMaxRetries(0)); err == nil || len(model.Requests()) != 1 {
		t.Fatalf("%v, %d requests", err, len(model.Requests()))
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var used struct {
			Total struct {
				Input int `json:"input_tokens"`
			} `json:"total"`
		}
		s.Do(http.MethodGet, "/organizations/"+string(s.OrgID)+"/usage", s.AdminToken, nil).Decode(t, &used)
		if used.Total.Input > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was charged")
		}
	}
}

func TestEveryChoiceIsReservedFor(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello", Usage: &llm.Usage{Input: 20, Output: 100}}),
		func(c *llm.Config) { c.Limits.MonthTokens = 1000 })
	key := s.Key(stockhand.ScopeChat)
	for n, want := range map[int]int{1: 200, 8: 200, 20: 429, 1 << 62: 429} {
		body := map[string]any{"model": "test/scripted", "n": n, "max_tokens": 100,
			"messages": []any{map[string]any{"role": "user", "content": "hi"}}}
		if got := s.Do(http.MethodPost, "/v1/chat/completions", key, body); got.Status != want {
			t.Errorf("%d choices: %d %s", n, got.Status, got.Body)
		}
	}
	if n := len(model.Requests()); n != 2 {
		t.Errorf("%d requests went out", n)
	}
}

// A chat key is no key to the operator's account with a provider.
func TestAttackAChatKeySpendsTheOperatorsMoney(t *testing.T) {
	for name, c := range map[string]struct {
		model  string
		change func(*llm.Config)
		want   int
	}{
		"a model that the operator did not list": {"test/dearer", func(*llm.Config) {}, http.StatusNotFound},
		"a server where none is listed": {"test/scripted", func(c *llm.Config) { c.PassThrough = nil },
			http.StatusNotFound},
		"more than the default budget": {"test/scripted", func(c *llm.Config) {
			c.Limits.MonthTokens, c.Limits.MonthMoney = 0, decimal.FromInt(1)
		}, http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			s, model := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello"}), c.change)
			got := s.Do(http.MethodPost, "/v1/chat/completions", s.Key(stockhand.ScopeChat), map[string]any{
				"model": c.model, "n": 5, "max_tokens": llm.DefaultMonthTokens,
				"messages": []any{map[string]any{"role": "user", "content": "hi"}},
			})
			if got.Status != c.want || len(model.Requests()) != 0 {
				t.Errorf("%d %s, %d requests", got.Status, got.Body, len(model.Requests()))
			}
			if c.want == http.StatusNotFound && !strings.Contains(string(got.Body), "STOCKHAND_LLM_PASS_THROUGH") ||
				c.want != http.StatusNotFound && !strings.Contains(string(got.Body), "STOCKHAND_LLM_MONTH_TOKENS") {
				t.Errorf("the refusal does not name the setting: %s", got.Body)
			}
			listed := string(s.Do(http.MethodGet, "/v1/models", s.AdminToken, nil).Body)
			if strings.Contains(listed, c.model) != (c.want != http.StatusNotFound) {
				t.Errorf("listed: %s", listed)
			}
		})
	}
}

func TestAFieldGivenTwiceIsRefusedAndNotReadInTwoWays(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Answer{Text: "hello"}), func(c *llm.Config) {
		c.Providers[0].Models = append(c.Providers[0].Models, llm.ModelConfig{Name: "dearer"})
		c.PassThrough = append(c.PassThrough, "test/dearer")
	})
	key := s.Key(stockhand.ScopeChat)
	for _, twice := range []string{`"max_tokens":1,"max_tokens":100000`, `"model":"test/dearer"`,
		`"Model":"test/scripted"`, `"mod\u0065l":"test/dearer"`} {
		got := s.Do(http.MethodPost, "/v1/chat/completions", key,
			`{"model":"test/scripted","messages":[{"role":"user","content":"hi"}],`+twice+`}`)
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", twice, got.Status, got.Body)
		}
	}
	if n := len(model.Requests()); n != 0 {
		t.Errorf("%d requests went out", n)
	}
}

func TestModelsAreListedByAgentAndProvider(t *testing.T) {
	s, _ := withModel(t, llmtest.Always(llmtest.Say("hello")))
	made := s.Do(http.MethodPost, "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
		map[string]any{"name": "Buyer", "tools": []string{"moysklad_stock"}})
	if made.Status != http.StatusCreated {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	got := s.Do(http.MethodGet, "/v1/models", s.Key(stockhand.ScopeChat), nil)
	var list struct {
		Object string
		Data   []struct{ ID, Name, Object string }
	}
	if err := json.Unmarshal(got.Body, &list); err != nil || list.Object != "list" || len(list.Data) != 3 {
		t.Fatalf("%v %s", err, got.Body)
	}
	names := []string{"stockhand", "Stockhand", "Buyer", "Buyer", "test/scripted", "scripted (test)"} // rule R442
	for i, m := range list.Data {
		if m.ID != names[2*i] || m.Name != names[2*i+1] {
			t.Errorf("model %d: %+v", i, m)
		}
	}
	var agent struct{ ID string }
	if err := json.Unmarshal(made.Body, &agent); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{agent.ID, "Buyer", "buyer"} {
		one := s.Do(http.MethodGet, "/v1/models/"+id, s.Key(stockhand.ScopeChat), nil)
		if !strings.Contains(string(one.Body), `"id":"Buyer"`) {
			t.Errorf("%s: %d %s", id, one.Status, one.Body)
		}
	}
	if one := s.Do(http.MethodGet, "/v1/models/test/scripted", s.Key(stockhand.ScopeChat),
		nil); one.Status != http.StatusOK {
		t.Errorf("one model: %d %s", one.Status, one.Body)
	}
}
