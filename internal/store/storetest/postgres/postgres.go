//go:build unix

// Package postgres starts a Postgres server for tests: a cluster in a temporary folder, on a Unix socket that only
// this user can reach, without durability. The folder is in memory if there is room and TMPDIR names no other place.
// On Linux the server stops when this process is killed.
package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a running Postgres server with its folder. Use [Start].
type Server struct {
	folder string
	bin    string              // the folder with Postgres's programs
	as     *syscall.Credential // the user to run as; nil for the current user
	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process has ended
	log    *bytes.Buffer // its output; read only after it has ended
}

const (
	patience  = 30 * time.Second // for starting and for stopping
	superuser = "stockhand"
)

// Start creates a cluster and waits until it answers or a signal arrives. It installs Postgres if it is missing and
// this user may install it.
func Start(ctx context.Context, signals <-chan os.Signal) (_ *Server, err error) {
	s := &Server{}
	if s.bin, err = binaries(ctx); err != nil {
		return nil, err
	}
	if s.folder, err = newFolder(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if s.as, err = s.give(); err != nil {
		return nil, err
	}
	initdb := s.command(ctx, filepath.Join(s.bin, "initdb"), "--pgdata", s.data(), "--username", superuser, "--auth",
		"trust", "--encoding", "UTF8", "--no-locale", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, s.run(ctx, signals)
}

// newFolder creates the folder of a server. Its mode, 0700, is all that protects the socket.
func newFolder() (string, error) {
	const pattern = "stockhand-pg-"
	if os.Getenv("TMPDIR") == "" {
		if folder, err := os.MkdirTemp(memoryFolder(), pattern); err == nil {
			return folder, nil
		}
	}
	return os.MkdirTemp("", pattern)
}

// run starts the server and waits until it answers.
func (s *Server) run(ctx context.Context, signals <-chan os.Signal) error {
	s.ended, s.log = make(chan struct{}), &bytes.Buffer{}
	cmd := s.command(ctx, filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.folder, "-h", "",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=300", "-c", "shared_buffers=64MB")
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	s.cmd = cmd
	ended := s.ended
	go func() {
		_ = cmd.Wait() // the log says how it ended
		close(ended)
	}()
	return s.await(ctx, signals)
}

// Kill stops the server like "pg_ctl stop -m immediate": connections are closed, nothing is flushed, and the next start
// recovers from the log.
func (s *Server) Kill() {
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	<-s.ended
}

// StartAgain starts a killed server on its existing data and waits until it answers.
func (s *Server) StartAgain(ctx context.Context) error { return s.run(ctx, nil) }

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// give changes the owner of the folder to the user postgres when this process is root, because Postgres refuses to run
// as root. It returns nil if the current user can run the server.
func (s *Server) give() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("postgres refuses to run as root, and there is no user postgres: %w", err)
	}
	uid, errUID := strconv.ParseUint(account.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(errUID, errGID, os.Chown(s.folder, int(uid), int(gid))); err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// command prepares a process of the server. It runs in a separate process group, so that Ctrl-C does not stop the
// server before the tests, and it ends with this process where the system supports that.
func (s *Server) command(ctx context.Context, path string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, arguments...) //nolint:gosec // Postgres's own programs, from a known folder
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: s.as}
	endsWithUs(cmd.SysProcAttr)
	return cmd
}

// URL returns the server's address: a socket in the folder.
func (s *Server) URL() string {
	return "postgres:///postgres?" + url.Values{"host": {s.folder}, "user": {superuser},
		"sslmode": {"disable"}}.Encode()
}

// await returns when the server answers or has ended, or when a signal arrives.
func (s *Server) await(ctx context.Context, signals <-chan os.Signal) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("postgres exited:\n%s", s.log)
		case sig := <-signals:
			return fmt.Errorf("%s", sig)
		case <-ctx.Done():
			return fmt.Errorf("postgres did not answer within %s: %w", patience, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop stops the server, by force if necessary, and removes its folder.
func (s *Server) Stop() error {
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(syscall.SIGINT) // "fast": open connections are closed
		select {
		case <-s.ended:
		case <-time.After(patience):
			_ = s.cmd.Process.Signal(syscall.SIGQUIT) // immediately
			select {
			case <-s.ended:
			case <-time.After(5 * time.Second):
				_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
				<-s.ended
			}
		}
	}
	return os.RemoveAll(s.folder)
}
