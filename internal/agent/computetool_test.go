package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

func computed(sql string) llmtest.Answer {
	b, _ := json.Marshal(map[string]string{"sql": sql})
	return llmtest.CallTool("compute", string(b))
}

// A model computes with SQL over the results of this turn and of earlier ones, and its figures are found.
func TestAModelComputesOverTheConversationsResults(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		read := r.Last(llm.ToolRole).Content
		switch n {
		case 0:
			return llmtest.CallTool("money", `{}`)
		case 1:
			return llmtest.Say("Денег хватает.")
		case 2:
			return llmtest.CallTool("stock", `{}`)
		case 3:
			if !strings.Contains(read, " = r2: stock {") {
				t.Errorf("the model does not learn the name of the table: %s", read)
			}
			return computed("SELECT sum(balances) FROM r1")
		case 4:
			if !strings.Contains(read, `no such column: "balances"`) || !strings.Contains(read, "r1(organization text, account text") {
				t.Errorf("a wrong query is not explained: %s", read)
			}
			return computed("SELECT (SELECT sum(balance) FROM r1 WHERE currency(balance) = 'RUB') AS balance, avg(available) * 3 AS three FROM r2 " +
				"WHERE available > 0 AND unit(available) = 'шт'")
		}
		return llmtest.Say("На счетах " + row(r)["balance"] + " ₽, утроенное среднее — " +
			strings.ReplaceAll(row(r)["three"], ".", ",") + ".")
	})
	s.ask("сколько денег на счетах?")
	f := s.ask("а остатки?")
	if f.Failure != nil || len(f.Results) != 1 || strings.Contains(f.FinalResponse, grounding.Mark) {
		t.Fatalf("%+v, %d results: %s", f.Failure, len(f.Results), f.FinalResponse)
	}
	of := f.Results[0].Provenance // the stock was read on the way
	if len(of.Sources) != 2 || of.Sources[0].Filter != "r1" || !strings.HasPrefix(of.Sources[1].Path, "results/res_") ||
		!strings.Contains(of.Method, "SELECT") || of.Requests != 0 || of.Account == "" || of.Employee == "" {
		t.Errorf("the provenance is %+v", of)
	}
}

func TestAttackComputeReachesOtherConversationsAndAccounts(t *testing.T) {
	s := newModelShop(t, 2, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0, 2, 4:
			return llmtest.CallTool("money", `{}`)
		case 5:
			return computed("SELECT * FROM r1")
		case 6:
			if read := r.Last(llm.ToolRole).Content; !strings.Contains(read, "no table 'r1'") ||
				!strings.Contains(read, "Tables: r2(") {
				t.Errorf("the model read %s", read)
			}
			return computed("SELECT count(*) FROM r2")
		}
		return llmtest.Say("Вот.")
	})
	accounts := s.sandbox.Accounts()
	s.ask("сколько денег на счетах " + accounts[0].AccountID)
	s.session = "" // another conversation
	s.ask("сколько денег на счетах " + accounts[0].AccountID)
	if f := s.ask("сколько денег на счетах " + accounts[1].AccountID); f.Failure != nil || len(f.Results) != 2 {
		t.Errorf("%+v, %d results", f.Failure, len(f.Results))
	}
}

func TestADirectCallOfComputeReadsTheResultsThatItNames(t *testing.T) {
	s := newShop(t, 2)
	connections, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	var results []stockhand.ResultID
	for _, c := range connections {
		turn, err := s.Execute(t.Context(), s.org, agent.Execution{Tool: "moysklad_money", Connection: c.ID,
			Actor: stockhand.Actor{Name: "key:1"}})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, s.end(turn).Results[0].ID)
	}
	call := func(by stockhand.Actor, sql string, of ...stockhand.ResultID) (agent.Turn, error) {
		arguments, _ := json.Marshal(map[string]any{"sql": sql, "results": of})
		return s.Execute(t.Context(), s.org, agent.Execution{Tool: "compute", Arguments: arguments, Actor: by})
	}
	own := stockhand.Actor{Name: "key:1"}
	before := len(s.sandbox.Requests())
	turn, err := call(own, "SELECT count(*) AS accounts FROM r1", results[0])
	if err != nil {
		t.Fatal(err)
	}
	if f := s.end(turn); f.Failure != nil || len(f.Results) != 1 || f.Results[0].Tool != "compute" ||
		f.Results[0].Provenance.Account != connections[0].Account || len(s.sandbox.Requests()) != before {
		t.Errorf("%+v", f)
	}
	if turn, err = call(own, "SELECT 1 FROM r2", results[0]); err != nil {
		t.Fatal(err)
	}
	if f := s.end(turn); f.Failure == nil || f.Failure.Code != stockhand.CodeValidation ||
		!strings.Contains(f.Failure.Hint, "r1(organization text, account text") {
		t.Errorf("%+v", f.Failure)
	}
	bound := own
	bound.Binding.Connections = []stockhand.ConnectionID{connections[1].ID}
	for name, refused := range map[string]struct {
		by   stockhand.Actor
		of   []stockhand.ResultID
		code stockhand.Code
	}{
		"two connections":          {own, results, stockhand.CodeValidation},
		"another key's result":     {stockhand.Actor{Name: "key:2"}, results[:1], stockhand.CodeNotFound},
		"no such result":           {own, []stockhand.ResultID{"res_none"}, stockhand.CodeNotFound},
		"none":                     {own, nil, stockhand.CodeValidation},
		"another connection's key": {bound, results[:1], stockhand.CodeNotFound},
	} {
		if _, err := call(refused.by, "SELECT 1", refused.of...); stockhand.CodeOf(err) != refused.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}
