package openai_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// What programs in use send beside a question: chats, editors, frameworks.
func TestWhatClientsSendBesideTheQuestionDoesNotHinderTheAnswer(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	const ask = `{"role":"user","content":"` + task + `"}`
	function := `{"type":"function","function":{"name":"read_file","parameters":{"type":"object"}}}`
	for name, body := range map[string]string{
		"settings": `"messages":[` + ask +
			`],"temperature":0.2,"max_tokens":100,"top_p":1,"stop":null,"user":"u","seed":1,"metadata":{},"store":false,"logprobs":null,"n":1`,
		"empty and null": `"messages":[` + ask +
			`],"tools":[],"functions":null,"tool_choice":null,"response_format":null,"stream_options":null,"stream":null,"session_id":null,"n":null`,
		"tools on offer": `"messages":[` + ask + `],"tools":[` + function +
			`],"tool_choice":"auto","parallel_tool_calls":true`,
		"tools that may wait": `"messages":[` + ask + `],"tools":[` + function +
			`],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`,
		"functions on offer":   `"messages":[` + ask + `],"functions":[{"name":"f"}],"function_call":"auto"`,
		"system and developer": `"messages":[{"role":"system","content":"Be brief."},{"role":"developer","content":[{"type":"text","text":"x"}]},` + ask + `]`,
		"parts and a name": `"messages":[{"role":"user","name":"bob","content":[{"type":"text","text":"` + task +
			`"}]}]`,
		"calls of other models": `"messages":[{"role":"user","content":"привет"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"},` + ask + `]`,
		"a reminder at the end": `"messages":[` + ask + `,{"role":"system","content":"Answer in Markdown."}]`,
		"a begun answer":        `"messages":[` + ask + `,{"role":"assistant","content":"На счетах"}]`,
		"an earlier picture":    `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]},{"role":"assistant","content":"?"},` + ask + `]`,
		"text as the format":    `"messages":[` + ask + `],"response_format":{"type":"text"}`,
	} {
		got := s.Do(http.MethodPost, "/v1/chat/completions", key, `{"model":"stockhand",`+body+`}`)
		if got.Status != http.StatusOK || !strings.Contains(string(got.Body), "₽") {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	for param, body := range map[string]string{
		"tool_choice":     `"messages":[` + ask + `],"tools":[` + function + `],"tool_choice":"required"`,
		"function_call":   `"messages":[` + ask + `],"functions":[{"name":"f"}],"function_call":{"name":"f"}`,
		"messages":        `"messages":[{"role":"system","content":"x"}]`,
		"response_format": `"messages":[` + ask + `],"response_format":{"type":"json_object"}`,
	} {
		got := s.Do(http.MethodPost, "/v1/chat/completions", key, `{"model":"stockhand",`+body+`}`)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(string(got.Body), `"param":"`+param+`"`) {
			t.Errorf("%s: %d %s", param, got.Status, got.Body)
		}
	}
}

func TestAnAnswerThatAStoppingServerDoesNotFinishIsToBeAskedAgain(t *testing.T) {
	for name, stream := range map[string]bool{"whole": false, "streamed": true} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Start(t, apptest.Options{Accounts: 1})
			if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 20000}); err != nil {
				t.Fatal(err)
			}
			answer := make(chan apptest.Answer, 1)
			key := s.Key(stockhand.ScopeChat)
			go func() {
				answer <- s.Do(http.MethodPost, "/v1/chat/completions", key, map[string]any{
					"model": "stockhand", "stream": stream,
					"stream_options": map[string]any{"include_tool_progress": true},
					"messages":       []any{map[string]any{"role": "user", "content": "остатки"}},
				})
			}()
			asked := func() bool {
				return slices.ContainsFunc(s.Sandbox.Requests(), func(r sandbox.Request) bool {
					return strings.Contains(r.Path, "report/stock")
				})
			}
			for deadline := time.Now().Add(time.Minute); !asked() && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
			}
			at, stop := context.WithCancel(t.Context())
			stop()
			s.Agent.Drain(at)
			got := <-answer
			body := string(got.Body)
			if stream {
				_, last, _ := strings.Cut(body, `data: {"error":`)
				body, _, _ = strings.Cut(`{"error":`+last, "\n")
			} else if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
				t.Errorf("%d %v", got.Status, got.Header)
			}
			var e struct {
				Error struct{ Type, Code, Message string }
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil || e.Error.Type != "server_error" ||
				e.Error.Code != "SERVER_STOPPING" {
				t.Errorf("%v: %s", err, got.Body)
			}
			_, path, _ := strings.Cut(strings.TrimRight(e.Error.Message, ")"), "GET ")
			if a := s.Do(http.MethodGet, path, s.AdminToken, nil); strings.Contains(string(a.Body), "cancelled") {
				t.Errorf("the run was cancelled: %s", a.Body)
			}
		})
	}
}
