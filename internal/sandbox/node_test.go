package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestThePublicNodeClientWorksUnmodified runs testdata/node/client.mjs, which uses the npm package moysklad, over TLS.
func TestThePublicNodeClientWorksUnmodified(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no Node in CI")
		}
		t.Skip("there is no Node here; CI has it")
	}
	dir := "testdata/node"
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "moysklad")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci")
		install.Dir = dir
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	certificate, authority, err := SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, authority, 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	url, err := ListenTLS(t.Context(), "127.0.0.1:0", s, certificate)
	if err != nil {
		t.Fatal(err)
	}
	tokens := s.Accounts()[0].Tokens
	run := exec.CommandContext(t.Context(), node, "client.mjs", url+"/api", tokens.Owner, tokens.Storekeeper)
	run.Dir, run.Env = dir, append(os.Environ(), "NODE_EXTRA_CA_CERTS="+file)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
