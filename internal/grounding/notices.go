package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// saidWords are the words that a paragraph must contain to mention a notice, besides its figures and names: one word of
// each list.
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

// alike is the share of a notice's words that a paragraph must contain, in any form, if saidWords has no entry.
const alike = 0.6

// Missing returns the notices that a text does not mention. A paragraph mentions a notice if it contains its figures,
// its quoted names and its words. In doubt a notice counts as missing: repeating one is harmless, losing one is not.
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

// paragraph is a part of a text, prepared for comparison with notices.
type paragraph struct {
	text    string
	words   map[string]bool
	figures []*prose.Figure
	quotes  []string
}

func newParagraph(text string) *paragraph {
	text = strings.ReplaceAll(text, Mark, "")
	p := &paragraph{text: text, words: map[string]bool{}}
	for _, t := range prose.Tokens(text) {
		if r := []rune(t.Folded); len(r) >= 4 {
			p.words[string(r[:min(5, len(r))])] = true
		}
	}
	p.quotes = quotedIn(text)
	p.figures, _ = prose.Find(text, stockhand.Russian, [2]int{})
	return p
}

// says reports whether the paragraph mentions the notice.
func (p *paragraph) says(n *paragraph, code tool.NoticeCode) bool {
	for _, f := range n.figures {
		if !slices.ContainsFunc(p.figures, func(o *prose.Figure) bool { return o.Equals(f) }) {
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

// wordsOf returns only the words of a text, each with a space on both sides.
func wordsOf(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range prose.Tokens(text) {
		b.WriteString(t.Folded)
		b.WriteByte(' ')
	}
	return b.String()
}

// quotedIn returns the names in quotation marks.
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
