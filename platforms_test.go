package stockhand_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a package declares for one platform of a release and uses on another, it declares there too. Compiling for all
// platforms takes many minutes, and deploy/release does it.
func TestFilesForOnePlatformHaveTheirCounterparts(t *testing.T) {
	script, err := os.ReadFile("deploy/release")
	if err != nil {
		t.Fatal(err)
	}
	platforms := regexp.MustCompile(`\b(linux|darwin|windows)/\w+\b`).FindAllString(
		regexp.MustCompile(`(?m)^platforms=.*$`).FindString(string(script)), -1)
	if len(platforms) < 5 {
		t.Fatalf("the platforms of a release are %v", platforms)
	}
	packages := 0
	err = filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != "." && strings.HasPrefix(name, ".") || name == "node_modules" ||
			name == "testdata" {
			return fs.SkipDir
		}
		files := map[string][]string{}
		for _, platform := range platforms {
			to := build.Default
			to.GOOS, to.GOARCH, _ = strings.Cut(platform, "/")
			to.CgoEnabled = false
			p, err := to.ImportDir(dir, 0)
			if _, none := errors.AsType[*build.NoGoError](err); err != nil && !none {
				return err
			}
			files[platform] = p.GoFiles
		}
		if slices.ContainsFunc(platforms, func(p string) bool { return !slices.Equal(files[p], files[platforms[0]]) }) {
			packages++
			checkPlatforms(t, dir, files)
		}
		return nil
	})
	if err != nil || packages < 3 {
		t.Errorf("%d packages differ by platform, %v", packages, err)
	}
}

// checkPlatforms compares what a package declares and uses, given its files by platform.
func checkPlatforms(t *testing.T, dir string, files map[string][]string) {
	t.Helper()
	declared, used, anywhere := map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]string{}
	for platform, names := range files {
		declared[platform], used[platform] = map[string]bool{}, map[string]bool{}
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil,
				parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range declarations(file) {
				declared[platform][name], anywhere[name] = true, platform
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[platform][id.Name] = true
				}
				return true
			})
		}
	}
	for name, there := range anywhere {
		for platform := range files {
			if used[platform][name] && !declared[platform][name] {
				t.Errorf("%s: %s is declared for %s and used, but not declared, for %s", dir, name, there, platform)
			}
		}
	}
}

// declarations returns the names that a file declares in its package, methods among them.
func declarations(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}
