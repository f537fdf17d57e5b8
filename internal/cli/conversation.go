package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/tool"
)

// conversation runs tasks in one session and shows the results.
type conversation struct {
	*local
	session    stockhand.SessionID
	connection stockhand.ConnectionID // the account chosen by the user; empty leaves it to the task
	language   stockhand.Language     // empty means the task's
	rows       int                    // table rows to show; 0 shows all
	width      int                    // terminal width for the answer; 0 if it is not a terminal
	place      table.Place
	style      table.Style
	bar        *bar // nil draws nothing

	waiting *tool.Draft // the draft shown just before the user's next message; nil if none
}

func (e *env) conversation(s *local, lang string, rows int) *conversation {
	return &conversation{local: s, language: stockhand.Language(lang), rows: rows, width: width(e.streams.Out),
		style: e.style(e.streams.Out)}
}

// do runs one task until it ends, or carries out what it says about the drafts of the conversation.
func (c *conversation) do(ctx context.Context, said string) (*agent.Finished, error) {
	c.waiting = nil
	task := agent.Task{Text: said, Session: c.session, Connection: c.connection, Language: c.language,
		Actor: c.person()}
	turn, done, err := c.ByWord().Do(ctx, task)
	if err == nil && !done {
		turn, err = c.Agent.Start(ctx, c.Org, task)
	}
	if err != nil {
		return nil, err
	}
	c.session = turn.Session
	defer c.bar.clear()
	for e, err := range c.Agent.Follow(ctx, c.Org, turn.Run, 0) {
		if err != nil {
			if cancelled := c.Agent.Cancel(context.WithoutCancel(ctx), c.Org, turn.Run); cancelled != nil {
				err = errors.Join(err, cancelled)
			}
			c.Agent.Wait()
			return nil, err
		}
		c.bar.event(e.Type, e.Data)
	}
	f, err := c.Agent.Finished(ctx, c.Org, turn.Run)
	if err != nil {
		return nil, err
	}
	return f, c.Agent.Complete(ctx, c.Org, f)
}

// show prints a finished message: the answer, its tables, the notices, and how it was computed.
func (c *conversation) show(w io.Writer, f *agent.Finished) {
	for _, d := range f.Drafts {
		d.Notices = f.Notices // includes those of the run
		l := d.Language
		if c.language != "" {
			l = c.language
		}
		lead, shown := render.BeforeDraft(f.FinalResponse, d)
		if lead != "" && len(f.ToolCalls) == 0 { // a person's words about a draft
			fmt.Fprintln(w, paragraphs(render.Terminal(lead), c.width))
		}
		if shown || len(f.ToolCalls) > 0 {
			showDraft(w, d, c.table(l), false)
		}
		if d.Pending() {
			c.waiting = &d
		}
	}
	if len(f.Drafts) > 0 {
		return
	}
	if len(f.Results) == 0 {
		if f.FinalResponse != "" {
			fmt.Fprintln(w, paragraphs(render.Terminal(f.FinalResponse), c.width))
		}
		return
	}
	said := f.OutputTokens > 0 // a model wrote the answer, based on the tables
	if said {
		fmt.Fprintln(w, fitted(f.FinalResponse, c.width))
	}
	for _, r := range f.Results {
		l := resultLanguage(c.language, &r.Result)
		if !said {
			fmt.Fprintln(w, table.Wrap(table.OneLine(r.Answer), c.width))
		}
		placed := said && slices.ContainsFunc(f.Blocks, func(b blocks.Block) bool {
			return b.Result == r.ID && (b.Type == blocks.Table || b.Type == blocks.Chart)
		})
		if len(r.Rows) > 0 && !placed { // the answer has it already
			fmt.Fprintf(w, "\n%s\n", c.style.Bold(table.Wrap(table.OneLine(r.Title), c.width)))
			c.table(l).Write(w, &r.Result)
		}
		// a model's answer contains them
		if notes := render.Notices(&r.Result, f.Notices...); len(notes) > 0 && !said {
			fmt.Fprintln(w)
			for _, n := range notes {
				fmt.Fprintln(w, c.style.Dim(table.Wrap("• "+table.OneLine(n), c.width)))
			}
		}
		if m := render.Method(&r.Result, l); m != "" {
			fmt.Fprintf(w, "\n%s\n", c.style.Dim(table.Wrap(table.OneLine(m), c.width)))
		}
	}
}

func (c *conversation) table(l stockhand.Language) table.Table {
	return table.Table{Language: l, Rows: c.rows, Width: c.width, Place: c.place, Style: c.style}
}

// tables returns a finished message's tables for a spreadsheet: its results, or the documents of its drafts.
func (c *conversation) tables(f *agent.Finished) (stockhand.Language, []tool.Table) {
	var all []tool.Table
	l := c.language
	for _, r := range f.Results {
		all = append(all, r.InPages())
		l = resultLanguage(c.language, &r.Result)
	}
	if len(f.Drafts) > 0 { // the result of a proposal, if any, contains the same
		all = nil
	}
	for _, d := range f.Drafts {
		if c.language == "" {
			l = d.Language
		}
		for _, doc := range d.Documents {
			all = append(all, doc.Table(l).InPages())
		}
	}
	return l, all
}

// resultLanguage returns the language of a result's texts.
func resultLanguage(asked stockhand.Language, r *tool.Result) stockhand.Language {
	if asked != "" {
		return asked
	}
	return languageOf(r.Title)
}

func languageOf(text string) stockhand.Language {
	for _, s := range text {
		if s >= 'А' && s <= 'я' {
			return stockhand.Russian
		}
	}
	return stockhand.English
}

// paragraphs makes a multi-line text safe for a terminal and wraps its lines.
func paragraphs(s string, width int) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = table.Wrap(table.OneLine(lines[i]), width)
	}
	return strings.Join(lines, "\n")
}
