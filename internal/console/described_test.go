package console_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/connector/moysklad/documents"
	"github.com/stockhand/stockhand/internal/console/text"
)

var (
	operationLink = regexp.MustCompile(`href="([^"]*/developers/reference/[A-Za-z]+)"`)
	// names of fields, headers and formats, which have no language
	fieldName  = regexp.MustCompile(`^([a-z][a-z_0-9]*|[A-Z]\w*(-\w+)+|\d{3} \S+/\S+|` + "`[^`]+`" + `)$`)
	toolOption = regexp.MustCompile(`<option value="(\w+)"[^>]*>[^<]* · `)
)

// Every operation of the API reference and the form of every tool, in both languages: nothing is left in the other one,
// and no Russian text is for something that the pages do not say (rule R541).
func TestWhatIsDescribedIsInBothLanguages(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := browser{t, s, s.Browser(s.Owner)}
	in := func(l stockhand.Language, path string) string {
		return b.get(path, "Cookie", "stockhand-language="+string(l)).Body
	}
	var paths []string
	reference, tools := developersPath(s, "reference"), developersPath(s, "tools")
	for _, m := range operationLink.FindAllStringSubmatch(in(stockhand.Russian, reference), -1) {
		paths = append(paths, m[1])
	}
	for _, m := range toolOption.FindAllStringSubmatch(in(stockhand.Russian, tools), -1) {
		paths = append(paths, tools+"?tool="+m[1])
	}
	if len(paths) < 120 {
		t.Fatalf("only %d operations and tools", len(paths))
	}
	var said strings.Builder
	for _, path := range append(paths, reference) {
		for _, words := range wrong(stockhand.Russian, in(stockhand.Russian, path)) {
			if !fieldName.MatchString(words) {
				t.Errorf("%s in Russian: %q", path, words)
			}
		}
		english := in(stockhand.English, path)
		for _, words := range wrong(stockhand.English, english) {
			t.Errorf("%s in English: %q", path, words)
		}
		said.WriteString(html.UnescapeString(english))
	}
	for english := range text.Russian() {
		if !strings.Contains(said.String(), english) {
			t.Errorf("a Russian text for what no page says: %q", english)
		}
	}
}

// Every argument of the tools that read, and every value that can be chosen, has a name in chips (rule R692).
func TestEveryArgumentHasANameInChips(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	kinds := map[string]bool{}
	for name := range documents.Kinds() {
		kinds[name] = true
	}
	var all struct {
		Data []struct {
			Name, Effect string
			Input        struct {
				Properties map[string]struct {
					Enum  []string
					Items struct{ Enum []string }
				}
			} `json:"parameters"`
		}
	}
	s.Do("GET", "/tools", s.AdminToken, nil).Decode(t, &all)
	if len(all.Data) < 20 {
		t.Fatalf("only %d tools", len(all.Data))
	}
	for _, of := range all.Data {
		if of.Effect != "read" || of.Name == "moysklad_analyze" {
			continue
		}
		for name, p := range of.Input.Properties {
			if text.ToolArguments[name].RU == "" {
				t.Errorf("%s: %s has no name", of.Name, name)
			}
			for _, value := range append(p.Enum, p.Items.Enum...) {
				if !kinds[value] && text.ToolChoices[value].RU == "" {
					t.Errorf("%s: %s of %s has no name", of.Name, value, name)
				}
			}
		}
	}
}
