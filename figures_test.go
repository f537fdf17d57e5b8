package stockhand_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each command in the table of figures in docs/testing.md exists, and each section of the benchmark is in the table.
func TestFiguresHaveTheirCommands(t *testing.T) {
	content := func(file string) string {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, table, _ := strings.Cut(content("docs/testing.md"), "| figure | command |")
	table, _, _ = strings.Cut(table, "\n## ")
	sections := map[string]bool{}
	for _, s := range regexp.MustCompile(`(?m)^\t\{"([a-z]+)", `).FindAllStringSubmatch(
		content("internal/bench/main.go"), -1) {
		sections[s[1]] = strings.Contains(table, "-only "+s[1]+"`")
		if !sections[s[1]] {
			t.Errorf("the section %s of the benchmark is not in the table", s[1])
		}
	}
	if len(sections) < 10 {
		t.Errorf("only the sections %v were found", sections)
	}
	targets, rows := content("Makefile"), 0
	test := regexp.MustCompile(`-(run|bench) (\w+) \./(\S+)$`)
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || strings.HasPrefix(line, "|---") {
			continue
		}
		rows++
		command := strings.Trim(cells[2], " `")
		_, section, measures := strings.Cut(command, "-only ")
		target, makes := strings.CutPrefix(command, "make ")
		found := test.FindStringSubmatch(command)
		switch {
		case measures && sections[section], makes && strings.Contains(targets, "\n"+target+": "):
		case found != nil:
			name := found[2]
			if found[1] == "bench" {
				name = "Benchmark" + name
			}
			if !declares(t, found[3], name) {
				t.Errorf("there is no %s in %s", name, found[3])
			}
		default:
			if _, err := os.Stat(command); err != nil {
				t.Errorf("no such command: %s", command)
			}
		}
	}
	if rows < 15 {
		t.Errorf("only %d rows were found", rows)
	}
}
