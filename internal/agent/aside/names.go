package aside

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
)

// NotLookedUp returns the reply to a task with more unknown words than may be looked up.
func NotLookedUp(l stockhand.Language, phrases []language.Phrase) string {
	const most = 5
	var unknown []string
	for _, p := range phrases[:min(most, len(phrases))] {
		unknown = append(unknown, "«"+p.Words+"»")
	}
	return fmt.Sprintf(l.Pick("Не удалось проверить все названия: %s. Спросите короче, об одном товаре или складе.",
		"I could not look up all of these names: %s. Ask a shorter question, about one product or warehouse."),
		strings.Join(unknown, ", "))
}

// NotFound returns a question that says that a name is not in the account and offers the existing names.
func NotFound(l stockhand.Language, p language.Phrase, names []connector.Name) *dialogue.Question {
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
	q := &dialogue.Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».",
		"I see no %s “%s” in the account."), what,
		p.Words), Options: []dialogue.Option{}}
	var known []string
	for _, n := range names {
		known = append(known, n.Name)
	}
	const most = 10
	switch {
	case len(known) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(known[:most], ", "), len(known)-most)
	case len(known) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(known, ", "))
	}
	if p.Kinds[0] == connector.NameStore {
		q.Text += l.Pick(" Архивные склады не показываю.", " Archived ones are not shown.")
	}
	q.Text += l.Pick(" Уточните название.", " Please use the account's own name for it.")
	return q
}
