package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/llm"
)

// A server of the older form: functions, an object of arguments, the state's id, and no reason at the end of an answer.
func TestAnOlderProviderGetsFunctionsAndItsStateID(t *testing.T) {
	const state = "77d3fb14-457a-46ba-937e-8d856156d003"
	var bodies []map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/oauth") {
			fmt.Fprintf(w, `{"access_token":"t","expires_at":%d}`, time.Now().Add(time.Hour).UnixMilli())
			return
		}
		body, _ := io.ReadAll(r.Body)
		var b map[string]any
		if err := json.Unmarshal(body, &b); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, b)
		w.Header().Set("Content-Type", "text/event-stream")
		if len(bodies) == 1 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"function_call\":{\"name\":\"stock\",\"arguments\":{\"limit\":5}},\"functions_state_id\":%q},\"finish_reason\":\"function_call\"}]}\n\ndata: [DONE]\n\n", state)
			return
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Пять \"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"штук\"}}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	m := model(t, llm.Config{Providers: []llm.ProviderConfig{{
		Name: "giga", BaseURL: s.URL + "/v1", APIKey: "k",
		Auth: &llm.AuthConfig{Type: "gigachat", URL: s.URL + "/oauth"}, Models: []llm.ModelConfig{{Name: "Max"}},
	}}})
	r := ask("остатки?")
	r.Tools = []llm.Tool{{Name: "stock", Description: "stock",
		Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}}
	reply, err := m.Complete(t.Context(), r, nil)
	if err != nil || len(reply.Message.Calls) != 1 ||
		reply.Message.Calls[0].Function != (llm.Function{Name: "stock", Arguments: `{"limit":5}`}) ||
		reply.Message.Calls[0].ID != state {
		t.Fatalf("%+v, %v", reply, err)
	}
	r.Messages = append(r.Messages, reply.Message, llm.Message{Role: llm.ToolRole, Content: "пять", CallID: state})
	r.Answer = true
	if reply, err = m.Complete(t.Context(), r, nil); err != nil || reply.Message.Content != "Пять штук" {
		t.Fatalf("%+v, %v", reply, err)
	}
	sent, err := json.Marshal(bodies[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"content":"","function_call":{"arguments":{"limit":5},"name":"stock"},"functions_state_id":"` + state +
			`","role":"assistant"}`,
		`{"content":"{\"result\":\"пять\"}","name":"stock","role":"function"}`, `"function_call":"none"`,
		`"functions":[{`,
	} {
		if !strings.Contains(string(sent), want) {
			t.Errorf("%s was not sent: %s", want, sent)
		}
	}
	if strings.Contains(string(sent), `"tools"`) || strings.Contains(string(sent), "stream_options") {
		t.Errorf("sent what the older form does not know: %s", sent)
	}
}
