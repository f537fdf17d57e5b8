package main

import (
	"strings"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/llm"
)

// The goals of what questions and tools cost (rule R371), and the promise of llm.Estimate that a reservation made with
// it is not overshot.
func TestAQuestionCostsLessThanFourThousandTokensAndTheEstimate(t *testing.T) {
	before, err := otherConversation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range billed(time.Now()) {
		requests, err := conversation(t.Context(), 2000, q.task, q.script)
		if err != nil {
			t.Fatal(err)
		}
		if len(requests) > q.steps {
			t.Errorf("«%s»: %d requests", q.task, len(requests))
		}
		for _, encoding := range encodings {
			codec, err := tokenizer.Get(encoding)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range requests {
				text, err := seen(r)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := codec.Count(text); err != nil || n > llm.Estimate(string(r.Body)) {
					t.Errorf("%s, request %d: %d tokens, estimated at most %d, %v", encoding, i+1, n,
						llm.Estimate(string(r.Body)), err)
				}
			}
			paid, err := bill(codec, requests, before...)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s «%s»: %s", encoding, q.task, paid)
			if paid.fresh() >= q.most || paid.said() >= q.most {
				t.Errorf("%s «%s»: %s, the goal is %d not cached, and as many without the tools", encoding, q.task, paid,
					q.most)
			}
			if n, err := toolTokens(codec, requests[0]); err != nil || n >= mostToolTokens {
				t.Errorf("%s: the tools are %d tokens, %v", encoding, n, err)
			}
		}
	}
}

// The goal of what the tool costs that answers queries, with the names of everything that can be asked.
func TestTheCatalogueCostsLessThanFifteenHundredTokens(t *testing.T) {
	requests, err := otherConversation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shown, err := analysisTool(requests)
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
	for _, encoding := range encodings {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := codec.Count(shown); err != nil || n >= 1500 {
			t.Errorf("%s: %d tokens, %v", encoding, n, err)
		}
	}
}
