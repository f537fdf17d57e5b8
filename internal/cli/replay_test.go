package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/cassette"
)

// rules R400 and R401: a conversation is recorded into a file that only its owner reads, and is answered again when
// the account is gone.
func TestAConversationIsRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	path := filepath.Join(t.TempDir(), "stock.cassette")
	asked := run(t, environment, "record", path, "остатки на складах", "а сколько денег на счетах?")
	if asked.code != 0 || !strings.Contains(asked.out, "₽") {
		t.Fatalf("%+v", asked)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(written, []byte(server.Accounts()[0].Tokens.Owner)) {
		t.Error("the token is in the file")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	sent := len(server.Requests())
	again := run(t, nil, "replay", path)
	if again.code != 0 || strings.Count(again.out, "the same") != 2 || len(server.Requests()) != sent {
		t.Errorf("%+v, %d requests were sent", again, len(server.Requests())-sent)
	}
	c, err := cassette.Read(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	c.Turns[1].Outcome = []byte(`{"answer":"nothing"}`)
	var changed bytes.Buffer
	if err := c.Write(&changed, cassette.Secrets{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, changed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if differs := run(t, nil, "replay", path); differs.code != 1 || !strings.Contains(differs.out, "outcome: recorded") {
		t.Errorf("%+v", differs)
	}
}

func TestARecordingNeedsAnAccountAndAReplayACassette(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	if r := run(t, map[string]string{}, "record", path, "остатки"); r.code != 1 ||
		!strings.Contains(r.err, "STOCKHAND_MOYSKLAD_TOKEN") {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, nil, "replay", path); r.code != 1 || !strings.Contains(r.err, "not a cassette: line 1") {
		t.Errorf("%+v", r)
	}
}

// rule R551
func TestATurnOfTheOwnDatabaseIsExportedAndReplayed(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	folder := t.TempDir()
	environment["STOCKHAND_DATABASE_URL"] = filepath.Join(folder, "stockhand.db")
	environment["STOCKHAND_SECRET_KEY_FILE"] = filepath.Join(folder, "key")
	environment["STOCKHAND_TRAFFIC"] = "7:64"
	asked := run(t, environment, "ask", "--json", "остатки на складах")
	message := regexp.MustCompile(`msg_[0-9a-z]+`).FindString(asked.out)
	if asked.code != 0 || message == "" {
		t.Fatalf("%+v", asked)
	}
	path := filepath.Join(folder, "stock.cassette.gz")
	if r := run(t, environment, "export-run", message, path); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if again := run(t, nil, "replay", path); again.code != 0 || !strings.Contains(again.out, "the same") {
		t.Errorf("%+v", again)
	}
	delete(environment, "STOCKHAND_TRAFFIC")
	if r := run(t, environment, "export-run", "msg_06h1ngd31t00vgcxk0257vrsaw", path); r.code != 1 {
		t.Errorf("%+v", r)
	}
}
