package main

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// The goal of what one question costs, and the promise of llm.Estimate that a reservation made with it is not overshot.
func TestAQuestionCostsLessThanFourThousandTokensAndTheEstimate(t *testing.T) {
	requests, err := conversation(t.Context(), 2000, "что заказать?",
		llmtest.Turns(llmtest.CallTool("shortages", `{}`), llmtest.Say("Список — в результате.")))
	if err != nil {
		t.Fatal(err)
	}
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		all := 0
		for i, r := range requests {
			n, err := tokens(codec, r)
			if err != nil {
				t.Fatal(err)
			}
			if most := llm.Estimate(string(r.Body)); n > most {
				t.Errorf("%s, request %d: %d tokens, estimated at most %d", encoding, i+1, n, most)
			}
			all += n
		}
		if all >= 4000 || len(requests) != 2 {
			t.Errorf("%s: %d tokens in %d requests", encoding, all, len(requests))
		}
	}
}

// The goal of what the tool costs that answers queries, with the names of everything that can be asked.
func TestTheCatalogueCostsLessThanFifteenHundredTokens(t *testing.T) {
	shown, err := analysisTool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moysklad.Kind.Catalogue.Measures {
		if !strings.Contains(shown, m.Name) {
			t.Errorf("a model does not see %s", m.Name)
		}
	}
	for _, d := range moysklad.Kind.Catalogue.Dimensions {
		if !strings.Contains(shown, d.Name) {
			t.Errorf("a model does not see %s", d.Name)
		}
	}
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := codec.Count(shown); err != nil || n >= 1500 {
			t.Errorf("%s: %d tokens, %v", encoding, n, err)
		}
	}
}
