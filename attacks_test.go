package stockhand_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every row of docs/attacks.md names tests, and the tests exist.
func TestAttacksOfTheTableHaveTheirTests(t *testing.T) {
	doc, err := os.ReadFile("docs/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, named := 0, regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z0-9_]+)`")
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.Contains(cells[3], "tests") {
			continue
		}
		rows++
		tests := named.FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 || strings.Count(cells[3], "`") != 2*len(tests) {
			t.Errorf("no test, or not in the form of one: %s", line)
		}
		for _, test := range tests {
			if !declares(t, filepath.Join("internal", test[1]), test[2]) {
				t.Errorf("there is no test %s in internal/%s", test[2], test[1])
			}
		}
	}
	if rows < 40 {
		t.Errorf("only %d rows were found", rows)
	}
}

// declares reports whether a folder has a test or benchmark.
func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}
