package agent

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
)

// maxLookUps is the maximum number of requests to understand a task (rule R75).
const maxLookUps = 6

// notLookedUp returns the reply to a task with more unknown words than may be looked up.
func notLookedUp(l stockhand.Language, phrases []language.Phrase) string {
	const most = 5
	var unknown []string
	for _, p := range phrases[:min(most, len(phrases))] {
		unknown = append(unknown, "«"+p.Words+"»")
	}
	return fmt.Sprintf(l.Pick("Не удалось проверить все названия: %s. Спросите короче, об одном товаре или складе.",
		"I could not look up all of these names: %s. Ask a shorter question, about one product or warehouse."),
		strings.Join(unknown, ", "))
}

// likeNames returns the phrases that look like names, in quotes; empty for none.
func likeNames(phrases []language.Phrase) string {
	var list []string
	for _, p := range phrases {
		if len([]rune(p.Words)) > 3 {
			list = append(list, "«"+p.Words+"»")
		}
	}
	return strings.Join(list, ", ")
}

// notFound returns a question that says that a name is not in the account and offers the existing names.
func notFound(l stockhand.Language, p language.Phrase, all []connector.Name) *Question {
	what := map[connector.NameKind]string{
		connector.NameStore: l.Pick("склада", "warehouse"), connector.NameSupplier: l.Pick("поставщика", "supplier"),
		connector.NameCounterparty: l.Pick("контрагента", "counterparty"),
		connector.NameGroup:        l.Pick("группы", "group"),
		connector.NameProduct:      l.Pick("товара", "product"),
		connector.NameEmployee:     l.Pick("сотрудника", "employee"),
		connector.NameSalesChannel: l.Pick("канала продаж", "sales channel"),
		connector.NamePriceType:    l.Pick("типа цены", "price type"),
		connector.NameOrganization: l.Pick("юрлица", "legal entity"),
		connector.NameProject:      l.Pick("проекта", "project"),
		connector.NameState:        l.Pick("статуса", "state"),
		connector.NameExpenseItem:  l.Pick("статьи расходов", "expense item"),
	}[p.Kinds[0]]
	q := &Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».", "I see no %s “%s” in the account."), what,
		p.Words), Options: []Option{}}
	var exist []string
	for _, n := range all {
		exist = append(exist, n.Name)
	}
	const most = 10
	switch {
	case len(exist) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(exist[:most], ", "), len(exist)-most)
	case len(exist) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(exist, ", "))
	}
	q.Text += l.Pick(" Уточните название.", " Please use the account's own name for it.")
	return q
}
