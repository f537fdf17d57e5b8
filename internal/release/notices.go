package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var licenceFile = regexp.MustCompile(`(?i)^((.+-)?(licen[cs]e|copying)|notice|patents|copyright)([.-].*)?$`)

// notices writes the licence texts of the modules and of Go itself. Modules with the same text share it.
func notices(w io.Writer, linked []module) error {
	root, err := exec.Command("go", "env", "GOROOT").Output() //nolint:noctx // immediate
	if err != nil {
		return err
	}
	goroot := strings.TrimSpace(string(root))
	all := append([]module{{Path: "The Go standard library", Dir: goroot, folders: []string{goroot}}}, linked...)
	for _, embedded := range scripts {
		all = append(all, embedded.module())
	}
	users := map[string][]string{} // by text
	for _, m := range all {
		texts, err := licences(m)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return fmt.Errorf("%s has no licence file", m.Path)
		}
		for _, text := range texts {
			users[text] = append(users[text], strings.TrimSpace(m.Path+" "+m.Version))
		}
	}
	fmt.Fprintln(w, "# Third-party notices\n\nThe `stockhand` binary contains the following software under the following "+
		"licences.\nWritten by `make generate`.")
	texts := slices.SortedFunc(maps.Keys(users), func(a, b string) int {
		return cmp.Or(slices.Compare(users[a], users[b]), strings.Compare(a, b))
	})
	for _, text := range texts {
		fmt.Fprintf(w, "\n## %s\n\n```text\n%s\n```\n", strings.Join(users[text], ", "), text)
	}
	return nil
}

// licences returns the texts in the folders of the linked packages and in those above them, each once.
func licences(m module) ([]string, error) {
	folders := map[string]bool{}
	for _, dir := range m.folders {
		for ; strings.HasPrefix(dir, m.Dir); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	var texts []string
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f.IsDir() || !licenceFile.MatchString(f.Name()) || strings.HasSuffix(f.Name(), ".go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				return nil, err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts, nil
}
