package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/nodetest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

const task = "сколько денег на счетах?"

// client is the official Go client, pointed at the service.
func client(s *apptest.Service, key string) sdk.Client {
	return sdk.NewClient(option.WithBaseURL(s.URL+"/v1"), option.WithAPIKey(key), option.WithMaxRetries(0))
}

func ask(text string) sdk.ChatCompletionNewParams {
	return sdk.ChatCompletionNewParams{Model: "stockhand",
		Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage(text)}}
}

func TestOfficialGoClientGetsAnAnswerWithItsFigures(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	got, err := c.Chat.Completions.New(t.Context(), ask(task))
	if err != nil {
		t.Fatal(err)
	}
	choice := got.Choices[0]
	if !strings.Contains(choice.Message.Content, "₽") || choice.FinishReason != "stop" ||
		choice.Message.Role != "assistant" {
		t.Errorf("answered %+v", choice)
	}
	ours := extension(t, got.RawJSON())
	if len(ours.Results) != 1 || !stockhand.ValidID(ours.Results[0].ID, "res") || ours.Session == "" {
		t.Errorf("the extension is %+v", ours)
	}
	if got.Usage.TotalTokens != got.Usage.PromptTokens+got.Usage.CompletionTokens {
		t.Errorf("usage %+v", got.Usage)
	}
}

type extended struct {
	Session string `json:"session_id"`
	Drafts  []struct{ ID, URL string }
	Results []struct{ ID, URL string }
}

func extension(t *testing.T, raw string) extended {
	t.Helper()
	var body struct{ Stockhand extended }
	if err := json.Unmarshal([]byte(raw), &body); err != nil {
		t.Fatal(err)
	}
	return body.Stockhand
}

func TestStreamHasTheFormatsOrderOfChunks(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	q := ask(task)
	q.StreamOptions = sdk.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)}
	stream := c.Chat.Completions.NewStreaming(t.Context(), q)
	var chunks []sdk.ChatCompletionChunk
	for stream.Next() {
		chunks = append(chunks, stream.Current())
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if len(chunks) < 4 {
		t.Fatalf("%d chunks", len(chunks))
	}
	if first := chunks[0].Choices[0].Delta; first.Role != "assistant" || first.Content != "" {
		t.Errorf("the first chunk is %+v", first)
	}
	var text strings.Builder
	for i, chunk := range chunks {
		if chunk.ID != chunks[0].ID || chunk.Object != "chat.completion.chunk" {
			t.Errorf("chunk %d: %s %s", i, chunk.ID, chunk.Object)
		}
		if i < len(chunks)-1 && !strings.Contains(chunk.RawJSON(), `"usage":null`) {
			t.Errorf("chunk %d says no usage: %s", i, chunk.RawJSON())
		}
		for _, choice := range chunk.Choices {
			text.WriteString(choice.Delta.Content)
		}
	}
	if end := chunks[len(chunks)-2].Choices[0]; end.FinishReason != "stop" || end.Delta.Content != "" {
		t.Errorf("the chunk before the last is %+v", end)
	}
	if last := chunks[len(chunks)-1]; len(last.Choices) != 0 || !strings.Contains(last.RawJSON(), `"total_tokens"`) {
		t.Errorf("the last chunk is %s", last.RawJSON())
	}
	whole, err := c.Chat.Completions.New(t.Context(), ask(task))
	if err != nil {
		t.Fatal(err)
	}
	if sentence(text.String()) != sentence(whole.Choices[0].Message.Content) {
		t.Errorf("streamed %q, whole %q", text.String(), whole.Choices[0].Message.Content)
	}
}

// sentence is an answer's first line; what follows tells the minute of the reading.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

func TestStreamWithoutOptionsEndsWithDoneAndHasNoUsage(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	// the second path has the native prefix
	for _, path := range []string{"/v1/chat/completions", "/api/v1/v1/chat/completions"} {
		got := s.Do(http.MethodPost, path, s.Key(stockhand.ScopeChat), map[string]any{
			"model": "stockhand", "stream": true, "messages": []any{map[string]any{"role": "user", "content": task}},
		})
		body := string(got.Body)
		if got.Status != http.StatusOK || !strings.HasSuffix(body, "data: [DONE]\n\n") ||
			strings.Contains(body, `"usage"`) || strings.Contains(body, "event:") {
			t.Errorf("%s: %d %s", path, got.Status, body)
		}
		if got.Header.Get("X-Session-Id") == "" ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), "text/event-stream") {
			t.Errorf("%s: headers %v", path, got.Header)
		}
	}
}

func TestToolProgressIsSentOnRequestOnly(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	body := func(options map[string]any) map[string]any {
		return map[string]any{"model": "stockhand", "stream": true, "stream_options": options,
			"messages": []any{map[string]any{"role": "user", "content": task}}}
	}
	for name, got := range map[string]apptest.Answer{
		"option": s.Do(http.MethodPost, "/v1/chat/completions", key,
			body(map[string]any{"include_tool_progress": true})),
		"header": s.Do(http.MethodPost, "/v1/chat/completions", key, body(map[string]any{}), "X-Hermes-Tool-Progress",
			"1"),
	} {
		if !strings.Contains(string(got.Body), "event: tool.progress\ndata: {\"type\":\"tool_started\"") {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
}

func TestErrorsAreTheClientsTypedExceptions(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	good := s.Key(stockhand.ScopeChat)
	withTools := ask(task)
	withTools.Tools = []sdk.ChatCompletionToolUnionParam{sdk.ChatCompletionFunctionTool(
		sdk.FunctionDefinitionParam{Name: "f"})}
	withTools.ToolChoice = sdk.ChatCompletionToolChoiceOptionUnionParam{OfAuto: param.NewOpt("required")}
	unknown := ask(task)
	unknown.Model = "gpt-unknown"
	for name, c := range map[string]struct {
		key    string
		q      sdk.ChatCompletionNewParams
		status int
		code   string
		kind   string
	}{
		"no such key": {"sk-org-nonsense", ask(task), 401, "AUTH_TOKEN_EXPIRED", "authentication_error"},
		"scope chat is required": {s.Key(stockhand.ScopeReadTools), ask(task), 403, "AUTH_PERMISSION_DENIED",
			"permission_error"},
		"no such model":        {good, unknown, 404, "NOT_FOUND", "invalid_request_error"},
		"a tool of the caller": {good, withTools, 422, "VALIDATION_FAILED", "invalid_request_error"},
		"several accounts at once": {good, ask("сведи остатки по всем аккаунтам вместе"), 422, "CONSOLIDATION_REFUSED",
			"invalid_request_error"},
		"empty": {good, ask(" "), 422, "VALIDATION_FAILED", "invalid_request_error"},
	} {
		t.Run(name, func(t *testing.T) {
			api := client(s, c.key)
			_, err := api.Chat.Completions.New(t.Context(), c.q)
			e, ok := errors.AsType[*sdk.Error](err)
			if !ok || e.StatusCode != c.status || e.Code != c.code || e.Type != c.kind || e.Message == "" {
				t.Errorf("%v", err)
			}
			stream := api.Chat.Completions.NewStreaming(t.Context(), c.q)
			for stream.Next() {
			}
			if e, ok := errors.AsType[*sdk.Error](stream.Err()); !ok || e.StatusCode != c.status {
				t.Errorf("streamed: %v", stream.Err())
			}
		})
	}
}

func TestSessionContinuesByItsId(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	c := client(s, key)
	first, err := c.Chat.Completions.New(t.Context(), ask("прибыльность по товарам за прошлый месяц"))
	if err != nil {
		t.Fatal(err)
	}
	id := extension(t, first.RawJSON()).Session
	next, err := c.Chat.Completions.New(t.Context(), ask("а за этот месяц?"), option.WithJSONSet("session_id", id))
	if err != nil {
		t.Fatal(err)
	}
	if got := extension(t, next.RawJSON()); got.Session != id || len(got.Results) != 1 {
		t.Errorf("continued %+v in %s: %s", got, id, next.Choices[0].Message.Content)
	}
	// Somebody else's key sees no such session, nor does another organization's.
	for _, other := range []string{s.Key(stockhand.ScopeChat)} {
		api := client(s, other)
		_, err := api.Chat.Completions.New(t.Context(), ask("а за этот месяц?"), option.WithJSONSet("session_id", id))
		if e, ok := errors.AsType[*sdk.Error](err); !ok || e.StatusCode != http.StatusNotFound {
			t.Errorf("another key: %v", err)
		}
	}
}

func TestEarlierMessagesAreTheConversation(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	got, err := c.Chat.Completions.New(t.Context(),
		sdk.ChatCompletionNewParams{Model: "stockhand", Messages: []sdk.ChatCompletionMessageParamUnion{
			sdk.SystemMessage("You are helpful."),
			sdk.UserMessage("прибыльность по товарам за прошлый месяц"), sdk.AssistantMessage("…"),
			sdk.UserMessage("а за этот месяц?"),
		}})
	if err != nil {
		t.Fatal(err)
	}
	if x := extension(t, got.RawJSON()); len(x.Results) != 1 {
		t.Errorf("answered %s", got.Choices[0].Message.Content)
	}
}

func TestDraftIsTextWithALinkAndNothingIsSent(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	got, err := c.Chat.Completions.New(t.Context(), ask("подготовь заказы поставщикам на всё, что ниже минимума"))
	if err != nil {
		t.Fatal(err)
	}
	x := extension(t, got.RawJSON())
	if len(x.Drafts) != 1 || !strings.Contains(got.Choices[0].Message.Content, x.Drafts[0].URL) {
		t.Errorf("drafts %+v in %s", x.Drafts, got.Choices[0].Message.Content)
	}
	if row := fmt.Sprintf("| 1 | [Заказ поставщику](%s#doc_", x.Drafts[0].URL); !strings.Contains(
		got.Choices[0].Message.Content, row) {
		t.Errorf("no row %s in %s", row, got.Choices[0].Message.Content)
	}
	// A key's own next message confirms nothing.
	if _, err := c.Chat.Completions.New(t.Context(), ask("подтверждаю"),
		option.WithJSONSet("session_id", x.Session)); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Sandbox.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s %s", r.Method, r.Path)
		}
	}
}

func TestCallerThatGoesAwayEndsTheRun(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 3000}); err != nil {
		t.Fatal(err)
	}
	c := client(s, s.Key(stockhand.ScopeChat))
	q := ask("остатки по складам")
	stream := c.Chat.Completions.NewStreaming(t.Context(), q,
		option.WithJSONSet("stream_options.include_tool_progress", true))
	stream.Next()
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	wantCancelled(t, s)
}

// wantCancelled waits until the only run is cancelled.
func wantCancelled(t *testing.T, s *apptest.Service) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		sessions, err := s.Store.Sessions(t.Context(), s.OrgID, stockhand.SessionChat, "", "", 0)
		if err != nil || len(sessions) == 0 {
			t.Fatal(err)
		}
		runs, err := s.Store.Runs(t.Context(), s.OrgID, sessions[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) == 1 && runs[0].State == stockhand.RunCancelled {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the run was not cancelled")
}

func TestOfficialNodeClient(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	run := nodetest.Command(t, "openai", s.URL+"/v1", s.Key(stockhand.ScopeChat), s.Key(stockhand.ScopeReadTools))
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	type failure struct {
		Name   string
		Status int
		Code   string
		Type   string
		Param  string
	}
	var got struct {
		Models []string
		Plain  struct {
			Content, Finish, Session string
			Results                  int
		}
		Stream struct {
			First, Content, Finish string
			IDs                    int
			Last                   struct {
				Choices int
				Usage   map[string]any
			}
		}
		Continued                                               struct{ Session string }
		Unauthorized, Forbidden, UnknownModel, Invalid, Refused failure
		Cancelled                                               bool
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(got.Models) == 0 || got.Models[0] != "stockhand" {
		t.Errorf("models %v", got.Models)
	}
	if got.Plain.Finish != "stop" || got.Plain.Results != 1 || !strings.Contains(got.Plain.Content, "₽") {
		t.Errorf("plain %+v", got.Plain)
	}
	if got.Stream.First != "assistant" || got.Stream.Finish != "stop" ||
		sentence(got.Stream.Content) != sentence(got.Plain.Content) ||
		got.Stream.Last.Choices != 0 || got.Stream.Last.Usage == nil || got.Stream.IDs != 1 {
		t.Errorf("stream %+v", got.Stream)
	}
	if got.Continued.Session != got.Plain.Session || !got.Cancelled {
		t.Errorf("continued %+v of %s, cancelled %v", got.Continued, got.Plain.Session, got.Cancelled)
	}
	for name, c := range map[string]struct{ got, want failure }{
		"unauthorized": {got.Unauthorized,
			failure{"AuthenticationError", 401, "AUTH_TOKEN_EXPIRED", "authentication_error", ""}},
		"forbidden": {got.Forbidden,
			failure{"PermissionDeniedError", 403, "AUTH_PERMISSION_DENIED", "permission_error", ""}},
		"unknown model": {got.UnknownModel, failure{"NotFoundError", 404, "NOT_FOUND", "invalid_request_error", ""}},
		"invalid": {got.Invalid, failure{"UnprocessableEntityError", 422, "VALIDATION_FAILED",
			"invalid_request_error", "tool_choice"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}
