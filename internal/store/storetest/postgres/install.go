//go:build unix

package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// wanted is the version to install and the oldest supported one; later versions are accepted.
const wanted = 15

// binaries returns the folder with initdb and postgres, and installs them if this user may.
func binaries(ctx context.Context) (string, error) {
	if bin := find(ctx); bin != "" {
		return bin, nil
	}
	apt, err := exec.LookPath("apt-get")
	if os.Geteuid() != 0 || err != nil {
		return "", errors.New("the tests need Postgres 15 or later, which is not installed\n" +
			"  Debian, Ubuntu:  sudo apt-get install postgresql-15 (or postgresql)\n" +
			"  macOS:           brew install postgresql@15\n" +
			"  a server you have: set STOCKHAND_TEST_POSTGRES=postgres://… with a user that may create databases\n" +
			"  SQLite alone:    make test-fast")
	}
	fmt.Fprintln(os.Stderr, "installing Postgres for the tests")
	if err := install(ctx, apt); err != nil {
		return "", err
	}
	if bin := find(ctx); bin != "" {
		return bin, nil
	}
	return "", errors.New("installed Postgres, but its programs cannot be found")
}

// install installs version 15, or the distribution's version if it has no 15.
func install(ctx context.Context, apt string) error {
	run := func(arguments ...string) error {
		cmd := exec.CommandContext(ctx, apt, arguments...) //nolint:gosec // fixed arguments
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("apt-get %s: %w", strings.Join(arguments, " "), err)
		}
		return nil
	}
	if err := run("update", "--quiet"); err != nil {
		return err
	}
	first := run("install", "--quiet", "--yes", "--no-install-recommends", fmt.Sprintf("postgresql-%d", wanted))
	if first == nil {
		return nil
	}
	if second := run("install", "--quiet", "--yes", "--no-install-recommends", "postgresql"); second != nil {
		return errors.Join(first, second)
	}
	return nil
}

// find looks for Postgres where packages install it and on the PATH. It prefers the wanted version, then the oldest
// later one.
func find(ctx context.Context) string {
	var folders []string
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		found, _ := filepath.Glob(pattern) // the patterns are valid
		folders = append(folders, found...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	best, bin := 0, ""
	for _, folder := range folders {
		v := major(ctx, folder)
		if v >= wanted && (best == 0 || v < best) {
			best, bin = v, folder
		}
	}
	return bin
}

var firstNumber = regexp.MustCompile(`\d+`)

// major returns the version of the programs in a folder, or 0 if they are incomplete.
func major(ctx context.Context, folder string) int {
	if _, err := os.Stat(filepath.Join(folder, "initdb")); err != nil {
		return 0
	}
	//nolint:gosec // found above
	out, err := exec.CommandContext(ctx, filepath.Join(folder, "postgres"), "--version").Output()
	if err != nil {
		return 0
	}
	v, _ := strconv.Atoi(firstNumber.FindString(string(out))) // 0 if there is no number
	return v
}

// Installed reports whether a server can be started without installing anything.
func Installed(ctx context.Context) bool { return find(ctx) != "" }
