package text

import (
	"context"
	"embed"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
)

// described has what the API document and the schemas of tools say, which is in English, in Russian: a line in English,
// and below it a line in Russian after a tab.
//
//go:embed described/*.ru
var described embed.FS

// Russian returns the Russian texts of described by their English ones. It panics if a file is malformed.
var Russian = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	names, err := fs.Glob(described, "described/*.ru")
	for _, name := range names {
		var file []byte
		if file, err = described.ReadFile(name); err != nil {
			break
		}
		pairs(all, name, string(file))
	}
	if err != nil {
		panic(err) // embedded files can be read
	}
	return all
})

// pairs adds the texts of a file: a line in English, and below it a line in Russian after a tab. It panics if one of
// the two is missing.
func pairs(all map[string]string, name, file string) {
	english := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSuffix(line, "\n")
		russian, ok := strings.CutPrefix(line, "\t")
		switch {
		case ok == (english == ""):
			panic(name + ": a text lacks its other language: " + line)
		case ok:
			all[english], english = russian, ""
		default:
			english = line
		}
	}
}

// enumeration is a list of names at the end of a text: "none: one row; else of: product, variant, kind".
var enumeration = regexp.MustCompile(`^(.*: )([a-z_]+(?:, [a-z_]+){3,})$`)

// Described returns a text of the API document or of a tool's schema in the language of the context (rule R541). One
// without a Russian text stays as it is.
func Described(ctx context.Context, english string) string {
	if Language(ctx) != stockhand.Russian || english == "" {
		return english
	}
	names := ""
	if m := enumeration.FindStringSubmatch(english); m != nil {
		english, names = strings.TrimSuffix(m[1], " "), " "+m[2]
	}
	russian, ok := Russian()[english]
	if !ok {
		russian = english
	}
	return russian + names
}
