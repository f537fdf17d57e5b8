// Package eval measures on labelled phrases how often package language reads the right skill and the right arguments.
// Some of the phrases are used to tune the rules, the others are held out.
package eval

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

//go:embed phrases/*.txt
var phrases embed.FS

// labelled is a task with its expected reading.
type labelled struct {
	line      int
	skills    []string // acceptable outcomes: a skill, "question" or "outside"
	arguments map[string]string
	task      string
}

// scores counts phrases of a split.
type scores struct {
	phrases, skill       int // all, and those with the right skill
	withArguments, right int // those with labelled arguments, and those with all arguments right
	russian, russianOK   int
	misread              int // read as another skill, which is worse than an unnecessary question
}

// The floors are slightly below the accuracy measured when they were set, so a regression fails. The phrases are read
// as in a conversation, with a catalogue; a look-up in place of the labelled tool counts as wrong, and so does an
// unnecessary question. With -v the test prints the scores and the misread phrases of the tuning sets.
func TestAccuracyDoesNotFall(t *testing.T) {
	floors := map[string]struct{ skill, arguments float64 }{"tune": {81, 95}, "heldout": {82, 94},
		"tune-shop": {79, 93}, "heldout-shop": {76, 82}}
	for _, s := range splits {
		wrong := io.Discard
		if strings.HasPrefix(s.name, "tune") {
			wrong = t.Output()
		}
		f, err := measure(t, s, wrong)
		if err != nil {
			t.Fatal(err)
		}
		skill, arguments := percent(f.skill, f.phrases), percent(f.right, f.withArguments)
		t.Logf("%-12s skill %3d/%3d %5.1f%%   arguments %3d/%3d %5.1f%%   russian %3d/%3d   english %3d/%3d   misread %d",
			s.name, f.skill, f.phrases, skill, f.right, f.withArguments, arguments, f.russianOK, f.russian,
			f.skill-f.russianOK, f.phrases-f.russian, f.misread)
		if floor := floors[s.name]; skill < floor.skill || arguments < floor.arguments {
			t.Errorf("%s fell below %.0f%% of skills or %.0f%% of arguments", s.name, floor.skill, floor.arguments)
		}
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// measure reads every phrase of a split, and writes the phrases that were read wrong to failing. A query of figures
// that the labelled tool shows is as good as that tool.
func measure(t *testing.T, s split, failing io.Writer) (scores, error) {
	var f scores
	ps, err := parse(s.name)
	if err != nil {
		return f, err
	}
	for _, p := range ps {
		r := language.Read(p.task, language.Input{Now: s.now, Names: s.names, Catalogue: measures.Catalogue})
		got := outcome(r)
		russian := strings.ContainsFunc(p.task, func(c rune) bool { return c >= 'а' && c <= 'я' }) && r.Language == "ru"
		f.phrases++
		if russian {
			f.russian++
		}
		ok := slices.Contains(p.skills, got) || showsSame(t, p.skills, &r)
		if ok {
			f.skill++
			if russian {
				f.russianOK++
			}
		} else {
			if got != "question" && got != "outside" {
				f.misread++
			}
			fmt.Fprintf(failing, "%s:%d %s\n    want %s, got %s %s\n", s.name, p.line, p.task,
				strings.Join(p.skills, ","), got, describe(r))
		}
		if len(p.arguments) == 0 || r.Skill.Proposes() || r.Skill == language.Analyze || r.Input != nil {
			continue // other tests look at drafts, queries and look-ups
		}
		f.withArguments++
		wrong := mismatches(p.arguments, r.Arguments)
		if ok && len(wrong) == 0 {
			f.right++
		} else if ok {
			fmt.Fprintf(failing, "%s:%d %s\n    %s: %s\n", s.name, p.line, p.task, got, strings.Join(wrong, "; "))
		}
	}
	return f, nil
}

// showsSame reports whether a reading is a query of a figure that a tool of a label shows.
func showsSame(t *testing.T, skills []string, r *language.Reading) bool {
	if r.Skill != language.Analyze || r.Question != nil || r.Outside {
		return false
	}
	of := func(skill string) map[string]bool {
		m := map[string]bool{}
		for _, f := range meaningOf(t, language.Skill(skill), map[string]any{}).facts {
			m[f.field] = m[f.field] || f.kind == "measure"
		}
		return m
	}
	return slices.ContainsFunc(skills, func(skill string) bool {
		shown := of(skill)
		return slices.ContainsFunc(r.Query.Measures, func(m string) bool { return shown[m] })
	})
}

// No request for a draft of the phrases leads to a draft that says something else. Those that a draft cannot follow at
// once lead to a question.
func TestDraftsOfThePhrases(t *testing.T) { // rule R280
	for _, s := range splits {
		ps, err := parse(s.name)
		if err != nil {
			t.Fatal(err)
		}
		drafts, right, asked := 0, 0, 0
		for _, p := range ps {
			if !slices.ContainsFunc(p.skills, func(s string) bool { return language.Skill(s).Proposes() }) {
				continue
			}
			drafts++
			r := language.Read(p.task, language.Input{Now: s.now, Names: s.names, Catalogue: measures.Catalogue})
			wrong := mismatches(p.arguments, r.ToolInput())
			switch {
			case r.Question != nil || r.Outside:
				asked++
				if strings.HasPrefix(s.name, "tune") {
					t.Logf("%s:%d %s: %s", s.name, p.line, p.task, asks(r))
				}
			case slices.Contains(p.skills, string(r.Skill)) && len(wrong) == 0:
				right++
			case strings.HasPrefix(s.name, "tune"):
				t.Errorf("%s:%d %s: %s %v", s.name, p.line, p.task, r.Skill, wrong)
			}
		}
		t.Logf("%-12s drafts %d, right %d, asked about or refused %d", s.name, drafts, right, asked)
	}
}

func asks(r language.Reading) string {
	if r.Question == nil {
		return r.Refusal
	}
	return r.Question.Text
}

func outcome(r language.Reading) string {
	switch {
	case r.Outside:
		return "outside"
	case r.Question != nil:
		return "question"
	default:
		return string(r.Skill)
	}
}

func describe(r language.Reading) string {
	if r.Question == nil {
		return ""
	}
	var options []string
	for _, o := range r.Question.Options {
		options = append(options, string(o.Skill))
	}
	return fmt.Sprint(options)
}

// mismatches compares the labelled arguments with those read.
func mismatches(want map[string]string, input any) []string {
	b, err := json.Marshal(input)
	if err != nil {
		return []string{err.Error()}
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	for k, v := range want {
		g := ""
		switch x := got[k].(type) {
		case nil:
			g = "-"
		case []any:
			var names []string
			for _, n := range x {
				names = append(names, item(n))
			}
			g = strings.Join(names, "+")
		default:
			g = fmt.Sprint(x)
		}
		if !slices.ContainsFunc(strings.Split(v, "/"), func(v string) bool { return strings.EqualFold(v, g) }) {
			wrong = append(wrong, fmt.Sprintf("%s want %s, got %s", k, v, g))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// item formats one element of a list: a name, or a draft line as product*quantity or product*price.
func item(v any) string {
	line, ok := v.(map[string]any)
	if !ok {
		return fmt.Sprint(v)
	}
	s := fmt.Sprint(line["product"])
	for _, k := range []string{"quantity", "price"} {
		if n, ok := line[k]; ok {
			s += fmt.Sprint("*", n)
		}
	}
	return s
}

// parse reads lines of the form "skill key=value key=value | task". A value ends at the next key.
func parse(name string) ([]labelled, error) {
	b, err := phrases.ReadFile("phrases/" + name + ".txt")
	if err != nil {
		return nil, err
	}
	var out []labelled
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, task, ok := strings.Cut(line, " | ")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no task", name, n)
		}
		p := labelled{line: n, task: task, arguments: map[string]string{}}
		last := ""
		for i, w := range strings.Fields(head) {
			k, v, isPair := strings.Cut(w, "=")
			switch {
			case i == 0:
				p.skills = strings.Split(w, ",")
			case isPair:
				last = k
				p.arguments[k] = v
			case last != "":
				p.arguments[last] += " " + w
			default:
				return nil, fmt.Errorf("%s:%d: %q", name, n, w)
			}
		}
		out = append(out, p)
	}
	return out, nil
}

func TestEverySplitIsLarge(t *testing.T) {
	for _, s := range splits {
		ps, err := parse(s.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(ps) < 150 {
			t.Errorf("%s has only %d phrases", s.name, len(ps))
		}
	}
}
