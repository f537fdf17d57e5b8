package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// docs/console.md names every component and every variable of the style sheet, with its colours.
func TestTheDesignSystemIsDocumented(t *testing.T) {
	doc, style := read(t, "../../../docs/console.md"), read(t, "../static/assets/console.css")
	files, err := filepath.Glob("*.templ")
	if err != nil || len(files) == 0 {
		t.Fatal("no components", err)
	}
	for _, file := range files {
		for _, m := range regexp.MustCompile(`(?m)^templ ([A-Z]\w*)\(`).FindAllStringSubmatch(read(t, file), -1) {
			if !strings.Contains(doc, "`"+m[1]+"`") {
				t.Errorf("the component %s is not in docs/console.md", m[1])
			}
		}
	}
	root, _, _ := strings.Cut(style[strings.Index(style, ":root {"):], "}")
	for _, m := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(root, -1) {
		if strings.Contains(m[1], "-") || m[1] == "c" {
			continue
		}
		if !strings.Contains(doc, "`--"+m[1]+"`") || !strings.Contains(doc, "`"+m[2]+"`") {
			t.Errorf("--%s: %s is not in docs/console.md", m[1], m[2])
		}
	}
	for _, m := range regexp.MustCompile(`--(s\d): (\d+px);`).FindAllStringSubmatch(root, -1) {
		px := strings.Replace(m[2], "px", " px", 1)
		if !strings.Contains(doc, "`--"+m[1]+"`") || !strings.Contains(doc, px) {
			t.Errorf("--%s: %s is not in docs/console.md", m[1], m[2])
		}
	}
}

// Pages bring no style of their own: no template has a style sheet or a style attribute.
func TestNoTemplateHasAStyleOfItsOwn(t *testing.T) {
	own := regexp.MustCompile(`<style|\bstyle=|rel="stylesheet"`)
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".templ" && path != filepath.Join("..", "ui", "frame.templ") &&
			own.MatchString(read(t, path)) {
			t.Errorf("%s has a style", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Dates and times come from this package, which knows the language and the organization's zone (rule R448): no page
// has a layout with a year or a month of its own, except charts, whose axes have short ones.
func TestNoPageFormatsDatesItself(t *testing.T) {
	own := regexp.MustCompile(`\.Format\("[^"]*(2006|Jan|01\.|-02)|\.Format\(time\.(RFC|Date|Stamp|Kitchen)`)
	// a day that is compared and not shown
	compared := filepath.Join("..", "results", "filter.go")
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || strings.HasSuffix(name, "_test.go") || path == compared ||
			strings.Contains(path, string(filepath.Separator)+"chart"+string(filepath.Separator)) {
			return err
		}
		if ext := filepath.Ext(path); (ext == ".templ" || ext == ".go") && own.MatchString(read(t, path)) {
			t.Errorf("%s formats dates", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
