// Package nodetest runs JavaScript clients in tests, to check that published clients work with Stockhand unmodified.
package nodetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Command installs npmPackage in testdata/node and returns a command that runs client.mjs there. If Node is missing, it
// skips the test, or fails it in CI.
func Command(t *testing.T, npmPackage string, args ...string) *exec.Cmd {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Node is not installed in CI")
		}
		t.Skip("Node is not installed; the test runs in CI")
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
