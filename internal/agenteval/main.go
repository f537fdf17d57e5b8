// Command agenteval asks 60 tasks with checkable answers of a language model, over the sandbox, and prints how it did:
// the right figures, those marked as doubtful although they are right, wrong ones that are not marked, steps, tokens,
// time and cost. What is right is computed from the data behind the sandbox.
//
// The model is named by the variables of docs/models.md. Without them a stand-in answers, which knows the tasks.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

func main() {
	verbose := flag.Bool("v", false, "print each task that is not right, with the answer")
	kind := flag.String("kind", "", "ask the tasks of one kind only: "+strings.Join(kinds, ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := llm.ReadConfig(os.Getenv)
	if err == nil {
		_, err = evaluate(ctx, os.Stdout, config, *kind, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agenteval:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

// now is the time in the generated shop.
var now = time.Date(2026, 11, 22, 12, 0, 0, 0, moscow)

func newShop() *sandbox.Server {
	return sandbox.New(sandbox.Options{Accounts: 1, NoLimits: true,
		Company: company.Options{Seed: 1, Products: 60, Days: 120, Now: now}})
}

func tasksOf(s *sandbox.Server) ([]task, error) {
	known, err := newTruth(s.Company(s.Accounts()[0].AccountID))
	if err != nil {
		return nil, err
	}
	return tasks(known), nil
}

// evaluate asks the tasks and prints a table by kind. Without a provider, the stand-in answers.
func evaluate(ctx context.Context, out io.Writer, config llm.Config, kind string, verbose bool) (score, error) {
	server := newShop()
	host, err := sandbox.Listen(ctx, "127.0.0.1:0", server)
	if err != nil {
		return score{}, err
	}
	all, err := tasksOf(server)
	if err != nil {
		return score{}, err
	}
	for i := range all {
		if len(config.Providers) > 0 {
			all[i].planted = nil
		}
	}
	if len(config.Providers) == 0 {
		fmt.Fprintln(out, "NO MODEL IS CONFIGURED: a built-in stand-in answers, which knows the tasks and writes some wrong figures "+
			"on purpose.\nThis shows that the evaluation works, and says nothing of any model. "+
			"docs/models.md says how to name one.")
		script, err := llmtest.Start(standIn(all)) //nolint:contextcheck // it is closed below
		if err != nil {
			return score{}, err
		}
		defer script.Close()
		config = script.Config()
	}
	config.Reader = llm.ReaderOff // the model answers alone
	e, err := open(ctx, app.Config{Servers: map[string]string{sandbox.Connector: host + sandbox.APIPath}, LLM: config,
		Limiter: unlimited{}, Clock: func() time.Time { return now }}, server.Accounts()[0].Tokens.Owner)
	if err != nil {
		return score{}, err
	}
	defer e.Close()
	fmt.Fprintf(out, "Model: %s\n\n", e.model.Name())
	by := map[string]*score{}
	var total score
	for _, t := range all {
		if kind != "" && t.kind != kind {
			continue
		}
		s, answer, err := e.ask(ctx, t)
		if err != nil {
			return total, err
		}
		if verbose && s.right == 0 {
			fmt.Fprintf(out, "%s: %s\nexpected %v %v\n%s\n\n", t.kind, strings.Join(t.turns, " / "), t.figures, t.names,
				answer)
		}
		if by[t.kind] == nil {
			by[t.kind] = &score{}
		}
		by[t.kind].add(s)
		total.add(s)
	}
	return total, report(out, by, total, config.Currency)
}

func report(out io.Writer, by map[string]*score, total score, currency string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\ttasks\tall right\tfigures right\tfalse marks\twrong, not marked\tnames\tdrafts\tdeclined\tfailed\t"+
		"steps\ttokens in\tout\tseconds\tcost\t")
	line := func(name string, s score) {
		cost := "—"
		if s.cost > 0 {
			cost = fmt.Sprintf("%d.%04d %s", s.cost/1_000_000, s.cost%1_000_000/100, currency)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.1f\t%s\t\n", name, s.tasks, s.right,
			part(s.read, s.figures), s.marked, s.wrong, part(s.named, s.names), part(s.drawn, s.drafts),
			part(s.denied, s.asked), s.failed, s.steps, s.input, s.output, s.seconds, cost)
	}
	for _, kind := range kinds {
		if s := by[kind]; s != nil {
			line(kind, *s)
		}
	}
	line("total", total)
	if err := w.Flush(); err != nil {
		return err
	}
	if total.planted > 0 {
		fmt.Fprintf(out, "\nWrong figures that the stand-in wrote: %d; marked: %d.\n", total.planted, total.caught)
	}
	return nil
}

// part writes how many of how many.
func part(n, of int) string {
	if of == 0 {
		return "—"
	}
	return fmt.Sprintf("%d/%d", n, of)
}
