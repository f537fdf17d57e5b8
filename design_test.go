package stockhand_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pkg is a package as go list describes it.
type pkg struct {
	Dir, ImportPath, Name, Doc         string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

const module = "github.com/stockhand/stockhand"

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list",
		"-json=Dir,ImportPath,Name,Doc,GoFiles,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// short is the path inside the module; "." is the root package.
func short(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

func TestNothingButTheSandboxKnowsTheSandbox(t *testing.T) {
	for _, p := range packages(t) {
		from := short(p.ImportPath)
		if from == "internal/cli" || from == "internal/app/apptest" || from == "internal/bench" ||
			from == "internal/agenteval" || strings.HasPrefix(from, "internal/sandbox") {
			continue
		}
		if slices.ContainsFunc(p.Imports,
			func(i string) bool { return strings.HasPrefix(short(i), "internal/sandbox") }) {
			t.Errorf("%s imports the sandbox: the product must not know what stands in for the external system", from)
		}
	}
}

// Only internal/app holds code that can write or have something written. It passes agents, models and interfaces
// nothing but the methods that they declare (rule R10).
func TestOnlyTheAppHoldsTheWayToWrite(t *testing.T) {
	writes := []string{"internal/draft", "internal/connector/moysklad/write", "internal/connector/moysklad/gateway",
		"internal/connector/mcp/write", "internal/connector/connectortest"}
	for _, p := range packages(t) {
		from := short(p.ImportPath)
		if from == "internal/app" || slices.Contains(writes, from) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains([]string{"internal/api", "internal/api/wire", "internal/bench", "internal/byword",
				"internal/cli", "internal/console/drafts", "internal/console/settings"}, from) &&
				short(imported) == "internal/draft" {
				// a person confirms over HTTP, in the console, by a word or on the command line, and the benchmark
				// creates drafts; settings hold the rules for them; none of these can reach the client that writes
				continue
			}
			if slices.Contains(writes, short(imported)) {
				t.Errorf("%s imports %s: only internal/app may", from, short(imported))
			}
		}
	}
}

// mayChange lists the packages that may name an HTTP method other than GET, besides the sandbox, and why.
var mayChange = map[string]string{
	"internal/connector/moysklad/write":   "what a person confirmed",
	"internal/connector/moysklad/gateway": "what gateway_writes allows; only app makes one that does",
	"internal/connector/mcp/remote":       "the protocol uses POST for everything; one caller reads and one writes",
	"internal/connector/mcp/write":        "what a person confirmed",
	"internal/connector/connectortest":    "the connector of a test; it sends nothing",
	"internal/api":                        "it serves these methods and sends nothing",
	"internal/api/signinpage":             "it serves these methods and sends nothing",
	"internal/api/docs":                   "it names these methods on a page",
	"internal/console/developers":         "it names these methods on a page",
	"internal/api/openapi":                "it names these methods in a document",
	"internal/openai":                     "it serves these methods",
	"internal/mcp":                        "it serves these methods",
	"internal/llm":                        "it asks models",
	"internal/client":                     "it calls another Stockhand",
	"internal/otlp":                       "it posts traces to the operator's collector",
	"internal/audit":                      "it posts the audit log to the operator's webhook",
	"internal/bench":                      "it calls the service it measures",
}

// A package that names a method other than GET, or a function of net/http that uses one, can change something.
func TestOnlyTheWriterNamesAMethodThatChangesSomething(t *testing.T) {
	changes := []string{"MethodPost", "MethodPut", "MethodPatch", "MethodDelete", "Post", "PostForm"}
	for _, p := range packages(t) {
		from := short(p.ImportPath)
		if mayChange[from] != "" || strings.HasPrefix(from, "internal/sandbox") {
			continue
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "http" && slices.Contains(changes, n.Sel.Name) {
						t.Errorf("%s: http.%s: only internal/connector/moysklad/write may change anything",
							fset.Position(n.Pos()), n.Sel.Name)
					}
				case *ast.BasicLit:
					if slices.Contains([]string{`"POST"`, `"PUT"`, `"PATCH"`, `"DELETE"`}, n.Value) {
						t.Errorf("%s: %s: only internal/connector/moysklad/write may change anything",
							fset.Position(n.Pos()), n.Value)
					}
				}
				return true
			})
		}
	}
}

// skips lists the tests that may be skipped although CI is set, by file and function, and why.
var skips = map[string]string{
	"internal/compute/attack_test.go TestAttackAQueryCollectsRows": "the memory of the process is known on Linux only",
	"internal/store/storetest/storetest.go Postgres":               "make test, which CI runs, starts a server or fails",

	"internal/app/database_test.go restartable":                       "make test installs Postgres first",
	"internal/store/storetest/withpostgres/main_test.go needPostgres": "make test installs Postgres first",

	"internal/language/eval/chatter_test.go TestChatterCostsNothing": "make eval, which CI runs, measures it",
	"internal/language/eval/judged_test.go TestConversations":        "make eval, which CI runs, measures the conversations",

	"internal/limit/machine_test.go TestAttackAFolderOfAnotherUserIsNotUsed": "only root can give a folder away",
}

func TestNothingIsSkippedInCIWithoutAReason(t *testing.T) {
	skipped := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !skipsTests(fn) {
				continue
			}
			body := string(source[fn.Body.Pos()-f.FileStart : fn.Body.End()-f.FileStart])
			at := filepath.ToSlash(path) + " " + fn.Name.Name
			skipped[at] = true
			if !strings.Contains(body, `os.Getenv("CI")`) && skips[at] == "" {
				t.Errorf("%s skips: make it fail if CI is set, or list it in design_test.go with a reason", at)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range skips {
		if !skipped[at] {
			t.Errorf("%s is listed in design_test.go and does not skip", at)
		}
	}
}

// skipsTests reports whether a function calls Skip, Skipf or SkipNow of a test.
func skipsTests(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, method.Sel.Name) {
			if x, ok := method.X.(*ast.Ident); ok && slices.Contains([]string{"t", "b", "f", "tb"}, x.Name) {
				found = true
			}
		}
		return !found
	})
	return found
}

func TestEveryPackageSaysWhatItIsInOneFile(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) == 0 {
			continue
		}
		documented := 0
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil,
				parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil && !ast.IsGenerated(f) {
				documented++
			}
		}
		if generated := strings.HasSuffix(p.ImportPath, "/sqlc"); documented != 1 && !generated {
			t.Errorf("%s has %d package comments, want one", short(p.ImportPath), documented)
		}
	}
}
