// Package vocabulary parses the files that say what words mean.
//
// A file has sections in brackets. An entry of a section is what its phrases mean, a colon, and the phrases, separated
// by commas. Indented lines continue the entry before them, and "#" begins a comment:
//
//	[measure]
//	profit: earnings, how much did we earn,
//	  gross profit
//
// A word with alternatives stands for several phrases, one for each: "total|gross sales|revenue" are four. An empty
// alternative leaves the word out, and "_" is a space within one.
package vocabulary

import (
	"fmt"
	"io/fs"
	"strings"
)

// Entry is phrases of one meaning.
type Entry struct {
	Section, Meaning string
	Phrases          []string
	Place            string // file and line
}

// Read parses the *.words files of a directory, in the order of their names.
func Read(files fs.FS, dir string) ([]Entry, error) {
	names, err := fs.Glob(files, dir+"/*.words")
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list, err := parse(name, string(b))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func parse(name, text string) (list []Entry, err error) {
	section, line := "", 0
	for l := range strings.Lines(text) {
		line++
		content := strings.TrimSpace(l)
		place := fmt.Sprintf("%s:%d", name, line)
		switch {
		case content == "" || content[0] == '#':
			continue
		case content[0] == '[':
			section = strings.Trim(content, "[]")
			continue
		case l[0] == ' ' || l[0] == '\t':
			if len(list) == 0 {
				return nil, fmt.Errorf("%s: nothing to continue", place)
			}
		default:
			meaning, rest, ok := strings.Cut(content, ":")
			if !ok || section == "" {
				return nil, fmt.Errorf("%s: want a section, and a meaning with a colon", place)
			}
			list = append(list, Entry{Section: section, Meaning: strings.TrimSpace(meaning), Place: place})
			content = rest
		}
		e := &list[len(list)-1]
		for p := range strings.SplitSeq(content, ",") {
			if p = strings.TrimSpace(p); p != "" {
				e.Phrases = append(e.Phrases, expand(p)...)
			}
		}
	}
	return list, nil
}

// expand returns the phrases that one with alternatives stands for: "sum|total of|" stands for "sum of", "sum", "total
// of" and "total". "_" is a space within an alternative.
func expand(phrase string) []string {
	list := []string{""}
	for word := range strings.FieldsSeq(phrase) {
		var longer []string
		for _, begin := range list {
			for w := range strings.SplitSeq(word, "|") {
				longer = append(longer, strings.TrimSpace(begin+" "+strings.ReplaceAll(w, "_", " ")))
			}
		}
		list = longer
	}
	return list
}
