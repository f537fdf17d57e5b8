package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/known"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/talk"
)

// subject is what a turn is about, determined by code and never by a model: the task, read without the account's names,
// and its account.
type subject struct {
	task    string         // the user's text; the previous turn's if this one only names the account
	input   language.Input // the input of the reading
	reading language.Reading
	chosen  *Option // of the last turn's question
	last    aside.Last
	asking  bool       // the last turn asked a question
	answers string     // the task of the last turn, if it asked in words and this message answers; else empty
	assumed string     // what an open question that the message does not answer was taken to mean; else empty
	asked   string     // the task that led to the open question
	each    []question // the options of an open question, each changed as the message says; nil for none

	proposed *stockhand.ToolCall // the last call, if it proposed a draft that waits; nil otherwise
	open     stockhand.DraftID   // that draft
	goods    *refer.Rows         // those of that draft; nil for none
	lines    bool                // lines of it were changed since
	dropped  []string            // the goods that a person took out of it

	previous    *language.Reading
	connections []stockhand.Connection

	connection stockhand.Connection // set by chooseAccount
	account    connector.Account
}

// readTask reads the task without making requests. Its errors end the run.
func (t *turn) readTask(ctx context.Context) (s subject, err error) {
	if s.connections, err = t.connections(ctx); err != nil {
		return s, err
	}
	if len(s.connections) > 0 { // chooseAccount reads the task again if the chosen account has another zone
		kind := t.kind(s.connections[0])
		t.zone, s.input.Catalogue = kind.Zone, kind.Catalogue
		t.knowNames(ctx, &s)
	}
	before, err := t.before(ctx, s.input)
	if err != nil {
		return s, err
	}
	s.task = language.WithoutTalk(t.message.Text)
	s.input.Now, s.input.Accounts, s.input.Previous = t.now(), labels(s.connections), before.Reading
	s.input.Earlier = before.Earlier
	if before.Question != nil {
		s.chosen = before.Question.Chosen(s.task)
	}
	s.previous, s.last.Since, s.last.Question = before.Reading, before.Since, before.Question
	if err := t.openDraft(ctx, &s, before.Proposed); err != nil {
		return s, err
	}
	s.asking, s.asked = before.Asking, before.Asked
	if before.Asking && before.Question.InWords() {
		s.answers = before.Asked
	}
	if s.chosen != nil && s.chosen.Connection != "" { // the task is the one that was asked about
		s.task, s.input.Previous, s.input.Earlier = before.Asked, nil, nil
	} else if err := t.readRows(ctx, &s, before); err != nil {
		return s, err
	}
	if s.chosen != nil && s.chosen.Tool == "" && s.chosen.Connection == "" {
		s.task, s.chosen = s.chosen.Text, nil
	} else if s.chosen == nil && before.Asking {
		if whole := before.Question.Spelled(s.task); whole != "" {
			s.task, s.input.Previous, s.input.Earlier, s.asking = whole, nil, nil, false
		}
	}
	s.reading = talk.Read(s.task, s.input)
	t.answerIn(s.reading.Language)
	if s.reading.Consolidate {
		return s, refuseConsolidation(t.language, s.connections)
	}
	return s, nil
}

// answerIn answers in the language of a message, unless the run asks for another. A name by itself is of none, so it is
// known only once the names are.
func (t *turn) answerIn(l stockhand.Language) {
	if t.start.Language == "" {
		t.language = l
	}
}

// knowNames gives the reading the names that are known of the account that the task is probably about.
func (t *turn) knowNames(ctx context.Context, s *subject) {
	i := slices.IndexFunc(s.connections, func(c stockhand.Connection) bool { return c.ID == t.session.Connection })
	if i < 0 && len(s.connections) > 1 {
		return
	}
	c := s.connections[max(0, i)]
	if account, err := t.accounts.Open(ctx, c); err == nil { // chooseAccount reports the error
		t.names.Of(c.ID, account).Know(&s.input)
		s.connection = c
	}
}

// lookUp reads the task again with names from the account that its unknown phrases may refer to. It reports whether the
// allowed requests were sufficient.
func (t *turn) lookUp(ctx context.Context, s *subject) (complete bool, err error) {
	complete, err = t.names.Of(s.connection.ID, s.account).LookUp(ctx, known.Task{Text: s.task, Input: &s.input,
		Reading: &s.reading})
	t.answerIn(s.reading.Language)
	return complete, err
}

// chooseAccount opens the account for the task and stores it in the session, or returns a question if it is ambiguous.
func (t *turn) chooseAccount(ctx context.Context, s *subject) (*Question, error) {
	connection, question, err := t.choose(t.language, *s)
	if err != nil || question != nil {
		return question, err
	}
	if t.session.Connection != connection.ID {
		if s.input.Rows != nil && t.session.Connection != "" { // they are of another account
			s.input.Rows = nil
			s.reading = talk.Read(s.task, s.input)
		}
		if err := t.store.SetSessionConnection(ctx, t.org, t.session.ID, connection.ID); err != nil {
			return nil, err
		}
		t.session.Connection = connection.ID
	}
	if s.account, err = t.accounts.Open(ctx, connection); err != nil {
		return nil, err
	}
	kind := t.kind(connection)
	if s.connection.ID != connection.ID || kind.Zone != t.zone || kind.Catalogue != s.input.Catalogue {
		t.zone, s.input.Catalogue = kind.Zone, kind.Catalogue
		s.input.Now = t.now()
		t.names.Of(connection.ID, s.account).Know(&s.input)
		s.reading = talk.Read(s.task, s.input)
		t.answerIn(s.reading.Language)
	}
	s.connection = connection
	return nil, nil
}

// choose returns the connection for the task, or a question if it is ambiguous.
func (t *turn) choose(l stockhand.Language, s subject) (stockhand.Connection, *Question, error) {
	wanted := func(c stockhand.Connection) bool { return true }
	switch r := s.reading; {
	case s.chosen != nil && s.chosen.Connection != "":
		wanted = func(c stockhand.Connection) bool { return c.ID == s.chosen.Connection }
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
	matching := slices.DeleteFunc(slices.Clone(s.connections), func(c stockhand.Connection) bool { return !wanted(c) })
	switch {
	case len(s.connections) == 0:
		return stockhand.Connection{}, nil, nothingConnected(l)
	case len(matching) == 0: // the session's connection was deleted
		matching = s.connections
	}
	inSession := func(c stockhand.Connection) bool { return c.ID == t.session.Connection }
	if i := slices.IndexFunc(matching, inSession); i >= 0 { // the task's words match the session's account
		return matching[i], nil, nil
	}
	accounts := accountsOf(matching)
	if len(accounts) == 1 {
		return matching[0], nil, nil
	}
	return stockhand.Connection{}, whichAccount(l, accounts), nil
}

func nothingConnected(l stockhand.Language) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "%s",
		l.Pick("не подключён ни один аккаунт", "no account is connected")).
		WithHint("%s", l.Pick(
			"подключите аккаунт токеном сотрудника: POST /api/v1/connections; в командной строке — STOCKHAND_MOYSKLAD_TOKEN",
			"connect an account with an employee token: POST /api/v1/connections; on the command line set "+
				"STOCKHAND_MOYSKLAD_TOKEN"))
}

func refuseConsolidation(l stockhand.Language, all []stockhand.Connection) error {
	return stockhand.Errorf(stockhand.CodeConsolidation, "%s", l.Pick(
		"Данные нескольких аккаунтов в одном ответе не сводятся: их цифры нельзя складывать. Назовите один аккаунт.",
		"Stockhand does not combine several accounts in one answer: their figures do not add up. Name one account.")).
		WithHint(l.Pick("подключены: %s", "connected: %s"), strings.Join(accountNames(all), "; "))
}

// accountsOf returns one connection per account. Accounts are identified by ID, because two may have the same name.
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

// accountNames returns the display names of the accounts, without duplicates.
func accountNames(all []stockhand.Connection) []string {
	var names []string
	for _, c := range accountsOf(all) {
		names = append(names, c.Label+" ("+string(c.Account)+")")
	}
	return names
}

func labels(all []stockhand.Connection) []language.Account {
	var out []language.Account
	for _, c := range all {
		out = append(out, language.Account{ID: c.Account, Connection: c.ID, Label: c.Label})
	}
	return out
}

func whichAccount(l stockhand.Language, accounts []stockhand.Connection) *Question {
	q := &Question{Code: stockhand.CodeAccountRequired,
		Text: l.Pick("Подключено несколько аккаунтов. О каком вопрос?",
			"Several accounts are connected. Which account do you mean?")}
	for i, name := range accountNames(accounts) {
		q.Options = append(q.Options, Option{Text: name, Connection: accounts[i].ID, Account: accounts[i].Account})
	}
	return q
}
