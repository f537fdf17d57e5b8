// Package courtesy finds the words of a message that cannot change its answer: greetings and politeness, how the
// question is introduced, whom or what the answer is for, and why it is asked.
package courtesy

import (
	"embed"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

// book holds the phrases of the files by what they mean, which is the name of their entry.
var book = func() vocabulary.Book[string] {
	entries, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("courtesy: " + err.Error())
	}
	b := vocabulary.Book[string]{}
	for _, e := range entries {
		for _, p := range e.Phrases {
			if !strings.Contains(p, " ") && (e.Meaning == "idle" || e.Meaning == "opening") {
				p = "=" + p // "чисто", but not "чистый"
			}
			if err := b.Add(p, e.Meaning); err != nil {
				panic("courtesy: " + e.Place + ": " + err.Error())
			}
		}
	}
	b.Sort()
	return b
}()

// longest is how many words a reason has at most.
const longest = 12

// Aside returns the tokens that cannot change the answer. Tokens that are already read as something are left alone, and
// so is a message that consists of nothing else.
func Aside(ts []token.Token) []int {
	f := finder{ts: ts, gone: make([]bool, len(ts))}
	f.reasons()
	for i := 0; i < len(ts); i++ {
		if end := f.phrase(i); end > i {
			f.mark(i, end)
			i = end - 1
		}
	}
	f.needs()
	var out []int
	left := false
	for i := range ts {
		switch {
		case f.gone[i]:
			out = append(out, i)
		case ts[i].Kind != token.Mark:
			left = true
		}
	}
	if !left {
		return nil
	}
	return out
}

type finder struct {
	ts   []token.Token
	gone []bool
}

func (f *finder) mark(from, to int) {
	for i := from; i < to; i++ {
		f.gone[i] = true
	}
}

func (f *finder) norm(i int) string {
	if i < 0 || i >= len(f.ts) || f.ts[i].Use != token.Unused || f.ts[i].Kind == token.Quoted {
		return ""
	}
	return f.ts[i].Norm
}

// at returns what the phrase at a token means, and the token after it.
func (f *finder) at(i int) (string, int) {
	if f.norm(i) == "" || f.gone[i] {
		return "", i
	}
	p, end := book.At(f.ts, i)
	if p == nil {
		return "", i
	}
	return p.Meaning, end
}

var (
	// purposes stand before what or whom the answer is for.
	purposes = words.Set("для к ко на перед под ради for")
	own      = words.Set("моего моей моих нашего нашей наших нашему моему нашим моим своего своей своих my our the a an his her")
)

// phrase returns the token after a phrase that is set aside at a token; the token itself if there is none.
func (f *finder) phrase(i int) int {
	meaning, end := f.at(i)
	switch {
	case meaning == "idle":
		return end
	case meaning == "opening" && f.begins(i):
		return end
	case meaning == "audience": // "шефу нужно", "the boss wants"
		if m, next := f.at(end); m == "needs" {
			return next
		}
		return i
	case meaning == "needs": // "показать шефу", "нужно бухгалтеру"
		j := end
		for own[f.norm(j)] || f.norm(j) == "перед" || f.norm(j) == "to" || f.norm(j) == "by" {
			j++
		}
		if m, next := f.at(j); m == "audience" {
			return next
		}
		return i
	case !purposes[f.norm(i)]:
		return i
	}
	j := i + 1
	for own[f.norm(j)] {
		j++
	}
	m, next := f.at(j)
	whom := f.norm(i) == "для" || f.norm(i) == "for" || f.norm(i) == "ради"
	if m == "meeting" || m == "event" && f.norm(i) != "на" || m == "audience" && whom {
		return next
	}
	return i
}

// begins reports whether nothing but marks and words that are set aside stand before a token.
func (f *finder) begins(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if f.ts[k].Kind != token.Mark && !f.gone[k] {
			return false
		}
	}
	return true
}

// needs sets "нужно", "нужна для" aside that stand beside a purpose.
func (f *finder) needs() {
	for i := range f.ts {
		if m, end := f.at(i); m == "needs" && (end < len(f.ts) && f.gone[end] && purposes[f.norm(end)] ||
			i > 1 && f.gone[i-1] && f.ts[i-1].Kind == token.Word && f.behindPurpose(i)) {
			f.mark(i, end)
		}
	}
}

// behindPurpose reports whether what is set aside before a token begins with a purpose.
func (f *finder) behindPurpose(i int) bool {
	for k := i - 1; k >= 0 && f.gone[k]; k-- {
		if purposes[f.norm(k)] {
			return true
		}
	}
	return false
}

// reasons sets clauses aside that say why something is asked: "а то директор ругается", "because he asked". A number or
// a name may be more than a reason.
func (f *finder) reasons() {
	for i := range f.ts {
		meaning, j := f.at(i)
		if meaning != "because" {
			continue
		}
		for j < len(f.ts) && f.ts[j].Kind == token.Word && f.ts[j].Use == token.Unused {
			j++
		}
		ends := j == len(f.ts) || f.ts[j].Kind == token.Mark
		before := slices.ContainsFunc(f.ts[:i], func(t token.Token) bool { return t.Kind != token.Mark })
		if ends && j-i <= longest && j-i > 2 && (before || j < len(f.ts)) {
			f.mark(i, j)
		}
	}
}
