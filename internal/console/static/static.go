// Package static serves the console's files: its style sheet, its script, htmx and icons. They are in the binary, and
// their addresses contain a hash of their content, so browsers keep them for good.
//
// htmx.min.js (2.0.11) and sse.min.js (htmx-ext-sse 2.2.4) are third-party files, as published on npm; their licences
// are beside them.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var files embed.FS

// Prefix is where the files are served.
const Prefix = "/static/"

type file struct {
	media   string
	content []byte
}

var (
	byName    = map[string]string{} // the address of each file, by its name
	byAddress = map[string]file{}
)

func init() {
	entries, err := fs.ReadDir(files, "assets")
	if err != nil {
		panic(err) // the files are in the binary
	}
	for _, e := range entries {
		content, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			panic(err)
		}
		add(e.Name(), content)
	}
}

func add(name string, content []byte) {
	sum := sha256.Sum256(content)
	kind := path.Ext(name)
	address := Prefix + strings.TrimSuffix(name, kind) + "." + hex.EncodeToString(sum[:5]) + kind
	media := mime.TypeByExtension(kind)
	switch kind { // whatever the machine's own table says
	case ".js":
		media = "text/javascript; charset=utf-8"
	case ".css":
		media = "text/css; charset=utf-8"
	case ".svg":
		media = "image/svg+xml"
	case ".png":
		media = "image/png"
	}
	byName[name], byAddress[address] = address, file{media, content}
}

// Path returns the address of a file. It panics for an unknown name.
func Path(name string) string {
	address, ok := byName[name]
	if !ok {
		panic("static: there is no file " + name)
	}
	return address
}

// Serve answers requests under [Prefix]. It reports whether there is such a file.
func Serve(w http.ResponseWriter, r *http.Request) bool {
	f, ok := byAddress[r.URL.Path]
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(f.content) // the client may have disconnected
	return true
}
