//go:build unix

package main

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

// server is a running Postgres and the folder that holds all of it.
type server struct {
	folder string
	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process is gone
	log    *bytes.Buffer // what it said; read once it has ended
}

const (
	patience  = 30 * time.Second // for starting and for stopping
	superuser = "stockhand"
)

// start makes a cluster and waits until it answers.
func start(ctx context.Context, signals <-chan os.Signal) (_ *server, err error) {
	bin, err := binaries(ctx)
	if err != nil {
		return nil, err
	}
	s := &server{ended: make(chan struct{}), log: &bytes.Buffer{}}
	if s.folder, err = os.MkdirTemp("", "stockhand-pg-"); err != nil { // mode 0700: it is the only guard of the socket
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	as, err := s.give()
	if err != nil {
		return nil, err
	}
	data := filepath.Join(s.folder, "data")
	initdb := s.command(ctx, as, filepath.Join(bin, "initdb"), "--pgdata", data, "--username", superuser, "--auth",
		"trust", "--encoding", "UTF8", "--no-locale", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	s.cmd = s.command(ctx, as, filepath.Join(bin, "postgres"), "-D", data, "-k", s.folder, "-h", "",
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=300",
		"-c", "shared_buffers=64MB")
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its log
		close(s.ended)
	}()
	return s, s.await(ctx, signals)
}

// give hands the folder to a user that Postgres agrees to run as, when this one is root. Nil means this user.
func (s *server) give() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("postgres refuses to run as root, and there is neither a user postgres nor nobody: %w",
			err)
	}
	uid, errUID := strconv.ParseUint(account.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(errUID, errGID, os.Chown(s.folder, int(uid), int(gid))); err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// command prepares a process of the server. It gets a process group of its own, so that Ctrl-C does not stop the server
// before the tests, and it dies with this process where the system can promise that.
func (s *server) command(ctx context.Context, as *syscall.Credential, path string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, arguments...) //nolint:gosec // Postgres' own programs, from a known folder
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as}
	endsWithUs(cmd.SysProcAttr)
	return cmd
}

// url is the server's address: a socket in the folder.
func (s *server) url() string {
	return "postgres:///postgres?" + url.Values{"host": {s.folder}, "user": {superuser},
		"sslmode": {"disable"}}.Encode()
}

// await returns when the server answers, has ended, or the person has had enough.
func (s *server) await(ctx context.Context, signals <-chan os.Signal) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.url())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("postgres ended:\n%s", s.log)
		case sig := <-signals:
			return fmt.Errorf("%s", sig)
		case <-ctx.Done():
			return fmt.Errorf("postgres did not answer within %s: %w", patience, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop ends the server, quickly and with force if need be, and removes its folder.
func (s *server) stop() error {
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(syscall.SIGINT) // "fast": open connections are cut
		select {
		case <-s.ended:
		case <-time.After(patience):
			_ = s.cmd.Process.Signal(syscall.SIGQUIT) // at once
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
