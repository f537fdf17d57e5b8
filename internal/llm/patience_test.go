package llm_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// slept is a clock that passes only while a model waits.
type slept struct {
	at     time.Time
	pauses []time.Duration
}

func (s *slept) clock() llm.Clock {
	return llm.Clock{Now: func() time.Time { return s.at }, Sleep: func(ctx context.Context, d time.Duration) error {
		s.at = s.at.Add(d)
		s.pauses = append(s.pauses, d)
		return ctx.Err()
	}}
}

func (s *slept) whole() (sum time.Duration) {
	for _, d := range s.pauses {
		sum += d
	}
	return sum
}

func TestRule375_AFailingModelIsWaitedForAsLongAsTheRequestMay(t *testing.T) {
	down := func(status, requests int, after string) llmtest.Script {
		return func(n int, _ llmtest.Request) llmtest.Answer {
			if n < requests {
				return llmtest.Answer{Status: status, RetryAfter: after}
			}
			return llmtest.Say("снова здесь")
		}
	}
	const minute = time.Minute
	for name, c := range map[string]struct {
		script        llmtest.Script
		patience      time.Duration
		answered      bool
		least, most   time.Duration // waited
		fewest, asked int
	}{
		"an outage of minutes":        {down(503, 15, ""), 5 * minute, true, minute, 5 * minute, 16, 16},
		"an outage that does not end": {down(503, 1e9, ""), 5 * minute, false, minute, 5 * minute, 9, 40},
		"without patience":            {down(503, 1e9, ""), 0, false, time.Second, 2 * time.Second, 3, 3},
		"as asked":                    {down(429, 1, "90"), 5 * minute, true, 90 * time.Second, 2 * minute, 2, 2},
		"asked for too long":          {down(429, 1, "3600"), 5 * minute, false, 0, 0, 1, 1},
		"a permanent failure":         {down(400, 1e9, ""), 5 * minute, false, 0, 0, 1, 1},
		"more than is allowed":        {down(503, 1e9, ""), 9 * time.Hour, false, minute, 15 * minute, 9, 90},
	} {
		s := llmtest.New(t, c.script)
		clock := &slept{at: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
		config := s.Config()
		config.Clock = clock.clock()
		r := ask("x")
		r.Patience = c.patience
		reply, err := model(t, config).Complete(t.Context(), r, nil)
		if answered := err == nil && reply.Message.Content == "снова здесь"; answered != c.answered ||
			err != nil && stockhand.CodeOf(err) != stockhand.CodeModelUnavailable {
			t.Errorf("%s: %+v, %v", name, reply.Message, err)
		}
		if w := clock.whole(); w < c.least || w > c.most {
			t.Errorf("%s: waited %s (%s)", name, w, clock.pauses)
		}
		if n := len(s.Requests()); n < c.fewest || n > c.asked {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
}

func TestAnotherProviderThatIsBackEndsTheWaiting(t *testing.T) {
	first := llmtest.New(t, llmtest.Always(llmtest.Answer{Status: http.StatusNotFound}))
	second := llmtest.New(t, func(n int, _ llmtest.Request) llmtest.Answer {
		if n < 5 {
			return llmtest.Answer{Status: http.StatusBadGateway}
		}
		return llmtest.Say("второй")
	})
	c := first.Config()
	other := second.Config().Providers[0]
	other.Name = "other"
	c.Providers = append([]llm.ProviderConfig{other}, c.Providers...)
	c.Clock = (&slept{at: time.Now()}).clock()
	r := ask("x")
	r.Patience = time.Minute
	reply, err := model(t, c).Complete(t.Context(), r, nil)
	if err != nil || reply.Message.Content != "второй" { // although the last failure of a round was permanent
		t.Errorf("%+v, %v", reply.Message, err)
	}
}

func TestRefusalsForLackOfRoomAreRecognised(t *testing.T) { // rule R376
	for name, c := range map[string]struct {
		status int
		body   string
		want   bool
	}{
		"OpenAI": {400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages ` +
			`resulted in 130001 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
			true},
		"llama.cpp": {400, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 ` +
			`tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}`, true},
		"Anthropic":          {400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, true},
		"Google":             {400, `[{"error":{"message":"The input token count (1200000) exceeds the maximum"}}]`, true},
		"a large body":       {413, `Request Entity Too Large`, true},
		"another bad field":  {400, `{"error":{"message":"Unknown parameter: tools","code":"unknown_parameter"}}`, false},
		"a limit of tokens":  {429, `{"error":{"message":"Rate limit reached: too many tokens per minute"}}`, false},
		"an internal error":  {500, `{"error":{"message":"internal error"}}`, false},
		"no permission":      {403, `{"error":{"message":"context length"}}`, false},
		"an error in no way": {422, `<html>`, false},
	} {
		s := llmtest.New(t, llmtest.Always(llmtest.Answer{Status: c.status, Body: c.body}))
		config := s.Config()
		config.Clock = (&slept{at: time.Now()}).clock()
		_, err := model(t, config).Complete(t.Context(), ask("x"), nil)
		if llm.IsTooLong(err) != c.want || stockhand.CodeOf(err) != stockhand.CodeModelUnavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
}
