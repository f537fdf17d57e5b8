package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

type referenceInput struct {
	Kind  referenceKind `json:"kind"`
	Query string        `json:"query,omitempty" jsonschema:"words of the name or code"`
}

type referenceKind connector.NameKind

func (referenceKind) Schema() *jsonschema.Schema {
	return tool.Enum(connector.NameStore, connector.NameSupplier, connector.NameCounterparty,
		connector.NameGroup, connector.NamePriceType, connector.NameOrganization, connector.NameEmployee,
		connector.NameSalesChannel, connector.NameProject, connector.NameState, connector.NameExpenseItem)
}

func referenceTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_reference",
		tool.Text{RU: "Справочник", EN: "Reference list"},
		tool.Text{
			RU: "Списки аккаунта: склады, поставщики, контрагенты, группы товаров, типы цен, юрлица, сотрудники, " +
				"каналы продаж, проекты, статусы заказов, статьи расходов.",
			EN: "A list of the account: names and ids, nothing else.",
		}, (*call).reference)
}

var kindTitles = map[connector.NameKind]tool.Text{
	connector.NameStore: {RU: "Склады", EN: "Warehouses"}, connector.NameSupplier: {RU: "Поставщики", EN: "Suppliers"},
	connector.NameCounterparty: {RU: "Контрагенты", EN: "Counterparties"},
	connector.NameGroup:        {RU: "Группы товаров", EN: "Groups of goods"},
	connector.NamePriceType:    {RU: "Типы цен", EN: "Price types"},
	connector.NameOrganization: {RU: "Юрлица", EN: "Legal entities"},
	connector.NameEmployee:     {RU: "Сотрудники", EN: "Employees"},
	connector.NameSalesChannel: {RU: "Каналы продаж", EN: "Sales channels"},
	connector.NameProject:      {RU: "Проекты", EN: "Projects"},
	connector.NameState:        {RU: "Статусы заказов", EN: "States of orders"},
	connector.NameExpenseItem:  {RU: "Статьи расходов", EN: "Expense items"},
}

func (c *call) reference(ctx context.Context, in referenceInput) error {
	kind := connector.NameKind(in.Kind)
	title := kindTitles[kind]
	c.Result.Title = title.In(c.Lang)
	c.Method("Список из справочников МоегоСклада, без архивных записей.",
		"The list as MoySklad keeps it, without archived entries.")
	list, err := c.NamesOf(ctx, kind)
	if err == nil && kind == connector.NameSupplier {
		list, err = c.suppliers(ctx, list)
	}
	if err != nil {
		return c.Refuse(err, title)
	}
	words := strings.Fields(wording.Fold(in.Query))
	list = slices.DeleteFunc(slices.Clone(list), func(n connector.Name) bool {
		text := wording.Fold(n.Name + " " + strings.Join(n.Also, " "))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
	if kind != connector.NamePriceType { // the order of price types shows the default
		slices.SortFunc(list, func(x, y connector.Name) int {
			return cmp.Or(strings.Compare(wording.Fold(x.Name), wording.Fold(y.Name)), strings.Compare(x.ID, y.ID))
		})
	}
	show(c, []column[connector.Name]{
		text("name", "Название", "Name", func(n connector.Name) string { return n.Name }),
		text("details", "Код и другие имена", "Code and other names",
			func(n connector.Name) string { return strings.Join(n.Also, "; ") }),
		text("id", "ID", "ID", func(n connector.Name) string { return n.ID }),
	}, list, 0)
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = n.Name
	}
	if entity := map[connector.NameKind]string{connector.NameCounterparty: "counterparty",
		connector.NameSupplier: "counterparty", connector.NameStore: "store",
		connector.NameOrganization: "organization"}[kind]; entity != "" {
		c.NoticePartialView(entity, title)
	}
	if len(list) == account.MostCounterparties {
		c.Noticef(tool.NoticePartial, "Контрагентов слишком много: прочитаны только первые %d.",
			"There are too many counterparties: only the first %d were read.", account.MostCounterparties)
	}
	if len(list) == 0 {
		if len(words) > 0 {
			c.Notice(tool.NoticeEmpty, "Записей со всеми этими словами в названии или коде нет.",
				"No entry has all these words in its name or code.")
			c.Result.Answer = title.In(c.Lang) +
				c.Pick(": по запросу "+wording.InQuotes(in.Query, c.Lang)+" ничего не найдено.",
					": nothing was found for "+
						wording.InQuotes(in.Query, c.Lang)+".")
			return nil
		}
		c.Notice(tool.NoticeEmpty, "Список пуст.", "The list is empty.")
		c.Result.Answer = title.In(c.Lang) + c.Pick(": список пуст.", ": the list is empty.")
		return nil
	}
	c.Result.Answer = fmt.Sprintf("%s: %s — %s.", title.In(c.Lang), wording.NounName.Count(c.Lang, len(list)),
		wording.Quoted(names, c.Lang))
	return nil
}

// mostSuppliedGoods is the maximum number of goods read to find out which suppliers they name.
const mostSuppliedGoods = 5000

// supplierTags are the tags that mark suppliers.
var supplierTags = []string{"поставщик", "supplier", "vendor"}

// suppliers keeps the counterparties that are suppliers, which the list does not say (fact M60): those that goods name
// as supplier or that have a supplier tag. If the account has neither, it keeps all.
func (c *call) suppliers(ctx context.Context, list []connector.Name) ([]connector.Name, error) {
	is := map[string]bool{}
	goods := 0
	query := msapi.CardQuery{ListQuery: msapi.ListQuery{First: mostSuppliedGoods,
		Filter: msapi.Filter{}.Where("supplier", msapi.NotEq, "")}}
	err := account.Each(c.Call, c.Reader.ProductCards(ctx, query), func(p msapi.Card) {
		goods++
		if p.Supplier.ID != "" {
			is[string(p.Supplier.ID)] = true
		}
	})
	if err != nil && !msapi.IsForbidden(err) {
		return nil, err
	}
	all, err := c.CounterpartyList(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if slices.ContainsFunc(x.Tags, func(tag string) bool {
			return slices.ContainsFunc(supplierTags,
				func(word string) bool { return strings.HasPrefix(wording.Fold(tag), word) })
		}) {
			is[string(x.ID)] = true
		}
	}
	if len(is) == 0 {
		c.Notice(tool.NoticeAssumption, "Ни в карточках товаров, ни в группах контрагентов поставщики не отмечены: "+
			"показаны все контрагенты.",
			"No product names a supplier and no counterparty is tagged as one: all counterparties are shown.")
		return list, nil
	}
	if goods == mostSuppliedGoods {
		c.Noticef(tool.NoticePartial,
			"Товаров слишком много: поставщики взяты из первых %d карточек и из групп контрагентов.",
			"There are too many products: suppliers come from the first %d and from tags.", mostSuppliedGoods)
	}
	c.Method("Контрагенты, которых товары называют поставщиком или которые помечены как поставщики; другой отметки "+
		"в МоёмСкладе нет.",
		"Counterparties that goods name as supplier or that are tagged so; MoySklad has no other mark.")
	return slices.DeleteFunc(slices.Clone(list), func(n connector.Name) bool { return !is[n.ID] }), nil
}
