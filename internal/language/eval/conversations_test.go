package eval

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// answered is what the service made of a turn.
type answered struct {
	SessionID     string          `json:"session_id"`
	State         string          `json:"state"`
	FinalResponse string          `json:"final_response"`
	Error         json.RawMessage `json:"error"`
	ToolCalls     []struct {
		Tool      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"tool_calls"`
	Drafts json.RawMessage `json:"drafts"`
}

// TestTranscribe writes what the service answers to the conversations of the file STOCKHAND_TEST_TASKS, in the form of
// testdata/unseen.json, to the file STOCKHAND_TEST_TRANSCRIPT. STOCKHAND_TEST_ONLY limits it to IDs with that prefix.
func TestTranscribe(t *testing.T) {
	from, to := os.Getenv("STOCKHAND_TEST_TASKS"), os.Getenv("STOCKHAND_TEST_TRANSCRIPT")
	if from == "" || to == "" {
		t.Skip("it runs on request: set STOCKHAND_TEST_TASKS and STOCKHAND_TEST_TRANSCRIPT")
	}
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	now := unseenDay.Time().Add(9 * time.Hour)
	s := apptest.Start(t, apptest.Options{
		Accounts: 1, SQLite: true,
		Company:   company.Options{Seed: 1, Now: now, Products: 300, Days: 365},
		Configure: func(c *app.Config) { c.Clock = func() time.Time { return now } },
	})
	var out strings.Builder
	for _, c := range all {
		if !strings.HasPrefix(c.ID, os.Getenv("STOCKHAND_TEST_ONLY")) {
			continue
		}
		session := ""
		for i, x := range c.Turns {
			body := map[string]any{"message": x.Say}
			if session != "" {
				body["session_id"] = session
			}
			got := s.Do(http.MethodPost, "/sessions/stream?wait=30", s.AdminToken, body)
			var a answered
			if err := json.Unmarshal(got.Body, &a); err != nil {
				t.Fatal(err)
			}
			session = a.SessionID
			transcribe(&out, c.ID, i, x, a)
		}
	}
	if err := os.WriteFile(to, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func transcribe(out *strings.Builder, id string, i int, x turn, a answered) {
	line := func(name, text string) {
		if text != "" && text != "null" {
			out.WriteString("  " + name + ": " + text + "\n")
		}
	}
	out.WriteString(id + "/" + string(rune('1'+i)) + " [" + x.Kind + "] " + x.Say + "\n")
	line("must", strings.Join(x.Must, "; "))
	if x.OkToAsk != nil {
		line("may ask", *x.OkToAsk)
	}
	if x.Never != nil {
		line("never", *x.Never)
	}
	for _, call := range a.ToolCalls {
		line("call", call.Tool+" "+string(call.Arguments))
	}
	line("error", string(a.Error))
	lines := strings.Split(strings.TrimSpace(a.FinalResponse), "\n")
	if most, _ := strconv.Atoi(os.Getenv("STOCKHAND_TEST_LINES")); most > 0 && len(lines) > most {
		lines = append(lines[:most], "…")
	}
	line("answer", strings.Join(lines, "\n    | "))
	out.WriteString("\n")
}
