package text

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// same are the words of templates that are the same in both languages, and the names of the languages.
var same = []string{"curl", "openapi.json", "openapi.yaml", "Ctrl K", "CSV", "XLSX", "Русский", "English"}

// No template has words of its own: they would be in one language only (rule R382).
func TestTemplatesHaveNoWordsOfTheirOwn(t *testing.T) {
	texts := []*regexp.Regexp{regexp.MustCompile(`>([^<>{}]*)<`),
		regexp.MustCompile(`\b(?:aria-label|placeholder|title|alt|data-label|data-done)="([^"]*)"`)}
	word, templates := regexp.MustCompile(`\pL{2,}`), 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".templ" {
			return err
		}
		templates++
		source, err := os.ReadFile(path)
		for line := range strings.Lines(string(source)) {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, of := range texts {
				for _, m := range of.FindAllStringSubmatch(line, -1) {
					if words := strings.TrimSpace(m[1]); word.MatchString(words) && !slices.Contains(same, words) {
						t.Errorf("%s: %q is not in package text", path, words)
					}
				}
			}
		}
		return err
	})
	if err != nil || templates < 10 {
		t.Errorf("%d templates: %v", templates, err)
	}
}
