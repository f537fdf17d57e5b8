package text

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every action that docs/audit.md lists has words.
func TestEveryActionOfTheAuditLogHasWords(t *testing.T) {
	page, err := os.ReadFile("../../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-z]+\\.[a-z_]+)`").FindAllStringSubmatch(line, -1) {
			if found++; AuditActions[m[1]] == (T{}) {
				t.Errorf("%s has no words", m[1])
			}
		}
	}
	if found < 50 {
		t.Errorf("docs/audit.md lists %d actions", found)
	}
}
