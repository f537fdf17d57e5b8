package console_test

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/console"
)

var (
	// parts of a page whose words have no language: examples, code and names, and texts that name another language
	spoken = regexp.MustCompile(`(?s)<(pre|code|script|style|option|kbd|datalist)\b.*?</(pre|code|script|style|option|kbd|datalist)>|` +
		`<(\w+)[^>]* (class="[^"]*\bmono\b[^"]*"|lang="[a-z]+")[^>]*>[^<]*</`)
	said      = regexp.MustCompile(`(?s)>([^<>]+)<|\b(?:aria-label|placeholder|title|alt|data-label)="([^"]*)"`)
	cyrillic  = regexp.MustCompile(`\p{Cyrillic}`)
	latinWord = regexp.MustCompile(`\b[A-Za-z]{3,}\b`)
	// words that are the same in Russian: names, and what programs call things
	names = regexp.MustCompile(`Stockhand|owner@localhost|member@|@example\.com|\b(API|OpenAI|OpenAPI|SDK|MCP|curl|Python|Node|Go|` +
		`Open WebUI|n8n|HTTP|JSON|CSV|XLSX|GET|POST|PUT|PATCH|DELETE|ANY|UTC|ID|JavaScript|openapi\.json|openapi\.yaml|draft\.confirmed|dev|devel|version)\b`)
)

// Every page that needs no account, in each language: the English one has no Russian word, and the Russian one no
// sentence, heading, label or button in English (rule R382).
func TestEveryPageSpeaksOneLanguage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	b := browser{t, s, s.Browser(s.Owner)}
	pages := 0
	for _, r := range console.New(console.Config{}).Routes(nil) {
		method, path, _ := strings.Cut(strings.TrimSuffix(r.Pattern, "{$}"), " ")
		path = strings.ReplaceAll(path, "{org_id}", string(s.OrgID))
		if method != http.MethodGet || strings.Contains(path, "{") || path == "/" {
			continue
		}
		for _, l := range []stockhand.Language{stockhand.English, stockhand.Russian} {
			got := b.get(path, "Cookie", "stockhand-language="+string(l))
			if got.Status != http.StatusOK {
				if got.Status/100 != 3 && got.Status != http.StatusNotFound { // it needs an account
					t.Errorf("%s: %d", path, got.Status)
				}
				continue
			}
			pages++
			for _, words := range wrong(l, got.Body) {
				t.Errorf("%s in %s: %q", path, l, words)
			}
		}
	}
	if pages < 30 {
		t.Errorf("%d pages", pages)
	}
}

// wrong returns the texts of a page that are not in its language.
func wrong(l stockhand.Language, page string) (all []string) {
	for _, m := range said.FindAllStringSubmatch(spoken.ReplaceAllString(page, "<"), -1) {
		words := strings.TrimSpace(html.UnescapeString(m[1] + m[2]))
		foreign := cyrillic.MatchString(words)
		if l == stockhand.Russian {
			foreign = !foreign && latinWord.MatchString(names.ReplaceAllString(words, ""))
		}
		if foreign && !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	return all
}
