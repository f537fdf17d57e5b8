package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// script is a file of an npm package that is embedded in the binary as it was published.
type script struct{ Package, Version, File, Licence string }

// scripts are the console's.
var scripts = []script{
	{"htmx-ext-sse", "2.2.4", "internal/console/static/assets/sse.min.js",
		"internal/console/static/licences/htmx-ext-sse"},
	{"htmx.org", "2.0.11", "internal/console/static/assets/htmx.min.js", "internal/console/static/licences/htmx.org"},
}

// module returns the script as a module, whose licence is in its folder.
func (s script) module() module {
	return module{Path: s.Package + " (npm)", Version: s.Version, Dir: s.Licence, folders: []string{s.Licence}}
}

func (s script) component() (component, error) {
	content, err := os.ReadFile(s.File)
	if err != nil {
		return component{}, err
	}
	sum := sha256.Sum256(content)
	url := "pkg:npm/" + s.Package + "@" + s.Version
	return component{Ref: url, Type: "library", Name: s.Package, Version: s.Version, URL: url,
		Hashes: []hash{{Algorithm: "SHA-256", Content: hex.EncodeToString(sum[:])}}}, nil
}
