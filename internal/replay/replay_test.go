package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/replay"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

var update = flag.Bool("update", false, "record the cassettes of testdata again")

var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// record asks the scenario's tasks of a new sandbox and returns the cassette as it is written.
func record(t *testing.T, s scenario, name string) ([]byte, []string) {
	t.Helper()
	server := sandbox.New(sandbox.Options{Accounts: max(1, s.accounts), NoLimits: true,
		Company: company.Options{Seed: 1, Products: 12, Days: 90, Now: now}})
	serving, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	host, err := sandbox.Listen(serving, "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	c := app.Config{Servers: map[string]string{sandbox.Connector: host + sandbox.APIPath}, Limiter: unlimited{},
		Clock: func() time.Time { return now }}
	private := []string{strings.TrimPrefix(host, "http://")}
	for _, a := range server.Accounts() {
		c.Tokens = append(c.Tokens, app.Token{Connector: sandbox.Connector, Token: a.Tokens.Owner})
		private = append(private, a.Tokens.Owner)
	}
	if s.script != nil {
		c.LLM = llmtest.New(t, s.script).Config()
		c.LLM.Providers[0].APIKey = "sk-of-the-operator-1234567890"
		private = append(private, c.LLM.Providers[0].APIKey)
		if c.LLM.Reader = s.reader; c.LLM.Reader == "" {
			c.LLM.Reader = llm.ReaderOff
		}
	}
	r, err := replay.Record(t.Context(), c, strings.ReplaceAll(s.name, "-", " "), s.turns()...)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b, name); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), private
}

func file(s scenario) string { return filepath.Join("testdata", s.name+".cassette.gz") }

func load(t *testing.T, path string) *cassette.Cassette {
	t.Helper()
	c, err := replay.ReadFile(path)
	if err != nil {
		t.Fatal(path, err)
	}
	return c
}

// The answers, drafts and questions of these conversations, and what the model reads of the account, stay the same to
// the byte. If a change is meant to change them: go test ./internal/replay -update, and read what has changed.
func TestCassettesReplayByteForByte(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if *update {
				b, _ := record(t, s, file(s))
				if err := os.WriteFile(file(s), b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			all, err := replay.Run(t.Context(), load(t, file(s)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != len(s.tasks) {
				t.Errorf("%d turns of %d", len(all), len(s.tasks))
			}
			for _, p := range all {
				for _, m := range p.Missing {
					t.Errorf("%q asks for what is not in the cassette: %s", p.Turn.Task, m)
				}
				for _, d := range p.Differences {
					if d.Part == "messages" || d.Part == "outcome" {
						t.Errorf("%q: %s", p.Turn.Task, d)
					}
				}
			}
		})
	}
}

// rule R400: nothing of a credential, of its employee or of the servers' addresses is in a cassette.
func TestACassetteHasNoSecrets(t *testing.T) {
	t.Parallel()
	for _, s := range []scenario{scenarios[0], scenarios[9]} {
		b, private := record(t, s, "")
		for _, secret := range append(private, "127.0.0.1", "Authorization", "Bearer") {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s contains %q", s.name, secret)
			}
		}
		c, err := cassette.Read(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range c.Turns {
			for _, x := range turn.Exchanges {
				for name := range x.Headers {
					if name != "Content-Type" && name != "Location" {
						t.Errorf("the header %s is kept", name)
					}
				}
			}
		}
	}
}

func TestTwoRecordingsAreEqual(t *testing.T) {
	t.Parallel()
	for _, i := range []int{4, 5} {
		first, _ := record(t, scenarios[i], "")
		if again, _ := record(t, scenarios[i], ""); !bytes.Equal(first, again) {
			t.Errorf("%s differs", scenarios[i].name)
		}
	}
}

func TestAnotherModelSeesTheSameTraffic(t *testing.T) {
	t.Parallel()
	other := llmtest.New(t, steps(
		say(llmtest.CallTool("analyze", `{"measures":["revenue","profit"],`+october+`}`)),
		func(last table) llmtest.Answer {
			return llmtest.Say("Прибыль октября — " + last.cell(0, "profit") + " ₽.")
		}))
	model, err := replay.Model(other.URL+"/big/model", "")
	if err != nil {
		t.Fatal(err)
	}
	all, err := replay.Run(t.Context(), load(t, file(scenarios[0])), model)
	if err != nil {
		t.Fatal(err)
	}
	got := all[0].Finished.FinalResponse
	if !strings.HasPrefix(got, "Прибыль октября — ") || strings.Contains(got, "?") || len(all[0].Missing) > 0 {
		t.Errorf("%s, missing %v", got, all[0].Missing)
	}
	if asked := other.Requests()[0].Model; asked != "big/model" {
		t.Errorf("the model %s was asked", asked)
	}
}

// A replay that asks for more than was recorded says what, and does not reach a network.
func TestAReplaySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	c := load(t, file(scenarios[0]))
	for i := range c.Turns {
		c.Turns[i].Exchanges = nil
	}
	all, err := replay.Run(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all[0].Missing) == 0 || !all[0].Changed() {
		t.Errorf("missing %v, differences %v", all[0].Missing, all[0].Differences)
	}
}

func TestAChangedReplyChangesTheOutcome(t *testing.T) {
	t.Parallel()
	c := load(t, file(scenarios[0]))
	last := &c.Turns[0].Steps[len(c.Turns[0].Steps)-1]
	last.Reply.Message.Content = "Выручка — 1 ₽."
	all, err := replay.Run(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := all[0].Differences; len(d) == 0 || d[len(d)-1].Part != "outcome" || !all[0].Changed() {
		t.Errorf("%v", d)
	}
	var recorded struct{ Answer string }
	if err := json.Unmarshal(c.Turns[0].Outcome, &recorded); err != nil || recorded.Answer == "" {
		t.Errorf("%s, %v", c.Turns[0].Outcome, err)
	}
}
