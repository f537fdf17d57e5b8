package eval

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTranscribe writes what the service answers to the conversations of the file STOCKHAND_TEST_TASKS, in the form of
// testdata/unseen.json, to the file STOCKHAND_TEST_TRANSCRIPT. STOCKHAND_TEST_ONLY limits it to IDs with that prefix.
// Without them, it writes down a conversation of its own and checks the form.
func TestTranscribe(t *testing.T) {
	from, to := os.Getenv("STOCKHAND_TEST_TASKS"), os.Getenv("STOCKHAND_TEST_TRANSCRIPT")
	if from == "" || to == "" {
		var out strings.Builder
		talk := []conversation{{ID: "own", Turns: []turn{{Say: "сколько у нас денег?", Kind: "read",
			Must: []string{"measure balance"}}}}}
		converse(t, serve(t), talk, func(c conversation, i int, a answered) {
			transcribe(&out, c.ID, i, c.Turns[i], a)
		})
		want := "own/1 [read] сколько у нас денег?\n  must: measure balance\n  call: moysklad_money {"
		if !strings.HasPrefix(out.String(), want) || !strings.Contains(out.String(), "\n  answer: Сейчас на счетах") {
			t.Errorf("it is written down as\n%s", out.String())
		}
		return
	}
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(c conversation) bool {
		return !strings.HasPrefix(c.ID, os.Getenv("STOCKHAND_TEST_ONLY"))
	})
	var out strings.Builder
	converse(t, serve(t), all, func(c conversation, i int, a answered) { transcribe(&out, c.ID, i, c.Turns[i], a) })
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
