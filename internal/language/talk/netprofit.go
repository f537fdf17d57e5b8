package talk

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/words"
)

// lessExpenses are "с расходами" and "а чистая прибыль" as whole messages.
var lessExpenses = regexp.MustCompile(`^(?:а |и |ну )?(?:если )?(?:(?:с|с учетом|минус|за минусом|за вычетом|вычти|` +
	`вычесть|учесть|учти) (?:все |всех |всеми )?(?:расход\p{L}+|затрат\p{L}*|издерж\p{L}+)|(?:какая )?чистая` +
	`(?: прибыль)?(?: какая| сколько)?|чистыми(?: сколько)?|(?:and )?(?:the )?net profit|(?:and )?(?:with|including|minus|less|after) (?:all |the )?expenses)$`)

// netProfit reads "с расходами" after the sales of a period as what "чистая прибыль" shows of that period: the account
// does not know which payments are costs of the goods already (rule R1171). It returns nil for any other message.
func (t *talk) netProfit(m *message) *language.Reading {
	folded := strings.TrimSpace(words.Fold(strings.Trim(m.task, " ?.!,")))
	if t.done == nil || !ofSales(t.done) || !lessExpenses.MatchString(folded) {
		return nil
	}
	base := t.done.Composed(m.in.Catalogue).Query
	if base == nil || base.From == "" || base.Compare != nil || len(base.Where) > 0 || isLimited(t.done) ||
		t.done.Query != nil && len(t.done.Query.By) > 0 {
		return nil
	}
	q := analysis.Query{Measures: []string{"revenue", "cost", "profit", "money_out"}, From: base.From, To: base.To}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}
