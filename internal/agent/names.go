package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
)

// lookUp loads the names that unexplained phrases may be: whole lists where they are short, a search for goods.
func lookUp(ctx context.Context, account connector.Account, phrases []language.Phrase) ([]connector.Name, error) {
	kinds := map[connector.NameKind]bool{}
	var names []connector.Name
	for _, p := range phrases {
		for _, k := range p.Kinds {
			kinds[k] = true
		}
		if slices.Contains(p.Kinds, connector.NameProduct) {
			goods, err := account.FindGoods(ctx, p.Words, 20)
			if err != nil {
				return nil, err
			}
			names = append(names, goods...)
		}
	}
	delete(kinds, connector.NameProduct)
	var lists []connector.NameKind
	for k := range kinds {
		lists = append(lists, k)
	}
	slices.Sort(lists)
	if len(lists) == 0 {
		return names, nil
	}
	listed, err := account.Names(ctx, lists...)
	return append(listed, names...), err
}

// notFound says that a name the task gave is not in the account, with the names that are.
func notFound(l stockhand.Language, p language.Phrase, names []connector.Name) *Question {
	what := map[connector.NameKind]string{
		connector.NameStore: l.Pick("склада", "warehouse"), connector.NameSupplier: l.Pick("поставщика", "supplier"),
		connector.NameCounterparty: l.Pick("контрагента", "counterparty"),
		connector.NameGroup:        l.Pick("группы", "group"),
		connector.NameProduct:      l.Pick("товара", "product"),
		connector.NameEmployee:     l.Pick("сотрудника", "employee"),
		connector.NameSalesChannel: l.Pick("канала продаж", "sales channel"),
		connector.NamePriceType:    l.Pick("типа цены", "price type"),
		connector.NameOrganization: l.Pick("юрлица", "legal entity"),
	}[p.Kinds[0]]
	q := &Question{Text: fmt.Sprintf(l.Pick("Не вижу в аккаунте %s «%s».", "I see no %s “%s” in the account."), what,
		p.Words), Options: []Option{}}
	var known []string
	for _, n := range names {
		if n.Kind == p.Kinds[0] {
			known = append(known, n.Name)
		}
	}
	const most = 10
	switch {
	case len(known) > most:
		q.Text += fmt.Sprintf(l.Pick(" Есть, например: %s и ещё %d.", " There are, for example: %s and %d more."),
			strings.Join(known[:most], ", "), len(known)-most)
	case len(known) > 0:
		q.Text += fmt.Sprintf(l.Pick(" Есть: %s.", " There are: %s."), strings.Join(known, ", "))
	}
	q.Text += l.Pick(" Уточните название.", " Please use the account's own name for it.")
	return q
}
