package answer

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Characters of private use stand for the marks around a figure until the text is HTML. Those of the text itself become
// spaces.
const (
	computedMark = "\uE000"
	estimateMark = "\uE001"
	endMark      = "\uE002"
)

var marksOf = map[blocks.Class]string{blocks.Computed: computedMark, blocks.Estimate: estimateMark}

var ownMarks = strings.NewReplacer(computedMark, " ", estimateMark, " ", endMark, " ")

var marksInHTML = strings.NewReplacer(computedMark, `<span class="fact computed">`,
	estimateMark, `<span class="fact estimate">`, endMark, "</span>")

// Prose shows a text in which computed figures and estimates are distinguished (rule R431). Figures that were read look
// like the rest, and those found nowhere have a mark in the text itself.
func Prose(p Part) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		if err := Markdown(marked(p.Text, p.Facts)).Render(ctx, &b); err != nil {
			return err
		}
		_, err := marksInHTML.WriteString(w, b.String())
		return err
	})
}

// marked returns the text with marks around its figures. A figure across Markdown's own marks stays without.
func marked(text string, facts []blocks.Fact) string {
	runes := []rune(ownMarks.Replace(text)) // as long as before
	var b strings.Builder
	at := 0
	for _, f := range facts {
		mark := marksOf[f.Class]
		if mark == "" || f.Start < at || f.End > len(runes) || f.Start >= f.End {
			continue
		}
		figure := string(runes[f.Start:f.End])
		if strings.ContainsAny(figure, "*`[]|\n") {
			continue
		}
		b.WriteString(string(runes[at:f.Start]) + mark + figure + endMark)
		at = f.End
	}
	b.WriteString(string(runes[at:]))
	return b.String()
}

// Figure is a figure of a text that was not simply read.
type Figure struct {
	Text    string
	Class   blocks.Class
	Formula string
}

// How says in a word how the figure is known.
func (f Figure) How(ctx context.Context) string {
	if f.Class == blocks.Estimate {
		return text.FactEstimate.In(ctx)
	}
	return text.FactComputed.In(ctx)
}

// figures returns the computed figures and estimates of the texts, each once.
func figures(parts []Part) (all []Figure) {
	seen := map[Figure]bool{}
	for _, p := range parts {
		runes := []rune(p.Text)
		for _, f := range p.Facts {
			if marksOf[f.Class] == "" || f.Start < 0 || f.End > len(runes) || f.Start >= f.End {
				continue
			}
			one := Figure{plain(string(runes[f.Start:f.End])), f.Class, f.Formula}
			if !seen[one] {
				seen[one] = true
				all = append(all, one)
			}
		}
	}
	return all
}

// plain removes Markdown's escapes and emphasis.
func plain(s string) string {
	return strings.TrimSpace(strings.NewReplacer(`\`, "", "*", "", "`", "").Replace(s))
}
