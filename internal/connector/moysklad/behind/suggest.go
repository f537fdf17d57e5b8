package behind

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// suggestion is a question with what an account must have for it.
type suggestion struct {
	tool.Text
	needs []string           // rights, as [connector.Right] names them
	about connector.NameKind // the question ends with a name of the kind; empty: with none
	least int                // how many names of the kind there must be, if they are known
	many  connector.NameKind // the kind that least is about
}

// rightCost is the right to see cost and profit.
const rightCost = "viewproductcostandprofit"

var suggestions = []suggestion{
	{Text: tool.Text{RU: "Что заканчивается и что заказать?", EN: "What is running out?"},
		needs: []string{"stock"}},
	{Text: tool.Text{RU: "Выручка и прибыль по складам за последние 30 дней",
		EN: "Revenue and profit by warehouse for the last 30 days"}, needs: []string{rightCost},
		many: connector.NameStore, least: 2},
	{Text: tool.Text{RU: "Выручка по дням за последние 30 дней", EN: "Revenue by day for the last 30 days"},
		needs: []string{"demand"}},
	{Text: tool.Text{RU: "Остатки на складе ", EN: "How much is in stock at "}, needs: []string{"stock"},
		about: connector.NameStore},
	{Text: tool.Text{RU: "Какие товары приносят больше всего прибыли?", EN: "Which products earn the most profit?"},
		needs: []string{rightCost}},
	{Text: tool.Text{RU: "Выручка по группам товаров в этом месяце", EN: "Revenue by product group this month"},
		needs: []string{"demand"}, many: connector.NameGroup, least: 2},
	{Text: tool.Text{RU: "Выручка по каналам продаж в этом месяце", EN: "Revenue by sales channel this month"},
		needs: []string{"demand"}, many: connector.NameSalesChannel, least: 2},
	{Text: tool.Text{RU: "Что лежит без движения дольше 90 дней?", EN: "Which goods have been lying for more than " +
		"90 days?"},
		needs: []string{"stock"}},
	{Text: tool.Text{RU: "Какие заказы просрочены?", EN: "Which orders are overdue?"},
		needs: []string{"customerorder"}},
	{Text: tool.Text{RU: "Сколько денег на счетах?", EN: "How much money is in the accounts?"},
		needs: []string{"dashboardmoney"}},
	{Text: tool.Text{RU: "Кто нам должен?", EN: "Who owes us?"}, needs: []string{"company_crm"}},
	{Text: tool.Text{RU: "Подготовь заказы поставщикам на всё, что ниже минимума",
		EN: "Prepare supplier orders for everything below the minimum " +
			"stock"}, needs: []string{"stock", "purchaseorder"},
		many: connector.NameSupplier, least: 1},
}

// mostSuggestions is how many questions are suggested.
const mostSuggestions = 8

// Suggest returns questions that an account can answer: those that need no right that its employee lacks, and nothing
// that it does not have. Names are its own.
func Suggest(known connector.Known) (all []tool.Text) {
	for _, s := range suggestions {
		if slices.ContainsFunc(s.needs, func(right string) bool { return slices.Contains(known.Missing, right) }) {
			continue
		}
		if names, ok := known.Names[s.many]; ok && len(names) < s.least {
			continue
		}
		q := s.Text
		if s.about != "" {
			names := known.Names[s.about]
			if len(names) == 0 {
				continue
			}
			q.RU, q.EN = q.RU+"«"+names[0]+"»", q.EN+"“"+names[0]+"”"
		}
		if all = append(all, q); len(all) == mostSuggestions {
			break
		}
	}
	return all
}
