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

// find calls report for every match of pattern on a line that contains one of the hints, in small or capital letters,
// with its place as file:line. Looking for the hints first is many times faster than trying the pattern everywhere.
func find(files map[string]string, hints []string, pattern *regexp.Regexp, report func(name, at, match string)) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, small := files[name], lowerASCII(files[name])
		lines := map[int]bool{} // where lines with a hint start
		for _, hint := range hints {
			for from := 0; ; {
				i := strings.Index(small[from:], hint)
				if i < 0 {
					break
				}
				lines[strings.LastIndexByte(small[:from+i], '\n')+1] = true
				from += i + len(hint)
			}
		}
		for _, start := range slices.Sorted(maps.Keys(lines)) {
			line, _, _ := strings.Cut(text[start:], "\n")
			at := fmt.Sprintf("%s:%d", name, 1+strings.Count(text[:start], "\n"))
			for _, match := range pattern.FindAllString(line, -1) {
				report(name, at, match)
			}
		}
	}
}

// lowerASCII is strings.ToLower for ASCII letters only, so that no offset changes.
func lowerASCII(s string) string {
	small := []byte(s)
	for i, c := range small {
		if 'A' <= c && c <= 'Z' {
			small[i] += 'a' - 'A'
		}
	}
	return string(small)
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
	find(files, []string{"rule", "fact"}, cited, func(_, at, match string) {
		for _, id := range one.FindAllString(match, -1) {
			if !headings[id] {
				t.Errorf("%s: %s: there is no heading \"### %s. …\"", at, match, id)
			}
		}
	})
}

func TestNothingOutsideTheRepositoryIsCited(t *testing.T) {
	outside := regexp.MustCompile(`(?i)product\.md|libraries[a-z-]*\.md|service-interface|\breference, (section|trap)|` +
		`specification, section|\bspecification's|the specification\b`)
	hints := []string{"product.md", "libraries", "service-interface", "reference, ", "specification"}
	var found []string
	find(textFiles(t), hints, outside, func(name, at, match string) {
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
	"internal/language/spelling/known.txt":    "what people ask",
	"internal/language/spelling/real.txt":     "words of the dictionaries",
}

func TestPlainWords(t *testing.T) {
	// An identifier counts as its words: lendOnce is lend and once.
	word := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	var found []string
	find(textFiles(t), avoided, word, func(name, at, match string) {
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
	find(files, []string{"]("}, link, func(name, at, match string) {
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
