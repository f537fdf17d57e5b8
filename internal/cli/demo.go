package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// demoOptions configures the demo.
type demoOptions struct {
	company  company.Options
	accounts int
	products int        // 0 means the default of package company
	models   llm.Config // empty answers without a model
}

// openDemo starts a sandbox in this process and connects its accounts as their owner, with a temporary database, for
// one command.
func openDemo(ctx context.Context, o demoOptions) (*local, error) {
	stand, stop, err := o.sandbox(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := app.OpenLocal(ctx, app.Config{Servers: stand.servers(), LLM: o.models})
	if err != nil {
		stop()
		return nil, err
	}
	opened.OnClose(stop)
	s := &local{opened}
	if err := s.connectAll(ctx, stand); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// sandbox starts a sandbox in this process.
func (o demoOptions) sandbox(ctx context.Context) (*readySandbox, context.CancelFunc, error) {
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
	return &readySandbox{URL: url + sandbox.APIPath, Accounts: server.Accounts()}, stop, nil
}

// connectAll connects a sandbox's accounts as their owners.
func (s *local) connectAll(ctx context.Context, stand *readySandbox) error {
	for _, a := range stand.Accounts {
		if err := s.Connect(ctx, sandbox.Connector, a.Tokens.Owner, a.Label); err != nil {
			return err
		}
	}
	return nil
}

type demoCmd struct {
	shop
	serving

	Accounts int    `default:"2" enum:"1,2" help:"How many accounts to connect."`
	Lang     string `enum:"ru,en" placeholder:"ru|en" help:"The language of the answers (default: each task's own)."`
	Rows     int    `default:"10" help:"How many rows of a table to print; 0 prints all."`
}

// Help adds to stockhand demo --help.
func (demoCmd) Help() string {
	return "The whole service in one process: the HTTP API with an API key, a temporary SQLite database, " +
		"the work engine, and a sandbox with its accounts connected.\n\n" +
		"On a terminal it is also a prompt: type tasks; \"exit\" or Ctrl-D ends it. Otherwise it is a short tour; with --ready-file it serves until it is interrupted instead."
}

func (c *demoCmd) Run(ctx context.Context, e *env) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	config, err := app.ReadConfig(e.getenv)
	if err != nil {
		return err
	}
	began := time.Now()
	stand, stop, err := demoOptions{company: options, accounts: c.Accounts}.sandbox(ctx)
	if err != nil {
		return err
	}
	defer stop()
	i, err := c.open(ctx, e, config, stand)
	if err != nil {
		return err
	}
	return i.End(ctx, c.show(ctx, e, i, stand, began))
}

// open starts the service with a temporary database. It ignores the environment's settings for a real service, which a
// demo must not touch.
func (c *demoCmd) open(ctx context.Context, e *env, config app.Config, stand *readySandbox) (*app.Instance, error) {
	config.Database, config.NATS, config.SecretKey, config.SecretKeyFile = "", "", "", ""
	config.SecretKeyCommand = ""
	config.Servers = stand.servers()
	chosen := c.Addr != "" || e.getenv("STOCKHAND_ADDR") != ""
	config, err := c.configure(e, config, "error")
	if err != nil {
		return nil, err
	}
	i, err := app.Open(ctx, config)
	if stockhand.CodeOf(err) == stockhand.CodeConflict && !chosen { // the default address is in use
		config.Addr = "127.0.0.1:0"
		i, err = app.Open(ctx, config)
	}
	if err != nil {
		return nil, err
	}
	if err := (&local{i.Service}).connectAll(ctx, stand); err != nil {
		return nil, i.End(ctx, err)
	}
	return i, nil
}

// show prints what the demo offers and lets the user try it.
func (c *demoCmd) show(ctx context.Context, e *env, i *app.Instance, stand *readySandbox, began time.Time) error {
	out, s := e.streams.Out, &local{i.Service}
	fmt.Fprintf(out, "Stockhand demo: a shop of %d products, %d days of history; ready in %s\n", c.Products, c.Days,
		time.Since(began).Round(10*time.Millisecond))
	for _, con := range s.Connected {
		fmt.Fprintf(out, "  %s: account %s, as %s\n", table.OneLine(con.Label), con.Account,
			table.OneLine(con.Employee))
	}
	_, key, err := i.Auth.CreateKey(ctx, auth.Operator(i.Org, "demo"),
		auth.NewKey{Name: "demo", Scopes: []stockhand.Scope{
			stockhand.ScopeReadTools, stockhand.ScopeWriteTools, stockhand.ScopeReadData, stockhand.ScopeChat,
			stockhand.ScopeGateway,
		}})
	if err != nil {
		return err
	}
	if err := c.announce(ctx, e, i, stand); err != nil {
		return err
	}
	fmt.Fprintf(out, "  API key       %s\n\n  curl -H 'Authorization: Bearer %s' %s%s/tools\n", key, key, i.URL,
		api.Base)
	talk := e.conversation(s, c.Lang, c.Rows)
	talk.bar = e.bar(false)
	switch {
	case e.interactive():
		if err := talk.about(ctx, s.Connected[0]); err != nil {
			return err
		}
		return talk.prompt(ctx, e)
	case c.ReadyFile != "":
		fmt.Fprintln(out, "Stop it with Ctrl-C.")
		return i.Wait(ctx)
	}
	if err := talk.about(ctx, s.Connected[0]); err != nil {
		return err
	}
	return talk.tour(ctx, out)
}

// about starts the conversation with an account; a task may still name another.
func (c *conversation) about(ctx context.Context, con stockhand.Connection) error {
	s, err := c.Store.CreateSession(ctx, c.Org, stockhand.Session{Title: "demo", Connection: con.ID,
		By: c.person().Name})
	c.session = s.ID
	return err
}

// tour asks a newcomer's first questions.
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

// prompt reads tasks from the user until the input ends.
func (c *conversation) prompt(ctx context.Context, e *env) error {
	out := e.streams.Out
	c.place.Prompt = true
	fmt.Fprintln(out, "\n"+table.Wrap(fmt.Sprintf(
		"Ask in Russian or English; \"exit\" or Ctrl-D ends it. Answers are about %s until you name another account. For example:", table.OneLine(c.Connected[0].Label)), c.width))
	ru, en := language.Examples(stockhand.Russian), language.Examples(stockhand.English)
	for _, x := range slices.Concat(ru[:3], ru[len(ru)-3:len(ru)-2], en[4:8]) { // some questions and one proposal
		fmt.Fprintf(out, "  • %s\n", x.Task)
	}
	p := e.prompt()
	for ctx.Err() == nil {
		task, err := p.line(ctx, "\n▸ ")
		if err == nil && task == "" {
			continue
		}
		if errors.Is(err, io.EOF) || task == "exit" || task == "quit" || task == "выход" {
			return nil
		}
		if err != nil {
			return err
		}
		// Only the user's next message may confirm a draft; code decides that here, from the message alone.
		if d := c.waiting; d != nil && draft.Confirms(task) {
			c.waiting = nil
			err = c.confirm(ctx, e, d.ID, d.Version, nil, shows{Lang: string(c.language), Rows: c.rows})
			if err != nil && !errors.Is(err, errReported) {
				complain(out, c.style, err)
			}
			continue
		}
		if err := c.answer(ctx, out, task); err != nil {
			return err
		}
	}
	return nil
}

// answer prints the answer to one task; the conversation continues even if the task fails.
func (c *conversation) answer(ctx context.Context, out io.Writer, task string) error {
	f, err := c.do(ctx, task)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		complain(out, c.style, err)
		return nil
	}
	c.show(out, f)
	if f.Failure != nil {
		complain(out, c.style, &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint})
	}
	return nil
}
