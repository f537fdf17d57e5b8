package grounding

import "strings"

// estimating are the words with which a text says that a figure is no fact: a forecast, a proposal, an assumption.
var estimating = strings.Fields("прогноз прогнозу прогнозно прогнозирую оценка оценке оценкам оцениваю ожидаю ожидать ожидается ждать " +
	"предполож предлагаю предложил предложение предлож рекоменд советую если предположим допустим планирую план " +
	"forecast estimate estimated estimates expect expected assume assuming suggest recommend would could if proposal")

// exactDigits is the number of significant digits from which a figure is not an estimate, whatever the text calls it.
const exactDigits = 4

// isEstimate reports whether a figure that was found nowhere is one that the text calls an estimate: it is round, and
// its sentence, or the words in bold at the beginning of its paragraph, say so.
func (c *checker) isEstimate(f *figure) bool {
	if len(f.Readings) == 0 || f.Significant() >= exactDigits || f.cell != nil && !hasWord(f.cell.label(), estimating) {
		return false
	}
	if f.cell != nil {
		return true
	}
	s := c.doc.clauses[f.clause].sentence
	return hasWord(c.doc.text[s.Start:s.End], estimating)
}
