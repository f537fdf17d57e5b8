package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stockhand/stockhand/internal/nodetest"
)

// TestThePublicNodeClientWorksUnmodified runs testdata/node/client.mjs over TLS. It uses the npm package moysklad.
func TestThePublicNodeClientWorksUnmodified(t *testing.T) {
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
	run := nodetest.Command(t, "moysklad", url+"/api", tokens.Owner, tokens.Storekeeper)
	run.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+file)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
