package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
)

const defaultAddr = "127.0.0.1:8080"

// serving are the flags of the commands that serve.
type serving struct {
	Addr      string `placeholder:"HOST:PORT" help:"Where to listen (default: STOCKHAND_ADDR, or 127.0.0.1:8080); port 0 picks a free one."`
	ReadyFile string `placeholder:"PATH" type:"path" help:"Write a JSON object with addresses and a token or sign-in link there once the server answers."`
	LogFormat string `enum:"text,json" placeholder:"text|json" help:"How the log is written to the standard error (default: STOCKHAND_LOG_FORMAT, or text)."`
	LogLevel  string `enum:"debug,info,warn,error" placeholder:"LEVEL" help:"What is logged: debug, info, warn or error (default: STOCKHAND_LOG_LEVEL, or info)."`
}

type serveCmd struct {
	serving

	DataDir string `placeholder:"PATH" type:"path" help:"The data folder (default: STOCKHAND_DATA_DIR, or ~/.local/share/stockhand)."`
}

// Help adds to stockhand serve --help.
func (serveCmd) Help() string {
	return "By default it stores everything in SQLite in the data folder and needs no other service; " +
		"with STOCKHAND_DATABASE_URL=postgres://… and STOCKHAND_NATS_URL=nats://… any number of replicas run as one " +
		"service.\n\n" +
		"On an empty database it creates an organization with an owner and prints a link with which the owner signs in " +
		"once. STOCKHAND_ORGANIZATION and STOCKHAND_OWNER_EMAIL name them.\n\n" +
		"SIGTERM or Ctrl-C ends it gracefully: clients of open streams reconnect to another replica, which also takes " +
		"over unfinished runs; a second signal ends it at once.\n\n" +
		"All settings are listed in docs/settings.md."
}

func (c *serveCmd) Run(ctx context.Context, e *env) error {
	getenv := e.getenv
	if c.DataDir != "" {
		getenv = func(name string) string {
			if name == app.EnvDataDir {
				return c.DataDir
			}
			return e.getenv(name)
		}
	}
	config, err := app.ReadConfig(e.getenv)
	if err != nil {
		return err
	}
	if config, err = config.InDataFolder(getenv); err != nil {
		return err
	}
	if config, err = c.configure(e, config, "info"); err != nil {
		return err
	}
	config.Logger.InfoContext(ctx, "starting", "version", app.Version(), "config", config)
	if most := app.MemoryLimit(e.getenv, os.DirFS("/")); most > 0 {
		debug.SetMemoryLimit(most)
		config.Logger.InfoContext(ctx, "memory limit from the container", "bytes", most)
	}
	for _, name := range app.UnknownSettings(os.Environ()) {
		config.Logger.WarnContext(ctx, "unknown setting: see docs/settings.md", "variable", name)
	}
	i, err := app.Open(ctx, config)
	if err != nil {
		return err
	}
	if err := c.announce(ctx, e, i, nil); err != nil {
		return i.End(ctx, err)
	}
	return i.End(ctx, i.Wait(ctx))
}

// configure applies the flags, and the environment for unset flags.
func (c *serving) configure(e *env, config app.Config, level string) (app.Config, error) {
	var err error
	// not in ReadConfig: the variables are shared with other programs, and only servers send traces
	if config.Traces, err = app.ReadTraces(e.getenv); err != nil {
		return config, err
	}
	config.Addr = cmp.Or(c.Addr, e.getenv("STOCKHAND_ADDR"), defaultAddr)
	config.Logger, err = app.NewLogger(e.streams.Err, cmp.Or(c.LogFormat, e.getenv("STOCKHAND_LOG_FORMAT"), "text"),
		cmp.Or(c.LogLevel, e.getenv("STOCKHAND_LOG_LEVEL"), level))
	return config, err
}

// announce prints the address of the service for users and programs. The owner's link is only printed when the owner
// was just created. A demo gives programs a token instead, which ends with it.
func (c *serving) announce(ctx context.Context, e *env, i *app.Instance, stand *readySandbox) error {
	out := e.streams.Out
	fmt.Fprintf(out, "Stockhand %s is at %s\n", app.Version(), i.URL)
	info := ready{BaseURL: i.URL + api.Base, OpenAIURL: i.URL + "/v1", MCPURL: i.URL + "/mcp", ConsoleURL: i.URL + "/",
		OrgID: i.Org, Sandbox: stand}
	if i.Owner.ID != "" {
		link, err := i.SignIn.CreateLink(ctx, stockhand.Actor{Name: "system"}, i.Owner.ID)
		if err != nil {
			return err
		}
		info.SignInURL = link.URL
		fmt.Fprintf(out, "  organization  %s\n  owner         %s\n  sign in       %s\n", i.Org, i.Owner.Email, link.URL)
		if stand == nil {
			fmt.Fprintf(out, "  The link works once, until %s. Another: stockhand users link %s\n"+
				"  A token for your programs: stockhand users token %s\n", shownTime(link.Expires), i.Owner.Email,
				i.Owner.Email)
		}
	}
	if c.ReadyFile == "" {
		return nil
	}
	if stand != nil {
		token, err := i.OwnerToken(ctx)
		if err != nil {
			return err
		}
		info.AdminToken = token
	}
	connections, err := i.Store.Connections(ctx, i.Org)
	if err != nil {
		return err
	}
	info.Connections = readyConnections(connections)
	return writeReady(c.ReadyFile, info)
}
