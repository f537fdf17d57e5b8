package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// component is a software component of CycloneDX 1.6.
type component struct {
	Ref     string `json:"bom-ref"`
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	URL     string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// sbom writes the modules as a CycloneDX document. The hash of a module is the one in go.sum: the SHA-256 of the list
// of its files' hashes.
func sbom(w io.Writer, linked []module) error {
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	main := component{Type: "application", Name: "stockhand", URL: "pkg:golang/github.com/stockhand/stockhand"}
	main.Ref = main.URL
	uses := dependency{Ref: main.Ref}
	var components []component
	for _, m := range linked {
		_, rest, ok := strings.Cut("\n"+string(sums), "\n"+m.Path+" "+m.Version+" h1:")
		sum, _, _ := strings.Cut(rest, "\n")
		b, err := base64.StdEncoding.DecodeString(sum)
		if !ok || err != nil {
			return fmt.Errorf("go.sum has no hash of %s %s", m.Path, m.Version)
		}
		url := "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version
		components = append(components, component{Ref: url, Type: "library", Name: m.Path, Version: m.Version, URL: url,
			Hashes: []hash{{Algorithm: "SHA-256", Content: hex.EncodeToString(b)}}})
		uses.On = append(uses.On, url)
	}
	for _, embedded := range scripts {
		c, err := embedded.component()
		if err != nil {
			return err
		}
		components = append(components, c)
		uses.On = append(uses.On, c.Ref)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     map[string]any{"component": main},
		"components":   components,
		"dependencies": []dependency{uses},
	})
}
