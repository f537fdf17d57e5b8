//go:build unix

// Withpostgres runs a command with a Postgres server of its own beside it:
//
//	go run ./internal/store/storetest/withpostgres -- go test ./...
//
// It makes a cluster in a temporary folder, starts it on a Unix socket that only this user can reach, puts its URL into
// STOCKHAND_TEST_POSTGRES, runs the command, and removes everything again, after Ctrl-C too. Its exit code is the
// command's. Nothing is written to disk durably (fsync is off): the data live as long as the command.
//
// When the variable is set already, the command simply runs. When Postgres is not installed, root on Debian or Ubuntu
// gets it installed; for any other user it says what to install.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/stockhand/stockhand/internal/store/storetest/postgres"
)

const variable = "STOCKHAND_TEST_POSTGRES"

func main() {
	command := os.Args[1:]
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres -- command [argument…]")
		os.Exit(2)
	}
	// Ctrl-C reaches the command from the terminal too; it ends as it sees fit, and the server outlives it.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code, err := run(context.Background(), command, signals)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
	}
	os.Exit(code)
}

// run returns the exit code: the command's own, or 1 when there was no server to run it with.
func run(ctx context.Context, command []string, signals <-chan os.Signal) (code int, err error) {
	if os.Getenv(variable) == "" {
		server, err := postgres.Start(ctx, signals)
		if err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		if err := os.Setenv(variable, server.URL()); err != nil {
			return 1, err
		}
	}
	//nolint:gosec // running the given command is the purpose
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 127, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // it may have ended meanwhile
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode is what a shell would report.
func exitCode(err error) (int, error) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		if err != nil {
			return 1, err
		}
		return 0, nil
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
