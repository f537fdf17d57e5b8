package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store"
)

// measureTokens prints how many tokens a model receives for one question: over the whole run, and per request for the
// instructions, tools and results. The model is scripted to make the calls of a good model.
func measureTokens(ctx context.Context, products int) error {
	const task = "что заказать?"
	requests, err := conversation(ctx, products, task, llmtest.Turns(
		llmtest.CallTool("shortages", `{}`),
		llmtest.Say("Закажите то, что ниже минимума: список — в результате.")))
	if err != nil {
		return err
	}
	fmt.Printf("\nTokens sent to the model for «%s» on %d products, counted over the JSON of messages and tools:\n",
		task, products)
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			return err
		}
		all := 0
		line := ""
		for i, r := range requests {
			n, err := tokens(codec, r)
			if err != nil {
				return err
			}
			all += n
			line += fmt.Sprintf("  request %d: %d", i+1, n)
		}
		fmt.Printf("%-12s whole run %d (goal: under 4000)%s\n", encoding, all, line)
		shown, err := analysisTool(ctx)
		if err != nil {
			return err
		}
		n, err := codec.Count(shown)
		if err != nil {
			return err
		}
		fmt.Printf("%-12s %s with its catalogue: %d (goal: under 1500)\n", encoding, moysklad.Kind.Analyze, n)
	}
	return nil
}

// analysisTool returns the tool that answers queries as a model reads it, with the names of what can be asked.
func analysisTool(ctx context.Context) (string, error) {
	requests, err := conversation(ctx, 50, "подумай", llmtest.Turns(llmtest.Say("Готово.")))
	if err != nil {
		return "", err
	}
	for _, r := range requests {
		var read struct {
			Tools []struct {
				Function struct {
					Name        string `json:"name"`
					Description string `json:"description"`
					Parameters  any    `json:"parameters"`
				} `json:"function"`
			} `json:"tools"`
		}
		if err := json.Unmarshal(r.Body, &read); err != nil {
			return "", err
		}
		for _, t := range read.Tools {
			if strings.HasSuffix(moysklad.Kind.Analyze, t.Function.Name) {
				return plain(t)
			}
		}
	}
	return "", fmt.Errorf("no model was shown %s", moysklad.Kind.Analyze)
}

// plain encodes a value without the escape sequences of the wire format.
func plain(v any) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return out.String(), err
}

// tokens counts the parts of a request that a model reads.
func tokens(codec tokenizer.Codec, r llmtest.Request) (int, error) {
	var read struct {
		Messages json.RawMessage `json:"messages"`
		Tools    json.RawMessage `json:"tools,omitempty"`
	}
	if err := json.Unmarshal(r.Body, &read); err != nil {
		return 0, err
	}
	var decoded any
	b, err := json.Marshal(read)
	if err == nil {
		err = json.Unmarshal(b, &decoded)
	}
	if err != nil {
		return 0, err
	}
	text, err := plain(decoded)
	if err != nil {
		return 0, err
	}
	return codec.Count(text)
}

// conversation runs one task on a sandbox of that size with a scripted model, and returns the requests to the model.
func conversation(ctx context.Context, products int, task string, script llmtest.Script) ([]llmtest.Request, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	model, err := llmtest.Start(script) //nolint:contextcheck // it serves until it is closed
	if err != nil {
		return nil, err
	}
	defer model.Close()
	models, err := llm.Load(model.Config(), nil)
	if err != nil {
		return nil, err
	}
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: products}, Accounts: 1,
		NoLimits: true})
	url, err := sandbox.Listen(ctx, "127.0.0.1:0", server)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, "", nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	org, err := db.CreateOrganization(ctx, stockhand.NewID[stockhand.OrgID]("org"), "bench")
	if err != nil {
		return nil, err
	}
	config := connector.Config{BaseURL: url + sandbox.APIPath, Token: server.Accounts()[0].Tokens.Owner,
		Limiter: unlimited{}}
	who, err := moysklad.Kind.Verify(ctx, config)
	if err != nil {
		return nil, err
	}
	_, err = db.CreateConnection(ctx, org.ID,
		stockhand.Connection{Connector: "moysklad", Account: who.Account, Label: who.Organization,
			Employee: who.Employee, Rights: who.Rights, Sealed: []byte("x")})
	if err != nil {
		return nil, err
	}
	a := agent.New(agent.Config{Store: db, Accounts: one{moysklad.Kind.Open(config, who)},
		Drafts: draft.New(draft.Config{Store: db}), Model: agent.Model{Model: models.Model()}})
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() { a.Run(ctx) })
	defer stop()
	turn, err := a.Start(ctx, org.ID, agent.Task{Text: task})
	if err != nil {
		return nil, err
	}
	for _, err := range a.Follow(ctx, org.ID, turn.Run, 0) {
		if err != nil {
			return nil, err
		}
	}
	f, err := a.Finished(ctx, org.ID, turn.Run)
	if err != nil {
		return nil, err
	}
	if f.Failure != nil {
		return nil, fmt.Errorf("the run failed: %s", f.Failure.Message)
	}
	return model.Requests(), nil
}

// one opens the same account for every connection.
type one struct{ connector.Account }

func (o one) Open(context.Context, stockhand.Connection) (connector.Account, error) {
	return o.Account, nil
}

func (one) Kind(string) (connector.Kind, error) { return moysklad.Kind, nil }

// unlimited never delays a request.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// tokenProducts is the shop size that the goal refers to.
const tokenProducts = 10_000
