package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/tool"
)

// profile returns the profile that answers, with or without a model, within what the caller's key is bound to. offers
// says whether it names the servers whose tools a model may call.
func (t *turn) profile(ctx context.Context) (p stockhand.AgentProfile, offers bool, err error) {
	if p, err = t.asked(ctx); err != nil {
		return p, false, err
	}
	narrow, err := t.start.Binding.Narrow(p)
	return narrow, len(p.Connections) > 0, err
}

// Profile returns the profile that answers a task, within what the caller's key is bound to, and whether it offers the
// tools of servers that it names.
func (a *Agent) Profile(ctx context.Context, t Task) (p stockhand.AgentProfile, offers bool, err error) {
	id := t.Agent
	if id == "" && t.Session != "" {
		s, err := a.store.Session(ctx, t.Actor.Org, t.Session)
		if err != nil {
			return p, false, err
		}
		id = s.Agent
	}
	if p, err = a.profileOf(ctx, t.Actor.Org, id); err != nil {
		return p, false, err
	}
	offers = len(p.Connections) > 0
	p, err = t.Actor.Binding.Narrow(p)
	return p, offers, err
}

// asked returns the profile that the task or its session names.
func (t *turn) asked(ctx context.Context) (stockhand.AgentProfile, error) {
	id := t.start.Agent
	if id == "" {
		id = t.session.Agent
	}
	return t.profileOf(ctx, t.org, id)
}

// profileOf returns the profile with that id; empty means the built-in one.
func (a *Agent) profileOf(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile,
	error) {
	if id == "" || id == stockhand.SystemAgent {
		return stockhand.AgentProfile{ID: stockhand.SystemAgent, System: true}, nil
	}
	return a.store.Agent(ctx, org, id)
}

// connections returns the connections to accounts that the profile may use, without those that only add tools. A task
// about another account, chosen by the caller or named in the text, is refused, so that it is not answered from the
// wrong account.
func (t *turn) connections(ctx context.Context) ([]stockhand.Connection, error) {
	all, err := t.store.Connections(ctx, t.org)
	all = slices.DeleteFunc(all, func(c stockhand.Connection) bool { return t.kind(c).ToolsOnly })
	if err != nil || len(t.agent.Connections) == 0 {
		return all, err
	}
	var may []stockhand.Connection
	accounts := map[stockhand.AccountID]bool{}
	for _, c := range all {
		if slices.Contains(t.agent.Connections, c.ID) {
			may = append(may, c)
			accounts[c.Account] = true
		}
	}
	r := language.Read(t.message.Text, language.Input{Now: t.now(), Accounts: labels(all)})
	named := r.Alike
	if r.Account != nil {
		named = append(named, *r.Account)
	}
	outside := t.start.Connection != "" && !slices.Contains(t.agent.Connections, t.start.Connection)
	if outside || len(named) > 0 && !slices.ContainsFunc(named,
		func(a language.Account) bool { return accounts[a.ID] }) {
		return nil, stockhand.Errorf(stockhand.CodePermissionDenied, "%s",
			t.language.Pick("этому агенту нельзя обращаться к этому аккаунту", "this agent may not use this account")).
			WithHint(t.language.Pick("ему можно: %s", "it may use: %s"), strings.Join(accountNames(may), "; "))
	}
	return may, nil
}

// allowed returns the account's tools that the profile may use.
func (t *turn) allowed(tools []tool.Tool) []tool.Tool {
	if len(t.agent.Tools) == 0 {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools),
		func(fn tool.Tool) bool { return !slices.Contains(t.agent.Tools, fn.Name) })
}

// permitted returns a tool of the account that the profile may use.
func (t *turn) permitted(account connector.Account, name string) (tool.Tool, error) {
	if name == toolbox.ComputeName {
		return t.directCompute(account), nil
	}
	fn, err := findTool(account.Tools(), name)
	if err == nil && len(t.agent.Tools) > 0 && !slices.Contains(t.agent.Tools, name) {
		err = stockhand.Errorf(stockhand.CodePermissionDenied,
			t.language.Pick("этому агенту не разрешён инструмент «%s»", "this agent may not use the tool “%s”"),
			fn.Title.In(t.language)).
			WithHint("%s", t.language.Pick("спросите системного агента или добавьте инструмент агенту",
				"ask the system agent, or add the tool to the agent"))
	}
	return fn, err
}
