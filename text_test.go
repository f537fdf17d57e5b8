package stockhand_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// textFiles returns the hand-written text files of the repository by their slash-separated paths.
func textFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "dist", "bin"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Name() == "THIRD_PARTY_NOTICES.md" { // other people's words
			return nil
		}
		known := []string{".go", ".md", ".sql", ".txt", ".html", ".css", ".yml", ".yaml", ".json", ".tmpl", ".service"}
		if !slices.Contains(known, filepath.Ext(name)) &&
			!slices.Contains([]string{"Makefile", "Dockerfile"}, d.Name()) &&
			filepath.Dir(name) != ".ci" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil {
			files[filepath.ToSlash(name)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// find calls report for every match of pattern, with its place as file:line.
func find(files map[string]string, pattern *regexp.Regexp, report func(name, at, match string)) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		line, last := 1, 0
		for _, m := range pattern.FindAllStringIndex(files[name], -1) {
			line += strings.Count(files[name][last:m[0]], "\n")
			last = m[0]
			report(name, fmt.Sprintf("%s:%d", name, line), files[name][m[0]:m[1]])
		}
	}
}

// Code cites rules by their numbers in docs/rules.md, and facts by theirs in docs/moysklad.md.
func TestCitedRulesAndFactsExist(t *testing.T) {
	files := textFiles(t)
	headings := map[string]bool{}
	for _, name := range []string{"docs/rules.md", "docs/moysklad.md"} {
		for _, m := range regexp.MustCompile(`(?m)^### ([RM]\d+)\. `).FindAllStringSubmatch(files[name], -1) {
			if headings[m[1]] {
				t.Errorf("%s has two headings %s", name, m[1])
			}
			headings[m[1]] = true
		}
	}
	one := regexp.MustCompile(`[RM]\d+`)
	cited := regexp.MustCompile(`(?i)\b(rules?|facts?) [RM]\d+((, | and |–|-|, and )[RM]\d+)*`)
	find(files, cited, func(_, at, match string) {
		for _, id := range one.FindAllString(match, -1) {
			if !headings[id] {
				t.Errorf("%s: %s: there is no heading \"### %s. …\"", at, match, id)
			}
		}
	})
}

func TestNothingOutsideTheRepositoryIsCited(t *testing.T) {
	outside := regexp.MustCompile(`(?i)product\.md|libraries[a-z-]*\.md|service-interface|\breference, (section|trap)|` +
		`specification,\s+section|` +
		`\bspecification's|the specification\b`)
	var found []string
	find(textFiles(t), outside, func(name, at, match string) {
		if name != "text_test.go" {
			found = append(found, at+": "+match)
		}
	})
	failOn(t, found)
}

// avoided are words that plain technical English has better words for.
var avoided = []string{"told", "anew", "whoever", "nobody", "whereof", "thereof", "whence", "heed", "heeds", "undone",
	"deed", "deeds", "lend", "lends", "lent", "lender", "aloud", "boasts", "purse", "takings", "noughts", "whereabouts"}

// allowedWords are the places where an avoided word is meant, by file, and why.
var allowedWords = map[string]string{
	"text_test.go": "the list itself",
	"internal/language/eval/phrases/tune.txt": "what people ask",
}

func TestPlainWords(t *testing.T) {
	// An identifier counts as its words: lendOnce is lend and once.
	word := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	var found []string
	find(textFiles(t), word, func(name, at, match string) {
		if allowedWords[name] == "" && slices.Contains(avoided, strings.ToLower(match)) {
			found = append(found, at+": "+match)
		}
	})
	failOn(t, found)
}

// failOn fails with the list of what was found, if anything was.
func failOn(t *testing.T, found []string) {
	t.Helper()
	if len(found) > 0 {
		t.Errorf("%d found:\n%s", len(found), strings.Join(found, "\n"))
	}
}

func TestLinksInDocumentsWork(t *testing.T) {
	files := textFiles(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	find(files, link, func(name, at, match string) {
		target := link.FindStringSubmatch(match)[1]
		if path.Ext(name) != ".md" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			return
		}
		file, anchor, _ := strings.Cut(target, "#")
		to := name
		if file != "" {
			to = path.Join(path.Dir(name), file)
		}
		if _, err := os.Stat(filepath.FromSlash(to)); err != nil {
			t.Errorf("%s: %s: there is no %s", at, match, to)
			return
		}
		if anchor != "" && path.Ext(to) == ".md" && !slices.Contains(anchors(files[to]), anchor) {
			t.Errorf("%s: %s: %s has no heading #%s", at, match, to, anchor)
		}
	})
}

// anchors returns the fragment of each heading of a Markdown file, as GitHub makes them.
func anchors(markdown string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^#{1,6} (.+)$`).FindAllStringSubmatch(markdown, -1) {
		s := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(s, " ", "-"))
	}
	return all
}
