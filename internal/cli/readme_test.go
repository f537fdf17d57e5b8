package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// script is the shell blocks of a document, one after another.
func script(t *testing.T, document string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", document))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("set -euo pipefail\n")
	n := 0
	for part := range strings.SplitSeq(string(content), "```sh\n") {
		if block, _, ok := strings.Cut(part, "\n```"); ok && n > 0 {
			fmt.Fprintf(&b, "echo '== block %d' >&2\n%s\n", n, block)
		}
		n++
	}
	if n < 2 {
		t.Fatalf("%s has no shell blocks", document)
	}
	return b.String()
}

func TestTheDocumentedExamplesOfTheAPIWork(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	for _, document := range []string{"docs/api.md", "README.md"} {
		t.Run(filepath.Base(document), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			p := launch(t, nil, "demo", "--products", "60", "--days", "60")
			if err := os.WriteFile(filepath.Join(folder, "demo.json"), p.whole, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "bash")
			cmd.Dir, cmd.Stdin = folder, strings.NewReader(script(t, document))
			if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "null\n") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
