package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// saidWords are what a text has to say, besides the figures and names of the notice, for the notice not to be missing:
// one word of each list, in one paragraph.
var saidWords = map[tool.NoticeCode][][]string{
	tool.NoticeRightMissing: {strings.Fields(
		"права право прав скрыт закрыт недоступ тариф right permission access hidden closed tariff"),
		strings.Fields("нет не без скрыт закрыт недоступ отсутств missing no not without lack hidden closed")},
	tool.NoticeCostPartial: {strings.Fields("себес cost"), strings.Fields("извест неизвест known unknown")},
	tool.NoticeCostFromPrice: {strings.Fields("закупоч purchase"),
		strings.Fields("маржа маржу маржи рентаб прибыль margin profit"),
		strings.Fields("вместо посчита рассчита взята расчёт instead computed calculated based")},
	tool.NoticeTruncated: {strings.Fields("показан первые первых shown first showing top"),
		strings.Fields("строк строки строка из rows row of")},
	tool.NoticeCurrency: {strings.Fields("валют currenc currency")},
	tool.NoticeVisibility: {strings.Fields("видн видны видит видна доступ visible see sees access show"),
		strings.Fields("часть только part only")},
	tool.NoticeNoSupplier: {strings.Fields("поставщик supplier"), strings.Fields("без нет не without no not")},
	tool.NoticeNoPrice: {strings.Fields("закупоч цена цены purchase price"),
		strings.Fields("без нет не without no not")},
}

// alike is the share of a notice's words that a paragraph has to have, in any form, where no words of its own are
// listed.
const alike = 0.6

// Missing returns the notices that a text does not say: their figures and quoted names have to be in one paragraph,
// together with the words that make the remark. What is said in another way counts as missing: to repeat a remark is
// harmless, to lose one is not.
func Missing(text string, list []tool.Notice) []tool.Notice {
	var out []tool.Notice
	var paragraphs []*paragraph
	for _, p := range strings.Split(text, "\n\n") {
		paragraphs = append(paragraphs, newParagraph(p))
	}
	whole := plainWording(text)
	for _, n := range list {
		if slices.Contains(out, n) || strings.Contains(whole, strings.TrimRight(plainWording(n.Message), ". ")) {
			continue
		}
		said := newParagraph(n.Message)
		if !slices.ContainsFunc(paragraphs, func(p *paragraph) bool { return p.says(said, n.Code) }) {
			out = append(out, n)
		}
	}
	return out
}

// paragraph is a text as it is compared with notices.
type paragraph struct {
	text    string
	words   map[string]bool
	figures []*figure
	quotes  []string
}

func newParagraph(text string) *paragraph {
	text = strings.ReplaceAll(text, Mark, "")
	p := &paragraph{text: text, words: map[string]bool{}}

	for _, t := range tokens(text) {

		if r := []rune(t.folded); len(r) >= 4 {
			p.words[string(r[:min(5, len(r))])] = true
		}
	}
	p.quotes = quotedIn(text)
	s := &scanner{text: text, l: stockhand.Russian}
	s.scan()
	p.figures = s.found
	return p
}

// says tells whether the paragraph says what the notice does.
func (p *paragraph) says(n *paragraph, code tool.NoticeCode) bool {
	for _, f := range n.figures {
		if !slices.ContainsFunc(p.figures, func(o *figure) bool { return o.equals(f) }) {
			return false
		}
	}
	for _, q := range n.quotes {
		if !strings.Contains(wordsOf(p.text), wordsOf(q)) {
			return false
		}
	}
	if lists, ok := saidWords[code]; ok {
		for _, list := range lists {
			if !hasWord(p.text, list) {
				return false
			}
		}
		return true
	}
	shared := 0
	for w := range n.words {
		if p.words[w] {
			shared++
		}
	}
	return float64(shared) >= alike*float64(len(n.words))
}

// wordsOf is a text's words alone, with a space on both sides.
func wordsOf(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range tokens(text) {
		b.WriteString(t.folded)
		b.WriteByte(' ')
	}
	return b.String()
}

// quotedIn are the names in quotation marks.
func quotedIn(text string) []string {
	var out []string
	for _, marks := range [][2]string{{"«", "»"}, {"“", "”"}} {
		rest := text
		for {
			_, after, ok := strings.Cut(rest, marks[0])
			if !ok {
				break
			}
			inner, tail, ok := strings.Cut(after, marks[1])
			if !ok {
				break
			}
			if utf8.RuneCountInString(inner) > 2 {
				out = append(out, inner)
			}
			rest = tail
		}
	}
	return out
}
