package openai_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// weather asks a model that may call a function.
func weather(text string) responses.ResponseNewParams {
	q := say("test/scripted", text)
	q.Tools = []responses.ToolUnionParam{responses.ToolParamOfFunction("weather",
		map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}}, true)}
	return q
}

// calls answers with a call, and with text once it has the output.
func calls(_ int, r llmtest.Request) llmtest.Answer {
	if out := r.Last("tool"); out.Content != "" {
		return llmtest.Answer{Text: "It is " + out.Content, Usage: &llm.Usage{Input: 30, Output: 6}}
	}
	return llmtest.Answer{Calls: []llm.Call{llmtest.Call("call_1", "weather", `{"city":"Perm"}`)},
		Usage: &llm.Usage{Input: 11, Output: 7}}
}

// output is an item that answers a call.
func output(call, text string) responses.ResponseNewParamsInputUnion {
	item := responses.ResponseInputItemParamOfFunctionCallOutput(text)
	item.OfFunctionCallOutput.CallID = param.NewOpt(call)
	return responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{item}}
}

func TestAProvidersModelCallsAFunctionInAResponse(t *testing.T) {
	s, model := withModel(t, calls)
	c := client(s, s.Key(stockhand.ScopeChat))
	q := weather("what is the weather in Perm?")
	q.Instructions, q.MaxOutputTokens = param.NewOpt("Be brief."), param.NewOpt[int64](50)
	first := respond(t, c, q, option.WithJSONSet("seed", 7))
	call := first.Output[0]
	if len(first.Output) != 1 || call.Type != "function_call" || call.Name != "weather" || call.CallID != "call_1" ||
		call.Arguments.OfString != `{"city":"Perm"}` || first.Usage.InputTokens != 11 || first.Usage.OutputTokens != 7 ||
		first.Usage.TotalTokens != 18 {
		t.Fatalf("got %s", first.RawJSON())
	}
	sent := string(model.Requests()[0].Body)
	for _, want := range []string{`"model":"scripted"`, `"seed":7`, `"max_tokens":50`,
		`{"role":"system","content":"Be brief."},{"role":"user","content":"what is the weather in Perm?"}`,
		`"tools":[{"type":"function","function":{"name":"weather","parameters":{`, `"strict":true`} {
		if !strings.Contains(sent, want) {
			t.Errorf("the provider was not sent %s: %s", want, sent)
		}
	}
	for _, not := range []string{"instructions", "max_output_tokens", `"input"`, `"store"`} {
		if strings.Contains(sent, not) {
			t.Errorf("the provider was sent %s: %s", not, sent)
		}
	}
	q = weather("")
	q.Input, q.PreviousResponseID = output("call_1", "-7 °C"), param.NewOpt(first.ID)
	second := respond(t, c, q)
	if second.OutputText() != "It is -7 °C" {
		t.Errorf("got %s", second.RawJSON())
	}
	q = say("test/scripted", "Thank you")
	q.PreviousResponseID = param.NewOpt(second.ID)
	respond(t, c, q)
	var roles []string
	for _, m := range model.Requests()[2].Messages {
		roles = append(roles, m.Role)
	}
	if got := strings.Join(roles, " "); got != "user assistant tool assistant user" {
		t.Errorf("the third request has the messages %s", got)
	}
	again, err := c.Responses.Get(t.Context(), second.ID, responses.ResponseGetParams{})
	if err != nil || again.OutputText() != second.OutputText() {
		t.Errorf("read again: %v", err)
	}
	if err := c.Responses.Delete(t.Context(), first.ID); err != nil {
		t.Error(err)
	}
	if _, err := c.Responses.New(t.Context(), q); status(err) != http.StatusNotFound {
		t.Errorf("a conversation without its beginning is continued: %v", err)
	}
}

func TestAProvidersAnswerIsStreamedAsTypedEvents(t *testing.T) {
	s, _ := withModel(t, calls)
	c := client(s, s.Key(stockhand.ScopeChat))
	all := events(t, c, weather("what is the weather?"))
	const want = "created in_progress output_item.added function_call_arguments.delta function_call_arguments.done " +
		"output_item.done completed"
	if got := types(all); got != want {
		t.Errorf("events %s", got)
	}
	var arguments strings.Builder
	for _, e := range all {
		if e.Type == "response.function_call_arguments.delta" {
			arguments.WriteString(e.Delta)
		}
	}
	last := all[len(all)-1].Response
	if arguments.String() != `{"city":"Perm"}` || last.Output[0].Arguments.OfString != arguments.String() ||
		last.Usage.TotalTokens != 18 {
		t.Errorf("%s of %s", arguments.String(), last.RawJSON())
	}
	q := weather("")
	q.Input, q.PreviousResponseID = output("call_1", "-7 °C"), param.NewOpt(last.ID)
	all = events(t, c, q)
	if got := types(all); got != textEvents+"completed" || all[len(all)-1].Response.OutputText() != "It is -7 °C" {
		t.Errorf("events %s", got)
	}
}

// A caller that keeps the conversation itself may send items or, as some frameworks do, references to them.
func TestAConversationMayComeAsItems(t *testing.T) {
	s, model := withModel(t, calls)
	key := s.Key(stockhand.ScopeChat)
	first := respond(t, client(s, key), weather("what is the weather?"))
	for name, call := range map[string]any{
		"an item":     json.RawMessage(first.Output[0].RawJSON()),
		"a reference": map[string]any{"type": "item_reference", "id": first.Output[0].ID},
		"an id":       map[string]any{"id": first.Output[0].ID},
	} {
		got := s.Do(http.MethodPost, "/v1/responses", key, map[string]any{"model": "test/scripted", "input": []any{
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "input_text", "text": "and this?"},
				map[string]any{"type": "input_image", "image_url": "data:,x"}}},
			map[string]any{"type": "reasoning", "id": "rs_1", "summary": []any{}}, call,
			map[string]any{"type": "function_call_output", "call_id": "call_1", "output": []any{
				map[string]any{"type": "input_text", "text": "warm"}}}}})
		sent := model.Requests()[len(model.Requests())-1]
		if got.Status != http.StatusOK || !strings.Contains(string(got.Body), "It is warm") ||
			len(sent.Messages) != 3 || len(sent.Messages[1].Calls) != 1 ||
			!strings.Contains(sent.Messages[0].Content, `"image_url":{"url":"data:,x"}`) {
			t.Errorf("%s: %d %s after %s", name, got.Status, got.Body, sent.Body)
		}
	}
}

func TestWhatAModelAnswersIsTheFormOfTheResponse(t *testing.T) {
	for name, c := range map[string]struct {
		answer llmtest.Answer
		want   string
		reason string
	}{
		"limited":  {llmtest.Answer{Text: "half", Finish: "length"}, "incomplete", "max_output_tokens"},
		"filtered": {llmtest.Answer{Text: "x", Finish: "content_filter"}, "incomplete", "content_filter"},
		"complete": {llmtest.Say("hello"), "completed", ""},
	} {
		s, _ := withModel(t, llmtest.Always(c.answer))
		api := client(s, s.Key(stockhand.ScopeChat))
		got := respond(t, api, say("test/scripted", "hi"))
		if string(got.Status) != c.want || got.IncompleteDetails.Reason != c.reason ||
			got.OutputText() != c.answer.Text {
			t.Errorf("%s: %s", name, got.RawJSON())
		}
		all := events(t, api, say("test/scripted", "hi"))
		if got := types(all); got != textEvents+c.want {
			t.Errorf("%s: events %s", name, got)
		}
	}
}

func TestAnAnswerThatBreaksOffIsNoAnswer(t *testing.T) {
	s, _ := withModel(t, llmtest.Always(llmtest.Answer{Text: "a long answer that breaks off", CutAfter: 2, Piece: 4}))
	c := client(s, s.Key(stockhand.ScopeChat))
	all := events(t, c, say("test/scripted", "hi"))
	last := all[len(all)-1]
	if got := types(all); got != textEvents+"failed" || last.Response.Error.Code != "MODEL_UNAVAILABLE" ||
		last.Response.Status != responses.ResponseStatusFailed {
		t.Errorf("events %s, the last is %s", got, last.RawJSON())
	}
	if _, err := c.Responses.Get(t.Context(), last.Response.ID, responses.ResponseGetParams{}); status(err) != 404 {
		t.Errorf("it was stored: %v", err)
	}
	for theirs, ours := range map[int]int{429: 429, 400: 400, 500: 500, 401: 503} {
		s, _ := withModel(t, llmtest.Always(llmtest.Answer{Status: theirs, RetryAfter: "7"}))
		for _, stream := range []bool{false, true} {
			got := s.Do(http.MethodPost, "/v1/responses", s.Key(stockhand.ScopeChat),
				map[string]any{"model": "test/scripted", "input": "hi", "stream": stream})
			if got.Status != ours || !strings.Contains(string(got.Body), `"error":{`) {
				t.Errorf("the provider's %d is %d here: %s", theirs, got.Status, got.Body)
			}
		}
	}
}

func TestAttackAResponseOfAProvidersModelIsReachedByOthers(t *testing.T) {
	s, model := withModel(t, calls)
	first := respond(t, client(s, s.Key(stockhand.ScopeChat)), weather("a secret"))
	other, _ := s.Organization("Others")
	_, theirs := s.NewKey(other, auth.NewKey{Name: "x", Scopes: []stockhand.Scope{stockhand.ScopeChat}})
	q := say("test/scripted", "what did they say?")
	q.PreviousResponseID = param.NewOpt(first.ID)
	c := client(s, theirs)
	if _, err := c.Responses.New(t.Context(), q); status(err) != http.StatusNotFound {
		t.Errorf("another organization continues it: %v", err)
	}
	reference := s.Do(http.MethodPost, "/v1/responses", theirs, map[string]any{"model": "test/scripted",
		"input": []any{map[string]any{"type": "item_reference", "id": first.Output[0].ID}}})
	if reference.Status != http.StatusNotFound {
		t.Errorf("another organization refers to its item: %d %s", reference.Status, reference.Body)
	}
	_, bound := s.NewKey(s.OrgID, auth.NewKey{Name: "bound", Scopes: []stockhand.Scope{stockhand.ScopeChat},
		Binding: stockhand.Binding{Tools: []string{"moysklad_stock"}}})
	c = client(s, bound)
	if _, err := c.Responses.New(t.Context(), say("test/scripted", "hi")); status(err) != 403 {
		t.Errorf("a bound key uses it: %v", err)
	}
	embed := s.Do(http.MethodPost, "/v1/embeddings", bound, map[string]any{"model": "test/scripted", "input": "x"})
	if embed.Status != http.StatusForbidden {
		t.Errorf("a bound key embeds: %d %s", embed.Status, embed.Body)
	}
	if n := len(model.Requests()); n != 1 {
		t.Errorf("%d requests went out", n)
	}
}

func TestHostedToolsAndStoredFilesAreNotPassedThrough(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Say("hello")))
	key := s.Key(stockhand.ScopeChat)
	for field, body := range map[string]string{
		"tools": `"input":"x","tools":[{"type":"web_search"}]`,
		"input": `"input":[{"role":"user","content":[{"type":"input_file","file_id":"file-1"}]}]`,
		"tool_choice": `"input":"x","tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"mcp",` +
			`"server_label":"x"}`,
		"text.format": `"input":"x","text":{"format":{"type":"grammar"}}`,
		"max_tokens":  `"input":"x","max_tokens":1,"Max_Tokens":100000`,
	} {
		got := s.Do(http.MethodPost, "/v1/responses", key, `{"model":"test/scripted",`+body+`}`)
		if got.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(strings.ToLower(string(got.Body)), `"param":"`+field+`"`) {
			t.Errorf("%s: %d %s", field, got.Status, got.Body)
		}
	}
	if n := len(model.Requests()); n != 0 {
		t.Errorf("%d requests went out", n)
	}
}

func TestEmbeddingsArePassedThroughAndMetered(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Say("hello")))
	c := client(s, s.Key(stockhand.ScopeChat))
	got, err := c.Embeddings.New(t.Context(), sdk.EmbeddingNewParams{Model: "test/scripted",
		Input: sdk.EmbeddingNewParamsInputUnion{OfString: param.NewOpt("остатки")}})
	if err != nil || len(got.Data) != 1 || len(got.Data[0].Embedding) != 2 || got.Usage.PromptTokens != 3 {
		t.Fatalf("%v %s", err, got.RawJSON())
	}
	if sent := string(model.Requests()[0].Body); !strings.Contains(sent, `"model":"scripted"`) {
		t.Errorf("sent %s", sent)
	}
	day := time.Now().UTC().Format(time.DateOnly)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		used, err := s.Store.Usage(t.Context(), s.OrgID, day, day)
		if err != nil {
			t.Fatal(err)
		}
		if len(used) == 1 && used[0].InputTokens == 3 && used[0].OutputTokens == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("booked %+v", used)
		}
	}
	for body, want := range map[string]int{`{"model":"stockhand","input":"x"}`: 404, `{"model":"test/x","input":"x"}`: 404,
		`{"input":"x"}`: 422, `garbage`: 422, `[]`: 422} {
		if got := s.Do(http.MethodPost, "/v1/embeddings", s.AdminToken, body); got.Status != want ||
			!strings.Contains(string(got.Body), `"error":{`) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
}

// A conversation may go from a provider's model to an agent and back.
func TestAConversationGoesOnWithAnotherModel(t *testing.T) {
	s, model := withModel(t, llmtest.Always(llmtest.Say("Ask the agent.")),
		func(c *llm.Config) { c.Reader = llm.ReaderFirst })
	c := client(s, s.Key(stockhand.ScopeChat))
	first := respond(t, c, say("test/scripted", "who knows how much money there is?"))
	q := say("stockhand", task)
	q.PreviousResponseID = param.NewOpt(first.ID)
	second := respond(t, c, q)
	if !strings.Contains(second.OutputText(), "₽") {
		t.Errorf("the agent answered %s", second.RawJSON())
	}
	q = say("test/scripted", "thank you")
	q.PreviousResponseID = param.NewOpt(second.ID)
	respond(t, c, q)
	sent := model.Requests()[len(model.Requests())-1].Messages
	if len(sent) != 5 || sent[1].Content != "Ask the agent." || sent[2].Content != task ||
		!strings.Contains(sent[3].Content, "₽") || sent[4].Content != "thank you" {
		t.Errorf("the model was sent %+v", sent)
	}
	q = say("stockhand", "а за прошлый месяц?")
	q.PreviousResponseID = param.NewOpt(second.ID)
	_, err := c.Responses.New(t.Context(), q, option.WithJSONSet("session_id", "ses_another"))
	if e, ok := errors.AsType[*sdk.Error](err); !ok || e.Param != "session_id" {
		t.Errorf("two sessions: %v", err)
	}
}
