package eval

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app/apptest"
)

// paraphrased is one message of a conversation in many wordings, which must all be read alike.
type paraphrased struct {
	before   []string // the turns before it
	says     string   // the wording whose reading was checked by a person
	wordings []string
}

// meaningsOf reads a file of meanings. A line at the margin is a conversation, with " / " between its turns; the
// indented lines below it are other wordings of its last turn. Lines with # are comments.
func meaningsOf(t *testing.T, file string) []paraphrased {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []paraphrased
	for i, line := range strings.Split(string(b), "\n") {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case text[0] == line[0]:
			turns := strings.Split(text, " / ")
			all = append(all, paraphrased{before: turns[:len(turns)-1], says: turns[len(turns)-1]})
		case len(all) == 0:
			t.Fatalf("%s:%d: a wording without a meaning", file, i+1)
		default:
			last := &all[len(all)-1]
			last.wordings = append(last.wordings, text)
		}
	}
	return all
}

// identifiers differ from answer to answer.
var identifiers = regexp.MustCompile(`№ \d+|\b[a-z]{3}_[0-9a-z]{20,}\b|/[\w/?=.-]{12,}`)

// heard is how the service read a turn.
type heard struct {
	reading string // the calls of its tools, the options of its question, or the first line of its words
	words   string // the first line of its words
	calls   []call
}

// as reports whether a turn was read with the same meaning, perhaps by another tool.
func (h heard) as(other heard) bool {
	if h.reading == other.reading {
		return true
	}
	x, y := readCalls(h.calls), readCalls(other.calls)
	return len(h.calls) > 0 && len(h.calls) == len(other.calls) && (sameMeaning(x, y) || sameMeaning(y, x))
}

// ask asks a conversation, with its last turn in the words given.
func (m paraphrased) ask(t *testing.T, s *apptest.Service, says string) heard {
	session := ""
	var a answered
	for _, turn := range append(m.before[:len(m.before):len(m.before)], says) {
		body := map[string]any{"message": turn}
		if session != "" {
			body["session_id"] = session
		}
		a = answered{}
		s.Do(http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, body).Decode(t, &a)
		session = a.SessionID
	}
	var out []string
	for _, c := range a.ToolCalls {
		out = append(out, c.Tool+" "+string(c.Arguments))
	}
	if a.Question != nil && len(out) == 0 {
		out = append(out, "question")
		for _, o := range a.Question.Options {
			out = append(out, o.Tool+" "+string(o.Arguments)+o.Text)
		}
	}
	if len(out) == 0 {
		out = append(out, "says: "+a.firstLine()) // what follows is about other drafts, too
	}
	reading := identifiers.ReplaceAllString(strings.Join(out, "\n\t\t"), "…")
	return heard{reading: reading, words: a.firstLine(), calls: a.ToolCalls}
}

// TestParaphrases asks the meanings of testdata/paraphrases in all their wordings and prints the share that is read
// with the meaning of the first one: of every tenth meaning, of all of them with STOCKHAND_TEST_PARAPHRASES=all, or of
// the file that it names. Other readings are listed, but for every third wording: those measure what was not used for
// fixing.
func TestParaphrases(t *testing.T) {
	files, err := filepath.Glob("testdata/paraphrases/*.txt")
	every := 10
	switch of := os.Getenv("STOCKHAND_TEST_PARAPHRASES"); of {
	case "":
	case "all":
		every = 1
	default:
		files, err, every = []string{of}, nil, 1
	}
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	for _, file := range files {
		var same, asked [2]int // of those used for fixing, and kept
		for k, m := range meaningsOf(t, file) {
			if k%every != 0 {
				continue
			}
			want := m.ask(t, s, m.says)
			if every == 1 {
				t.Logf("%s\n\t\t%s\n\t\t%s", strings.Join(append(m.before, m.says), " / "), want.reading, want.words)
			}
			for i, w := range m.wordings {
				got := m.ask(t, s, w)
				kept := 0
				if i%3 == 2 {
					kept = 1
				}
				asked[kept]++
				if got.as(want) {
					same[kept]++
				} else if kept == 0 && every == 1 {
					t.Logf("DIFFERS %s\n\t\t%s\n\t\t%s", w, got.reading, got.words)
				}
			}
		}
		share := func(i int) string {
			return fmt.Sprintf("%d of %d (%.1f %%)", same[i], asked[i], 100*float64(same[i])/float64(max(asked[i], 1)))
		}
		t.Logf("%s: wordings read as the first one: %s; of those never used for fixing: %s",
			filepath.Base(file), share(0), share(1))
	}
}
