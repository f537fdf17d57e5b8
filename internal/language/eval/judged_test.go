package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// tally counts verdicts.
type tally struct {
	turns, ignoring int
	late            int // named below the first line
	verdicts        map[string]int
}

func (c *tally) add(j judged) {
	if c.verdicts == nil {
		c.verdicts = map[string]int{}
	}
	c.turns++
	c.verdicts[j.verdict]++
	if j.ignores {
		c.ignoring++
	}
	if j.late {
		c.late++
	}
}

func (c *tally) String() string {
	if c == nil {
		return "none"
	}
	judged := c.turns - c.verdicts[notJudged]
	var parts []string
	for _, v := range verdictsInOrder {
		n := c.verdicts[v]
		share := fmt.Sprintf(" %4.1f%%", percent(n, judged))
		if v == notJudged {
			share = ""
		}
		parts = append(parts, fmt.Sprintf("%s %3d%s", v, n, share))
	}
	return fmt.Sprintf("%3d turns: %s; drafts ignoring a condition %d, notices below the first line %d", c.turns,
		strings.Join(parts, ", "), c.ignoring, c.late)
}

// report counts verdicts by language, by place in the conversation and by kind of task.
type report struct{ by map[string]*tally }

func (r *report) add(lang, kind string, i int, j judged) {
	if r.by == nil {
		r.by = map[string]*tally{}
	}
	place := "first turn"
	if i > 0 {
		place = "follow-up"
	}
	for _, key := range []string{"all", "lang " + lang, place, kind} {
		if r.by[key] == nil {
			r.by[key] = &tally{}
		}
		r.by[key].add(j)
	}
}

func (r *report) log(t *testing.T, name string) {
	for _, key := range []string{"all", "lang ru", "lang en", "lang mixed", "first turn", "follow-up", "read",
		"draft", "talk",
		"offtopic", "unsupported"} {
		t.Logf("%-14s %-11s %s", name, key, r.by[key])
	}
}

// TestConversations judges the answers to labelled conversations: the repository's own, those of the file
// STOCKHAND_TEST_TASKS, and the held-out ones, of which it prints totals only. STOCKHAND_TEST_SHOW writes what is
// wrong with the others to a file.
func TestConversations(t *testing.T) {
	if testing.Short() {
		t.Skip("it asks hundreds of questions of the service")
	}
	type file struct {
		name, path string
		show       bool
	}
	list := []file{{"own", "testdata/conversations.json", true}, {"held out", "testdata/unseen.json", false}}
	if path := os.Getenv("STOCKHAND_TEST_TASKS"); path != "" {
		list = append(list, file{"external", path, true})
	}
	var wrong strings.Builder
	for _, x := range list {
		t.Run(x.name, func(t *testing.T) {
			r := judgeFile(t, x.path, func(text string) {
				if x.show {
					wrong.WriteString(text)
				}
			})
			r.log(t, x.name)
		})
	}
	if to := os.Getenv("STOCKHAND_TEST_SHOW"); to != "" {
		if err := os.WriteFile(to, []byte(wrong.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// judgeFile asks the conversations of a file, judges them, and describes every turn to show.
func judgeFile(t *testing.T, path string, show func(string)) *report {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&all); err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(c conversation) bool {
		return !strings.HasPrefix(c.ID, os.Getenv("STOCKHAND_TEST_ONLY"))
	})
	service, r := serve(t), &report{}
	state := func(id string) string { return stateOf(t, service, id) }
	var before *seen
	converse(t, service, all, func(c conversation, i int, a answered) {
		if i == 0 {
			before = nil
		}
		s := look(a, before, state)
		before = s
		j := judge(c.Turns[i], s)
		r.add(c.Lang, c.Turns[i].Kind, i, j)
		show(described(c, i, a, j))
	})
	return r
}

func described(c conversation, i int, a answered, j judged) string {
	var b strings.Builder
	mark := ""
	if j.ignores {
		mark = " · DRAFT IGNORES A CONDITION"
	}
	fmt.Fprintf(&b, "%s%s\n  %s/%d [%s] %s\n", strings.ToUpper(j.verdict), mark, c.ID, i+1, c.Turns[i].Kind,
		c.Turns[i].Say)
	fmt.Fprintf(&b, "  must: %s\n", strings.Join(c.Turns[i].Must, "; "))
	if why := j.why(); why != "" {
		fmt.Fprintf(&b, "  %s\n", why)
	}
	for _, call := range a.ToolCalls {
		fmt.Fprintf(&b, "  call: %s %s\n", call.Tool, call.Arguments)
	}
	fmt.Fprintf(&b, "  answer: %s\n\n", a.firstLine())
	return b.String()
}
