package secret

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
)

func TestTheKeyComesFromACommand(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("a1", 32)
	ring, err := FromCommand(t.Context(), "echo '# of the vault'; echo "+key+"; echo a warning >&2")
	if err != nil {
		t.Fatal(err)
	}
	same, err := Parse(key)
	if err != nil || ring.String() != same.String() {
		t.Errorf("%s, %v; want %s", ring, err, same)
	}
}

// A command that fails says so, and shows nothing of what it printed.
func TestACommandThatFailsIsExplainedWithoutItsOutput(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"echo s3cret; exit 3":                   "exit status 3",
		"echo s3cret; echo s3cret >&2; kill $$": "signal",
		"no-such-command-s3cret-":               "exit status 127",
		"true":                                  "printed nothing",
		"echo s3cret":                           "line 1",
		"yes s3cret":                            "more than a key",
		"sleep 60":                              "did not end",
		"sleep 60 & echo s3cret":                "failed",
	} {
		began := time.Now()
		_, err := fromCommand(t.Context(), command, 500*time.Millisecond)
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || !strings.Contains(e.Message, want) || e.Hint == "" {
			t.Errorf("%s: %v; want %q", command, err, want)
		}
		if err != nil && strings.Contains(e.Message+e.Hint, "s3cret") {
			t.Errorf("%s: the error shows the output: %v", command, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %s", command, took)
		}
	}
}
