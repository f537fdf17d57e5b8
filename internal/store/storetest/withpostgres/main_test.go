//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stockhand/stockhand/internal/store/storetest/postgres"
)

// asProgram turns the test binary into withpostgres itself.
const asProgram = "STOCKHAND_TEST_AS_WITHPOSTGRES"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if url := os.Getenv("STOCKHAND_TEST_CONNECT"); url != "" {
		os.Exit(connect())
	}
	os.Exit(m.Run())
}

// connect is a command that needs the server.
func connect() int {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, os.Getenv(variable))
	if err != nil {
		return 1
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE mine"); err != nil {
		return 2
	}
	return 42
}

// program prepares withpostgres with a folder of its own for temporary files, which the server's user may enter.
func program(t *testing.T, variables []string, command ...string) (cmd *exec.Cmd, folder string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, err = os.MkdirTemp("/tmp", "wp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o711); err != nil { // the server's user must get through
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), exe, append([]string{"--"}, command...)...)
	cmd.Env = append(os.Environ(), append(variables, asProgram+"=1", "TMPDIR="+folder)...)
	cmd.Stderr = os.Stderr
	return cmd, folder
}

func needPostgres(t *testing.T) {
	t.Helper()
	if !postgres.Installed(t.Context()) {
		t.Skip("Postgres is not installed; `make test` installs it")
	}
}

func code(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

func empty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestCommandHasAServerAndItsExitCodeIsPassedOn(t *testing.T) {
	needPostgres(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd, folder := program(t, []string{variable + "="}, "env", asProgram+"=", "STOCKHAND_TEST_CONNECT=1", exe)
	if got := code(cmd.Run()); got != 42 {
		t.Errorf("exit code %d, want the command's 42", got)
	}
	empty(t, folder)
}

func TestServerThatIsThereAlreadyIsUsed(t *testing.T) {
	cmd, folder := program(t, []string{variable + "=postgres://there.invalid/"}, "sh", "-c", `test "$`+variable+
		`" = postgres://there.invalid/ && ls -A "$TMPDIR"`)
	out, err := cmd.Output()
	if err != nil || len(out) != 0 {
		t.Errorf("%v, made %q", err, out)
	}
	empty(t, folder)
}

func TestInterruptEndsTheCommandThenTheServer(t *testing.T) {
	needPostgres(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd, folder := program(t, []string{variable + "="}, "sh", "-c", "echo up; exec sleep 60")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
		pids, err := filepath.Glob(folder + "/stockhand-pg-*/data/postmaster.pid")
		if err != nil || len(pids) != 1 {
			t.Fatalf("servers: %v, %v", pids, err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if got := code(cmd.Wait()); got != 128+int(signal) {
			t.Errorf("%v: exit code %d", signal, got)
		}
		empty(t, folder)
	}
}

func TestCommandThatDoesNotExistIsSaidSo(t *testing.T) {
	cmd, _ := program(t, []string{variable + "=postgres://there.invalid/"}, "/no/such/command")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if got := code(cmd.Run()); got != 127 || !strings.Contains(complaint.String(), "/no/such/command") {
		t.Errorf("exit code %d, %s", got, complaint.String())
	}
}
