package text

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
)

// Every text of the console exists in both languages (rule R382).
func TestEveryTextIsInBothLanguages(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	cyrillic, letter := regexp.MustCompile(`\p{Cyrillic}`), regexp.MustCompile(`\pL`)
	verbs := regexp.MustCompile(`%(\[\d\])?[a-z]`)
	texts := 0
	check := func(at token.Pos, ru, en []string) {
		texts++
		for _, s := range ru {
			if letter.MatchString(s) && !cyrillic.MatchString(s) {
				t.Errorf("%s: %q is not Russian", fset.Position(at), s)
			}
		}
		for _, s := range en {
			if cyrillic.MatchString(s) {
				t.Errorf("%s: %q is not English", fset.Position(at), s)
			}
		}
		for _, s := range append(append([]string{}, ru...), en...) {
			if strings.TrimSpace(s) == "" {
				t.Errorf("%s: a language is missing", fset.Position(at))
			}
		}
		if len(verbs.FindAllString(ru[0], -1)) != len(verbs.FindAllString(en[0], -1)) {
			t.Errorf("%s: %q and %q take different values", fset.Position(at), ru[0], en[0])
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			var parts []string
			for _, e := range lit.Elts {
				s, ok := constant(e)
				if !ok {
					return true // a map of texts
				}
				parts = append(parts, s)
			}
			switch len(parts) {
			case 2:
				check(lit.Pos(), parts[:1], parts[1:])
			case 5:
				check(lit.Pos(), parts[:3], parts[3:])
			case 0:
			default:
				t.Errorf("%s: a text has %d parts", fset.Position(lit.Pos()), len(parts))
			}
			return true
		})
	}
	if texts < 50 {
		t.Errorf("only %d texts were found", texts)
	}
}

// constant evaluates a string literal, or several that are added.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		x, ok := constant(e.X)
		y, also := constant(e.Y)
		return x + y, ok && also
	}
	return "", false
}

func TestCountedNounsFollowTheirNumber(t *testing.T) {
	lines := Count{"строка", "строки", "строк", "line", "lines"}
	ru := With(context.Background(), stockhand.Russian)
	for n, want := range map[int]string{0: "строк", 1: "строка", 2: "строки", 4: "строки", 5: "строк", 11: "строк",
		12: "строк", 21: "строка", 22: "строки", 111: "строк", 114: "строк", 101: "строка"} {
		if got := lines.Word(ru, n); got != want {
			t.Errorf("%d %s, want %s", n, got, want)
		}
	}
	en := With(context.Background(), stockhand.English)
	if one, two := lines.Of(en, 1), lines.Of(en, 2); one != "1\u00a0line" || two != "2\u00a0lines" {
		t.Errorf("%q, %q", one, two)
	}
}
