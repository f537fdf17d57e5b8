//go:build unix

// Withpostgres runs a command with a temporary Postgres server:
//
//	go run ./internal/store/storetest/withpostgres -- go test ./...
//
// It creates a cluster in a temporary folder, starts it on a Unix socket that only this user can reach, sets
// STOCKHAND_TEST_POSTGRES to its URL, runs the command, and removes everything afterwards, also after Ctrl-C. It exits
// with the command's exit code. Data is not durable (fsync is off), because it lives only as long as the command.
//
// If the variable is already set, the command simply runs. If Postgres is not installed, it is installed for root on
// Debian or Ubuntu; other users get instructions.
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
	// The terminal also sends Ctrl-C to the command, which decides when to end; the server must outlive it.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code, err := run(context.Background(), command, signals)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
	}
	os.Exit(code)
}

// run returns the command's exit code, or 1 if there is no server to run it with.
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
			_ = cmd.Process.Signal(s) // it may have ended already
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode returns the exit code that a shell would report.
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
