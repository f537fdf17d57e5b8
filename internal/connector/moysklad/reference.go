package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

type referenceInput struct {
	Kind  referenceKind `json:"kind"`
	Query string        `json:"query,omitempty" jsonschema:"only entries whose name or code contains these words"`
}

type referenceKind connector.NameKind

// Schema lists the values.
func (referenceKind) Schema() *jsonschema.Schema {
	s := tool.Enum(connector.NameStore, connector.NameSupplier, connector.NameCounterparty, connector.NameGroup,
		connector.NamePriceType,
		connector.NameOrganization, connector.NameEmployee, connector.NameSalesChannel)
	s.Description = "which list"
	return s
}

func (a *account) referenceTool() tool.Tool {
	return reading(a, "moysklad_reference",
		tool.Text{RU: "Справочник", EN: "Reference list"},
		tool.Text{
			RU: "Списки аккаунта: склады, поставщики, контрагенты, группы товаров, типы цен, юрлица, сотрудники, каналы продаж.",
			EN: "Lists of the account: warehouses, suppliers, counterparties, groups of goods, price types, legal entities, employees, sales channels.",
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
}

func (c *call) reference(ctx context.Context, in referenceInput) error {
	kind := connector.NameKind(in.Kind)
	title := kindTitles[kind]
	c.result.Title = title.In(c.l)
	c.method("Список из справочников МоегоСклада, без архивных записей.",
		"The list as MoySklad keeps it, without archived entries.")
	list, err := c.names(ctx, kind)
	if err == nil && kind == connector.NameSupplier {
		list, err = c.suppliers(ctx, list)
	}
	if err != nil {
		return c.refuse(err, title)
	}
	words := strings.Fields(fold(in.Query))
	list = slices.DeleteFunc(slices.Clone(list), func(n connector.Name) bool {
		text := fold(n.Name + " " + strings.Join(n.Also, " "))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
	if kind != connector.NamePriceType { // their order says which is the default
		slices.SortFunc(list, func(x, y connector.Name) int {
			return cmp.Or(strings.Compare(fold(x.Name), fold(y.Name)), strings.Compare(x.ID, y.ID))
		})
	}
	c.columns(nil, field{"name", tool.UnitText, "Название", "Name"},
		field{"details", tool.UnitText, "Код и другие имена", "Code and other names"},
		field{"id", tool.UnitText, "ID", "ID"})
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = n.Name
		c.result.Rows = append(c.result.Rows,
			tool.Row{tool.TextValue(n.Name), tool.TextValue(strings.Join(n.Also, "; ")), tool.TextValue(n.ID)})
	}
	if entity := map[connector.NameKind]string{connector.NameCounterparty: "counterparty",
		connector.NameSupplier: "counterparty", connector.NameStore: "store",
		connector.NameOrganization: "organization"}[kind]; entity != "" {
		c.seen(entity, title)
	}
	if len(list) == mostCounterparties {
		c.notice(tool.NoticePartial, fmt.Sprintf("Прочитаны первые %d контрагентов.", mostCounterparties),
			fmt.Sprintf("The first %d counterparties were read.", mostCounterparties))
	}
	if len(list) == 0 {
		if len(words) > 0 {
			c.notice(tool.NoticeEmpty, "Записей со всеми этими словами в названии или коде нет.",
				"No entry has all these words in its name or code.")
			c.result.Answer = title.In(c.l) +
				c.pick(": по запросу "+inQuotes(in.Query, c.l)+" ничего не найдено.", ": nothing was found for "+
					inQuotes(in.Query, c.l)+".")
			return nil
		}
		c.notice(tool.NoticeEmpty, "Список пуст.", "The list is empty.")
		c.result.Answer = title.In(c.l) + c.pick(": список пуст.", ": the list is empty.")
		return nil
	}
	c.result.Answer = fmt.Sprintf("%s: %s — %s.", title.In(c.l), nounName.count(c.l, len(list)), quoted(names, c.l))
	return nil
}

// mostSuppliedGoods is up to how many goods are read to learn whom they name as supplier.
const mostSuppliedGoods = 5000

// supplierTags are the words by which people tag suppliers.
var supplierTags = []string{"поставщик", "supplier", "vendor"}

// suppliers keeps those counterparties that are suppliers: nothing in the list says so (reference, section 6.5). They
// are the ones that goods name as supplier and those tagged so; in an account where neither is told, all of them.
func (c *call) suppliers(ctx context.Context, list []connector.Name) ([]connector.Name, error) {
	is := map[string]bool{}
	goods := 0
	query := msapi.ProductQuery{ListQuery: msapi.ListQuery{First: mostSuppliedGoods,
		Filter: msapi.Filter{}.Where("supplier", msapi.NotEq, "")}}
	err := each(c, c.reader.Products(ctx, query), func(p msapi.Product) {
		goods++
		if p.Supplier.ID != "" {
			is[string(p.Supplier.ID)] = true
		}
	})
	if err != nil && !msapi.IsForbidden(err) {
		return nil, err
	}
	all, err := c.counterpartyList(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if slices.ContainsFunc(x.Tags, func(tag string) bool {
			return slices.ContainsFunc(supplierTags,
				func(word string) bool { return strings.HasPrefix(fold(tag), word) })
		}) {
			is[string(x.ID)] = true
		}
	}
	if len(is) == 0 {
		c.notice(tool.NoticeAssumption, "Поставщики не отмечены ни у товаров, ни метками: показаны все контрагенты.",
			"Neither goods nor tags tell suppliers: all counterparties are shown.")
		return list, nil
	}
	if goods == mostSuppliedGoods {
		c.notice(tool.NoticePartial, fmt.Sprintf("Поставщики найдены по первым %d товаров и по меткам.",
			mostSuppliedGoods),
			fmt.Sprintf("Suppliers were found by the first %d goods and by tags.", mostSuppliedGoods))
	}
	c.method("Контрагенты, которых товары называют поставщиком или которые помечены как поставщики; другой отметки в МоемСкладе нет.",
		"Counterparties that goods name as supplier or that are tagged so; MoySklad has no other mark.")
	return slices.DeleteFunc(slices.Clone(list), func(n connector.Name) bool { return !is[n.ID] }), nil
}
