package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/phrase"
)

// outOfScope reports whether the task asks for something that Stockhand does not do: it is about another field, or
// orders a change that no propose skill makes.
func (r *reader) outOfScope(best scored) bool {
	e := r.evidence
	if e.has(conceptConsolidate) && !e.has(conceptOutOfScope, conceptDelete) {
		return false
	}
	if r.imperative(conceptSendMessage) && !best.skill.Proposes() || r.imperative(conceptNewRecord) && r.newRecord() {
		return true
	}
	score := 0.0
	if e.has(conceptOutOfScope) {
		score = outOfScopeScore
		if e.concepts[conceptOutOfScope] > 1 {
			score += moreOutOfScope
		}
	}
	if e.has(conceptForecast) && !e.has(conceptShortage, conceptToBuy) {
		score = max(score, outOfScopeScore)
	}
	if e.has(conceptMaybeOutOfScope) {
		score = max(score, maybeOutOfScope)
	}
	if e.has(conceptSending) && best.score < minScore {
		score = max(score, sendingScore)
	}
	if r.imperative(conceptDelete) && !best.skill.Proposes() && !e.has(conceptABC) && best.skill != Help {
		if !(e.has(conceptReport) && e.has(conceptCreate, conceptShow)) {
			score = max(score, deleteScore)
		}
	}
	if best.skill.Proposes() {
		return e.has(conceptOutOfScope) && len(r.mentions) == 0
	}
	if best.score < minScore && r.imperative(conceptCreate) && !e.has(conceptReport, conceptListWord, conceptShow) {
		return true // "создай товар"
	}
	return score > best.score || score > 0 && best.score-score < outOfScopeMargin
}

// newRecord reports whether the task orders a new product, customer or other record ("заведи новый товар"), which
// Stockhand does not create. Orders, reports and lists are fine.
func (r *reader) newRecord() bool {
	for _, f := range r.found {
		if f.Meaning != conceptNewRecord {
			continue
		}
		for i := f.At[0] + 1; i < len(r.ts) && i <= f.At[0]+4; i++ {
			t := &r.ts[i]
			if strings.HasPrefix(t.Norm, "нов") || t.Norm == "new" || t.Norm == "a" || t.Norm == "the" ||
				strings.HasPrefix(t.Norm, "карточк") || t.Norm == "еще" || t.Norm == "another" || t.Norm == "одного" ||
				t.Norm == "один" {
				continue
			}
			return r.means(i, conceptProduct, conceptCustomer, conceptSupplier, conceptEmployee, conceptStore,
				conceptGroup, conceptOrganization)
		}
	}
	return false
}

// means reports whether token i is in a phrase of one of the concepts.
func (r *reader) means(i int, concepts ...concept) bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return slices.Contains(f.At, i) && slices.Contains(concepts, f.Meaning)
	})
}
