// Package cli is the command line: one file per subcommand. A command works with the service in this process
// (internal/app) or with a running server (internal/client). Only main imports it.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/command"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// Exit codes (rule R69).
const (
	exitOK          = 0
	exitFailed      = 1   // failed, rejected or not understood
	exitUsage       = 2   // wrong usage, or an account must be chosen
	exitInterrupted = 130 // Ctrl-C, as shells report it
)

// Streams are the program's input and outputs. Terminals are detected by their files.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// cli is the command line.
type cli struct {
	Ask        askCmd          `cmd:"" help:"Ask one question about an account, in Russian or English."`
	Drafts     draftsCmd       `cmd:"" help:"Show, edit, confirm, reject or undo drafts."`
	Audit      auditCmd        `cmd:"" help:"Show and verify the audit log."`
	Serve      serveCmd        `cmd:"" help:"Serve the HTTP API, the OpenAI-compatible endpoint and MCP."`
	MCP        mcpCmd          `cmd:"" name:"mcp" help:"Serve a desktop assistant or an editor over the standard input and output."`
	Keys       keysCmd         `cmd:"" help:"Create, list, rotate and revoke API keys."`
	Users      usersCmd        `cmd:"" help:"Create and list users and their tokens."`
	Orgs       orgsCmd         `cmd:"" help:"Create, list and rename organizations and manage their members."`
	Measures   measuresCmd     `cmd:"" help:"List, define and remove an organization's own measures."`
	Writes     writesCmd       `cmd:"" help:"Stop all writes to external systems, or allow them again."`
	Clean      housekeepingCmd `cmd:"" name:"housekeeping" help:"Remove what is past its retention time now; a server does it every hour."`
	Secrets    secretsCmd      `cmd:"" help:"Rotate the key that encrypts stored credentials."`
	Demo       demoCmd         `cmd:"" help:"Serve and ask a generated shop: nothing to set up."`
	Sandbox    sandboxCmd      `cmd:"" help:"Serve a stand-in for the MoySklad JSON API 1.2 with a generated company."`
	Record     recordCmd       `cmd:"" help:"Ask an account, and keep what was read and said in a file."`
	ExportRun  exportRunCmd    `cmd:"" name:"export-run" help:"Write a turn of this server's conversations to a file that replay plays."`
	Replay     replayCmd       `cmd:"" help:"Answer a recorded conversation again, without the account."`
	Health     healthCmd       `cmd:"" help:"Check whether the server on this machine is ready."`
	Version    versionCmd      `cmd:"" help:"Print the version; also --version."`
	Completion completionCmd   `cmd:"" help:"Print the shell code that completes commands: source <(stockhand completion bash)."`
}

const about = "Ask an inventory account in plain language. Every figure comes from the account's own data; nothing is " +
	"written that a person did not confirm."

// Help adds to stockhand --help.
func (cli) Help() string {
	return "Try it at once:\n\n    stockhand demo\n    stockhand ask --demo \"что заканчивается на складах?\"\n\n" +
		"A real account:\n\n    STOCKHAND_MOYSKLAD_TOKEN=… stockhand ask \"сколько денег на счетах?\""
}

// runner is a command of cli.
type runner interface {
	Run(ctx context.Context, e *env) error
}

// errUsage marks usage errors, which have exit code 2.
var errUsage = errors.New("usage")

// Run runs the program with the arguments and returns its exit code.
func Run(ctx context.Context, args []string, getenv func(string) string, s Streams) int {
	out := &output{Writer: s.Out}
	s.Out = out
	root := command.New("stockhand", about, new(cli))
	switch {
	case len(args) > 0 && args[0] == completeArg:
		complete(s.Out, root, args[1:])
		return exitOK
	// not a flag of the parser, because drafts commands have --version flags
	case len(args) == 1 && args[0] == "--version":
		args = []string{"version"}
	case len(args) > 0 && args[0] == "help":
		args = append(args[1:], "--help")
	}
	e := &env{streams: s, getenv: getenv}
	c, err := root.Parse(args)
	if wrong, ok := errors.AsType[*command.Error](err); ok {
		l := e.language()
		fmt.Fprintf(s.Err, "%s\n%s %s --help\n", e.style(s.Err).Red("stockhand: "+wrong.In(l)),
			l.Pick("Подсказка:", "Try:"), c.Path)
		return exitUsage
	}
	if errors.Is(err, command.ErrHelp) {
		c.Help(s.Out, cmp.Or(width(s.Out), 80))
		err = nil
	} else {
		err = c.Spec.(runner).Run(ctx, e)
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("the answer could not be written completely: %w", out.err)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, syscall.EPIPE): // the reader, for example head, has closed the pipe
		return exitFailed
	case ctx.Err() != nil:
		fmt.Fprintln(s.Err, "stockhand: interrupted")
		return exitInterrupted
	case errors.Is(err, errReported):
	default:
		complain(s.Err, e.style(s.Err), err)
	}
	if errors.Is(err, errUsage) {
		return exitUsage
	}
	return exitFailed
}

// errReported marks an error that the user has already seen.
var errReported = errors.New("already reported")

// complain prints an error: what happened, and what can be done.
func complain(w io.Writer, s table.Style, err error) {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok {
		fmt.Fprintln(w, s.Red("stockhand: "+strings.TrimPrefix(err.Error(), errUsage.Error()+": ")))
		return
	}
	fmt.Fprintln(w, s.Red("stockhand: "+e.Message))
	if e.Hint != "" {
		fmt.Fprintf(w, "  → %s\n", e.Hint)
	}
}

// output records write errors, so that an answer truncated by a full disk is not a success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// env is the environment of commands.
type env struct {
	streams Streams
	getenv  func(string) string
}

// terminal returns the file of a stream if it is a terminal.
func terminal(stream any) (*os.File, bool) {
	if o, ok := stream.(*output); ok {
		stream = o.Writer
	}
	f, ok := stream.(*os.File)
	if !ok || !isTerminal(f) {
		return nil, false
	}
	return f, true
}
