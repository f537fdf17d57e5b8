package agent_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/results"
)

func TestADirectCallIsARunOfOneStepInItsOwnSession(t *testing.T) {
	s := newShop(t, 2)
	connections, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	call := func(x agent.Execution) (agent.Turn, error) {
		x.Actor = stockhand.Actor{Name: "key:1"}
		return s.Execute(t.Context(), s.org, x)
	}
	refused := map[string]struct {
		x    agent.Execution
		code stockhand.Code
		says string
	}{
		"no account named": {agent.Execution{Tool: "moysklad_money"}, stockhand.CodeAccountRequired,
			string(connections[1].Account)},
		"no such tool":   {agent.Execution{Tool: "moysklad_everything"}, stockhand.CodeNotFound, "tools"},
		"another's tool": {agent.Execution{Tool: "stock"}, stockhand.CodeNotFound, "tools"},
		"no such connection": {agent.Execution{Tool: "moysklad_money", Connection: "con_none"},
			stockhand.CodeNotFound, ""},
		"an unknown field": {agent.Execution{Tool: "moysklad_money", Connection: connections[0].ID,
			Arguments: []byte(`{"whom":"x"}`)}, stockhand.CodeValidation, ""},
		"a wrong value": {agent.Execution{Tool: "moysklad_money", Connection: connections[0].ID,
			Arguments: []byte(`{"what":"nothing"}`)}, stockhand.CodeValidation, ""},
		"no object": {agent.Execution{Tool: "moysklad_money", Connection: connections[0].ID,
			Arguments: []byte(`[1]`)}, stockhand.CodeValidation, ""},
		"no tool of the agent": {agent.Execution{Tool: "moysklad_confirm", Connection: connections[0].ID},
			stockhand.CodeNotFound, ""},
	}
	for name, c := range refused {
		_, err := call(c.x)
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != c.code || !strings.Contains(e.Hint, c.says) ||
			(c.code == stockhand.CodeValidation && name != "no object" && len(e.Fields) == 0) {
			t.Errorf("%s: %v", name, err)
		}
	}
	none, err := s.db.Sessions(t.Context(), s.org, "", "", "", 10)
	if err != nil || len(none) != 0 {
		t.Errorf("%d sessions of calls that were refused, %v", len(none), err)
	}
	turn, err := call(agent.Execution{Tool: "moysklad_money", Connection: connections[1].ID,
		Arguments: []byte(`{"what":"balances"}`), Language: stockhand.English})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	if err := r.follow(t.Context(), s.Agent, s.org, turn.Run); err != nil {
		t.Fatal(err)
	}
	r.whole(t)
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil || len(f.Results) != 1 || f.Results[0].Provenance.Account != connections[1].Account ||
		f.ExternalRequests == 0 || !strings.Contains(f.FinalResponse, "How it was computed") {
		t.Errorf("%+v, %v", f, err)
	}
	session, err := s.db.Session(t.Context(), s.org, turn.Session)
	if err != nil || session.Kind != stockhand.SessionDirect || session.By != "key:1" ||
		session.Connection != connections[1].ID {
		t.Errorf("%+v, %v", session, err)
	}
	run, err := s.db.Run(t.Context(), s.org, turn.Run)
	if err != nil || run.By != "key:1" || run.Used.Requests != f.ExternalRequests {
		t.Errorf("%+v, %v", run, err)
	}
}

func TestADirectCallOfAProposeToolCreatesADraftForItsActor(t *testing.T) {
	s := newShop(t, 1)
	turn, err := s.Execute(t.Context(), s.org,
		agent.Execution{Tool: "moysklad_propose_transfers", Actor: stockhand.Actor{Name: "key:1"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil || len(f.Drafts) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	d, err := s.db.Draft(t.Context(), s.org, f.Drafts[0].ID)
	if err != nil || d.By != "key:1" || d.Session != turn.Session {
		t.Errorf("%+v, %v", d, err)
	}
	for _, r := range s.sandbox.Requests() {
		if r.Method != "GET" {
			t.Errorf("sent %s %s", r.Method, r.Path)
		}
	}
}

func TestAProposalTakesTheRowsOfAResultThatItsCallerMaySee(t *testing.T) { // rules R4, R262
	s := newShop(t, 2)
	connections, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	call := func(by, tool string, c stockhand.Connection, arguments string) *agent.Finished {
		t.Helper()
		turn, err := s.Execute(t.Context(), s.org, agent.Execution{Tool: tool, Connection: c.ID,
			Arguments: []byte(arguments), Actor: stockhand.Actor{Name: by}})
		if err != nil {
			t.Fatal(err)
		}
		return s.end(turn)
	}
	table := call("key:1", "moysklad_stock", connections[0], `{"limit":5}`).Results[0].ID
	rows := `{"percent":5,"rows_of":{"result":"` + string(table) + `"}}`
	if f := call("key:1", "moysklad_propose_price_change", connections[0], rows); f.Failure != nil ||
		len(f.Drafts) != 1 || len(f.Drafts[0].Documents[0].Lines) == 0 || len(f.Drafts[0].Documents[0].Lines) > 5 {
		t.Errorf("%+v", f)
	}
	for by, c := range map[string]stockhand.Connection{"key:2": connections[0], "key:1": connections[1]} {
		if f := call(by, "moysklad_propose_price_change", c, rows); f.Failure == nil ||
			f.Failure.Code != stockhand.CodeNotFound || len(f.Drafts) > 0 {
			t.Errorf("%s at %s: %+v", by, c.ID, f)
		}
	}
}

// Rules R4 and R262: a session may change its account, and employees may have the same name.
func TestAttackAResultOfTheSessionIsReadForAnotherAccountOrEmployee(t *testing.T) {
	s := newShop(t, 2)
	connections, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	own, other := connections[0], connections[1]
	turn, err := s.Execute(t.Context(), s.org, agent.Execution{Tool: "moysklad_stock", Connection: own.ID,
		Arguments: []byte(`{"limit":5}`), Actor: stockhand.Actor{Name: "key:1"}})
	if err != nil {
		t.Fatal(err)
	}
	id := s.end(turn).Results[0].ID
	run, err := s.db.Run(t.Context(), s.org, turn.Run)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		stockhand.Connection
		want stockhand.Code
	}{
		"its employee":    {own, ""},
		"another account": {other, stockhand.CodeNotFound},
		"a namesake": {stockhand.Connection{Account: own.Account, Employee: own.Employee, Login: "other@" + own.Login},
			stockhand.CodeNotFound},
	} {
		reader := results.Reader{Org: s.org, Run: run, Account: c.Account, Employee: c.Employee, Login: c.Login}
		if table, err := reader.Of(t.Context(), s.db, id); (err != nil) != (c.want != "") ||
			err != nil && stockhand.CodeOf(err) != c.want || err == nil && table.Count == 0 {
			t.Errorf("%s: %d rows, error %v", name, table.Count, err)
		}
	}
}

func TestATaskAnsweredByCodeIsATurnLikeAnyOther(t *testing.T) {
	s := newShop(t, 1)
	first := s.ask("сколько денег на счетах?")
	turn, err := s.Answer(t.Context(), s.org,
		agent.Task{Text: "подтверждаю", Session: s.session, Actor: stockhand.Actor{Name: "user:1"}}, "Записано.",
		stockhand.Event{Type: stockhand.EventNotice, Data: []byte(`{"code":"x","message":"y"}`)})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	if err := r.follow(t.Context(), s.Agent, s.org, turn.Run); err != nil {
		t.Fatal(err)
	}
	r.whole(t)
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil || f.FinalResponse != "Записано." || len(f.Notices) != 1 || turn.Session != first.Session {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := s.Answer(t.Context(), s.org, agent.Task{Text: " "}, "x"); stockhand.CodeOf(
		err) != stockhand.CodeValidation {
		t.Error(err)
	}
}

// Finding M3.
func TestAttackLargeArguments(t *testing.T) {
	s := newShop(t, 1)
	execute := func(size int) (agent.Turn, error) {
		stores := []string{}
		for n := 0; n < size; n += 20 {
			stores = append(stores, "no such warehouse")
		}
		arguments, err := json.Marshal(map[string]any{"stores": stores})
		if err != nil {
			t.Fatal(err)
		}
		return s.Execute(t.Context(), s.org, agent.Execution{Tool: "moysklad_stock", Arguments: arguments,
			Actor: stockhand.Actor{Name: "key:1"}})
	}
	if _, err := execute(70 << 10); stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("more than 64 KiB: %v", err)
	}
	turn, err := execute(50 << 10)
	if err != nil {
		t.Fatal(err)
	}
	f := s.end(turn)
	message, err := s.db.Message(t.Context(), s.org, turn.Message)
	if err != nil {
		t.Fatal(err)
	}
	stored := len(message.Text)
	events, err := s.db.Events(t.Context(), s.org, turn.Run, 0, 200)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		stored += len(e.Data)
	}
	if len(f.ToolCalls) != 1 || len(f.ToolCalls[0].Arguments) < 50<<10 {
		t.Errorf("%d calls", len(f.ToolCalls))
	}
	if stored > 10<<10 {
		t.Errorf("beside the call, %d bytes are stored", stored)
	}
}
