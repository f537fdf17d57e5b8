package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/export"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
)

type askCmd struct {
	Task []string `arg:"" optional:"" help:"The task in plain words; \"-\" reads it from the input."`

	Demo     bool   `help:"Ask a generated shop instead of a real account."`
	Accounts int    `default:"1" enum:"1,2" help:"How many accounts the demo connects (1 or 2)."`
	Products int    `placeholder:"N" help:"How many products the demo's shop has (default: those of a small shop)."`
	Account  string `placeholder:"NAME" help:"The account to ask: its label, account id or connection id."`
	Lang     string `enum:"ru,en" placeholder:"ru|en" help:"The language of the answer (default: the task's own)."`
	JSON     bool   `help:"Print the finished message as one JSON object."`
	CSV      string `placeholder:"FILE" type:"path" help:"Also write the whole tables, or a draft's documents, to a file for a spreadsheet; \"-\" is the standard output."`
	Rows     int    `default:"20" help:"How many rows of a table to print; 0 prints all."`
	server
}

// Help adds to stockhand ask --help.
func (askCmd) Help() string {
	return "A real account is named by the environment: STOCKHAND_MOYSKLAD_TOKEN holds an employee token (several, separated by commas, " +
		"connect several accounts), and STOCKHAND_MOYSKLAD_URL another server of the same API.\n\n" +
		"With --url and --key, or STOCKHAND_URL and STOCKHAND_API_KEY, a running server is asked, about the accounts that are connected there.\n\n" +
		"The answer and its tables go to the standard output, progress and questions to the standard error.\n\n" +
		"A proposal (supplier orders, transfers, prices, minimum stocks) becomes a draft. On a terminal you are asked whether to confirm it; stockhand drafts does the rest.\n\n" +
		"Exit codes: 0 answered; 1 failed, refused or not understood; 2 wrong usage, or an account must be named; 130 interrupted."
}

func (c *askCmd) Run(ctx context.Context, e *env) error {
	task, err := c.task(e)
	if err != nil {
		return err
	}
	if c.Demo && c.URL != "" {
		return fmt.Errorf("%w: --demo and --url exclude each other", errUsage)
	}
	if c.JSON && c.CSV == "-" {
		return fmt.Errorf("%w: --json and --csv - both write to standard output", errUsage)
	}
	if c.server = c.fromEnvironment(e); c.URL != "" && !c.Demo {
		if err := c.elsewhere(ctx, e, task); err != nil {
			return c.failed(e, err)
		}
		return nil
	}
	talk, err := c.begin(ctx, e)
	if err != nil {
		return c.failed(e, inWordsOf(task, c.Lang, err))
	}
	defer talk.Close()
	for {
		f, err := talk.do(ctx, task)
		if err != nil {
			return c.failed(e, inWordsOf(task, c.Lang, err))
		}
		if f.Question != nil && len(f.Question.Options) > 0 && e.interactive() && !c.JSON {
			if task, err = choose(ctx, e, f.Question); err == nil {
				continue
			}
		}
		if err := c.conclude(e, talk, f, task); err != nil || talk.waiting == nil || !e.interactive() {
			return err
		}
		if yes, err := e.agree(ctx, *talk.waiting, !c.Demo); err != nil || !yes {
			return err
		}
		return talk.confirm(ctx, e, talk.waiting.ID, talk.waiting.Version, nil, shows{Lang: c.Lang, Rows: c.Rows})
	}
}

// task returns the question from the arguments or standard input.
func (c *askCmd) task(e *env) (string, error) {
	task := strings.Join(c.Task, " ")
	if task == "-" {
		b, err := io.ReadAll(io.LimitReader(e.streams.In, 64<<10))
		if err != nil {
			return "", err
		}
		task = string(b)
	}
	if strings.TrimSpace(task) == "" {
		return "", fmt.Errorf("%w: what is the question? For example: stockhand ask --demo \"что заканчивается на складах?\"", errUsage)
	}
	return task, nil
}

// begin opens the database, connects the accounts and selects the requested one.
func (c *askCmd) begin(ctx context.Context, e *env) (*conversation, error) {
	var s *local
	var err error
	if c.Demo {
		models, wrong := llm.ReadConfig(e.getenv)
		if wrong != nil {
			return nil, wrong
		}
		s, err = openDemo(ctx, demoOptions{accounts: c.Accounts, products: c.Products, models: models})
	} else {
		s, err = openReal(ctx, e)
	}
	if err != nil {
		return nil, err
	}
	talk := e.conversation(s, c.Lang, c.Rows)
	talk.place = table.Place{CSV: true, Commands: !c.Demo && !e.interactive()}
	talk.bar = e.bar(c.JSON)
	switch {
	case c.Account == "" && len(s.Connected) == 1: // the environment selects the account
		talk.connection = s.Connected[0].ID
	case c.Account != "":
		if talk.connection, err = s.named(ctx, c.Account); err != nil {
			s.Close()
			return nil, err
		}
	}
	return talk, nil
}

// choose asks the user to choose an option.
func choose(ctx context.Context, e *env, q *agent.Question) (string, error) {
	fmt.Fprintln(e.streams.Err, table.OneLine(q.Text))
	for i, o := range q.Options {
		fmt.Fprintf(e.streams.Err, "  %d. %s\n", i+1, table.OneLine(o.Text))
	}
	return e.prompt().line(ctx, "> ")
}

// conclude prints the result of the task and determines the exit code.
func (c *askCmd) conclude(e *env, talk *conversation, f *agent.Finished, task string) error {
	if err := c.save(e, talk, f); err != nil {
		return err
	}
	if c.JSON {
		if err := printJSON(e.streams.Out, f); err != nil {
			return err
		}
	} else {
		talk.show(c.shown(e), f)
	}
	return c.verdict(e, f, "stockhand ask --account ID …", answered(f, len(f.Drafts), task))
}

// save writes the complete tables to the target of --csv: a file, or standard output.
func (c *askCmd) save(e *env, talk *conversation, f *agent.Finished) error {
	l, tables := talk.tables(f)
	switch {
	case c.CSV == "" || len(tables) == 0:
		return nil
	case c.CSV == "-":
		return export.CSV(e.streams.Out, l, tables...)
	}
	return writeFile(c.CSV, 0o644, func(w io.Writer) error { return export.CSV(w, l, tables...) })
}

// shown returns the writer for the answer: standard error if the CSV goes to standard output.
func (c *askCmd) shown(e *env) io.Writer {
	if c.CSV == "-" {
		return e.streams.Err
	}
	return e.streams.Out
}

// answered reports whether the task was understood: there is data or a draft, a model answered, there is a question to
// the user, or a text is the answer, as for a greeting or a request for help.
func answered(f *agent.Finished, drafts int, task string) bool {
	if f.Question != nil || len(f.Results) > 0 || drafts > 0 || f.OutputTokens > 0 {
		return true
	}
	switch language.Read(task, language.Input{Now: time.Now()}).Skill {
	case language.Help, language.SmallTalk:
		return true
	default:
		return false
	}
}

// verdict returns how a finished task ends the program, and explains how to choose an account if necessary.
func (c *askCmd) verdict(e *env, f *agent.Finished, command string, answered bool) error {
	switch {
	case f.Failure != nil && c.JSON:
		return errReported
	case f.Failure != nil:
		return &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}
	case f.Question != nil && f.Question.Code == stockhand.CodeAccountRequired:
		if !c.JSON {
			fmt.Fprintln(e.streams.Err, languageOf(f.Question.Text).Pick("Назовите аккаунт: ", "Name the account: ")+
				command)
		}
		return errors.Join(errUsage, errReported)
	case !answered:
		return errReported
	}
	return nil
}

// inWordsOf translates an error that occurred before the task was read into the task's language.
func inWordsOf(task, asked string, err error) error {
	l := stockhand.Language(asked)
	if l == "" {
		l = language.Read(task, language.Input{Now: time.Now()}).Language
	}
	return worded(err, l)
}

// worded translates the error if it has a translation.
func worded(err error, l stockhand.Language) error {
	own, ok := errors.AsType[*stockhand.Error](err)
	if !ok {
		return err
	}
	said, words := *own, own.In(l)
	said.Message, said.Hint = words.Message, words.Hint
	if errors.Is(err, errUsage) {
		return errors.Join(errUsage, &said)
	}
	return &said
}

// failed reports an error that occurred before there was a message, as JSON if requested.
func (c *askCmd) failed(e *env, err error) error {
	if !c.JSON || errors.Is(err, errReported) {
		return err
	}
	failure := &agent.Failure{Code: stockhand.CodeOf(err), Message: err.Error()}
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		failure.Message, failure.Hint = own.Message, own.Hint
	}
	f := agent.NewFinished()
	f.Failure = failure
	if printed := printJSON(e.streams.Out, f); printed != nil {
		return printed
	}
	if errors.Is(err, errUsage) {
		return errors.Join(errUsage, errReported)
	}
	return errReported
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
