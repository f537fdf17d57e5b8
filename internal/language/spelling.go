package language

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// minTypo is the shortest word, in letters, that a misspelt word is corrected to.
const minTypo = 5

// correctable are the concepts whose words a misspelt word may be corrected to, with the shortest such word: the
// subjects of tasks, and orders so long that one letter makes no other word of them. Everyday words are not among them,
// so that no typo turns a word into an order.
var correctable = func() (shortest [numConcepts]int) {
	for _, c := range []concept{conceptStock, conceptStore, conceptShortage, conceptToBuy, conceptSlowStock,
		conceptTurnover, conceptMoney, conceptMoneyFlow, conceptProfit, conceptLoss, conceptSales, conceptRevenue,
		conceptDebt, conceptPayable, conceptSupplier, conceptCustomer, conceptGroup, conceptEmployee, conceptChannel,
		conceptVariant, conceptProduct, conceptOrder, conceptOverdue, conceptOverview, conceptFind, conceptBest,
		conceptByStore, conceptTrend, conceptShow} {
		shortest[c] = minTypo
	}
	for _, c := range []concept{conceptMove, conceptBuy, conceptRaise, conceptLower, conceptReprice} {
		shortest[c] = 7
	}
	return shortest
}()

// repair corrects the words that the lexicon does not know: the wrong keyboard layout, Latin letters for Russian
// words, one wrong letter in a word of five or more.
func (x *lexicon) repair(ts []token.Token) {
	for i := range ts {
		t := &ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || len([]rune(t.Norm)) < 4 || token.HasDigit(t.Norm) ||
			x.explains(t) ||
			quantity.IsCalendarWord(t.Norm) {
			continue
		}
		if !t.Cyrillic {
			if x.Begins(t) {
				continue
			}
			for _, way := range []string{names.Layout(t.Norm), names.Transliterate(t.Norm)} {
				c := token.Token{Kind: token.Word, Norm: way, Stem: token.Stem(way, true), Cyrillic: true}
				if token.IsCyrillic(way) && len([]rune(way)) >= 4 && x.explains(&c) {
					t.Norm, t.Stem, t.Cyrillic, t.Typo = c.Norm, c.Stem, true, true
					break
				}
			}
			if t.Typo {
				continue
			}
		}
		if w := x.typos.Correct(t.Norm); w != "" {
			t.Norm, t.Stem, t.Typo = w, token.Stem(w, t.Cyrillic), true
		}
	}
}

// softened writes the soft signs that Latin letters leave out.
var softened = strings.NewReplacer("ябр ", "ябрь ", "кабр ", "кабрь ", "скол ", "сколь ", "сколко", "сколько",
	"толко", "только", "прибыл ", "прибыль ", "менше", "меньше", "болше", "больше", "денги", "деньги")

// inLayout returns a task that was typed in the other keyboard layout, or in Russian with Latin letters, as it was
// meant: if more of its words make sense then.
func (x *lexicon) inLayout(task string) string {
	const most = 300 // bytes; a longer one is not typed blindly
	if len(task) > most || token.IsCyrillic(words.Fold(task)) {
		return task
	}
	sense := func(text string) (n int) {
		for _, t := range token.Split(text) {
			if t.Kind == token.Word && len([]rune(t.Norm)) > 3 && x.Begins(&t) {
				n++
			}
		}
		return n
	}
	for _, other := range []string{names.Layout(task), softened.Replace(names.Transliterate(words.Fold(task)) + " ")} {
		if sense(other) > sense(task) {
			return strings.TrimSpace(other)
		}
	}
	return task
}
