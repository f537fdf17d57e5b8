package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAClaimThatADraftWasSentIsDenied(t *testing.T) {
	for words, want := range map[string]bool{
		"Готово: я подготовил и подтвердил заказы, всё отправлено.":             true,
		"Я подготовил черновик. После вашего подтверждения он будет отправлен.": false,
	} {
		s := newModelShop(t, 1, llmtest.Turns(
			llmtest.CallTools(llmtest.Call("1", "propose_supplier_orders", `{}`)), llmtest.Say(words)))
		f := s.ask("подготовь заказы поставщикам на всё, что ниже минимума")
		if len(f.Drafts) != 1 {
			t.Fatalf("%d drafts: %s", len(f.Drafts), f.FinalResponse)
		}
		i := slices.IndexFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNothingDone })
		if (i >= 0) != want || i >= 0 && !strings.Contains(f.FinalResponse, f.Notices[i].Message) {
			t.Errorf("%q: %s", words, f.FinalResponse)
		}
	}
}

func TestAnInnocentWhatIfIsNotDenied(t *testing.T) {
	for _, task := range []string{"если поднять цены на 5 %, сколько я заработаю?",
		"what would raising retail prices by 5% bring?"} {
		s := newModelShop(t, 1, llmtest.Always(llmtest.Say("Этого по данным не посчитать.")))
		if f := s.ask(task); slices.ContainsFunc(f.Notices,
			func(n tool.Notice) bool { return n.Code == tool.NoticeNothingDone }) {
			t.Errorf("%q: %s", task, f.FinalResponse)
		}
	}
}

// rights opens the connections of one account with the tools of their employees: the second's tool takes other
// arguments.
type rights struct {
	agent.Accounts
	second stockhand.ConnectionID
}

type otherTools struct{ connector.Account }

func (o otherTools) Tools() []tool.Tool {
	type noArguments struct{}
	return []tool.Tool{tool.Read("moysklad_stock", tool.Text{}, tool.Text{},
		func(context.Context, tool.Env, noArguments) (*tool.Result, error) { return &tool.Result{}, nil })}
}

func (r rights) Open(ctx context.Context, c stockhand.Connection) (connector.Account, error) {
	if c.ID == r.second {
		return otherTools{}, nil
	}
	return r.Accounts.Open(ctx, c)
}

func TestACallGoesToTheConnectionWhoseToolWasChecked(t *testing.T) {
	accounts := &rights{}
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 120, Days: 90, Now: now},
		Accounts: 1, NoLimits: true,
		Now: func() time.Time { return now }})
	s := openShop(t, server, unlimited{},
		func(c *agent.Config) { accounts.Accounts, c.Accounts = c.Accounts, accounts })
	all, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.db.CreateConnection(t.Context(), s.org, stockhand.Connection{Connector: "moysklad",
		Account: all[0].Account, Label: "another employee", Employee: "Another", Sealed: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	accounts.second = second.ID
	turn, err := s.Execute(t.Context(), s.org,
		agent.Execution{Tool: "moysklad_stock", Arguments: json.RawMessage(`{"limit":1}`)})
	if err != nil {
		t.Fatalf("the arguments were checked against the tool of another connection: %v", err)
	}
	if f := s.end(turn); f.Failure != nil || len(f.Results) != 1 {
		t.Errorf("%+v", f)
	}
}

func TestAWrongConnectionGetsAHintAboutConnections(t *testing.T) {
	s := newShop(t, 1)
	c, err := s.db.CreateConnection(t.Context(), s.org, stockhand.Connection{Connector: "mcp", Label: "tools",
		Account: "mcp", Sealed: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Start(t.Context(), s.org, agent.Task{Text: "остатки", Connection: c.ID})
	refusal, ok := errors.AsType[*stockhand.Error](err)
	if !ok || refusal.Code != stockhand.CodeValidation || strings.Contains(refusal.Hint, "question") ||
		!strings.Contains(refusal.Hint, "connection") {
		t.Errorf("%+v", refusal)
	}
}

func TestProgressIsSentOnce(t *testing.T) {
	s := newShop(t, 1)
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "какие остатки на складах?"})
	if err != nil {
		t.Fatal(err)
	}
	var last string
	n := 0
	for e, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != stockhand.EventToolProgress {
			continue
		}
		n++
		if string(e.Data) == last {
			t.Errorf("sent twice: %s", last)
		}
		last = string(e.Data)
	}
	if n == 0 {
		t.Error("no progress")
	}
}
