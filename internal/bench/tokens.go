package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store"
)

// measureTokens prints how many tokens a model receives for one question, and how many of them its provider has read
// before. The model is scripted to make the calls of a good model.
func measureTokens(ctx context.Context, products int) error {
	before, err := otherConversation(ctx)
	if err != nil {
		return err
	}
	shown, err := analysisTool(before)
	if err != nil {
		return err
	}
	fmt.Printf("\nTokens sent to a model, over the JSON of tools and messages, on %d products:\n", products)
	for _, q := range billed(time.Now()) {
		requests, err := conversation(ctx, products, q.task, q.script)
		if err != nil {
			return err
		}
		for _, encoding := range encodings {
			codec, err := tokenizer.Get(encoding)
			if err != nil {
				return err
			}
			warm, err := bill(codec, requests, before...)
			if err != nil {
				return err
			}
			cold, err := bill(codec, requests)
			if err != nil {
				return err
			}
			fmt.Printf("%-12s «%s»: %s; goal of the last two: %d. The first question of all: %d not cached\n", encoding,
				q.task, warm, q.most, cold.fresh())
		}
		for _, reader := range []llm.Reader{llm.ReaderFirst, llm.ReaderHint} {
			requests, err := conversationWith(ctx, reader, products, q.task, q.given)
			if err != nil {
				return err
			}
			codec, err := tokenizer.Get(encodings[0])
			if err != nil {
				return err
			}
			all, err := bill(codec, requests, before...)
			if err != nil {
				return err
			}
			fmt.Printf("%-12s «%s» with STOCKHAND_LLM_READER=%s: %s; goal of the last two: %d\n",
				encodings[0], q.task, reader, all, q.most)
		}
	}
	for _, encoding := range encodings {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			return err
		}
		all, err := toolTokens(codec, before[0])
		if err != nil {
			return err
		}
		n, err := codec.Count(shown)
		if err != nil {
			return err
		}
		fmt.Printf("%-12s all tools: %d (goal: under %d), of them %s with its catalogue: %d (goal: under 1500)\n",
			encoding, all, mostToolTokens, moysklad.Kind.Analyze, n)
	}
	return nil
}

var encodings = []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase}

// mostToolTokens is the goal for all tools together.
const mostToolTokens = 4500

// priced is a question whose cost is measured.
type priced struct {
	task   string
	script llmtest.Script
	given  llmtest.Script // where the reader has made the first call
	most   int            // the goal for tokens without the tools, and for those that are not cached
	steps  int
}

var monthNames = strings.Fields("январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь")

// billed returns the questions, asked on a day.
func billed(on time.Time) []priced {
	first := time.Date(on.Year(), on.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -1, 0)
	months := fmt.Sprintf(`"from":"%s","to":"%s","compare":{"with":"previous"}`, first.Format(time.DateOnly),
		first.AddDate(0, 1, -1).Format(time.DateOnly))
	change := func(id, measures, by string) llm.Call {
		return llmtest.Call(id, "analyze", fmt.Sprintf(`{"measures":[%s],"by":[%s],%s,"order":[{"field":"profit",`+
			`"change":true,"direction":"asc"}],"limit":10}`, measures, by, months))
	}
	return []priced{
		{"что заказать?", llmtest.Turns(
			llmtest.CallTool("shortages", `{}`),
			llmtest.Say("Закажите то, что ниже минимума: список — в результате.")), llmtest.Turns(
			llmtest.Say("Закажите то, что ниже минимума: список — в результате.")), 4000, 2},
		{fmt.Sprintf("сравни %s и %s: почему изменилась прибыль?", monthNames[first.Month()-1],
			monthNames[first.AddDate(0, -1, 0).Month()-1]), llmtest.Turns(
			llmtest.CallTools(
				llmtest.Call("call_1", "analyze", `{"measures":["profit","revenue","cost","margin"],`+months+
					`,"explain":true}`),
				change("call_2", `"profit","revenue","margin"`, `"group"`)),
			llmtest.CallTools(
				change("call_3", `"profit","quantity"`, `"product"`),
				change("call_4", `"profit"`, `"counterparty"`)),
			llmtest.Say("Прибыль изменилась из-за нескольких групп: они в результате.")), llmtest.Turns(
			llmtest.CallTools(
				change("call_2", `"profit","revenue","margin"`, `"group"`),
				change("call_3", `"profit","quantity"`, `"product"`)),
			llmtest.Say("Прибыль изменилась из-за нескольких групп: они в результате.")), 8000, 3},
	}
}

// receipt is what a run sends to the model.
type receipt struct {
	steps, all int
	tools      int // the definitions of tools, which every request repeats
	cached     int // at the start of each request: bytes that are those of a request before
}

func (c receipt) fresh() int { return c.all - c.cached }

// said are the tokens without the definitions of tools: the instructions and all messages, in every request again.
func (c receipt) said() int { return c.all - c.tools }

func (c receipt) String() string {
	if c.all == 0 {
		return "0 in 0 requests"
	}
	return fmt.Sprintf("%d in %d requests, %d%% of them cached; without the definitions of tools %d; not cached %d",
		c.all, c.steps, 100*c.cached/c.all, c.said(), c.fresh())
}

// bill counts the tokens of a run's requests. Providers keep what they have read of the tools and messages, in blocks
// of 128 tokens, and do not read again what a later request begins with.
func bill(codec tokenizer.Codec, requests []llmtest.Request, before ...llmtest.Request) (receipt, error) {
	c := receipt{steps: len(requests)}
	var earlier []string
	for _, r := range before {
		text, err := seen(r)
		if err != nil {
			return c, err
		}
		earlier = append(earlier, text)
	}
	for _, r := range requests {
		text, err := seen(r)
		if err != nil {
			return c, err
		}
		n, err := codec.Count(text)
		if err != nil {
			return c, err
		}
		c.all += n
		tools, err := toolTokens(codec, r)
		if err != nil {
			return c, err
		}
		c.tools += tools
		known := 0
		for _, e := range earlier {
			known = max(known, common(text, e))
		}
		cached, err := codec.Count(text[:known])
		if err != nil {
			return c, err
		}
		if cached >= leastCached {
			c.cached += cached - cached%cachedBlock
		}
		earlier = append(earlier, text)
	}
	return c, nil
}

// What OpenAI's cache keeps: https://platform.openai.com/docs/guides/prompt-caching
const (
	leastCached = 1024
	cachedBlock = 128
)

// common returns how many bytes two texts have in common at their start.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n < len(a) && n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// otherConversation returns the requests of another question to the same account.
func otherConversation(ctx context.Context) ([]llmtest.Request, error) {
	return conversation(ctx, 50, "подумай", llmtest.Turns(llmtest.Say("Готово.")))
}

// analysisTool returns the tool that answers queries as a model reads it, with the names of what can be asked.
func analysisTool(requests []llmtest.Request) (string, error) {
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

// seen returns what a model reads of a request, in its order.
func seen(r llmtest.Request) (string, error) {
	var read struct {
		Tools    json.RawMessage `json:"tools"`
		Messages json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(r.Body, &read); err != nil {
		return "", err
	}
	all := ""
	for _, part := range []json.RawMessage{read.Tools, read.Messages} {
		var decoded any
		if err := json.Unmarshal(part, &decoded); err != nil {
			return "", err
		}
		text, err := plain(decoded)
		if err != nil {
			return "", err
		}
		all += text
	}
	return all, nil
}

// toolTokens counts the tools of a request.
func toolTokens(codec tokenizer.Codec, r llmtest.Request) (int, error) {
	var read struct {
		Tools []any `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &read); err != nil {
		return 0, err
	}
	text, err := plain(read.Tools)
	if err != nil {
		return 0, err
	}
	return codec.Count(text)
}

// conversation runs one task on a sandbox of that size with a scripted model, and returns the requests to the model.
func conversation(ctx context.Context, products int, task string, script llmtest.Script) ([]llmtest.Request, error) {
	return conversationWith(ctx, llm.ReaderOff, products, task, script)
}

// conversationWith is conversation with the reader of tasks.
func conversationWith(ctx context.Context, reader llm.Reader, products int, task string, script llmtest.Script) (
	[]llmtest.Request, error) {
	model, err := llmtest.Start(script) //nolint:contextcheck // it serves until it is closed
	if err != nil {
		return nil, err
	}
	defer model.Close()
	c := model.Config()
	c.Reader = reader
	f, err := converse(ctx, products, task, c)
	if err != nil {
		return nil, err
	}
	if f.Failure != nil {
		return nil, fmt.Errorf("the run failed: %s", f.Failure.Message)
	}
	return model.Requests(), nil
}

// converse runs one task on a sandbox of that size with a model.
func converse(ctx context.Context, products int, task string, config llm.Config) (*agent.Finished, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	models, err := llm.Load(config, nil)
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
	account := connector.Config{BaseURL: url + sandbox.APIPath, Token: server.Accounts()[0].Tokens.Owner,
		Limiter: unlimited{}}
	who, err := moysklad.Kind.Verify(ctx, account)
	if err != nil {
		return nil, err
	}
	_, err = db.CreateConnection(ctx, org.ID,
		stockhand.Connection{Connector: "moysklad", Account: who.Account, Label: who.Organization,
			Employee: who.Employee, Rights: who.Rights, Sealed: []byte("x")})
	if err != nil {
		return nil, err
	}
	a := agent.New(agent.Config{Store: db, Accounts: one{moysklad.Kind.Open(account, who)},
		Drafts: draft.New(draft.Config{Store: db}), Notes: &notes.Service{Store: db},
		Measures: func(context.Context, stockhand.OrgID) (*connector.Catalogue, error) {
			return moysklad.Kind.Catalogue, nil
		},
		Model: agent.Model{Model: models.Model(), Limits: config.Limits, Reader: config.Reader}})
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
	return a.Finished(ctx, org.ID, turn.Run)
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
