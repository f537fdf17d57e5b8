// Package nodetest runs JavaScript clients in tests, to check that published clients work with Stockhand unmodified.
package nodetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var installing sync.Mutex

// folder is where the packages of a test are.
const folder = "testdata/node"

// Command installs npmPackage in testdata/node and returns a command that runs client.mjs there. If Node is missing, it
// skips the test, or fails it in CI.
func Command(t *testing.T, npmPackage string, args ...string) *exec.Cmd {
	t.Helper()
	Package(t, npmPackage)
	//nolint:gosec // the arguments are the test's own
	run := exec.CommandContext(t.Context(), "node", append([]string{"client.mjs"}, args...)...)
	run.Dir = folder
	return run
}

// Package installs what testdata/node names, and returns the folder of an npm package there. If Node is missing, it
// skips the test, or fails it in CI.
func Package(t *testing.T, npmPackage string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Node is not installed in CI")
		}
		t.Skip("Node is not installed; the test runs in CI")
	}
	installing.Lock() // npm ci removes what another one installs
	defer installing.Unlock()
	at := filepath.Join(folder, "node_modules", npmPackage)
	if _, err := os.Stat(at); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci")
		install.Dir = folder
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	return at
}
