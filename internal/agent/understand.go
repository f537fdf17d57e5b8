package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/tool"
)

// decision is what to do about a task: call a tool, ask, or reply with a text. Exactly one.
type decision struct {
	tool      string
	arguments json.RawMessage
	account   connector.Account

	question *Question
	text     string

	notices []tool.Notice
}

// understand reads the task. Its errors are refusals that end the run.
func (t *turn) understand(ctx context.Context) (decision, error) {
	connections, err := t.connections(ctx)
	if err != nil {
		return decision{}, err
	}
	before, err := t.before(ctx)
	if err != nil {
		return decision{}, err
	}
	task := t.message.Text
	in := language.Input{Now: t.now(), Accounts: labels(connections), Previous: before.reading}
	var chosen *Option
	if before.question != nil {
		chosen = before.question.chosen(task)
	}
	if chosen != nil && chosen.Tool == "" { // the account was named: the task is the one that was asked about
		task, in.Previous = before.task, nil
	}
	r := language.Read(task, in)
	if t.start.Language == "" {
		t.language = r.Language
	}
	l := t.language
	if r.Consolidate {
		return decision{}, refuseConsolidation(l, connections)
	}
	if !r.Skill.Calls() && chosen == nil && r.Question == nil {
		return decision{text: t.withoutTool(r, l)}, nil
	}

	connection, question, err := t.choose(l, connections, r, chosen)
	if err != nil || question != nil {
		return decision{question: question}, err
	}
	if t.session.Connection != connection.ID {
		if err := t.store.SetSessionConnection(ctx, t.org, t.session.ID, connection.ID); err != nil {
			return decision{}, err
		}
		t.session.Connection = connection.ID
	}
	account, err := t.accounts.Open(ctx, connection)
	if err != nil {
		return decision{}, err
	}
	if chosen != nil && chosen.Tool != "" {
		return decision{tool: chosen.Tool, arguments: chosen.Arguments, account: account}, nil
	}
	if len(r.Unknown) > 0 {
		if in.Names, err = lookUp(ctx, account, r.Unknown); err != nil {
			return decision{}, err
		}
		r = language.Read(task, in)
	}
	return t.decide(r, l, connection, account, in.Names), nil
}

// decide turns a reading into what to do.
func (t *turn) decide(r language.Reading, l stockhand.Language, c stockhand.Connection, account connector.Account,
	names []connector.Name) decision {
	for _, p := range r.Unknown {
		if p.Named { // going on without a name that was given would answer another question
			return decision{question: notFound(l, p, names)}
		}
	}
	if r.Question != nil {
		q := &Question{Text: r.Question.Text}
		for _, o := range r.Question.Options {
			option := Option{Text: o.Text}
			if o.Skill.Calls() {
				option.Tool, option.Arguments = c.Connector+"_"+string(o.Skill), encode(o.Arguments)
			}
			q.Options = append(q.Options, option)
		}
		return decision{question: q}
	}
	if !r.Skill.Calls() {
		return decision{text: t.withoutTool(r, l)}
	}
	d := decision{tool: c.Connector + "_" + string(r.Skill), arguments: encode(r.Arguments), account: account}
	var left []string
	for _, m := range r.Ignored {
		left = append(left, "«"+m.Words+"»")
	}
	for _, p := range r.Unknown {
		left = append(left, "«"+p.Words+"»")
	}
	if len(left) > 0 {
		d.notices = append(d.notices, tool.Notice{Code: tool.NoticeAssumption, Message: fmt.Sprintf(
			l.Pick("Не учтены слова: %s.", "Left out of account: %s."), strings.Join(left, ", "))})
	}
	return d
}

// withoutTool is the reply to a task that no tool answers: what it can do instead, with examples.
func (t *turn) withoutTool(r language.Reading, l stockhand.Language) string {
	if r.Skill == language.Help || r.Skill == language.Greeting {
		return language.HelpText(l)
	}
	return l.Pick("Этого я не умею и не буду гадать.\n\n",
		"That is not something I can do, and I will not guess.\n\n") + language.HelpText(l)
}

// choose finds the connection that the task is for, or the question to ask when several could be meant.
func (t *turn) choose(l stockhand.Language, all []stockhand.Connection, r language.Reading,
	chosen *Option) (stockhand.Connection, *Question, error) {
	wanted := func(c stockhand.Connection) bool { return true }
	switch {
	case chosen != nil && chosen.Connection != "":
		wanted = func(c stockhand.Connection) bool { return c.ID == chosen.Connection }
	case t.start.Connection != "":
		wanted = func(c stockhand.Connection) bool { return c.ID == t.start.Connection }
	case r.Account != nil && r.Account.Connection != "":
		wanted = func(c stockhand.Connection) bool { return c.ID == r.Account.Connection }
	case r.Account != nil:
		wanted = func(c stockhand.Connection) bool { return c.Account == r.Account.ID }
	case len(r.Alike) > 0:
		wanted = func(c stockhand.Connection) bool {
			return slices.ContainsFunc(r.Alike, func(a language.Account) bool { return a.Connection == c.ID })
		}
	case t.session.Connection != "":
		wanted = func(c stockhand.Connection) bool { return c.ID == t.session.Connection }
	}
	matching := slices.DeleteFunc(slices.Clone(all), func(c stockhand.Connection) bool { return !wanted(c) })
	switch {
	case len(all) == 0:
		return stockhand.Connection{}, nil, nothingConnected(l)
	case len(matching) == 0: // the session's connection was removed meanwhile
		matching = all
	}
	if i := slices.IndexFunc(matching, func(
		c stockhand.Connection) bool {
		return c.ID == t.session.Connection
	}); i >= 0 {
		return matching[i], nil, nil // what the task says fits what the conversation is about
	}
	if len(accountsOf(matching)) == 1 {
		return matching[0], nil, nil
	}
	q := &Question{Code: stockhand.CodeAccountRequired,
		Text: l.Pick("Подключено несколько аккаунтов. По какому ответить?",
			"Several accounts are connected. Which one is it about?")}
	for _, c := range accountsOf(matching) {
		q.Options = append(q.Options, Option{Text: c.Label + " (" + string(c.Account) + ")", Connection: c.ID,
			Account: c.Account})
	}
	return stockhand.Connection{}, q, nil
}

func nothingConnected(l stockhand.Language) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "%s",
		l.Pick("не подключён ни один аккаунт", "no account is connected")).
		WithHint("%s", l.Pick("подключите аккаунт токеном сотрудника: POST /api/v1/connections; для командной строки — STOCKHAND_MOYSKLAD_TOKEN", "connect an account with an employee token: POST /api/v1/connections; for the command line STOCKHAND_MOYSKLAD_TOKEN"))
}

// accountsOf keeps one connection of each account: accounts are told apart by their id, never by a name
// (specification, section 1, rule 7).
func accountsOf(all []stockhand.Connection) []stockhand.Connection {
	seen := map[stockhand.AccountID]bool{}
	var one []stockhand.Connection
	for _, c := range all {
		if !seen[c.Account] {
			seen[c.Account] = true
			one = append(one, c)
		}
	}
	return one
}

func labels(all []stockhand.Connection) []language.Account {
	var out []language.Account
	for _, c := range all {
		out = append(out, language.Account{ID: c.Account, Connection: c.ID, Label: c.Label})
	}
	return out
}

func refuseConsolidation(l stockhand.Language, all []stockhand.Connection) error {
	var names []string
	for _, c := range accountsOf(all) {
		names = append(names, c.Label+" ("+string(c.Account)+")")
	}
	return stockhand.Errorf(stockhand.CodeConsolidation, "%s", l.Pick(
		"Несколько аккаунтов в одном ответе не сводятся: их цифры нельзя складывать. Назовите один аккаунт.",
		"Several accounts are not consolidated into one answer: their figures do not add up. Name one account.")).
		WithHint(l.Pick("подключены: %s", "connected: %s"), strings.Join(names, "; "))
}

// lookUp loads the names that unexplained phrases may be: whole lists where they are short, a search for goods.
func lookUp(ctx context.Context, account connector.Account, phrases []language.Phrase) ([]connector.Name, error) {
	kinds := map[connector.NameKind]bool{}
	var names []connector.Name
	for _, p := range phrases {
		for _, k := range p.Kinds {
			kinds[k] = true
		}
		if slices.Contains(p.Kinds, connector.NameProduct) {
			goods, err := account.FindGoods(ctx, p.Words, 20)
			if err != nil {
				return nil, err
			}
			names = append(names, goods...)
		}
	}
	delete(kinds, connector.NameProduct)
	var lists []connector.NameKind
	for k := range kinds {
		lists = append(lists, k)
	}
	slices.Sort(lists)
	if len(lists) == 0 {
		return names, nil
	}
	listed, err := account.Names(ctx, lists...)
	return append(listed, names...), err
}

// notFound says that a name the task gave is not in the account, with the names that are.
func notFound(l stockhand.Language, p language.Phrase, names []connector.Name) *Question {
	what := map[connector.NameKind]string{
		connector.NameStore: l.Pick("склада", "warehouse"), connector.NameSupplier: l.Pick("поставщика", "supplier"),
		connector.NameCounterparty: l.Pick("контрагента", "counterparty"),
		connector.NameGroup:        l.Pick("группы", "group"),
		connector.NameProduct:      l.Pick("товара", "product"),
		connector.NameEmployee:     l.Pick("сотрудника", "employee"),
		connector.NameSalesChannel: l.Pick("канала продаж", "sales channel"),
		connector.NamePriceType:    l.Pick("типа цены", "price type"),
		connector.NameOrganization: l.Pick("юрлица", "legal entity"),
	}[p.Kinds[0]]
	q := &Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».", "I see no %s “%s” in the account."), what,
		p.Words), Options: []Option{}}
	var known []string
	for _, n := range names {
		if n.Kind == p.Kinds[0] {
			known = append(known, n.Name)
		}
	}
	const most = 10
	switch {
	case len(known) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(known[:most], ", "), len(known)-most)
	case len(known) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(known, ", "))
	}
	q.Text += l.Pick(" Уточните название.", " Please name it as the account does.")
	return q
}

// earlier is what the turn before this one left to build on.
type earlier struct {
	task     string
	reading  *language.Reading
	question *Question
}

// before finds the previous turn of the session: what it called, or what it asked.
func (t *turn) before(ctx context.Context) (earlier, error) {
	last, err := t.store.RunBefore(ctx, t.org, t.message.ID)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return t.remembered(ctx)
	}
	if err != nil {
		return earlier{}, err
	}
	m, err := t.store.Message(ctx, t.org, last.Message)
	if err != nil {
		return earlier{}, err
	}
	out := earlier{task: m.Text}
	events, err := t.log(ctx, t.org, last.ID)
	if err != nil {
		return earlier{}, err
	}
	for _, e := range events {
		if e.Type == stockhand.EventQuestion {
			out.question = new(Question)
			if err := json.Unmarshal(e.Data, out.question); err != nil {
				return earlier{}, err
			}
		}
	}
	calls, err := t.store.ToolCalls(ctx, t.org, last.ID)
	if err != nil {
		return earlier{}, err
	}
	for _, c := range calls {
		_, skill, _ := strings.Cut(c.Tool, "_")
		r := &language.Reading{Task: m.Text, Skill: language.Skill(skill)}
		// A model's arguments fit the tool, and need not be what the reader would have made of the same words.
		if c.Tool != queryResult && !strings.HasPrefix(c.Tool, connector.MCP+"_") &&
			json.Unmarshal(c.Arguments, &r.Arguments) == nil {
			out.reading = r
		}
	}
	return out, nil
}

// chosen finds the option that a message picks by its number or its words.
func (q *Question) chosen(message string) *Option {
	plain := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".)!") }
	message = plain(message)
	if n, err := strconv.Atoi(message); err == nil && n >= 1 && n <= len(q.Options) {
		return &q.Options[n-1]
	}
	var named []int // the accounts of that label
	for i, o := range q.Options {
		if strings.EqualFold(plain(o.Text), message) ||
			(o.Account != "" && strings.EqualFold(string(o.Account), message)) ||
			(o.Connection != "" && strings.EqualFold(string(o.Connection), message)) {
			return &q.Options[i]
		}
		if o.Account != "" && strings.EqualFold(plain(strings.TrimSuffix(o.Text, " ("+string(o.Account)+")")),
			message) {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return &q.Options[named[0]]
	}
	return nil
}

// questionText is the question as a message.
func questionText(q Question) string {
	var b strings.Builder
	b.WriteString(q.Text)
	for i, o := range q.Options {
		fmt.Fprintf(&b, "\n%d. %s", i+1, o.Text)
	}
	return b.String()
}
