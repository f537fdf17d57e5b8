package responses

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sse"
)

// parsed is a request to a model with a body's other fields.
func parsed(t *testing.T, more string) Request {
	t.Helper()
	q, err := Parse([]byte(`{"model":"p/m",` + more + `}`))
	if err != nil {
		t.Fatalf("%s: %v", more, err)
	}
	return q
}

func TestARequestIsAChat(t *testing.T) {
	const hi = `"messages":[{"role":"user","content":"hi"}],`
	for more, want := range map[string]string{
		`"input":"hi"`:                            hi,
		`"input":"hi","store":false,"seed":1`:     hi + `"seed":1`,
		`"input":"hi","stream":true`:              hi + `"stream":true`,
		`"input":"hi","max_output_tokens":5`:      `"max_tokens":5,` + hi,
		`"input":"hi","reasoning":{"effort":"x"}`: hi + `"reasoning_effort":"x"`,
		`"input":"hi","instructions":"be"`:        `"messages":[{"role":"system","content":"be"},{"role":"user","content":"hi"}],`,
		`"input":"hi","text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"a":1}},"verbosity":"low"}`: hi +
			`"response_format":{"json_schema":{"name":"n","schema":{"a":1},"strict":true},"type":"json_schema"},"verbosity":"low"`,
		`"input":"hi","text":{"format":{"type":"json_object"}}`: hi + `"response_format":{"type":"json_object"}`,
		`"input":"hi","tools":[{"type":"function","name":"f","description":"d","parameters":{},"strict":false}],` +
			`"tool_choice":{"type":"function","name":"f"}`: hi +
			`"tool_choice":{"type":"function","function":{"name":"f"}},"tools":[{"type":"function","function":` +
			`{"name":"f","description":"d","parameters":{},"strict":false}}]`,
		`"input":"hi","tools":[{"type":"function","name":"f"}],` +
			`"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"}]}`: hi +
			`"tool_choice":{"allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]},` +
			`"type":"allowed_tools"},"tools":[{"type":"function","function":{"name":"f"}}]`,
		`"input":[{"role":"developer","content":"be"},{"role":"user","content":[{"type":"input_text","text":"a"},` +
			`{"type":"input_text","text":"b"}]}]`: `"messages":[{"role":"system","content":"be"},` +
			`{"role":"user","content":"a\nb"}],`,
		`"input":[{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_file","filename":"f",` +
			`"file_data":"d"}]}]`: `"messages":[{"role":"user","content":[{"text":"a","type":"text"},` +
			`{"file":{"file_data":"d","filename":"f"},"type":"file"}]}],`,
		`"input":[{"role":"user","content":"hi"},{"role":"assistant","content":"let me see"},` +
			`{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},` +
			`{"type":"function_call","call_id":"2","name":"g","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"1","output":"x"},` +
			`{"type":"function_call_output","call_id":"2","output":""}]`: `"messages":[{"role":"user","content":"hi"},` +
			`{"role":"assistant","content":"let me see","tool_calls":[` +
			`{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},` +
			`{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]},` +
			`{"role":"tool","content":"x","tool_call_id":"1"},{"role":"tool","content":"","tool_call_id":"2"}],`,
	} {
		q := parsed(t, more)
		messages, err := Messages(q.Input)
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.Chat(messages, "max_tokens")
		if err != nil {
			t.Fatal(err)
		}
		want = `{"model":"p/m",` + strings.TrimSuffix(want, ",") + "}"
		if !same(t, string(got), want) {
			t.Errorf("%s\nis  %s\nnot %s", more, got, want)
		}
	}
}

// same reports whether two JSON texts say the same.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%v in %s", err, a)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// A model's answer in pieces, as servers send them, is the same output as the whole answer, and each item's events are
// complete.
func TestPiecesAreTheWholeAnswer(t *testing.T) {
	const finish = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	call := func(fields, name, arguments string) string {
		return `{"choices":[{"delta":{"tool_calls":[{` + fields + `"function":{"name":"` + name + `","arguments":"` +
			arguments + `"}}]}}]}`
	}
	text := func(s string) string { return `{"choices":[{"delta":{"content":"` + s + `"}}]}` }
	for name, c := range map[string]struct {
		pieces []string
		want   string
	}{
		"text":              {[]string{text(""), text("a"), text("b"), finish}, "message:ab"},
		"text without stop": {[]string{text("a"), "[DONE]"}, "message:a"},
		"a refusal":         {[]string{`{"choices":[{"delta":{"refusal":"no"}}]}`, finish}, "message:no"},
		"text, then calls": {[]string{text("a"), call(`"index":0,"id":"x",`, "f", ""), call(`"index":0,`, "", "{}"),
			call(`"index":1,"id":"y",`, "g", "1"), finish}, "message:a x=f({}) y=g(1)"},
		"calls at once": {[]string{call(`"index":0,"id":"x",`, "f", "1"), call(`"index":1,"id":"y",`, "g", "2"),
			call(`"index":0,`, "", "3"), call(`"index":1,`, "", "4"), finish}, "x=f(13) y=g(24)"},
		"calls with one number": {[]string{call(`"index":0,"id":"x",`, "f", "1"), call(`"index":0,"id":"y",`, "g", "2"),
			finish}, "x=f(1) y=g(2)"},
		"a call without arguments": {[]string{call(`"id":"x",`, "f", ""), finish}, "x=f({})"},
		"text after a call":        {[]string{call(`"id":"x",`, "f", "1"), text("a"), finish}, "x=f(1) message:a"},
		"null and unknown fields": {[]string{`{"choices":[{"delta":{"content":null,"reasoning":"x","tool_calls":null},` +
			`"finish_reason":null}],"usage":null}`, text("a"), finish}, "message:a"},
	} {
		w := httptest.NewRecorder()
		p := &Provider{Stream: NewStream(w, parsed(t, `"input":"hi"`).New(stockhand.NewID[stockhand.ResponseID]("resp"),
			time.Now()))}
		p.Begin()
		for _, piece := range c.pieces {
			if err := p.Read([]byte(piece)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if !p.Done(time.Now()) {
			t.Errorf("%s is not done", name)
		}
		p.End()
		if got := output(p.Output); got != c.want {
			t.Errorf("%s is %s, not %s", name, got, c.want)
		}
		wantComplete(t, name, w.Body.String(), p.Response)
	}
}

// output is an output in short.
func output(all []OutputItem) string {
	var out []string
	for _, o := range all {
		if o.Type == typeCall {
			out = append(out, o.CallID+"="+o.Name+"("+*o.Arguments+")")
			continue
		}
		text, _ := o.item().Content.text()
		out = append(out, o.Type+":"+text)
	}
	return strings.Join(out, " ")
}

// wantComplete wants that the pieces of each item are its text, and that each item begins and ends once, completed.
func wantComplete(t *testing.T, name, stream string, r *Response) {
	t.Helper()
	pieces, begun, ended := map[string]string{}, map[string]int{}, map[string]int{}
	for e, err := range sse.Read(strings.NewReader(stream)) {
		if err != nil {
			t.Fatal(err)
		}
		var event struct {
			Type  string     `json:"type"`
			Item  OutputItem `json:"item"`
			ID    string     `json:"item_id"`
			Delta string     `json:"delta"`
		}
		if err := json.Unmarshal(e.Data, &event); err != nil || event.Type != e.Name {
			t.Fatalf("%s: %v %s", name, err, e.Data)
		}
		pieces[event.ID] += event.Delta
		switch event.Type {
		case "response.output_item.added":
			begun[event.Item.ID]++
		case "response.output_item.done":
			ended[event.Item.ID]++
			if event.Item.Status != Completed {
				t.Errorf("%s: %s", name, e.Data)
			}
		}
	}
	for _, o := range r.Output {
		text, _ := o.item().Content.text()
		if o.Arguments != nil {
			text = *o.Arguments
		}
		if begun[o.ID] != 1 || ended[o.ID] != 1 || pieces[o.ID] != text && text != "{}" {
			t.Errorf("%s: %s begins %d times and ends %d times; its pieces are %q", name, o.ID, begun[o.ID], ended[o.ID],
				pieces[o.ID])
		}
		if ResponseOf(o.ID) != r.ID {
			t.Errorf("%s is of %s, not of %s", o.ID, r.ID, ResponseOf(o.ID))
		}
	}
}

func TestAnAnswerWithAnErrorOrWithoutAnEndIsNotDone(t *testing.T) {
	for _, piece := range []string{`{"error":{"message":"overloaded"}}`, `{"choices":[{"delta":{"content":"a"}}]}`, `{`} {
		p := &Provider{Stream: NewStream(nil, parsed(t, `"input":"hi"`).New("resp_1", time.Now()))}
		if err := p.Read([]byte(piece)); err == nil && p.Done(time.Now()) {
			t.Errorf("%s is done", piece)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"model":"m","input":[{"type":"function_call","call_id":"1","name":"f"}],"tools":[{}],"tool_choice":{}}`))
	f.Add([]byte(`{"model":"m","input":[{"content":[{"type":"refusal"}],"role":"user"},{"id":"x"}],"text":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := Parse(body)
		if err != nil {
			return
		}
		if messages, err := Messages(q.Input); err == nil {
			if chat, err := q.Chat(messages, "max_tokens"); err == nil && !json.Valid(chat) {
				t.Errorf("%s becomes %s", body, chat)
			}
		}
		if b, err := json.Marshal(q.New("resp_1", time.Now())); err != nil || !json.Valid(b) {
			t.Errorf("%s: %v", body, err)
		}
	})
}
