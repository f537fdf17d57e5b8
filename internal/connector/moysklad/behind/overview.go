package behind

import (
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Overview returns the queries of a start page: today, this week against the last, what is running out, overdue
// orders, and money.
func Overview(today tool.Day) []connector.Tile {
	monday := today.Add(-(int(today.Time().Weekday()) + 6) % 7)
	if today.Time().Weekday() == time.Monday { // a week of one day says nothing
		monday = today.Add(-7)
	}
	compared := func(from, to tool.Day, more map[string]any) connector.Call {
		arguments := map[string]any{"from": from, "to": to, "compare": map[string]any{"with": "previous"}}
		for name, value := range more {
			arguments[name] = value
		}
		return call("moysklad_analyze", arguments)
	}
	return []connector.Tile{
		{Name: "today", Title: tool.Text{RU: "Сегодня", EN: "Today"},
			Question: tool.Text{RU: "Выручка и чеки сегодня по сравнению со вчера",
				EN: "Revenue and receipts today compared with yesterday"},
			Call: compared(today, today, map[string]any{"measures": []string{"revenue", "receipts"}})},
		{Name: "week", Title: tool.Text{RU: "Неделя против прошлой", EN: "This week against the last"},
			Question: tool.Text{RU: "Выручка по дням этой недели по сравнению с прошлой",
				EN: "Revenue by day this week compared with last week"},
			Call: compared(monday, today, map[string]any{"measures": []string{"revenue"}, "by": []string{"day"}})},
		{Name: "shortages", Title: tool.Text{RU: "Заканчивается", EN: "Running out"},
			Question: tool.Text{RU: "Что заканчивается и что заказать?", EN: "What is running out?"},
			Call:     call("moysklad_shortages", map[string]any{})},
		{Name: "overdue", Title: tool.Text{RU: "Просроченные заказы", EN: "Overdue orders"},
			Question: tool.Text{RU: "Какие заказы просрочены?", EN: "Which orders are overdue?"},
			Call:     call("moysklad_overdue_orders", map[string]any{})},
		{Name: "money", Title: tool.Text{RU: "Деньги", EN: "Money"},
			Question: tool.Text{RU: "Сколько денег на счетах?", EN: "How much money is in the accounts?"},
			Call:     call("moysklad_money", map[string]any{"what": "balances"})},
	}
}

func call(name string, arguments map[string]any) connector.Call {
	raw, err := json.Marshal(arguments)
	if err != nil {
		panic("behind: " + err.Error()) // texts and lists always encode
	}
	return connector.Call{Tool: name, Arguments: raw}
}
