// Command release generates the files that accompany a binary: the licences of all linked modules, and an SBOM in the
// CycloneDX format. Both cover all released platforms. It also draws the picture in the README.
//
//	go run ./internal/release notices > THIRD_PARTY_NOTICES.md
//	go run ./internal/release sbom > sbom.cdx.json
//	go run ./internal/release picture < transcript > docs/img/ask.svg
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// platforms are the systems whose packages may differ. Architectures differ in assembly files only.
var platforms = []string{"linux", "darwin", "windows"}

// module is a module that is linked into the binary, and the folders of its packages that are.
type module struct {
	Path, Version, Dir string

	folders []string
}

func main() {
	write := map[string]func(io.Writer, []module) error{"notices": notices, "sbom": sbom, "picture": picture}
	if len(os.Args) != 2 || write[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/release notices|sbom|picture")
		os.Exit(2)
	}
	linked, err := modules("./cmd/stockhand")
	if err == nil {
		err = write[os.Args[1]](os.Stdout, linked)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// modules returns the modules that a command links, without its own, sorted by path.
func modules(command string) ([]module, error) {
	found := map[string]*module{}
	for _, system := range platforms {
		//nolint:gosec,noctx // our own argument
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", command)
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir    string
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil || p.Module.Main { // the standard library, or ours
				continue
			}
			m := found[p.Module.Path]
			if m == nil {
				m = &module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir}
				found[m.Path] = m
			}
			m.folders = append(m.folders, p.Dir)
		}
	}
	var all []module
	for _, m := range found {
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}
