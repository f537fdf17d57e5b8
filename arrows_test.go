package stockhand_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated parts of the documents")

// arrows lists what each package may import of this module. Every package may also import the root package and
// internal/decimal; "*" means everything. A package that is not listed may import nothing more. docs/design.md
// contains this list, written by: go test . -run Design -update
var arrows = map[string][]string{
	"cmd/stockhand": {"internal/cli"},
	"internal/cli": {"internal/agent", "internal/agent/blocks", "internal/agent/render", "internal/api",
		"internal/api/wire", "internal/app",
		"internal/audit", "internal/auth", "internal/auth/signin", "internal/cli/command", "internal/cli/table",
		"internal/client", "internal/draft", "internal/export", "internal/language", "internal/llm", "internal/mcp",
		"internal/measure", "internal/notes", "internal/replay", "internal/retention", "internal/sandbox",
		"internal/sandbox/company",
		"internal/secret", "internal/store", "internal/tool"},
	"internal/replay": {"internal/agent", "internal/agent/redact", "internal/analysis", "internal/app",
		"internal/cassette",
		"internal/cassette/outcome", "internal/limit", "internal/llm", "internal/traffic"},
	"internal/traffic": {"internal/agent", "internal/cassette", "internal/cassette/outcome", "internal/connection",
		"internal/measure"},
	"internal/cassette":         {"internal/connector", "internal/llm"},
	"internal/cassette/outcome": {"internal/agent", "internal/cassette", "internal/tool"},
	"internal/cli/command":      {"internal/cli/table"},
	"internal/cli/table":        {"internal/tool"},
	"internal/app":              {"*"},
	"internal/bench":            {"*"},
	"internal/agenteval": {"internal/agent", "internal/app", "internal/limit", "internal/llm",
		"internal/llm/llmtest", "internal/sandbox", "internal/sandbox/company", "internal/tool"},
	"internal/audit": {},
	"internal/agent/known": {"internal/connector", "internal/language", "internal/language/names",
		"internal/language/talk", "internal/limit"},
	"internal/agent/blocks": {"internal/agent/dialogue", "internal/agent/render", "internal/tool"},
	"internal/agent/claims": {"internal/tool"},
	"internal/agent": {"internal/agent/aside", "internal/agent/blocks", "internal/agent/dialogue",
		"internal/agent/failure", "internal/agent/known", "internal/agent/loop", "internal/agent/memory",
		"internal/agent/redact", "internal/agent/render", "internal/agent/results", "internal/agent/toolbox",
		"internal/connector", "internal/language",
		"internal/language/act", "internal/language/refer", "internal/language/talk",
		"internal/language/token", "internal/limit",
		"internal/llm", "internal/notes", "internal/tool", "internal/work"},
	"internal/agent/failure": {},
	"internal/agent/memory":  {"internal/agent/render", "internal/llm"},
	"internal/notes":         {"internal/tool"},
	"internal/agent/loop": {"internal/agent/blocks", "internal/agent/claims", "internal/agent/failure",
		"internal/agent/render",
		"internal/agent/results", "internal/agent/toolbox", "internal/compute", "internal/grounding",
		"internal/llm", "internal/tool"},
	"internal/agent/toolbox": {"internal/agent/render", "internal/agent/resultquery", "internal/compute",
		"internal/llm", "internal/tool"},
	"internal/agent/aside": {"internal/agent/blocks", "internal/agent/dialogue", "internal/agent/render",
		"internal/connector", "internal/language", "internal/language/act", "internal/language/lookup",
		"internal/language/quantity", "internal/language/refer", "internal/language/token", "internal/tool",
		"internal/words"},
	"internal/agent/dialogue": {"internal/agent/render", "internal/analysis", "internal/connector",
		"internal/language", "internal/language/act", "internal/language/draft", "internal/language/harmless",
		"internal/language/refer", "internal/language/token", "internal/tool", "internal/words"},
	"internal/agent/redact":      {"internal/tool"},
	"internal/agent/render":      {"internal/tool"},
	"internal/agent/resultquery": {"internal/tool"},
	"internal/agent/results":     {"internal/tool"},
	"internal/compute":           {"internal/compute/lexer", "internal/tool"},
	"internal/compute/lexer":     {},
	"internal/llm/llmtest":       {"internal/llm"},
	"internal/grounding":         {"internal/grounding/prose", "internal/tool", "internal/words"},
	"internal/grounding/prose":   {"internal/tool", "internal/words"},
	"internal/language/compose": {"internal/analysis", "internal/connector", "internal/language/compose/typed",
		"internal/language/quantity", "internal/language/query", "internal/language/refer",
		"internal/language/token", "internal/tool", "internal/words"},
	"internal/language/compose/typed": {"internal/analysis", "internal/connector", "internal/language/harmless",
		"internal/language/names", "internal/language/quantity", "internal/language/refer",
		"internal/language/spelling", "internal/language/token", "internal/language/vocabulary", "internal/words"},
	"internal/language/lookup": {"internal/analysis", "internal/connector", "internal/language/compose/typed",
		"internal/language/names", "internal/language/quantity",
		"internal/language/token", "internal/language/vocabulary", "internal/tool", "internal/words"},
	"internal/language/vocabulary": {"internal/language/token"},
	"internal/language/omitted": {"internal/analysis", "internal/connector", "internal/language/compose/typed",
		"internal/tool", "internal/words"},
	"internal/language/courtesy": {"internal/language/spelling", "internal/language/token",
		"internal/language/vocabulary", "internal/words"},
	"internal/language/harmless": {"internal/language/vocabulary", "internal/words"},
	"internal/language/refer": {"internal/language/harmless", "internal/language/quantity",
		"internal/language/token", "internal/words"},
	"internal/language/query": {"internal/analysis", "internal/tool"},
	"internal/language/talk": {"internal/analysis", "internal/connector", "internal/language",
		"internal/language/act", "internal/language/compose/typed", "internal/language/draft",
		"internal/language/harmless", "internal/language/lookup", "internal/language/names",
		"internal/language/quantity", "internal/language/query", "internal/language/refer",
		"internal/language/request", "internal/language/token", "internal/language/vocabulary",
		"internal/tool", "internal/words"},
	"internal/language/names": {"internal/connector", "internal/language/token", "internal/words"},
	"internal/language/draft": {"internal/analysis", "internal/language/quantity"},
	"internal/language/request": {"internal/analysis", "internal/connector", "internal/language/quantity",
		"internal/language/token", "internal/language/vocabulary", "internal/words"},
	"internal/language/proposal": {"internal/analysis", "internal/connector", "internal/language/compose",
		"internal/language/compose/typed", "internal/language/draft", "internal/language/names",
		"internal/language/proposal/intent", "internal/language/quantity", "internal/language/refer",
		"internal/language/refusal", "internal/language/request",
		"internal/language/token", "internal/words", "internal/tool"},
	"internal/language/proposal/intent": {"internal/connector", "internal/language/draft", "internal/language/quantity",
		"internal/language/request", "internal/language/token", "internal/words"},
	"internal/language/refusal": {"internal/language/request", "internal/language/token", "internal/words"},
	"internal/language": {"internal/analysis", "internal/connector", "internal/language/act",
		"internal/language/compose", "internal/language/compose/typed", "internal/language/courtesy",
		"internal/language/draft", "internal/language/lookup", "internal/language/names",
		"internal/language/omitted", "internal/language/phrase", "internal/language/proposal",
		"internal/language/quantity", "internal/language/query", "internal/language/refer",
		"internal/language/request", "internal/language/spelling", "internal/language/token", "internal/tool",
		"internal/words"},
	"internal/language/phrase":           {"internal/language/token", "internal/words"},
	"internal/language/spelling":         {"internal/language/token", "internal/words"},
	"internal/language/spelling/collect": {"internal/language/spelling", "internal/language/token", "internal/words"},
	"internal/language/quantity":         {"internal/language/token", "internal/words"},
	"internal/language/token":            {"internal/words"},
	"internal/connector":                 {"internal/analysis", "internal/limit", "internal/tool"},
	"internal/analysis":                  {"internal/tool"},
	"internal/connector/moysklad/behind": {"internal/analysis", "internal/connector",
		"internal/connector/moysklad/analyze/measures",
		"internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/cards": {"internal/connector/moysklad/account",
		"internal/connector/moysklad/documents", "internal/connector/moysklad/msapi",
		"internal/connector/moysklad/shortage", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/lookup": {"internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/documents": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/facts": {"internal/connector", "internal/connector/moysklad/msapi",
		"internal/connector/moysklad/msapi/meter", "internal/connector/moysklad/msapi/survey"},
	"internal/connector/moysklad/analyze/measures": {"internal/analysis", "internal/tool"},
	"internal/connector/moysklad/analyze/values": {"internal/analysis",
		"internal/connector/moysklad/analyze/measures", "internal/tool", "internal/words"},
	"internal/connector/moysklad/analyze/doctype": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/analyze/measures", "internal/connector/moysklad/msapi", "internal/tool"},
	"internal/connector/moysklad/analyze/answer": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/analyze/measures", "internal/connector/moysklad/analyze/values",
		"internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/analyze": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/analyze/answer", "internal/connector/moysklad/analyze/doctype",
		"internal/connector/moysklad/analyze/measures",
		"internal/connector/moysklad/analyze/values",
		"internal/connector/moysklad/facts", "internal/connector/moysklad/shortage",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/wording", "internal/tool",
		"internal/connector/moysklad/msapi/survey"},
	"internal/connector/moysklad/outlook": {"internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/shortage",
		"internal/connector/moysklad/wording", "internal/forecast", "internal/tool"},
	"internal/connector/moysklad": {"internal/analysis", "internal/connector", "internal/connector/moysklad/account",
		"internal/connector/moysklad/analyze", "internal/connector/moysklad/analyze/doctype",
		"internal/connector/moysklad/analyze/measures", "internal/connector/moysklad/behind",
		"internal/connector/moysklad/cards", "internal/connector/moysklad/documents",
		"internal/connector/moysklad/lookup",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/outlook",
		"internal/connector/moysklad/propose", "internal/connector/moysklad/raw",
		"internal/connector/moysklad/report", "internal/limit", "internal/tool"},
	"internal/connector/moysklad/account": {"internal/connector", "internal/connector/moysklad/facts",
		"internal/connector/moysklad/msapi",
		"internal/connector/moysklad/msapi/meter",
		"internal/connector/moysklad/wording", "internal/tool", "internal/connector/moysklad/msapi/survey"},
	"internal/connector/moysklad/shortage": {"internal/connector/moysklad/account", "internal/connector/moysklad/msapi",
		"internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/report": {"internal/analysis", "internal/connector",
		"internal/connector/moysklad/account", "internal/connector/moysklad/analyze",
		"internal/connector/moysklad/analyze/measures",
		"internal/connector/moysklad/msapi",
		"internal/connector/moysklad/shortage", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/msapi/writable": {"internal/connector/moysklad/msapi"},
	"internal/connector/moysklad/propose": {"internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/msapi/writable",
		"internal/connector/moysklad/outlook",
		"internal/connector/moysklad/propose/catalogue", "internal/connector/moysklad/propose/prices",
		"internal/connector/moysklad/shortage", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/propose/prices": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/propose/catalogue",
		"internal/connector/moysklad/shortage", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/propose/catalogue": {"internal/analysis", "internal/connector/moysklad/account",
		"internal/connector/moysklad/analyze", "internal/connector/moysklad/analyze/measures",
		"internal/connector/moysklad/msapi",
		"internal/connector/moysklad/shortage", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/raw": {"internal/connector", "internal/connector/moysklad/account",
		"internal/connector/moysklad/msapi", "internal/connector/moysklad/wording", "internal/tool"},
	"internal/connector/moysklad/wording": {"internal/tool"},
	"internal/connector/moysklad/msapi": {"internal/connector/moysklad/msapi/breaker",
		"internal/connector/moysklad/msapi/meter", "internal/connector/moysklad/msapi/readonly",
		"internal/connector/moysklad/msapi/survey", "internal/connector/moysklad/msapi/visible", "internal/limit",
		"internal/timezone"},
	"internal/connector/moysklad/gateway": {"internal/connector", "internal/connector/moysklad/msapi",
		"internal/limit"},
	"internal/connector/moysklad/write": {"internal/connector", "internal/connector/moysklad/msapi",
		"internal/connector/moysklad/msapi/writable", "internal/limit", "internal/tool"},
	"internal/connector/connectortest": {"internal/connector", "internal/tool"},
	"internal/connector/mcp":           {"internal/connector", "internal/connector/mcp/remote", "internal/tool"},
	"internal/connector/mcp/remote":    {"internal/limit", "internal/outbound"},
	"internal/connector/mcp/write":     {"internal/connector", "internal/connector/mcp/remote", "internal/tool"},
	"internal/connection": {"internal/audit", "internal/cassette", "internal/connector", "internal/limit",
		"internal/secret"},
	"internal/auth/signin": {"internal/audit", "internal/auth"},
	"internal/api/signinpage": {"internal/api/caller", "internal/auth", "internal/auth/signin",
		"internal/console/page", "internal/console/text", "internal/console/ui", "internal/strictjson"},
	"internal/api": {"internal/api/caller", "internal/api/decode", "internal/api/docs", "internal/api/signinpage",
		"internal/api/idempotency", "internal/api/openapi", "internal/auth/signin",
		"internal/api/problem", "internal/api/ratelimit", "internal/api/requestlog", "internal/api/spreadsheet",
		"internal/api/wire", "internal/agent", "internal/audit", "internal/auth", "internal/byword",
		"internal/chart", "internal/connection", "internal/connector", "internal/console",
		"internal/console/static", "internal/draft",
		"internal/retention", "internal/tool", "internal/api/measures", "internal/measure", "internal/notes",
		"internal/api/saved", "internal/reports",
		"internal/openai", "internal/sse", "internal/strictjson", "internal/timezone/orgzone", "internal/traffic"},
	"internal/api/measures": {"internal/api/wire", "internal/measure"},
	"internal/api/saved":    {"internal/api/wire", "internal/reports"},
	"internal/reports":      {"internal/connector", "internal/tool"},
	"internal/console/connections": {"internal/connection", "internal/connector", "internal/console/limits",
		"internal/console/page", "internal/console/text", "internal/console/ui"},
	"internal/console/limits": {"internal/console/text", "internal/console/ui", "internal/limit", "internal/tool"},
	"internal/console/account": {"internal/auth", "internal/auth/signin", "internal/console/page",
		"internal/console/text", "internal/console/ui"},
	"internal/console/people": {"internal/console/page", "internal/console/text", "internal/console/ui"},
	"internal/console/operations": {"internal/audit", "internal/connection", "internal/connector",
		"internal/chart", "internal/console/limits",
		"internal/console/page", "internal/console/text", "internal/console/ui", "internal/llm", "internal/retention",
		"internal/store/activity", "internal/tool"},
	"internal/console/settings": {"internal/auth", "internal/console/page", "internal/console/text",
		"internal/console/ui", "internal/draft", "internal/llm", "internal/retention", "internal/tool"},
	"internal/console/developers": {"internal/agent", "internal/api/caller", "internal/api/docs", "internal/api/wire",
		"internal/auth", "internal/connector",
		"internal/console/answer", "internal/console/fields", "internal/console/page", "internal/console/text",
		"internal/console/ui", "internal/tool"},
	"internal/console": {"internal/api/caller", "internal/console/account",
		"internal/console/answer", "internal/console/ask",
		"internal/console/browse", "internal/console/calls", "internal/console/connections",
		"internal/console/developers", "internal/console/drafts", "internal/console/find",
		"internal/console/operations", "internal/console/page", "internal/console/people",
		"internal/console/results", "internal/console/settings", "internal/console/text", "internal/console/ui",
		"internal/timezone/orgzone"},
	"internal/console/fields": {"internal/console/text", "internal/console/ui"},
	"internal/console/answer": {"internal/agent", "internal/agent/blocks", "internal/analysis",
		"internal/chart", "internal/connector", "internal/console/fields", "internal/console/page",
		"internal/console/results", "internal/console/text",
		"internal/console/ui", "internal/tool"},
	"internal/console/ask": {"internal/agent", "internal/analysis", "internal/connector",
		"internal/console/answer", "internal/console/calls", "internal/chart", "internal/console/page",
		"internal/console/results", "internal/console/text", "internal/console/ui", "internal/reports",
		"internal/sse", "internal/tool"},
	"internal/console/browse": {"internal/agent", "internal/connector", "internal/console/answer",
		"internal/console/calls", "internal/console/page", "internal/console/results", "internal/console/text",
		"internal/console/ui", "internal/tool"},
	"internal/console/find": {"internal/connector", "internal/console/page", "internal/console/text",
		"internal/console/ui", "internal/reports", "internal/tool"},
	"internal/console/calls": {"internal/agent", "internal/connector", "internal/console/text"},
	"internal/chart":         {"internal/tool"},
	"internal/console/results": {"internal/agent", "internal/api/spreadsheet", "internal/connector",
		"internal/console/page", "internal/console/text", "internal/console/ui", "internal/tool"},
	"internal/console/drafts": {"internal/console/page", "internal/console/text", "internal/console/ui",
		"internal/draft", "internal/tool"},
	"internal/console/page":   {"internal/api/caller", "internal/console/text", "internal/console/ui"},
	"internal/console/static": {},
	"internal/console/text":   {},
	"internal/console/ui":     {"internal/console/static", "internal/console/text", "internal/tool"},
	"internal/measure":        {"internal/analysis"},
	"internal/api/openapi": {"internal/api/idempotency", "internal/api/problem", "internal/api/spreadsheet",
		"internal/api/wire", "internal/chart", "internal/tool"},
	"internal/api/problem": {"internal/api/ratelimit", "internal/api/wire", "internal/openai"},
	"internal/api/wire": {"internal/agent", "internal/agent/blocks", "internal/analysis", "internal/connector",
		"internal/draft",
		"internal/measure", "internal/reports", "internal/retention", "internal/tool",
		"internal/llm"},
	"internal/tool":             {"internal/timezone"},
	"internal/timezone/orgzone": {"internal/timezone"},
	"internal/api/spreadsheet":  {"internal/export", "internal/tool"},
	"internal/client":           {"internal/sse"},
	"internal/byword": {"internal/agent", "internal/agent/dialogue", "internal/agent/render", "internal/draft",
		"internal/language/act", "internal/language/courtesy", "internal/language/token", "internal/tool",
		"internal/words"},
	"internal/language/act": {"internal/language/quantity", "internal/language/spelling", "internal/language/token",
		"internal/words"},
	"internal/openai": {"internal/agent", "internal/agent/redact", "internal/byword", "internal/llm",
		"internal/openai/responses",
		"internal/sse", "internal/tool"},
	"internal/openai/responses": {"internal/sse"},
	"internal/mcp": {"internal/agent", "internal/audit", "internal/connector",
		"internal/tool"},
	"internal/app/apptest":              {"*"},
	"internal/draft":                    {"internal/notes", "internal/tool"},
	"internal/export":                   {"internal/tool"},
	"internal/sandbox":                  {"internal/sandbox/company"},
	"internal/work":                     {"internal/secret"},
	"internal/work/worktest":            {"internal/secret"},
	"internal/language/names/namestest": {"internal/connector"},
	"internal/store": {"internal/store/activity", "internal/store/content", "internal/store/database",
		"internal/store/datakey",
		"internal/store/inbox", "internal/store/kept", "internal/store/measures", "internal/store/pins",
		"internal/store/replicas", "internal/store/reports", "internal/store/requests",
		"internal/store/responses",
		"internal/store/sqlc", "internal/store/traffic"},
	"internal/store/activity": {"internal/store/database", "internal/store/datakey", "internal/store/sqlc"},
	"internal/store/inbox":    {"internal/store/database", "internal/store/sqlc"},
	"internal/store/measures": {"internal/store/database", "internal/store/sqlc"},
	"internal/store/replicas": {"internal/store/database", "internal/store/sqlc"},
	"internal/store/requests": {"internal/store/database", "internal/store/sqlc"},
	"internal/api/requestlog": {},
	"internal/store/kept": {"internal/store/content", "internal/store/database", "internal/store/datakey",
		"internal/store/sqlc"},
	"internal/store/pins": {"internal/store/database", "internal/store/datakey", "internal/store/sqlc"},
	"internal/store/reports": {"internal/store/content", "internal/store/database", "internal/store/datakey",
		"internal/store/sqlc"},
	"internal/store/responses": {"internal/store/content", "internal/store/database", "internal/store/datakey",
		"internal/store/sqlc"},
	"internal/store/traffic": {"internal/store/content", "internal/store/database", "internal/store/datakey",
		"internal/store/sqlc"},
	"internal/store/database": {"internal/store/migrations"},
	"internal/store/datakey": {"internal/store/content", "internal/store/database",
		"internal/store/sqlc"},
	"internal/store/migrations":             {},
	"internal/store/sqlc":                   {"internal/store/content"},
	"internal/store/storetest":              {"internal/store", "internal/store/migrations"},
	"internal/store/storetest/withpostgres": {"internal/store/storetest/postgres"},
}

func TestImportsFollowTheDesign(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		from := short(p.ImportPath)
		allowed := arrows[from]
		for _, imported := range p.Imports {
			to := short(imported)
			switch {
			case imported != module && !strings.HasPrefix(imported, module+"/"):
				if p.ImportPath == module && strings.Contains(imported, ".") {
					t.Errorf("the root package imports %s; it may import the standard library only", imported)
				}
			case to == "." || to == "internal/decimal", slices.Contains(allowed, "*"):
			case slices.Contains(allowed, to):
				used[from+" "+to] = true
			default:
				t.Errorf("%s must not import %s: see arrows in arrows_test.go", from, to)
			}
		}
	}
	for from, tos := range arrows {
		for _, to := range tos {
			if to != "*" && !used[from+" "+to] {
				t.Errorf("%s does not import %s: remove it from arrows in arrows_test.go", from, to)
			}
		}
	}
}

func TestDesignDocumentShowsTheArrows(t *testing.T) {
	var b strings.Builder
	for _, from := range slices.Sorted(maps.Keys(arrows)) {
		to := strings.Join(slices.Sorted(slices.Values(arrows[from])), ", ")
		if to == "*" {
			to = "everything"
		}
		b.WriteString(wrap(strings.ReplaceAll(from+" → "+to, "internal/", ""), 116))
	}
	generated(t, "docs/design.md", "arrows", b.String())
}

// wrap breaks a line of code between words and indents it as a Markdown code block.
func wrap(line string, width int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(line) {
		n := len([]rune(word))
		switch {
		case i == 0:
			b.WriteString("    ")
		case used+1+n > width:
			b.WriteString("\n        ")
			used = 4
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String() + "\n"
}

// generated fails when the named part of a document differs from what the code says. With -update it writes the part.
func generated(t *testing.T, file, part, want string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	begin, end := "<!-- begin "+part+" -->\n", "<!-- end "+part+" -->"
	from, to := strings.Index(text, begin), strings.Index(text, end)
	if from < 0 || to < from {
		t.Fatalf("%s has no part %q", file, part)
	}
	from += len(begin)
	if text[from:to] == want {
		return
	}
	if !*update {
		t.Fatalf("%s, part %q, is outdated: run go test . -run Design -update", file, part)
	}
	if err := os.WriteFile(file, []byte(text[:from]+want+text[to:]), 0o644); err != nil {
		t.Fatal(err)
	}
}
