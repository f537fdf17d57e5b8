package cassette_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/llm"
)

func conversation(task string, bodies ...string) *cassette.Cassette {
	t := cassette.Turn{Task: task, At: time.Unix(0, 0).UTC(), Outcome: json.RawMessage(`{"answer":"ok"}`)}
	for _, b := range bodies {
		t.Exchanges = append(t.Exchanges, cassette.Exchange{Connection: "account 1", Request: "GET /" + b, Status: 200,
			Body: json.RawMessage(b)})
	}
	return &cassette.Cassette{Turns: []cassette.Turn{t}}
}

func written(t *testing.T, c *cassette.Cassette, s cassette.Secrets) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rule R400.
func TestNamesAndServersAreReplaced(t *testing.T) {
	t.Parallel()
	var s cassette.Secrets
	s.Employee(`Ann "A" Lee`, "ann@shop")
	s.Employee("Ян", "")
	s.Server("http://10.0.0.7:8080/api/remap/1.2")
	for text, want := range map[string]string{
		`"Ann \"A\" Lee"`:                             `"Employee"`,
		`"by\nAnn \"A\" Lee, ann@shop"`:               `"by\nEmployee, employee@account"`,
		`"Ян, Янтарь, Ян"`:                            `"Employee, Янтарь, Employee"`,
		`"http://10.0.0.7:8080/api/x"`:                `"https://account.invalid/api/x"`,
		`"?f=a%3Dhttp%3A%2F%2F10.0.0.7%3A8080%2Fapi"`: `"?f=a%3Dhttps%3A%2F%2Faccount.invalid%2Fapi"`,
	} {
		got := written(t, conversation("x", text), s)
		if !strings.Contains(got, `"body":`+want) {
			t.Errorf("%s is written as %s", text, got)
		}
	}
}

// rule R400.
func TestACassetteWithACredentialIsNotWritten(t *testing.T) {
	t.Parallel()
	var s cassette.Secrets
	s.Token("0123456789abcdef")
	for _, body := range []string{`"0123456789abcdef"`, `{"a":"MDEyMzQ1Njc4OWFiY2RlZg=="}`} {
		var b bytes.Buffer
		if err := conversation("x", body).Write(&b, s); err == nil || strings.Contains(b.String(), "0123456789abcdef") {
			t.Errorf("%s is written, %v", body, err)
		}
	}
}

func TestRandomIDsAreNumbered(t *testing.T) {
	t.Parallel()
	first, second := stockhand.NewID[string]("res"), stockhand.NewID[string]("drf")
	got := written(t, conversation(second+" and "+first+", again "+second), cassette.Secrets{})
	if want := "drf_00000000000000000000000001 and res_00000000000000000000000002, again drf_00000000000000000000000001"; !strings.Contains(got, want) {
		t.Errorf("%s", got)
	}
}

func TestACassetteIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	c := conversation("x", `{"a":1}`, `[0.10]`)
	tools := []cassette.Tool{{Name: "stock", Parameters: json.RawMessage(`{}`)}}
	system := llm.Message{Role: llm.System, Content: "Answer."}
	c.Turns[0].Steps = []cassette.Step{
		{Messages: []llm.Message{system}, Tools: tools, MaxTokens: 9, Reply: cassette.Reply{Model: "a/b", Cost: 3}},
		{Messages: []llm.Message{system, {Role: llm.User, Content: "<x>"}}, Tools: tools, Answer: true,
			Failure: &cassette.Failure{Code: stockhand.CodeModelUnavailable, Message: "no"}},
	}
	text := written(t, c, cassette.Secrets{})
	if strings.Count(text, "Answer.") != 1 || strings.Count(text, `"stock"`) != 1 {
		t.Errorf("what repeats is written again: %s", text)
	}
	back, err := cassette.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if again := written(t, back, cassette.Secrets{}); again != text {
		t.Errorf("wrote\n%s\nand then\n%s", text, again)
	}
}

func TestRepeatedRequestsThatFailedAreLeftOut(t *testing.T) {
	t.Parallel()
	c := conversation("x")
	for _, status := range []int{429, 0, 503, 200, 404} {
		c.Turns[0].Exchanges = append(c.Turns[0].Exchanges, cassette.Exchange{Connection: "a", Request: "GET /x",
			Status: status})
	}
	c.Turns[0].Exchanges = append(c.Turns[0].Exchanges, cassette.Exchange{Connection: "a", Request: "GET /y",
		Status: 500})
	back, err := cassette.Read(strings.NewReader(written(t, c, cassette.Secrets{})))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, x := range back.Turns[0].Exchanges {
		got = append(got, x.Status)
	}
	if len(got) != 3 || got[0] != 200 || got[1] != 404 || got[2] != 500 {
		t.Errorf("%v are kept", got)
	}
}

func TestWhatIsNoCassetteIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", "text", `{"cassette":2}`, "{\"cassette\":1}\n{\"outcome\":{}}",
		"{\"cassette\":1}\n{\"turn\":{}}\n{\"more\":1}", "{\"cassette\":1}\n{\"turn\":{}}\n{\"model\":{\"messages\":[]}}",
		"{\"cassette\":1}\n{\"turn\":{}}\n{\"model\":{\"kept_messages\":2,\"messages\":[],\"reply\":{}}}"} {
		if _, err := cassette.Read(strings.NewReader(text)); stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%q: %v", text, err)
		}
	}
}
