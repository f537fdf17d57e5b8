package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"
)

func TestNoticesAndSBOMAreUpToDate(t *testing.T) {
	t.Chdir("../..")
	linked, err := modules("./cmd/stockhand")
	if err != nil {
		t.Fatal(err)
	}
	for file, write := range map[string]func(io.Writer, []module) error{
		"THIRD_PARTY_NOTICES.md": notices, "sbom.cdx.json": sbom,
	} {
		var want bytes.Buffer
		if err := write(&want, linked); err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want.Bytes()) {
			t.Errorf("%s is outdated: run make generate (%v)", file, err)
		}
	}
}

func TestEveryModuleHasALicence(t *testing.T) {
	empty := module{Path: "example.org/none", Version: "v1.0.0", Dir: t.TempDir()}
	empty.folders = []string{empty.Dir}
	t.Chdir("../..")
	if err := notices(io.Discard, []module{empty}); err == nil {
		t.Error("a module without a licence file was accepted")
	}
	if err := os.WriteFile(empty.Dir+"/LICENSE.txt", []byte("may be used\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := notices(&b, []module{empty}); err != nil ||
		!bytes.Contains(b.Bytes(), []byte("## example.org/none v1.0.0\n\n```text\nmay be used\n```")) {
		t.Errorf("%v\n%s", err, b.Bytes())
	}
}

func TestSBOMIsJSONWithAHashForEachModule(t *testing.T) {
	t.Chdir("../..")
	if err := sbom(io.Discard, []module{{Path: "example.org/unknown", Version: "v1.0.0"}}); err == nil {
		t.Error("a module that is not in go.sum was accepted")
	}
	b, err := os.ReadFile("sbom.cdx.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Components []component }
	if err := json.Unmarshal(b, &doc); err != nil || len(doc.Components) < 20 {
		t.Fatalf("%v, %d components", err, len(doc.Components))
	}
	for _, c := range doc.Components {
		if c.Version == "" || len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64 {
			t.Errorf("%+v", c)
		}
	}
}
