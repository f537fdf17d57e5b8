package behind

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// Browse returns what the pages of goods, customers and documents show. Kinds are the types of documents.
func Browse(kinds iter.Seq2[string, tool.Text]) *connector.Browse {
	b := &connector.Browse{Goods: goodsShelf, Partners: partnersShelf,
		Open: []connector.Choice{
			{Name: "unshipped", Title: tool.Text{RU: "Не отгружено", EN: "Not shipped"}},
			{Name: "not_received", Title: tool.Text{RU: "Не получено", EN: "Not received"}},
			{Name: "unpaid", Title: tool.Text{RU: "Не оплачено", EN: "Not paid"}},
			{Name: "overdue", Title: tool.Text{RU: "Просрочено", EN: "Overdue"}},
		},
		Documents: documentList,
		Document:  func(id, kind string) connector.Call { return call("moysklad_document", document(id, kind)) },
		Page:      pageOf,
	}
	for name, title := range kinds {
		b.Kinds = append(b.Kinds, connector.Choice{Name: name, Title: title})
	}
	return b
}

// The days of sales beside the goods, and beside customers and suppliers, who buy less often than goods are sold.
const (
	goodsDays    = 30
	partnersDays = 90
)

var goodsShelf = connector.Shelf{Names: connector.NameProduct, ID: "product_id",
	List: func(today tool.Day) connector.Call {
		return call("moysklad_analyze", map[string]any{"measures": []string{"stock", "available", "sale_price", "quantity",
			"revenue", "days_of_cover"}, "by": []string{"product"}, "from": today.Add(1 - goodsDays), "to": today})
	},
	Parts: func(id string, today tool.Day) []connector.Tile {
		return []connector.Tile{
			{Name: "card", Title: tool.Text{RU: "Карточка товара", EN: "Product card"},
				Call: call("moysklad_product", map[string]any{"product": id, "from": today.Add(1 - goodsDays), "to": today})},
			{Name: "sales", Title: tool.Text{RU: "Продажи по неделям", EN: "Sales by week"},
				Call: sales("product", id, "week", today.Add(-7*12), today)},
			{Name: "orders",
				Title: tool.Text{RU: "Неотгруженные заказы с этим товаром", EN: "Orders to be shipped with it"},
				Call: call("moysklad_documents", map[string]any{"kinds": []string{"customerorder"}, "products": []string{id},
					"unshipped": true})},
		}
	},
	Called: quoted,
	Questions: func(name string) []tool.Text {
		return []tool.Text{
			about(name, "Продажи %s по месяцам за этот год", "Sales of %s by month this year"),
			about(name, "Кто покупает %s за последние 90 дней", "Revenue of %s by customer for the last 90 days"),
			about(name, "Прогноз продаж %s на 4 недели", "Sales forecast of %s for 4 weeks"),
		}
	},
}

var partnersShelf = connector.Shelf{Names: connector.NameCounterparty, ID: "counterparty_id",
	List: func(today tool.Day) connector.Call {
		return call("moysklad_analyze", map[string]any{"measures": []string{"revenue", "purchases", "owed_to_us",
			"owed_by_us", "latest_sale"}, "by": []string{"counterparty"},
			"from": today.Add(1 - partnersDays), "to": today})
	},
	Parts: func(id string, today tool.Day) []connector.Tile {
		return []connector.Tile{
			{Name: "card", Title: tool.Text{RU: "Карточка контрагента", EN: "Counterparty card"},
				Call: call("moysklad_counterparty", map[string]any{"counterparty": id, "from": today.Add(1 - partnersDays),
					"to": today})},
			{Name: "sales", Title: tool.Text{RU: "Продажи по месяцам", EN: "Sales by month"},
				Call: sales("counterparty", id, "month", today.Add(-365), today)},
		}
	},
	Called: quoted,
	Questions: func(name string) []tool.Text {
		return []tool.Text{
			about(name, "Что покупает %s за последние 90 дней", "What %s bought in the last 90 days"),
			about(name, "Неоплаченные документы %s", "Unpaid documents of %s"),
			about(name, "Выручка и прибыль %s по месяцам за этот год", "Revenue and profit of %s by month this year"),
		}
	},
}

// about is a question about a name, which takes the place of %s.
func about(name, ru, en string) tool.Text {
	return tool.Text{RU: fmt.Sprintf(ru, wording.InQuotes(name, stockhand.Russian)),
		EN: fmt.Sprintf(en, wording.InQuotes(name, stockhand.English))}
}

func sales(field, id, by string, from, to tool.Day) connector.Call {
	return call("moysklad_analyze", map[string]any{"measures": []string{"revenue"}, "by": []string{by}, "from": from,
		"to": to, "where": []map[string]any{{"field": field, "op": "in", "values": []string{id}}}})
}

// quoted returns the name in the title of a card, with the quotation marks that it has itself.
func quoted(card *tool.Result) string {
	from, to := strings.IndexAny(card.Title, "«“"), strings.LastIndexAny(card.Title, "»”")
	if from < 0 || to < from {
		return card.Title
	}
	first := []rune(card.Title[from:])[0]
	name := strings.TrimPrefix(card.Title[from:to], string(first))
	if first == '«' {
		return strings.NewReplacer("„", "«", "“", "»").Replace(name)
	}
	return name
}

// The conditions of the list of documents that an address may have.
var (
	lists = []string{"kinds", "counterparties", "products", "stores", "employees", "projects", "legal_entities"}
	texts = []string{"from", "to", "number", "text"}
	flags = []string{"unshipped", "not_received", "unpaid", "overdue"}
)

// documentList returns the call for conditions of an address. Others are left out.
func documentList(conditions url.Values) connector.Call {
	arguments := map[string]any{}
	for _, name := range lists {
		values := slices.DeleteFunc(slices.Clone(conditions[name]), func(v string) bool { return v == "" })
		if len(values) > 0 {
			arguments[name] = values
		}
	}
	for _, name := range texts {
		if v := conditions.Get(name); v != "" {
			arguments[name] = v
		}
	}
	for _, name := range flags {
		if conditions.Get(name) == "1" {
			arguments[name] = true
		}
	}
	return call("moysklad_documents", arguments)
}

// pageOf returns the page of what a cell opens.
func pageOf(c connector.Call) (connector.Page, bool) {
	var arguments map[string]any
	if json.Unmarshal(c.Arguments, &arguments) != nil {
		return connector.Page{}, false
	}
	one := func(section connector.Section, argument string) (connector.Page, bool) {
		id, ok := arguments[argument].(string)
		return connector.Page{Section: section, ID: id}, ok
	}
	switch c.Tool {
	case "moysklad_product":
		return one(connector.SectionGoods, "product")
	case "moysklad_counterparty":
		return one(connector.SectionPartners, "counterparty")
	case "moysklad_document":
		p, ok := one(connector.SectionDocuments, "id")
		if kind, known := arguments["kind"].(string); known {
			p.Conditions = url.Values{"kind": {kind}}
		}
		return p, ok
	case "moysklad_documents":
		p := connector.Page{Section: connector.SectionDocuments, Conditions: url.Values{}}
		for name, value := range arguments {
			switch v := value.(type) {
			case string:
				p.Conditions.Set(name, v)
			case bool:
				p.Conditions.Set(name, "1") // a condition that does not hold is left out
			case []any:
				for _, x := range v {
					if s, ok := x.(string); ok {
						p.Conditions.Add(name, s)
					}
				}
			}
		}
		return p, true
	}
	return connector.Page{}, false
}
