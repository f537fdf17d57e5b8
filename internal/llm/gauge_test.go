package llm_test

import (
	"testing"

	"github.com/stockhand/stockhand/internal/llm"
)

// R470
func TestEstimatesAreCalibratedFromUsage(t *testing.T) {
	var g llm.Gauge
	if got := g.Tokens(1000); got != 1000 {
		t.Errorf("%d before anything is known", got)
	}
	g.Observe("a/b", 100, 10) // too short to say anything
	g.Observe("a/b", 10_000, 5_000)
	if got := g.Tokens(1000); got < 500 || got > 600 {
		t.Errorf("%d, want about 550", got)
	}
	g.Observe("a/large", 10_000, 8_000)
	if got := g.Tokens(1000); got < 800 {
		t.Errorf("%d: the model that needs the most decides", got)
	}
	g.Observe("a/large", 10_000, 1_000_000)
	if got := g.Tokens(1000); got > 1500 {
		t.Errorf("%d: a provider reports nonsense", got)
	}
}

func TestTheContextIsThatOfTheSmallestModel(t *testing.T) {
	of := func(sizes ...int) int {
		c := llm.Config{Providers: []llm.ProviderConfig{{Name: "a", BaseURL: "http://localhost/v1"}}}
		for i, n := range sizes {
			name := string(rune('a' + i))
			c.Providers[0].Models = append(c.Providers[0].Models, llm.ModelConfig{Name: name, Context: n})
			c.Agent = append(c.Agent, "a/"+name)
		}
		p, err := llm.Load(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Context()
	}
	if got := of(200_000, 0, 100_000); got != llm.DefaultContext {
		t.Errorf("%d", got)
	}
	if got := of(200_000, 32_000); got != 32_000 {
		t.Errorf("%d", got)
	}
	_, err := llm.Load(llm.Config{Providers: []llm.ProviderConfig{{Name: "a", BaseURL: "http://localhost/v1",
		Models: []llm.ModelConfig{{Name: "b", Context: 100}}}}}, nil)
	if err == nil {
		t.Error("a context of 100 tokens is accepted")
	}
}
