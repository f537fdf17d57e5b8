package vocabulary

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func TestReadContinuesIndentedLines(t *testing.T) {
	files := fstest.MapFS{"v/en.words": {Data: []byte("# a comment\n[measure]\nprofit: earnings, gross profit,\n" +
		"  what we earned\nstock: =left\n")}, "v/other.txt": {}}
	got, err := Read(files, "v")
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{"measure", "profit", []string{"earnings", "gross profit", "what we earned"}, "v/en.words:3"},
		{"measure", "stock", []string{"=left"}, "v/en.words:5"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestReadNamesTheLineOfAMistake(t *testing.T) {
	for text, place := range map[string]string{
		"profit: earnings":    "v/en.words:1", // no section
		"[measure]\nearnings": "v/en.words:2", // no colon
		"[measure]\n  more":   "v/en.words:2", // nothing to continue
	} {
		_, err := Read(fstest.MapFS{"v/en.words": {Data: []byte(text)}}, "v")
		if err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%q: got %v, want %s", text, err, place)
		}
	}
}
