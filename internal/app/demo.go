package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// demoOptions say what the demo stands on.
type demoOptions struct {
	company  company.Options
	accounts int
	products int // 0 leaves it to company
}

// openDemo starts a sandbox in this process and connects its accounts as their owner. The record is a temporary one.
func openDemo(ctx context.Context, e *env, o demoOptions) (*service, error) {
	s, _, err := startDemo(ctx, o)
	return s, err
}

func startDemo(ctx context.Context, o demoOptions) (*service, *readySandbox, error) {
	if o.products > 0 {
		o.company.Products = o.products
	}
	if o.company.Seed == 0 {
		o.company.Seed = 1
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	server := sandbox.New(sandbox.Options{Company: o.company, Accounts: o.accounts})
	url, err := sandbox.Listen(serving, "127.0.0.1:0", server)
	if err != nil {
		stop()
		return nil, nil, err
	}
	s, err := newLocalService(ctx, Config{MoySkladURL: url + sandbox.APIPath})
	if err != nil {
		stop()
		return nil, nil, err
	}
	s.closers = append([]func() error{func() error { stop(); return nil }}, s.closers...)
	for _, a := range server.Accounts() {
		c, err := s.connect(ctx, "moysklad", a.Tokens.Owner, a.Label)
		if err != nil {
			s.close()
			return nil, nil, err
		}
		s.connected = append(s.connected, c)
	}
	return s, &readySandbox{URL: url + sandbox.APIPath, Accounts: server.Accounts()}, nil
}

type demoCmd struct {
	shop

	Accounts  int    `default:"2" enum:"1,2" help:"How many accounts to connect."`
	Lang      string `enum:",ru,en" default:"" placeholder:"ru|en" help:"The language of the answers (default: each task's own)."`
	Rows      int    `default:"10" help:"How many rows of a table to print; 0 prints all."`
	ReadyFile string `placeholder:"PATH" type:"path" help:"Write a JSON object with the sandbox's address and tokens there once it answers."`
}

// Help is what stockhand demo --help adds.
func (demoCmd) Help() string {
	return "On a terminal it is a prompt: type tasks, an empty line or \"exit\" ends it. Otherwise it is a short tour."
}

func (c *demoCmd) Run(ctx context.Context, e *env) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	began := time.Now()
	s, stand, err := startDemo(ctx, demoOptions{company: options, accounts: c.Accounts})
	if err != nil {
		return err
	}
	defer s.close()
	if c.ReadyFile != "" {
		r := ready{OrgID: s.org, Connections: readyConnections(s.connected), Sandbox: stand}
		if err := writeReady(c.ReadyFile, r); err != nil {
			return err
		}
	}
	out := e.streams.Out
	fmt.Fprintf(out, "Stockhand demo: a shop of %d products, %d days of history; ready in %s\n", c.Products, c.Days, time.Since(began).Round(10*time.Millisecond))
	for _, con := range s.connected {
		fmt.Fprintf(out, "  %s: account %s, as %s\n", oneLine(con.Label), con.Account, oneLine(con.Employee))
	}
	talk := &conversation{service: s, language: stockhand.Language(c.Lang), rows: c.Rows, width: width(out), bar: &bar{}}
	if f, ok := terminal(e.streams.Err); ok {
		talk.bar = &bar{w: f, width: width(f)}
	}
	if err := talk.about(ctx, s.connected[0]); err != nil {
		return err
	}
	if e.interactive() {
		return talk.prompt(ctx, e)
	}
	return talk.tour(ctx, out)
}

// about begins the conversation on an account; a task may still name another.
func (c *conversation) about(ctx context.Context, con stockhand.Connection) error {
	s, err := c.db.CreateSession(ctx, c.org, stockhand.Session{Title: "demo", Connection: con.ID})
	c.session = s.ID
	return err
}

// tour asks what a newcomer would ask first.
func (c *conversation) tour(ctx context.Context, out io.Writer) error {
	for _, task := range []string{
		"что заканчивается на складах и что заказать?",
		"прибыльность по товарам за прошлый месяц",
		"what customer orders are overdue?",
		"сколько денег на счетах?",
		"how did sales go by week over the last 90 days?",
		"подготовь заказы поставщикам на всё, что ниже минимума",
		"сведи остатки по всем аккаунтам вместе",
	} {
		fmt.Fprintf(out, "\n▸ %s\n\n", task)
		if err := c.answer(ctx, out, task); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nAsk your own:  stockhand ask --demo \"…\"\nA real account:  STOCKHAND_MOYSKLAD_TOKEN=… stockhand ask \"…\"\n")
	return nil
}

// prompt reads tasks from a person until there are no more.
func (c *conversation) prompt(ctx context.Context, e *env) error {
	out := e.streams.Out
	c.place.prompt = true
	fmt.Fprintln(out, "\n"+wrap(fmt.Sprintf("Ask in Russian or English; \"exit\" or an empty line ends it. Answers are about %s until you name another account. For example:", oneLine(c.connected[0].Label)), c.width))
	ru, en := language.Examples(stockhand.Russian), language.Examples(stockhand.English)
	for _, x := range slices.Concat(ru[:3], ru[len(ru)-3:len(ru)-2], en[4:8]) { // some to ask, one to propose
		fmt.Fprintf(out, "  • %s\n", x.Task)
	}
	p := e.prompt()
	for ctx.Err() == nil {
		task, err := p.line(ctx, "\n▸ ")
		if errors.Is(err, io.EOF) || task == "" || task == "exit" || task == "quit" || task == "выход" {
			return nil
		}
		if err != nil {
			return err
		}
		// The person's own next message may confirm the draft it follows; that is decided here, from the message alone.
		if d := c.waiting; d != nil && draft.Confirms(task) {
			c.waiting = nil
			err = c.confirm(ctx, e, d.ID, d.Version, nil, shows{Lang: string(c.language), Rows: c.rows})
			if err != nil && !errors.Is(err, errSaid) {
				complain(out, err)
			}
			continue
		}
		if err := c.answer(ctx, out, task); err != nil {
			return err
		}
	}
	return nil
}

// answer shows the answer to one task of a conversation that goes on whatever comes of it.
func (c *conversation) answer(ctx context.Context, out io.Writer, task string) error {
	f, err := c.do(ctx, task)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		complain(out, err)
		return nil
	}
	c.show(out, f)
	if f.Failure != nil {
		complain(out, &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint})
	}
	return nil
}
