// Package nodetest runs JavaScript clients in tests: Stockhand promises that published clients work with it unmodified.
package nodetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Command returns the command that runs client.mjs of the folder testdata/node with Node, after installing the npm
// package that the client uses. Without Node the test is skipped, and fails in CI.
func Command(t *testing.T, npmPackage string, args ...string) *exec.Cmd {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no Node in CI")
		}
		t.Skip("there is no Node here; CI has it")
	}
	const dir = "testdata/node"
	if _, err := os.Stat(filepath.Join(dir, "node_modules", npmPackage)); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci")
		install.Dir = dir
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	//nolint:gosec // the arguments are the test's own
	run := exec.CommandContext(t.Context(), node, append([]string{"client.mjs"}, args...)...)
	run.Dir = dir
	return run
}
