package grounding

import (
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// cue is a set of hints that the words of a sentence give about its figures.
type cue uint16

const (
	totalCue      cue = 1 << iota // the figure covers everything
	shareCue                      // the figure is a share
	moreCue                       // the figure is the number of remaining items
	sumCue                        // the figure is a sum
	differenceCue                 // the figure is a difference
	ratioCue                      // the figure is a ratio
	lossCue                       // the word implies a minus sign
	marginCue
	costCue
	averageCue
	togetherCue // the figure is the sum of what was listed
	upCue
	downCue
)

// cueWords are prefixes of words. Those of up to four bytes (two Russian letters) must match whole words.
var cueWords = map[cue]string{
	totalCue:      "всего итог общ вместе суммарн совокуп total overall altogether combined",
	shareCue:      "доля доли долю долей часть части приходит составля вклад share part account процент",
	moreCue:       "ещё еще остал друг more other remain rest",
	sumCue:        "всего итог общ вместе суммарн совокуп сумм total overall altogether combined together sum",
	differenceCue: "остальн отстает отстал обгоня падени разниц разрыв меньш больш выше ниже рост вырос снизил снижен упал изменен прибав прирост дефицит нехват излиш осталось differ gap rest rise risen up more less higher lower up down grew growth rose fell drop increase decrease change short surplus",
	ratioCue:      "доля доли долю долей часть части составля процент приходит вклад share percent part account рост вырос снизил снижен упал измен прирост больш меньш ratio up down rise падени grew growth rose fell drop increase decrease change more less раз раза times",
	lossCue:       "убыт минус ниже долг должн отрицат сниз сниж упал паден меньш сократ недост нехват loss minus below negative debt owe decline decrease drop fell fall down less short lower",
	marginCue:     "маржа маржи марже маржу маржой маржин рентаб нацен margin markup",
	costCue:       "себес закупоч cost purchase",
	averageCue:    "средн средний средняя среднем среднее average mean",
	togetherCue:   "эти этих первые первых двух трех четыре самых суммар них these those three four",
	upCue:         "вырос выросл рост прибав прибавил увелич поднял больше выше grew grow growth rose rise risen up increas gain gained more higher",
	downCue:       "упал упала падени снизил снижен сократ уменьш просел просела меньше ниже fell fall fallen drop dropped down decreas decline declined lost less lower",
}

type cueWord struct {
	text string
	cue  cue
}

var cueList = func() (list []cueWord) {
	for c, words := range cueWords {
		for w := range strings.FieldsSeq(words) {
			list = append(list, cueWord{strings.ReplaceAll(w, "ё", "е"), c})
		}
	}
	return list
}()

// cuesIn returns the cues in a text.
func cuesIn(text string) (found cue) {
	for _, t := range prose.Tokens(text) {
		for _, w := range cueList {
			if t.Folded == w.text || len(w.text) > 4 && strings.HasPrefix(t.Folded, w.text) {
				found |= w.cue
			}
		}
	}
	return found
}

// cues caches the cues of a sentence for all its figures.
type cues struct {
	spans map[prose.Span]cue
	texts map[string]cue
}

func (c *cues) of(text string, s prose.Span) cue {
	found, known := c.spans[s]
	if !known {
		found = cuesIn(text[s.Start:s.End])
		c.spans[s] = found
	}
	return found
}

func (c *cues) in(text string) cue {
	found, known := c.texts[text]
	if !known {
		found = cuesIn(text)
		c.texts[text] = found
	}
	return found
}

// beside reports whether the figure's sentence, or the heading of its column or row, has a cue.
func (c *checker) beside(f *figure, want cue) bool {
	if f.cell != nil {
		return (c.cues.in(f.cell.label())|c.cues.in(f.cell.grid.first[f.cell.row]))&want != 0
	}
	return c.cues.of(c.doc.text, c.doc.clauses[f.clause].sentence)&want != 0
}

// near is like beside, for the clause instead of the sentence.
func (c *checker) near(f *figure, want cue) bool {
	if f.cell != nil {
		return c.beside(f, want)
	}
	return c.cues.of(c.doc.text, c.doc.clauses[f.clause].Span)&want != 0
}

// hasWord reports whether a text has one of the words, which are prefixes as in [cueWords].
func hasWord(text string, words []string) bool {
	for _, t := range prose.Tokens(text) {
		for _, w := range words {
			if t.Folded == w || len(w) > 4 && strings.HasPrefix(t.Folded, w) {
				return true
			}
		}
	}
	return false
}
